// The words of the page in English and Japanese.

const number = (value) => value.toLocaleString();
const rough = (value) => (value < 1e15 ? number(value) : `10^${Math.round(Math.log10(value))}`);
const time = (seconds, s, min) => (seconds < 90 ? `${Math.ceil(seconds)} ${s}` : `${Math.round(seconds / 60)} ${min}`);
const positions = (count) => `${number(count)} ${count === 1 ? "position" : "positions"}`;
const moves = (count) => `${number(count)} ${count === 1 ? "move" : "moves"}`;

export const WORDS = {
  en: {
    skip: "To the board",
    catalogue: "Puzzles",
    edit: "Edit",
    settings: "Settings",
    more: "More",
    theme: "Colours",
    auto: "system",
    light: "light",
    dark: "dark",
    nofile: (name) => `${name} is a puzzle by size and has no file. Write one here.`,
    file: "Puzzle file",
    load: "Open a file…",
    save: "Save the file",
    restore: "Bring back my text",
    replace: "Your text has an error, so it is not in the address. Replace it? The page can bring it back.",
    metric: "Moves counted as",
    link: "Share",
    take: "Export",
    choose: "choose…",
    text: "Text",
    strip: "Solution as pictures",
    gif: "Solution as GIF",
    html: "Page for offline play (HTML)",
    space: "All positions",
    depths: "Depths",
    hardest: "Hardest positions",
    make: "Make",
    makeone: "Make me one",
    provedin: (seconds) =>
      `Within ${seconds} s it is made and proved, or the page says that it is not. Once one is made, longer ones are offered.`,
    depth: "How far from the goal",
    one: "one shortest solution",
    needed: "no piece that can be left out",
    made: ({ depth, one, uniform }) =>
      `${moves(depth)}${one ? ", one shortest solution up to the order of moves" : ""}. ` +
      (uniform ? "Drawn from all positions of this depth." : "Found by a random walk, and its distance is proved."),
    nothere: ({ there, deepest, depth, one }) =>
      there
        ? `${positions(there)} at ${moves(depth)}, none of which ${one ? "has one shortest solution" : "was found"}.`
        : deepest !== null
          ? `The greatest depth is ${moves(deepest)}.`
          : "No such position was found.",
    family: "Hardest puzzles of this file",
    isfamily: "This file leaves its pieces open. Its hardest puzzles are listed under “Make”.",
    foreach: "One for each",
    by_what: { blanks: "number of blanks", pieces: "number of pieces", group: "set of pieces", all: "file" },
    moves: "Moves",
    pieces: "Pieces",
    only: (shown, all) => `The ${number(shown)} hardest of ${number(all)}.`,
    climbed: (count) =>
      `There are too many ways to lay the pieces. ${number(count)} were searched; there may be harder puzzles.`,
    packings: (found) =>
      (found.searched < found.packings
        ? `${number(found.searched)} of ${number(found.packings)} ways to lay the pieces were searched. `
        : `All ${number(found.packings)} ways to lay the pieces were searched. `) +
      `From ${number(found.solvable)} of them the goal can be reached.` +
      (found.rows.length ? "" : " No puzzle meets the conditions."),
    map: "Map",
    rules: "Rules",
    stop: "Stop",
    run: "Run",
    runall: "Run all",
    running: "running…",
    code: (number) => `Code, cell ${number}. Shift+Enter runs it.`,
    missing: (what) => `Not in this browser: ${what}`,
    notebooks: "Notebooks with Python that run here:",
    close: "Close",
    search: "Search by any name",
    nothing: "No puzzle of that name.",
    newcomer: "New here? These three",
    daily: "Puzzle of the day",
    families: "Choose a size",
    all: "All",
    kindlabel: "Ways to play",
    kinds: {
      drag: "Sliding",
      send: "Gliding",
      push: "Pushing",
      walk: "Walking and pushing",
      tilt: "Tilting",
      leap: "Jumping",
      alter: "Before and after",
      take: "Stacks",
      press: "Lamps",
      swipe: "Turning over",
      cube: "Cubes",
      towers: "Towers",
      pile: "Piles",
      ring: "Rings",
      cycles: "Turning",
      game: "Games",
    },
    least: (count) => moves(count),
    many: (count) => positions(count),
    parts: {
      W: (n) => `${n} wide`,
      H: (n) => `${n} high`,
      N: (n) => `size ${n}`,
      K: (n) => `${n} on the turntable`,
      PEGS: (n) => `${n} pegs`,
      DISKS: (n) => `${n} disks`,
    },
    playsize: "Play",
    own: "Your puzzle",
    levelof: (level) => `level ${level}`,
    copied: "Copied.",
    here_only:
      "The address of this page opens on this machine only, so there is no link. Send the picture or the file.",
    publish: "Publish…",
    sharetext: "Text to send",
    shareboard: "Board",
    sharecopy: "Copy the text",
    sharepicture: "Save the picture",
    sharefile: "Save as a page (HTML)",
    sharesend: "Send…",
    sharesolved: ({ title, count, best, helped }) =>
      `${title} in ${moves(count)}` +
      `${helped ? ", with help" : ""}${count === best ? ", the shortest possible." : best ? `; ${number(best)} are possible.` : "."}`,
    sharelost: (title) => `${title}: it is proved that the goal cannot be reached from here.`,
    shareopen: (title) => `${title}: can you solve it?`,
    sharepart: ({ title, count, left }) => `${title}: ${moves(count)} made, and ${number(left)} are needed from here.`,
    shareown: ({ title, best }) =>
      `I made a puzzle, “${title}”. Its shortest solution has ${moves(best)}: that is proved.`,
    sharebest: ({ title, best }) => `${title}: can you do it in ${moves(best)}? Fewer are impossible.`,
    firstlevel: (count) => `The first of ${number(count)} levels.`,
    tokened: "It opens only for people who have the address with the token.",
    counting: ({ layer, found }) => `layer ${number(layer)}, ${positions(found)}`,
    placing: ({ found }) => `${positions(found)}: computing the layout`,
    waiting: () => "waiting…",
    python: () => "loading Python (13 MB, only once)…",
    stopped: "Stopped.",
    countall: ({ positions: many, exact, seconds }) =>
      `Count all positions${many === null ? "" : ` (${exact ? "about" : "at most"} ${rough(many)}${seconds === null ? "" : `, ~${time(seconds, "s", "min")}`})`}`,
    uncounted: "Not all positions are counted yet, because that may take long.",
    toomany: ({ positions: many }) => `There are about ${rough(many)} positions: too many to count here.`,
    dismiss: "Hide this note",
    numbers: (table) =>
      `${positions(table.states)}, at most ${moves(table.depth)} ` +
      (table.origin === "goal" ? "to the goal" : "from the start") +
      (table.lost ? `; from ${number(table.lost)} of them the goal cannot be reached` : ""),
    counted: ({ seconds, where }) =>
      `. Every one was counted, ${
        { site: "when this site was written", browser: "in this browser", here: "on this machine" }[where] ??
        "on the server"
      }${seconds === undefined ? "" : `, in ${seconds < 10 ? seconds.toFixed(2) : Math.round(seconds)} s`}.`,
    layer: (depth, count) => `${moves(depth)}: ${positions(count)}`,
    layerhint: "Choose a bar to show a position of that depth.",
    log: "Logarithmic",
    table: "Table",
    csv: "CSV",
    hardestsay: (count, classes, depth) =>
      `${positions(count)} ${count === 1 ? "is" : "are"} ${moves(depth)} away` +
      (classes === null || classes === count ? "" : `, ${number(classes)} up to symmetry`),
    stuck: (many, shown) =>
      `${number(many)} ${many === 1 ? "way" : "ways"} to get stuck${shown < many ? `, the nearest ${shown}` : ""}`,
    nohardest: "The hardest positions are known once all positions are counted.",
    hardestname: (index, depth) => `Hardest position ${index}: ${moves(depth)}`,
    mapsay: (map) =>
      `${positions(map.count)}, ${moves(map.moves)} between them. ` +
      "Drag to rotate, click and scroll to zoom, click a point to go there.",
    mappart: ({ count, limit }) =>
      `There are more than ${number(limit)} positions. The map shows the ${number(count)} around the position shown.`,
    drawmap: "Draw the map",
    again: "Redraw around this position",
    bysspace: "In space",
    bylayers: "By layers",
    resetview: "Whole map",
    trail: "your moves",
    mapname: "Map of all positions. Arrow keys rotate it, plus and minus zoom.",
    goal: "goal",
    here: "here",
    deepest: "hardest",
    pathname: "shortest path",
    nogl: "This browser cannot draw in 3D: WebGL is missing.",
    away: (distance) => (distance < 0 ? "" : `${moves(distance)} to the goal`),
    source: "Source",
    by: "By",
    also: "Also called",
    known: "Known numbers",
    from: "from the start",
    known_what: {
      states: "positions",
      depth: "greatest depth",
      hardest: "hardest positions",
      solution: "shortest solution",
      solutions: "shortest solutions",
    },
    errors: {
      seconds: "Stopped: this takes longer than the server allows.",
      memory: "Stopped: this takes more memory than the server allows.",
      positions: "Too many positions for the server's limit.",
      busy: "The server is busy. Try again in a moment.",
      bug: "Something went wrong on the server.",
      offline: "The server does not answer.",
      large: "The file is too large.",
      absent:
        "This site does not have the answer. The program finds it on your machine: pip install 'puzzlespace[web]'",
      unread:
        "This site shows its own puzzles only. The program plays your file on your machine: pip install 'puzzlespace[web]'",
      unknown: "This site does not have that puzzle.",
      position: "The link has a position that this puzzle does not have.",
      untold: (message) => message,
    },
    link_bad: "The link cannot be read.",
  },
  ja: {
    skip: "盤へ移動",
    catalogue: "パズル一覧",
    edit: "編集",
    settings: "設定",
    more: "その他",
    theme: "配色",
    auto: "システム設定",
    light: "ライト",
    dark: "ダーク",
    nofile: (name) => `${name} は大きさを指定して作るパズルで、ファイルがありません。ここに新しく書けます。`,
    file: "パズルファイル",
    load: "ファイルを開く…",
    save: "ファイルに保存",
    restore: "書いた文を元に戻す",
    replace: "入力中の文には誤りがあり、アドレスに保存されていません。置き換えますか?あとで元に戻せます。",
    metric: "手の数え方",
    link: "共有",
    take: "書き出し",
    choose: "選択…",
    text: "テキスト",
    strip: "解答の図",
    gif: "解答の GIF",
    html: "オフラインで遊べるページ (HTML)",
    space: "全局面",
    depths: "手数と局面数",
    hardest: "最長手数の局面",
    make: "作る",
    makeone: "1 題作る",
    provedin: (seconds) =>
      `${seconds} 秒以内に作って手数を証明するか、できなかったことを知らせます。できれば、より長いものも選べます。`,
    depth: "ゴールまでの距離",
    one: "最短解が 1 通り",
    needed: "省ける駒がない",
    made: ({ depth, one, uniform }) =>
      `${number(depth)} 手${one ? "、最短解は手順の前後を除いて 1 通り" : ""}。` +
      (uniform ? "この手数の全局面から選びました。" : "ランダムに動かして見つけ、手数を証明しました。"),
    nothere: ({ there, deepest, depth, one }) =>
      there
        ? `${number(depth)} 手の局面は ${number(there)} 個ありますが、${one ? "最短解が 1 通りのもの" : "該当するもの"}はありません。`
        : deepest !== null
          ? `最長は ${number(deepest)} 手です。`
          : "該当する局面は見つかりませんでした。",
    family: "このファイルで最も難しいパズル",
    isfamily: "駒が決まっていないファイルです。最も難しいパズルを「作る」に示します。",
    foreach: "まとめ方",
    by_what: { blanks: "空きマスの数", pieces: "駒の数", group: "駒の組み合わせ", all: "全体で 1 題" },
    moves: "手数",
    pieces: "駒",
    only: (shown, all) => `${number(all)} 題のうち難しい ${number(shown)} 題です。`,
    climbed: (count) =>
      `駒の置き方が多すぎるため、${number(count)} 通りだけを調べました。もっと難しいパズルがあるかもしれません。`,
    packings: (found) =>
      (found.searched < found.packings
        ? `駒の置き方 ${number(found.packings)} 通りのうち ${number(found.searched)} 通りを調べました。`
        : `駒の置き方 ${number(found.packings)} 通りをすべて調べました。`) +
      `ゴールに到達できるのは ${number(found.solvable)} 通りです。` +
      (found.rows.length ? "" : "条件に合うパズルはありません。"),
    map: "地図",
    rules: "ルール",
    stop: "中止",
    run: "実行",
    runall: "すべて実行",
    running: "実行中…",
    code: (number) => `コード、セル ${number}。Shift+Enter で実行します。`,
    missing: (what) => `このブラウザーではできません: ${what}`,
    notebooks: "このページで動く Python ノートブック:",
    close: "閉じる",
    search: "名前で探す",
    nothing: "その名前のパズルはありません。",
    newcomer: "はじめての方に",
    daily: "今日のパズル",
    families: "大きさを選ぶ",
    all: "すべて",
    kindlabel: "遊び方",
    kinds: {
      drag: "スライド",
      send: "滑走",
      push: "荷物押し",
      walk: "歩いて荷物押し",
      tilt: "傾ける",
      leap: "跳び越し",
      alter: "置き換え",
      take: "積み替え",
      press: "ランプ",
      swipe: "裏返し",
      cube: "キューブ",
      towers: "塔",
      pile: "積み重ね",
      ring: "輪",
      cycles: "回転",
      game: "ゲーム",
    },
    least: (count) => `最短 ${number(count)} 手`,
    many: (count) => `${number(count)} 局面`,
    parts: {
      W: (n) => `横 ${n}`,
      H: (n) => `縦 ${n}`,
      N: (n) => `大きさ ${n}`,
      K: (n) => `回転盤 ${n} 個`,
      PEGS: (n) => `杭 ${n} 本`,
      DISKS: (n) => `円盤 ${n} 枚`,
    },
    playsize: "遊ぶ",
    own: "自作のパズル",
    levelof: (level) => `レベル ${level}`,
    copied: "コピーしました。",
    here_only: "このページのアドレスはこの端末でしか開けないので、リンクはありません。画像かファイルを送ってください。",
    publish: "公開…",
    sharetext: "送る文",
    shareboard: "盤",
    sharecopy: "文をコピー",
    sharepicture: "画像を保存",
    sharefile: "1 ページとして保存 (HTML)",
    sharesend: "送る…",
    sharesolved: ({ title, count, best, helped }) =>
      `「${title}」を ${count} 手で解きました${helped ? "(ヒントあり)" : ""}` +
      `${count === best ? "。最短手数です。" : best ? `。最短は ${best} 手です。` : "。"}`,
    sharelost: (title) => `「${title}」: この局面からはゴールに到達できないことが証明されています。`,
    shareopen: (title) => `「${title}」を解けますか?`,
    sharepart: ({ title, count, left }) => `「${title}」: ${count} 手進み、残りは最短で ${left} 手です。`,
    shareown: ({ title, best }) => `パズル「${title}」を作りました。最短解は ${best} 手で、証明済みです。`,
    sharebest: ({ title, best }) => `「${title}」を ${best} 手で解けますか? それより短い解はありません。`,
    firstlevel: (count) => `${number(count)} 面のうちの最初の面です。`,
    tokened: "トークン付きのアドレスを開いた人だけが開けます。",
    counting: ({ layer, found }) => `${number(layer)} 手目、${number(found)} 局面`,
    placing: ({ found }) => `${number(found)} 局面の配置を計算しています`,
    waiting: () => "順番を待っています…",
    python: () => "Python を読み込んでいます (13 MB、初回のみ)…",
    stopped: "中止しました。",
    countall: ({ positions: many, exact, seconds }) =>
      `全局面を調べる${many === null ? "" : `(${exact ? "約" : "最大"} ${rough(many)} 局面${seconds === null ? "" : `、約 ${time(seconds, "秒", "分")}`})`}`,
    uncounted: "時間がかかる可能性があるため、全局面はまだ調べていません。",
    toomany: ({ positions: many }) => `約 ${rough(many)} 局面あり、多すぎるためここでは調べられません。`,
    dismiss: "この注意を隠す",
    numbers: (table) =>
      `${number(table.states)} 局面、` +
      (table.origin === "goal" ? "ゴールまで" : "スタートから") +
      `最長 ${table.depth} 手` +
      (table.lost ? `。うち ${number(table.lost)} 局面からはゴールに到達できません` : ""),
    counted: ({ seconds, where }) =>
      `。全局面を${{ site: "このサイトの作成時に", browser: "このブラウザーで", here: "この端末で" }[where] ?? "サーバーで"}数えました${
        seconds === undefined ? "" : ` (${seconds < 10 ? seconds.toFixed(2) : Math.round(seconds)} 秒)`
      }。`,
    layer: (depth, count) => `${depth} 手: ${number(count)} 局面`,
    layerhint: "棒を選ぶと、その手数の局面を表示します。",
    log: "対数目盛",
    table: "表",
    csv: "CSV",
    hardestsay: (count, classes, depth) =>
      `${depth} 手の局面が ${number(count)} 個` +
      (classes === null || classes === count ? "" : `(対称なものを除くと ${number(classes)} 個)`),
    stuck: (many, shown) => `行き詰まる手 ${number(many)} 通り${shown < many ? `(近い順に ${shown} 通り)` : ""}`,
    nohardest: "全局面を調べると、最長手数の局面がわかります。",
    hardestname: (index, depth) => `最長手数の局面 ${index}: ${depth} 手`,
    mapsay: ({ count, moves }) =>
      `${number(count)} 局面、局面間の移動 ${number(moves)} 通り。ドラッグで回転、クリック後のホイールで拡大、点をクリックするとその局面へ。`,
    mappart: ({ count, limit }) =>
      `局面数が ${number(limit)} を超えるため、現在の局面の周囲 ${number(count)} 局面を表示しています。`,
    drawmap: "地図を描く",
    again: "現在の局面を中心に描き直す",
    bysspace: "立体配置",
    bylayers: "手数ごとの層",
    resetview: "全体を表示",
    trail: "自分の手順",
    mapname: "全局面の地図。矢印キーで回転、プラスとマイナスのキーで拡大・縮小します。",
    goal: "ゴール",
    here: "現在の局面",
    deepest: "最長手数の局面",
    pathname: "最短経路",
    nogl: "このブラウザは 3D 表示に対応していません(WebGL が必要です)。",
    away: (distance) => (distance < 0 ? "" : `ゴールまで ${distance} 手`),
    source: "出典",
    by: "作者",
    also: "別名",
    known: "既知の数値",
    from: "スタートから",
    known_what: {
      states: "局面数",
      depth: "最長手数",
      hardest: "最長手数の局面数",
      solution: "最短手数",
      solutions: "最短解の数",
    },
    errors: {
      seconds: "中止しました。サーバーの制限時間を超えました。",
      memory: "中止しました。サーバーのメモリ上限を超えました。",
      positions: "局面数がサーバーの上限を超えました。",
      busy: "サーバーが混み合っています。少し待ってからもう一度お試しください。",
      bug: "サーバーでエラーが発生しました。",
      offline: "サーバーが応答しません。",
      large: "ファイルが大きすぎます。",
      absent: "このサイトには答えがありません。お手元でプログラムを使うと求められます: pip install 'puzzlespace[web]'",
      unread:
        "このサイトでは用意されたパズルだけを遊べます。ファイルはお手元のプログラムで遊べます: pip install 'puzzlespace[web]'",
      unknown: "このサイトにそのパズルはありません。",
      position: "リンクの局面は、このパズルにはありません。",
      untold: (message) => `この質問には答えられません(英語の説明: ${message})`,
    },
    link_bad: "リンクを読み取れません。",
  },
};

/** The words in the language of the page. */
export const words = () => WORDS[document.documentElement.lang] ?? WORDS.en;

/** Writes the words into elements with data-t (text), data-t-label (accessible name) or data-t-hint (placeholder). */
export function translate(root = document) {
  const said = words();
  for (const each of root.querySelectorAll("[data-t]")) each.textContent = said[each.dataset.t];
  for (const each of root.querySelectorAll("[data-t-label]"))
    each.setAttribute("aria-label", said[each.dataset.tLabel]);
  for (const each of root.querySelectorAll("[data-t-hint]")) each.placeholder = said[each.dataset.tHint];
}

/** A text of an object from the server in the language of the page; `object.ja` has the Japanese. */
export const said = (object, key) => (document.documentElement.lang === "ja" && object.ja?.[key]) || object[key];

/** What an error of the server means. */
export function reason(error) {
  const { errors } = words();
  if (errors[error.kind]) return errors[error.kind];
  return document.documentElement.lang === "ja" && !error.ja?.message
    ? errors.untold(error.message)
    : said(error, "message");
}

/** The title in the language of the page, else the one without a language, else any. */
export function titled(titles, name) {
  return titles[document.documentElement.lang] ?? titles[""] ?? Object.values(titles)[0] ?? name;
}
