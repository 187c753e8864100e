"""Breadth-first layers of a rule program, any rules as flat arrays: for this processor, and as WebAssembly.

`loops.wasm` is made of `loops.py` by `.ci/browser_loops.py` (docs/page.md).
"""
