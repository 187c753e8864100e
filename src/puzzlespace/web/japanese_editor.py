"""English and Japanese of what the editor says of rule kinds (`puzzle/tool.py`) and metrics."""

TITLES = {
    "pieces slide": "駒をすべらせる",
    "cars: only along": "車(前後だけ)",
    "pieces glide on": "止まるまで滑る",
    "boxes are pushed": "荷物を押す",
    "pegs jump": "駒を跳び越す",
    "listed moves": "決まった手",
    "before and after": "前と後で書く手",
    "stacks of pieces": "積み重ね",
    "pieces hop": "駒が跳ねる",
}

METRICS = {
    "one step": "1 マス",
    "a run in a line": "直進",
    "one piece, any way": "同じ駒の連続移動",
    "a chain of jumps": "連続跳び",
    "several in a line": "一列まとめて",
    "a push of a box": "荷物を 1 回押す",
    "a step of the player": "プレイヤーの 1 歩",
    "a tilt of the board": "盤を傾ける",
    "what it costs": "費用の数",
    "an input": "入力",
}

RULES = {
    "pieces move into blanks.": "駒が空きへすべる。",
    "bars move only along their long side.": "細長い駒は長い向きにだけ動く。",
    "pieces go on until something stops them.": "何かに止められるまで滑る。",
    "the player `@` pushes boxes.": "プレイヤー `@` が荷物を押す。",
    "pegs jump over others, which are removed.": "駒が隣を跳び越し、跳ばれた駒を除く。",
    "the listed moves.": "`moves:` に書いた手。",
    "rows of what is before and after a move.": "手の前と後を行に書く。",
    "each row is a stack, and the top piece goes onto another one.": "各行が積み重ねで、一番上(右端)の駒を別の行の上へ移す。",
    "a piece goes to the blank beside it, or over one piece to the blank behind.": "駒が隣の空きへ、または駒を 1 個跳び越して空きへ動く。",
}

HELP = {
    "The moves, one row each: what is there before, `->`, what is there then, and a direction. `walk: @ . -> . @  straight`. `<->`: both ways. Names of cells may stand in front: `boat goat L <-> R`. A sentence after `if` is a condition.": "手の一覧。1 行に 1 つ、前の様子、`->`、後の様子、向きを書きます。`walk: @ . -> . @  straight`。`<->` は両方向。`boat goat L <-> R` のようにマスの名前からも書けます。`if` の後の文は条件です。",
    "What lies under the pieces and never changes. Each letter is a place for sentences: `all $ on x`.": "駒の下にあり、変わらないもの。文字はそれぞれ場所の名前で、`all $ on x` のように文で使えます。",
    "What shall be reached: a drawing (`*` may be anything), or a sentence: `all $ on x`, `count o = 1`, `a = b`. Another goal is `goal 2`.": "目指す局面。図(`*` は何でもよいマス)、または `all $ on x`、`count o = 1`、`a = b` のような文。2 つ目は `goal 2`。",
    "The start: each row is a stack, its floor at the left. `.` is room on top, `#` no room.": "始めの局面。行が積み重ねで、左端が底です。`.` は上の空き、`#` は置けない所。",
    "What shall be reached: a drawing, or a sentence: `rows alike`. Another goal is `goal 2`.": "目指す局面。図、または `rows alike` のような文。2 つ目は `goal 2`。",
}

EDITOR = {**TITLES, **METRICS, **RULES, **HELP}
