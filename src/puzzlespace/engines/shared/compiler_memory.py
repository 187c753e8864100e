"""Memory that goes to compiling loops is the program's own. Imported by engines before they ask for memory."""

from ...kernels.compiling import watch_compiler
from ...limits.watch import compiling, grown, held_memory

watch_compiler(lambda: held_memory(0), grown, compiling)
