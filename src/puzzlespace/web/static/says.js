// What the player says, in English and Japanese.

export const SAYS = {
  en: {
    goal: "Goal", undo: "Undo", redo: "Redo", reset: "Start again", hint: "Hint", play: "Solve", pause: "Pause", step: "Next step", speed: "Speed",
    board: "Board. Arrow keys go from cell to cell, Enter moves the piece.",
    empty: "empty", count: (n) => (n === 1 ? "1 move" : `${n} moves`), optimum: (n) => `of at least ${n}`,
    left: (n) => `${n} to the goal`, solved: "Solved!", lost: "The goal cannot be reached any more.",
    asking: "counting…", unknown: "distance not known", choose: (n) => `${n} places to go: choose one`, stuck: "This piece cannot move.", list: "Choose a move from the list.",
    hinted: (name, n) => `Hint: ${name}, then ${n} to the goal`, nohint: "No hint here.", shortest: "in fewest moves", moves: "Moves",
  },
  ja: {
    goal: "ゴール", undo: "戻す", redo: "やり直す", reset: "最初から", hint: "ヒント", play: "解く", pause: "一時停止", step: "一手進める", speed: "速さ",
    board: "盤。矢印キーでマスを移り、Enter で駒を動かします。",
    empty: "空き", count: (n) => `${n} 手`, optimum: (n) => `(最短 ${n} 手)`,
    left: (n) => `ゴールまで ${n} 手`, solved: "できました!", lost: "もうゴールには着けません。",
    asking: "計算中…", unknown: "距離は不明", choose: (n) => `行き先は ${n} か所です。選んでください`, stuck: "この駒は動けません。", list: "下の一覧から選んでください。",
    hinted: (name, n) => `ヒント: ${name}、そのあとゴールまで ${n} 手`, nohint: "ここではヒントがありません。", shortest: "最短手数です", moves: "手",
  },
};
