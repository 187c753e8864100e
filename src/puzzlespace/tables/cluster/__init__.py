"""Counts by stateless tasks over files, run by any `concurrent.futures.Executor` (docs/scale.md).

places   where the files are: a folder that all workers see, or an object store
jobs     what is counted, as a worker reads it from the files; the task messages
windows  tasks for tables of sliding puzzles: new pieces from pieces
runs     tasks for layers of packed positions: children of a slice, the new layer of a partition
tasks    what a worker does with a message
workers  executors, and the loop that keeps one task for each free slot
count    the count, layer by layer: its manifest, resuming, the finished table
"""
