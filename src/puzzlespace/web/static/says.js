// What the player says, in English and Japanese.

const WAYS = { up: "上", down: "下", left: "左", right: "右" };
const DIRECTIONS = /(?<= )(?:(up|down)-)?(up|down|left|right)(?= |$)/g;

/** What is said of the places of objects: [name, [column, row] of each]. */
const spots = (places, said) => places.map(([name, all]) => `${name}: ${all.map((at) => said(...at)).join(", ")}`);

export const SAYS = {
  en: {
    goal: "Goal",
    undo: "Undo",
    redo: "Redo",
    reset: "Restart",
    hint: "Hint",
    step: "Next",
    solve: "Solution",
    compare: "Compare",
    play: "Play",
    pause: "Pause",
    long: { undo: "Undo (Ctrl+Z)", reset: "Start again", hint: "Hint (H)", step: "Make one best move", pause: "Pause" },
    speed: "Speed",
    close: "Close",
    board: "Board. Arrow keys move a piece or go from cell to cell, Enter chooses or moves the piece.",
    empty: "empty",
    net: "Net",
    cube: "Cube",
    newGame: "New game",
    levels: { easy: "Easy", medium: "Medium", hard: "Hard", hardest: "Hardest" },
    unmeasured: "The hardest positions are known once all positions are counted.",
    walk: ([easy, medium, hard]) => `Made by about ${easy}, ${medium} or ${hard} random moves; the goal may be nearer.`,
    todo: (gesture, piece, like = "until the board looks like the goal.") => {
      const said = {
        drag: `Slide the pieces ${piece ? `until ${piece} is where the goal shows it.` : like}`,
        send: `Send the pieces in a direction: they glide until something stops them${piece ? `. Bring ${piece} to where the goal shows it.` : `, ${like}`}`,
        push: `Drag a box, or choose it and press an arrow key: the player walks there and pushes it. Go on ${like}`,
        walk: `Walk with the arrow keys, or tap a cell beside the player, and push the boxes ${like}`,
        tilt: `Tilt the board with an arrow key or a swipe: all pieces glide in that direction${piece ? `. Bring ${piece} to where the goal shows it.` : `, ${like}`}`,
        leap: `Jump with a piece over another, which is taken off, ${like}`,
        press: `Tap a cell to switch it and the cells around it, ${like}`,
        swipe: `Swipe along a row or a column to turn it over, ${like}`,
        towers: "Move the tower as the goal shows it: drag a disk to another peg, but never onto a smaller one.",
        pile: "Tap a slice: it and all above it are turned over. Sort the pile by size.",
        ring: "Drag a piece along the ring, or choose a move, until the ring looks like the goal.",
        cube: "Drag a sticker to turn its side; drag beside the cube to look around. Bring each colour to its own side.",
        cycles: `Drag a piece to where a move takes it, or choose the move below, ${like}`,
        alter: `Tap or drag what should change, ${like}`,
        take: `Drag the top piece of a stack to another one, or tap both, ${like}`,
      };
      return said[gesture] ?? said.drag;
    },
    until: (goal) => `until the goal is reached: ${goal}`,
    names: "Names of cells",
    which: "Several moves: choose one.",
    to: "Now choose where it goes.",
    free: "There is no goal: move the pieces as you like.",
    figures: {
      dot: "the piece with the dot",
      ring: "the piece with the ring",
      cross: "the piece with the cross",
      bar: "the piece with the bar",
      square: "the piece with the square",
      triangle: "the piece with the triangle",
    },
    count: (n) => (n === 1 ? "1 move" : `${n} moves`),
    optimum: (n) => `of at least ${n}`,
    left: (n) => `${n} to the goal`,
    solved: "Solved!",
    won: ({ count, run, helped, record }) => {
      const moves = count === 1 ? "1 move" : `${count} moves`;
      const fewest = count === run.best ? ", the shortest possible" : run.best ? `; ${run.best} are possible` : "";
      const best =
        record && record < count
          ? ` · your best: ${record}`
          : record && record > count
            ? ` · your best so far, before: ${record}`
            : "";
      return `Solved! ${moves}${fewest}${helped ? ", with help" : best}`;
    },
    lost: (count) => (count ? "The goal cannot be reached any more." : "The goal cannot be reached from here."),
    asking: "counting…",
    unknown: "distance not known",
    beyond: (n) => `more than ${n === 1 ? "1 move" : `${n} moves`} to the goal`,
    choose: (n) => `${n} cells to go to: choose one.`,
    put: "Now choose its peg.",
    stuck: "This piece cannot move.",
    swiped: "Swipe across the board, or press an arrow key, to tilt it.",
    list: "Choose a move from the list.",
    hinted: (name, n) => `Hint: ${name}, then ${n} to the goal`,
    nohint: "No hint here.",
    nearer: "Hints are found nearer to the goal.",
    strip: "Your game: the distance to the goal after each move",
    spot: (count, name, far, lost) =>
      `Move ${count}${name ? ` (${name})` : ""}${far === null ? "" : `: ${far} to the goal`}${lost ? ", lost ground" : ""}`,
    solution: (n) => `Shortest solution: ${n === 1 ? "1 move" : `${n} moves`}`,
    scrub: "Place in the solution",
    fewest: "Shortest",
    mine: (n) => `Yours: ${n === 1 ? "1 move" : `${n} moves`}`,
    ground: "lost ground",
    offline: "The server does not answer. What you did last was taken back. The board goes on when the server is back.",
    failed: "Something went wrong on the server. What you did last was taken back.",
    refused: ({ message }) => message,
    name: ({ name }) => name,
    inputs: { up: "up", left: "left", down: "down", right: "right", action: "action" },
    play_game: ({ goal, inputs }) =>
      `Arrow keys, a swipe or the buttons below move${inputs.includes("A") ? "; X acts" : ""}; Z takes back, R begins again.` +
      (goal.length ? ` Goal: ${goal.join(" and ")}.` : ""),
    game_board: (places) =>
      `Board: columns from the left, rows from the top. ${spots(places, (x, y) => `column ${x} row ${y}`).join(". ")}`,
    endless: (input) => `The turns after ${input} would never end.`,
    go_on: "Continue (X)",
    level: (level, levels) => `Level ${level} of ${levels}`,
    levelname: "Level",
    before: "Previous",
    next: "Next level",
    pad: "Inputs",
  },
  ja: {
    goal: "ゴール",
    undo: "戻す",
    redo: "やり直す",
    reset: "最初から",
    hint: "ヒント",
    step: "次の手",
    solve: "解答",
    compare: "比べる",
    play: "再生",
    pause: "停止",
    long: {
      undo: "1 手戻す (Ctrl+Z)",
      reset: "最初から",
      hint: "ヒント (H)",
      step: "最短の手を 1 手進む",
      pause: "一時停止",
    },
    speed: "速さ",
    close: "閉じる",
    board: "盤。矢印キーで駒を動かすかマスを選び、Enter キーで駒を選ぶか動かします。",
    empty: "空き場所",
    net: "展開図",
    cube: "立体",
    newGame: "新しい問題",
    levels: { easy: "やさしい", medium: "ふつう", hard: "難しい", hardest: "最難" },
    unmeasured: "全局面を調べると、最も難しい局面がわかります。",
    walk: ([easy, medium, hard]) =>
      `約 ${easy}・${medium}・${hard} 回ランダムに動かして作ります。ゴールまではそれより近いことがあります。`,
    todo: (gesture, piece, like = "盤をゴールの図と同じにしましょう。") => {
      const said = {
        drag: piece
          ? `駒をすべらせて、${piece} をゴールの図の場所まで運びましょう。`
          : "駒をすべらせて、盤をゴールの図と同じにしましょう。",
        send: piece
          ? `駒は何かに当たるまで滑り続けます。${piece} をゴールの図の場所で止めましょう。`
          : "駒は何かに当たるまで滑り続けます。盤をゴールの図と同じにしましょう。",
        push: "荷物をドラッグするか、選んで矢印キーを押すと、プレイヤーが歩いて行って押します。盤をゴールの図と同じにしましょう。",
        walk: "矢印キーか隣のマスのタップで歩き、荷物を押して、盤をゴールの図と同じにしましょう。",
        tilt: piece
          ? `矢印キーかスワイプで盤を傾けると、すべての駒がその向きに滑ります。${piece} をゴールの図の場所で止めましょう。`
          : "矢印キーかスワイプで盤を傾けると、すべての駒がその向きに滑ります。盤をゴールの図と同じにしましょう。",
        leap: "駒で隣の駒を跳び越して取り除き、盤をゴールの図と同じにしましょう。",
        press: "マスをタップすると、そのマスと周りが切り替わります。盤をゴールの図と同じにしましょう。",
        swipe: "行または列に沿ってスワイプすると裏返ります。盤をゴールの図と同じにしましょう。",
        towers: "円盤を別の杭へ運び、塔をゴールの図のように移しましょう。小さい円盤の上に大きい円盤は置けません。",
        pile: "1 枚をタップすると、そこから上がまとめて裏返ります。大きさの順に並べましょう。",
        ring: "駒を輪に沿って動かすか、下の手を選び、輪をゴールの図と同じにしましょう。",
        cube: "面をドラッグすると回ります。立体の外をドラッグすると向きが変わります。各面の色をそろえましょう。",
        cycles: "駒を行き先までドラッグするか、下の手を選び、盤をゴールの図と同じにしましょう。",
        alter: `動かすものをタップかドラッグして、${like}`,
        take: `いちばん上の駒を別の山へドラッグするか、二つの山を順にタップして、${like}`,
      };
      return said[gesture] ?? said.drag;
    },
    until: (goal) => `ゴールを目指しましょう: ${goal}`,
    names: "マスの名前",
    which: "手がいくつかあります。選んでください。",
    to: "次に行き先を選んでください。",
    free: "ゴールはありません。自由に動かしてください。",
    figures: {
      dot: "点のある駒",
      ring: "輪のある駒",
      cross: "バツ印の駒",
      bar: "横線のある駒",
      square: "四角の印の駒",
      triangle: "三角の印の駒",
    },
    count: (n) => `${n} 手`,
    optimum: (n) => `(最短でも ${n} 手)`,
    left: (n) => `ゴールまで ${n} 手`,
    solved: "できました!",
    won: ({ count, run, helped, record }) => {
      const fewest = count === run.best ? "、最短手数です!" : run.best ? `。最短は ${run.best} 手です` : "";
      const best = record && record !== count ? ` · これまでの自己最少 ${record} 手` : "";
      return `できました! ${count} 手${fewest}${helped ? "(ヒントあり)" : best}`;
    },
    lost: () => "この局面からはゴールに到達できません。",
    asking: "計算中…",
    unknown: "手数は不明",
    beyond: (n) => `残りは ${n} 手より多い`,
    choose: (n) => `移動先が ${n} か所あります。選んでください。`,
    put: "次に杭を選んでください。",
    stuck: "この駒は動けません。",
    swiped: "盤の上でスワイプするか、矢印キーを押すと、盤が傾きます。",
    list: "一覧から手を選んでください。",
    hinted: (name, n) => `ヒント: ${name}。残り ${n} 手`,
    nohint: "この局面ではヒントを出せません。",
    nearer: "もっとゴールに近い局面ならヒントを出せます。",
    strip: "1 手ごとのゴールまでの手数",
    spot: (count, name, far, lost) =>
      `${count} 手目${name ? `(${name})` : ""}${far === null ? "" : `: ゴールまで ${far} 手`}${lost ? "、遠回り" : ""}`,
    solution: (n) => `最短解: ${n} 手`,
    scrub: "解答の位置",
    fewest: "最短解",
    mine: (n) => `自分: ${n} 手`,
    ground: "遠回り",
    offline: "サーバーが応答しないため、最後の操作を取り消しました。応答が戻ると自動的に再開します。",
    failed: "サーバーでエラーが発生したため、最後の操作を取り消しました。",
    refused: ({ kind, ja }) =>
      ({
        seconds: "制限時間を超えたため、中止しました。",
        memory: "メモリの上限を超えたため、中止しました。",
        positions: "局面数の上限を超えたため、中止しました。",
        busy: "サーバーが混み合っています。少し待ってからもう一度お試しください。",
      })[kind] ?? ja?.message,
    name: ({ name, ja }) => ja?.name ?? name,
    inputs: { up: "上", left: "左", down: "下", right: "右", action: "アクション" },
    play_game: ({ goal, inputs }) =>
      `矢印キー、スワイプ、下のボタンで動きます。${inputs.includes("A") ? "X キーはアクション、" : ""}Z キーで 1 手戻し、R キーで最初からやり直します。` +
      (goal.length ? `ゴール: ${goal.join(" / ")}` : ""),
    game_board: (places) => `盤(列は左から、行は上から)。${spots(places, (x, y) => `${x} 列 ${y} 行`).join("。")}`,
    endless: (input) => `${input}の後の変化は終わりません。`,
    go_on: "続ける (X)",
    level: (level, levels) => `レベル ${level} / ${levels}`,
    levelname: "レベル",
    before: "前",
    next: "次のレベル",
    pad: "入力",
  },
};

/** What the player says in a language about a puzzle. `move` writes a move's name, whose directions are words. */
export function saysOf(lang, about) {
  const says = SAYS[lang.startsWith("ja") ? "ja" : "en"];
  const directed = about?.named === "direction" && about.board.grid && !about.listed.length;
  if (about?.game) return { ...says, move: (name) => says.inputs[name] ?? name };
  const japanese = (name) => name.replace(DIRECTIONS, (_, high, side) => WAYS[side] + (WAYS[high] ?? ""));
  return { ...says, move: directed && says === SAYS.ja ? japanese : (name) => name };
}
