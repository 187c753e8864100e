// One layer of a bit table over the orders of sliding pieces, on a graphics card. The twin of kernels/table/windows.py,
// which explains the tables; `Tables` has the same arrays.
//
// A block of threads computes one block of one target row. It alone writes the words and flags there, so the table
// needs no atomic operation; only sums and notes are shared by all blocks. Every parameter is a
// pointer, a 64-bit integer or a structure of these.
//
// The file is CUDA C without extensions of the host compiler: tests/support/emulated_card.cpp defines the few words that
// C++ lacks, and includes it.

typedef unsigned long long u64;
typedef long long i64;
typedef unsigned char flag;

// What a window does, see `Program` in the twin; COPY: there is one run, the whole block. NOTHING: its
// source is not fresh.
enum { RUNS = 0, CHUNKS = 1, TURN = 2, COPY = 3, NOTHING = 4 };

// Choices of the compiler (-DAT_ONCE=4) that change the speed only. AT_ONCE: words that a thread composes at once, so
// that several loads are under way before the first is used. EAGER: source words are loaded without waiting for the old
// word, even if it is full. RESIDENT: blocks of threads that a multiprocessor should hold at least, by fewer registers.
// MOST_WAYS: windows that a block of threads follows at once.
#ifndef AT_ONCE
#define AT_ONCE 4
#endif
#ifndef EAGER
#define EAGER 0
#endif
#ifndef RESIDENT
#define RESIDENT 4
#endif

#ifndef MOST_WAYS
#define MOST_WAYS 8
#endif

enum { MOST_THREADS = 256 };

struct Tables {
    const i64 *start, *kind, *parity, *local;
    const int *tails;
    const i64 *rows, *row, *first;
    const int *runs;
    const i64 *delta_first;  // [row + 1] first index of a row in `deltas`
    const int *deltas;       // the different values of runs[k].block of a row
    const i64 *begin, *word;
    const u64 *chunks, *turns;
    i64 fives, forms, blocks, words;
};

// The table: rows of `Tables.words` words; a row of flags for each. `plane` is null, or gets the new positions as well.
struct Bits {
    u64 *table;
    flag *fresh, *full;
    u64 *plane;
};

// The rows to fill; arcs first[n] ... first[n + 1] - 1 lead to targets[n].
struct Arcs {
    const i64 *targets, *first, *sources, *windows, *parity;
    i64 count;
};

// Words with new positions: their indices and the new bits. `written` counts on if there is no room left.
struct Notes {
    i64 *numbers;
    u64 *bits;
    u64 *written;
    i64 room;
};

// What one window brings to one block. All pointers begin at the block: `count` runs, the first of `length` words, or
// the chunks; the source words and flags; the tables of the bit permutation, or null; the forms of the tails.
struct Way {
    int what, flip, before;
    int count, length;
    const int *runs;
    const u64 *source;
    const flag *fresh;
    const u64 *turns;
    const i64 *word;
    const int *tails;
};

// Return the sum over all threads of the block; called once in a kernel.
static __device__ i64 sum_of_block(i64 mine) {
    __shared__ i64 sums[MOST_THREADS];
    sums[threadIdx.x] = mine;
    __syncthreads();
    for (unsigned half = blockDim.x / 2; half; half /= 2) {
        if (threadIdx.x < half) sums[threadIdx.x] += sums[threadIdx.x + half];
        __syncthreads();
    }
    return sums[0];
}

// Return the word with its bits permuted: eight tables of 256 words, one for each byte.
static __device__ __forceinline__ u64 turned(const u64 *table, u64 word) {
    u64 found = 0;
    if (word) {
#pragma unroll
        for (int byte = 0; byte < 8; byte++) found |= table[256 * byte + (int)(word >> (8 * byte) & 255)];
    }
    return found;
}

