"""Counts by stateless tasks over files, run by any `concurrent.futures.Executor` (docs/scale.md).

places        where the files are: a folder that all workers see, or an object store
jobs          what is counted, as a worker reads it from the files; the task messages
tasks         what a worker does with a message
windows       tasks for tables of sliding puzzles: new pieces from pieces
cuts, copies  how a table is cut into pieces, and those that a worker holds in memory
pieces        the files of a piece
mending       damaged pieces are computed from those around them
runs          tasks for layers of packed positions: children of a slice, the new layer of a partition
workers       executors, and the loop that keeps one task for each free slot
forks         how processes are started on this machine
desk          what is asked, and the hand-out of tasks
table_layers  the layers of a table: their tasks, what the manifest says of pieces
run_layers    the layers of packed positions: their tasks, what the manifest says of partitions
count         the count, layer by layer: its manifest, resuming, the finished table
"""
