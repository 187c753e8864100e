"""English and Japanese of warnings about puzzle files, and of errors beside them; as in `japanese_texts`."""

WARNINGS = {
    "{} stands in {} touching cells and is read as {} single pieces": "{} は隣り合う {} マスにあり、1 マスの駒 {} 個として読みました",
    "{} stand in touching cells and are read as single pieces, one for each cell": "{} は隣り合うマスにあり、マスごとに 1 個の駒として読みました",
    "'blocks: {}' makes each letter one piece; 'blocks: none' says that every piece has one cell": "'blocks: {}' と書くと文字ごとに 1 つの駒になります。'blocks: none' は、すべての駒が 1 マスであることを表します",
    "this goal leaves every cell open: every position meets it": "このゴールはどのマスも決めていないので、すべての局面がゴールです",
    "this goal shows {} in {} cells, and no position has it in more than {}": "このゴールでは {} が {} マスにありますが、どの局面でも {} マスまでです",
    "this goal counts {} cells with {}, and no position has more than {}": "このゴールは {1} のマスを {0} 個数えますが、どの局面でも {2} 個までです",
    "every position has {} cells with {}, and this goal counts {}": "どの局面でも {1} のマスは {0} 個です(このゴールは {2} 個と数えます)",
    "{} in a goal is a blank; {} is a cell with anything in it": "ゴールの {} は空きマス、{} は何があってもよいマスです",
    "diagonals: changes nothing: this board has lines of its own": "diagonals: は何も変えません。この盤には決まった線があります",
    "along changes nothing: no piece has several cells": "along は何も変えません。2 マス以上の駒がありません",
    "'blocks: all' makes touching cells with one letter a piece": "'blocks: all' と書くと、隣り合う同じ文字のマスが 1 つの駒になります",
    "swap: changes nothing: no move has '~' or flip": "swap: は何も変えません。'~' や flip のある手がありません",
    "this row is read as a part of {}:, not as the key {}:": "この行は {}: の続きとして読みました。キー {}: ではありません",
    "this key is in a comment, so the row below belongs to {}:": "このキーはコメントの中にあるので、下の行は {}: の続きとして読みました",
    "a key stands at the beginning of its line; text in quotes is text": "キーは行頭に書きます。引用符の中は文として読みます",
    "{} is read as the blank '{}', which does not occur{}": "{} を空き '{}' と読みました。空きの記号がほかにありません{}",
    "{} is read as {} ({})": "{} を {} と読みました({})",
    "the moves are made from the start": "手はスタートから指しました",
    "the moves are made from the goal": "手はゴールから指しました",
    "'from goal:' before the moves begins at the goal": "手の前に 'from goal:' と書くと、ゴールから指します",
    "'from start:' before the moves begins at the start": "手の前に 'from start:' と書くと、スタートから指します",
}
"""Warnings, notes and their hints."""

BESIDE = {
    "a key stands at the beginning of its own line": "キーは行頭に書き、1 行に 1 つだけです",
    "expected symbols, found {}": "記号が必要ですが、{} があります",
    "expected a drawing or one of the goals in words, found {}": "図か、ことばで書くゴールが必要ですが、{} があります",
    "goals in words are 'start', 'any one peg' and 'count SYMBOL = NUMBER'; a drawing shows every cell": "ことばで書けるゴールは 'start'、'any one peg'、'count 記号 = 数' です。図にはすべてのマスを書きます",
    "the names are those of CSS": "色の名前は CSS のものです",
    "moves: expected every name once, found {} again": "moves: 手の名前は 1 回ずつですが、{} がもう一度あります",
    "moves: expected {} to undo {}, found another move": "moves: {} は {} を戻す手でなければなりませんが、別の手です",
    "'/' ends a row of a drawing on one line": "1 行に書く図では '/' が行の終わりです",
    "expected a start to make moves from, found none": "手を指し始めるスタートが必要ですが、ありません",
    "these moves lead to several positions, such as {}": "この手の並びの先の局面は 1 つに決まりません(例: {})",
    "moves are written as {}": "手の書き方: {}",
    "write the position as a drawing": "局面を図で書いてください",
    "expected one sign for the blank, found {} and {}": "空きの記号は 1 種類でなければなりませんが、{} と {} があります",
    "expected {}, the blank, as often as the puzzle has blanks, found more": "空きを表す {} が、パズルの空きの数より多くあります",
    "expected {} rows, or one of {} places, found {}": "{} 行、または {} マスの 1 行が必要ですが、{} です",
    "one of {}": "{} マスの 1 行",
    "{}expected boxes, '{}' or '{}', found the player": "{}荷物、'{}' か '{}' が必要ですが、プレイヤーがあります",
    "{}expected a player '{}', found none": "{}プレイヤー '{}' が必要ですが、ありません",
    "expected the blank '{}', or one sign for it, found both {}": "空きは '{}' か 1 種類の記号で書きますが、{} の両方があります",
    "write '{}' for the blank": "空きは '{}' と書いてください",
    "write '{}' for the blank, not {}": "空きは '{}' と書いてください({} ではありません)",
    "expected one meaning, found two cubes: {}, and {}": "2 通りのキューブに読めます: {}、{}",
    "expected {} stickers of a cube, found {}": "キューブのシールは {} 枚必要ですが、{} 枚あります",
    "expected the faces U and D above and below F, {}": "U と D の面は F の上と下に書きます({})",
    "expected a letter or a digit for each colour, found {}": "色は 1 つの文字か数字で書きますが、{} があります",
    "expected each colour once, found {} of one colour, {}": "色は 1 つずつでなければなりませんが、{} が同じ色 {} です",
    "expected six colours and {} stickers of each colour, found {}": "6 色で、どの色も {} 枚ずつ必要ですが、{} です",
}
"""Errors and their hints."""

VALUES = {
    "full-width characters in the text: {}": "文にある全角文字: {}",
    "; these are {} blanks": "。空きは {} つになります",
    "two centres": "2 つの中央のシール",
    "two stickers of the corner at the bottom, back and left": "左下奥の角の 2 枚のシール",
    "behind {} places": "{} マス分の後ろ",
    "in column {}": "{} 桁目",
    "four": "4",
    "nine": "9",
}
"""Phrases within them."""
