"""Memory used for compiling is not charged to the search. Engines import this module before they reserve memory."""

from ..kernels.compiling import watch_compiler
from ..limits.machine import grown, held_memory
from ..limits.watch import compiling

watch_compiler(lambda: held_memory(0), grown, compiling)
