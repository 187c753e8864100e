"""What the rules of a model are, read once and kept with it.

Each module has one reading: `read(model)` returns it, or one sentence that says why the rules are others. Readings
depend on nothing but the rules, metric and shapes, and where a function says so on a position. They are kept with
`Model.bare`, which all models with equal rules share.
"""