// Return the way of a window to a block of a target row. `parity` is that of the orders of the source row.
static __device__ __forceinline__ Way way_of(const Tables &t, i64 window, i64 parity, i64 block, const u64 *source,
                                             const flag *fresh) {
    const i64 *rows = t.rows + 5 * window;
    Way way;
    i64 kind = t.kind[block];
    way.what = (int)rows[0];
    way.source = source + t.start[block];
    way.fresh = fresh + block;
    way.flip = (int)(t.parity[block] ^ parity ^ rows[4]);
    way.before = (int)rows[3];
    way.tails = t.tails + t.local[kind];
    way.turns = rows[2] < 0 ? 0 : t.turns + rows[2] * t.forms * 2048;
    way.count = way.length = 1;
    way.runs = 0;
    way.word = 0;
    if (way.what == RUNS) {
        i64 row = t.row[rows[1] + block];
        way.runs = t.runs + 4 * t.first[row];
        way.count = (int)(t.first[row + 1] - t.first[row]);
        way.length = way.runs[2];
        if (way.count == 1) {
            way.what = COPY;
            way.source += way.runs[1];
            way.fresh += way.runs[3];
        }
    } else if (way.what == CHUNKS) {
        way.word = t.word + t.begin[rows[1] + kind];
    }
    return way;
}

// Return the way of an arc to a block of its target row, NOTHING if the only source block is not fresh.
static __device__ __forceinline__ Way way_of_arc(const Tables &t, const Bits &bits, const Arcs &arcs, i64 arc,
                                                 i64 block) {
    i64 row = arcs.sources[arc];
    Way way = way_of(t, arcs.windows[arc], arcs.parity[arc], block, bits.table + row * t.words,
                     bits.fresh + row * t.blocks);
    if (way.what != RUNS && !*way.fresh) way.what = NOTHING;
    return way;
}

// Return whether the last layer added to a block from which the window brings bits; the threads share the work.
static __device__ __forceinline__ int is_fresh(const Tables &t, i64 window, i64 block, const flag *fresh) {
    const i64 *rows = t.rows + 5 * window;
    if (rows[0] != RUNS) return fresh[block];
    i64 row = t.row[rows[1] + block];
    int found = 0;
    for (i64 k = t.delta_first[row] + threadIdx.x; k < t.delta_first[row + 1]; k += blockDim.x)
        found |= fresh[block + t.deltas[k]];
    return found;
}

// Return the run with a word of the block. Runs of equal length, which different pieces have, need no search.
static __device__ __forceinline__ const int *run_of(const Way &way, int index) {
    int low = (int)((unsigned)index / (unsigned)way.length);
    if (low >= way.count) low = way.count - 1;
    const int *run = way.runs + 4 * (i64)low;
    if (run[0] <= index && index - run[0] < run[2]) return run;
    low = 0;
    for (int high = way.count; high - low > 1;) {  // the run is one of low ... high - 1
        int middle = (low + high) / 2;
        if (way.runs[4 * (i64)middle] <= index) low = middle;
        else high = middle;
    }
    return way.runs + 4 * (i64)low;
}

// Return a word of the source block for chunks, permuted first if the window says so.
static __device__ __forceinline__ u64 for_chunks(const Way &way, unsigned index) {
    u64 word = way.source[index];
    return way.before && way.turns ? turned(way.turns + 2048 * (way.tails[index] ^ way.flip), word) : word;
}

// Return the word that is composed of chunks: consecutive bits that share the first piece of the tail.
static __device__ __forceinline__ u64 composed(const Tables &t, const Way &way, int index) {
    u64 found = 0;
    if (t.fives) {
        const u64 *chunks = t.chunks + way.word[0] + 5 * (i64)index;
#pragma unroll
        for (int k = 0; k < 5; k++) {
            u64 chunk = chunks[k];
            found |= (for_chunks(way, (unsigned)chunk) >> (chunk >> 32 & 63) & 0xFFF) << (12 * k);
        }
        return found;
    }
    u64 place = 0;
    for (i64 k = way.word[index]; k < way.word[index + 1]; k++) {
        u64 chunk = t.chunks[k], length = chunk >> 40;
        u64 bits = for_chunks(way, (unsigned)chunk) >> (chunk >> 32 & 63);
        found |= (length < 64 ? bits & ((1ULL << length) - 1) : bits) << place;
        place += length;
    }
    return found;
}

