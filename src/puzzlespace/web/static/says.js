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
    goal: "ゴール", undo: "1 手戻す", redo: "やり直す", reset: "最初から", hint: "ヒント", play: "解を再生", pause: "一時停止", step: "1 手進む", speed: "速さ",
    board: "盤。矢印キーでマスを移り、Enter で駒を動かします。",
    empty: "空き場所", count: (n) => `${n} 手`, optimum: (n) => `(最短でも ${n} 手)`,
    left: (n) => `ゴールまで ${n} 手`, solved: "できました!", lost: "この局面からはゴールに到達できません。",
    asking: "計算中…", unknown: "手数は不明", choose: (n) => `移動先が ${n} か所あります。選んでください`, stuck: "この駒は動けません。", list: "一覧から手を選んでください。",
    hinted: (name, n) => `ヒント: ${name}。残り ${n} 手`, nohint: "この局面ではヒントを出せません。", shortest: "最短手数です", moves: "手",
  },
};
