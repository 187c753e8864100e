"""Lists of words: names of colours, and words by which a sentence is known."""

from __future__ import annotations

_COLOURS = """
    aliceblue amber antiquewhite aqua aquamarine azure beige bisque black blanchedalmond blue blueviolet brown burlywood
    cadetblue chartreuse chocolate coral cornflowerblue cornsilk crimson cyan darkblue darkcyan darkgoldenrod darkgray
    darkgreen darkgrey darkkhaki darkmagenta darkolivegreen darkorange darkorchid darkred darksalmon darkseagreen
    darkslateblue darkslategray darkslategrey darkturquoise darkviolet deeppink deepskyblue dimgray dimgrey dodgerblue
    firebrick floralwhite forestgreen fuchsia gainsboro ghostwhite gold goldenrod gray green greenyellow grey honeydew
    hotpink indianred indigo ivory khaki lavender lavenderblush lawngreen lemonchiffon lightblue lightcoral lightcyan
    lightgoldenrodyellow lightgray lightgreen lightgrey lightpink lightsalmon lightseagreen lightskyblue lightslategray
    lightslategrey lightsteelblue lightyellow lime limegreen linen magenta maroon mediumaquamarine mediumblue
    mediumorchid mediumpurple mediumseagreen mediumslateblue mediumspringgreen mediumturquoise mediumvioletred
    midnightblue mintcream mistyrose moccasin navajowhite navy oldlace olive olivedrab orange orangered orchid
    palegoldenrod palegreen paleturquoise palevioletred papayawhip peachpuff peru pink plum powderblue purple
    rebeccapurple red rosybrown royalblue saddlebrown salmon sandybrown seagreen seashell sienna silver skyblue
    slateblue slategray slategrey snow springgreen steelblue tan teal thistle tomato turquoise violet wheat white
    whitesmoke yellow yellowgreen
    """
COLOURS = frozenset(_COLOURS.split())
"""The names of colours that `picture:` takes: those of CSS (level 4), and amber."""

_SENTENCE = """
    all an and any anywhere are at be by each empty every everything exactly for gone have in is left less more must no
    none not of on only or out peg pegs piece pieces reach reaches some solved sorted than that the there to until with
    """
SENTENCE = frozenset(_SENTENCE.split())
"""Words by which a goal of several words is known to be a sentence, unless they are symbols of the puzzle."""

STATES = frozenset(("done", "end", "ended", "finish", "finished", "none", "same", "solved", "sorted", "start", "strat"))
"""Single words that are no drawing letter by letter."""

_OPENINGS = "all any board columns connected count each every no not only rows see some"
OPENINGS = frozenset(_OPENINGS.split())
"""Words with which a sentence begins."""

SIGNS = frozenset(("=", "!=", "<", ">", "<=", ">=", "and", "or"))
"""Words that join what sentences say."""


def has_sign(word: str) -> bool:
    """Return whether a word joins or compares, as a word of its own or within it: 'and', 'a1=A'."""
    return word in SIGNS or not {"=", "<", ">"}.isdisjoint(word)