// Return the bits that a window brings to a word, counted from the beginning of the block.
static __device__ __forceinline__ u64 brought(const Tables &t, const Way &way, int index) {
    if (way.what == COPY) return way.source[index];
    if (way.what == RUNS) {
        const int *run = run_of(way, index);
        return way.fresh[run[3]] ? way.source[run[1] + (index - run[0])] : 0;
    }
    if (way.what == TURN) return turned(way.turns + 2048 * (way.tails[index] ^ way.flip), way.source[index]);
    u64 found = composed(t, way, index);
    return way.turns && !way.before ? turned(way.turns + 2048 * (way.tails[index] ^ way.flip), found) : found;
}

// Append new bits to the notes if there is room; return whether there is room for more.
static __device__ __forceinline__ int noted(const Notes &notes, i64 number, u64 bits) {
    u64 place = atomicAdd(notes.written, 1ULL);
    if (place >= (u64)notes.room) return 0;
    notes.numbers[place] = number;
    notes.bits[place] = bits;
    return 1;
}

// Add bits to a word of the table and return the new ones; add them to the plane and to the notes.
static __device__ __forceinline__ u64 kept(const Bits &bits, i64 number, u64 gained, u64 before, const Notes &notes,
                                           int *noting) {
    u64 more = gained & ~before;
    if (more) {
        bits.table[number] = before | more;
        if (bits.plane) bits.plane[number] |= more;
        if (*noting) *noting = noted(notes, number, more);
    }
    return more;
}

// Set the unused bits of all rows, so that a word whose positions are all seen has all bits set.
extern "C" __global__ void pad(Tables t, u64 *table, i64 rows, const u64 *unused) {
    i64 block = (i64)blockIdx.x, begin = t.start[block];
    int count = (int)(t.start[block + 1] - begin);
    const int *tails = t.tails + t.local[t.kind[block]];
    for (i64 row = 0; row < rows; row++)
        for (int index = (int)threadIdx.x; index < count; index += (int)blockDim.x)
            table[row * t.words + begin + index] = unused[tails[index]];
}

// Set single bits of the first layer: `numbers` of words, each with its bit; one block only.
extern "C" __global__ void place(u64 *table, const i64 *numbers, const u64 *bits, i64 count) {
    if (threadIdx.x) return;
    for (i64 k = 0; k < count; k++) table[numbers[k]] |= bits[k];
}

// Copy single words of the table to `found`.
extern "C" __global__ void look(const u64 *table, const i64 *numbers, u64 *found, i64 count) {
    i64 threads = (i64)gridDim.x * blockDim.x;
    for (i64 k = (i64)blockIdx.x * blockDim.x + threadIdx.x; k < count; k += threads) found[k] = table[numbers[k]];
}

