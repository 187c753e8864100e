"""Counts by stateless tasks over files, run by Dask or any `concurrent.futures.Executor` (docs/cluster.md).

No other room knows this one but `api/clusters`, which finds it when a cluster is asked for, and the plan of a count.

places        where the files are: a folder that all workers see, or an object store
jobs          what is counted, as a worker reads it from the files
tasks         what a worker does with the message of a task
workers       those of Dask, or of an executor
windows       tasks for tables of sliding puzzles: new pieces from pieces
cuts, copies  how a table is cut into pieces, and those that a worker holds in memory
pieces        the files of a piece
mending       damaged pieces are computed from those around them: Dask computes lost results again, but not lost files
runs          tasks for layers of packed positions: children of partitions, the new layer of partitions
desk          what is asked, and the hand-out of tasks
table_layers  the layers of a table: their tasks, what the manifest says of pieces
run_layers    the layers of packed positions: their tasks, what the manifest says of partitions
count         the count, layer by layer: its manifest, resuming, the finished table
"""