// Compute one layer of the blocks from `first_block` on, in place: no target row is a source row. `total` counts the
// new positions. Blocks of threads: first the target rows of one block, which read the same words, then the next block.
extern "C" __global__ void __launch_bounds__(MOST_THREADS, RESIDENT) step_layer(Tables t, Bits bits, Arcs arcs, Notes notes, i64 first_block, u64 *total) {
    __shared__ Way ways[MOST_WAYS];
    i64 number = (i64)blockIdx.x % arcs.count, block = first_block + (i64)blockIdx.x / arcs.count;
    i64 target = arcs.targets[number], at = target * t.blocks + block;
    i64 low = arcs.first[number], high = arcs.first[number + 1];
    int found = 0;
    if (!bits.full[at])
        for (i64 k = low; k < high; k++)
            found |= is_fresh(t, arcs.windows[k], block, bits.fresh + arcs.sources[k] * t.blocks);
    if (!__syncthreads_or(found)) {
        if (!threadIdx.x) bits.fresh[at] = 0;
        return;
    }
    i64 begin = t.start[block], base = target * t.words + begin, sum = 0;
    int count = (int)(t.start[block + 1] - begin), threads = (int)blockDim.x;
    int noting = *notes.written <= (u64)notes.room;
    u64 full = ~0ULL;
    for (; low < high; low += MOST_WAYS) {
        int many = high - low < MOST_WAYS ? (int)(high - low) : MOST_WAYS;
        for (int k = (int)threadIdx.x; k < many; k += threads) ways[k] = way_of_arc(t, bits, arcs, low + k, block);
        __syncthreads();
        full = ~0ULL;
        for (int index = (int)threadIdx.x; index < count; index += AT_ONCE * threads) {
            u64 gained[AT_ONCE] = {}, before[AT_ONCE];
#pragma unroll
            for (int n = 0; n < AT_ONCE; n++) {
                int here = index + n * threads;
                before[n] = here < count ? bits.table[base + here] : ~0ULL;
            }
            for (int k = 0; k < many; k++) {
                const Way &way = ways[k];
                if (way.what == NOTHING) continue;
#pragma unroll
                for (int n = 0; n < AT_ONCE; n++) {
                    int here = index + n * threads;
                    if (EAGER ? here < count : ~before[n] != 0) gained[n] |= brought(t, way, here);
                }
            }
#pragma unroll
            for (int n = 0; n < AT_ONCE; n++) {
                int here = index + n * threads;
                u64 more = here < count ? kept(bits, base + here, gained[n], before[n], notes, &noting) : 0;
                full &= before[n] | more;
                sum += __popcll(more);
            }
        }
        __syncthreads();
    }
    int all = __syncthreads_and(full == ~0ULL);
    sum = sum_of_block(sum);
    if (!threadIdx.x) {
        bits.fresh[at] = sum > 0;
        bits.full[at] = (flag)all;
        if (sum) atomicAdd(total, (u64)sum);
    }
}

// Add to the row `following` what one rule brings there. `onward`, unless null, becomes the row `old` with these
// positions: the source row for the rules that may follow within the same move.
extern "C" __global__ void add_rule(Tables t, i64 window, i64 parity, const u64 *source, const flag *fresh,
                                    u64 *following, const u64 *old, const flag *old_fresh, u64 *onward,
                                    flag *onward_fresh) {
    i64 block = (i64)blockIdx.x, begin = t.start[block];
    int count = (int)(t.start[block + 1] - begin);
    int found = __syncthreads_or(is_fresh(t, window, block, fresh));
    if (!threadIdx.x && onward) onward_fresh[block] = found || old_fresh[block];
    if (!found && !onward) return;
    Way way = way_of(t, window, parity, block, source, fresh);
    for (int index = (int)threadIdx.x; index < count; index += (int)blockDim.x) {
        u64 gained = found ? brought(t, way, index) : 0;
        if (gained & ~following[begin + index]) following[begin + index] |= gained;
        if (onward) onward[begin + index] = old[begin + index] | gained;
    }
}

// Add the next table to the old one within the blocks from `first_block` on, for all rows. `total` counts the new
// positions.
extern "C" __global__ void end_layer(Tables t, Bits bits, const u64 *following, i64 rows, Notes notes, i64 first_block,
                                     u64 *total) {
    i64 row = (i64)blockIdx.x % rows, block = first_block + (i64)blockIdx.x / rows;
    i64 begin = t.start[block], base = row * t.words + begin, sum = 0;
    int count = (int)(t.start[block + 1] - begin), noting = *notes.written <= (u64)notes.room;
    for (int index = (int)threadIdx.x; index < count; index += (int)blockDim.x)
        sum += __popcll(kept(bits, base + index, following[base + index], bits.table[base + index], notes, &noting));
    sum = sum_of_block(sum);
    if (!threadIdx.x) {
        bits.fresh[row * t.blocks + block] = sum > 0;
        if (sum) atomicAdd(total, (u64)sum);
    }
}
