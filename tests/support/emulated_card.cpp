// A card on the processor: the functions of the CUDA driver that Puzzlespace calls, for the kernels of windows.cu.
//
// Compiled as a shared library, it takes the place of the driver. Blocks run one after the other in random order. The
// threads of a block are fibers: between two barriers they run one after the other, in random order too. A thread that
// ends while others wait at a barrier, a copy outside of an allocation, a kernel that writes outside of one, and memory
// that is not released end with an error. New memory is filled with a pattern.

#include <ucontext.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

struct Three {
    unsigned x, y, z;
};

static Three threadIdx, blockIdx, blockDim, gridDim;

namespace {

uint64_t dice = 2026;
unsigned threads_of_block = 0;  // other than those of the launch, for speed; 0: those of the launch
int or_of_block, and_of_block;

uint64_t rolled() {
    dice ^= dice << 13, dice ^= dice >> 7, dice ^= dice << 17;
    return dice;
}

struct Fiber {
    ucontext_t context;
    std::unique_ptr<char[]> stack{new char[1 << 16]};
    bool ended = false, waits = false;
};

std::vector<std::unique_ptr<Fiber>> fibers;
ucontext_t outside;
Fiber *running;
const std::function<void()> *kernel_body;

void enter() {
    (*kernel_body)();
    running->ended = true;
    swapcontext(&running->context, &outside);
}

void barrier() {
    if (blockDim.x == 1) return;
    running->waits = true;
    swapcontext(&running->context, &outside);
}

bool run_block(const std::function<void()> &body) {
    or_of_block = 0, and_of_block = 1;
    if (blockDim.x == 1) {
        threadIdx = {0, 0, 0};
        body();
        return true;
    }
    kernel_body = &body;
    while (fibers.size() < blockDim.x) fibers.emplace_back(new Fiber);
    std::vector<unsigned> order(blockDim.x);
    for (unsigned n = 0; n < blockDim.x; n++) {
        Fiber &fiber = *fibers[n];
        fiber.ended = fiber.waits = false;
        getcontext(&fiber.context);
        fiber.context.uc_stack.ss_sp = fiber.stack.get();
        fiber.context.uc_stack.ss_size = 1 << 16;
        fiber.context.uc_link = nullptr;
        makecontext(&fiber.context, enter, 0);
        order[n] = n;
    }
    for (;;) {
        for (unsigned n = blockDim.x - 1; n; n--) std::swap(order[n], order[rolled() % (n + 1)]);
        unsigned ended = 0;
        for (unsigned n : order) {
            running = fibers[n].get();
            running->waits = false;
            threadIdx = {n, 0, 0};
            swapcontext(&outside, &running->context);
            ended += running->ended;
        }
        if (ended == blockDim.x) return true;
        if (ended) return false;
    }
}

}  // namespace

static inline void __syncthreads() { barrier(); }

static inline int __syncthreads_or(int mine) {
    or_of_block |= mine != 0;
    barrier();
    int found = or_of_block;
    barrier();
    or_of_block = 0;
    barrier();
    return found;
}

static inline int __syncthreads_and(int mine) {
    and_of_block &= mine != 0;
    barrier();
    int found = and_of_block;
    barrier();
    and_of_block = 1;
    barrier();
    return found;
}

static inline int __popcll(unsigned long long word) { return __builtin_popcountll(word); }

static inline unsigned long long atomicAdd(unsigned long long *place, unsigned long long more) {
    unsigned long long before = *place;
    *place += more;
    return before;
}

#define __global__
#define __device__
#define __forceinline__ inline
#define __shared__ static
#define __launch_bounds__(...)
#include "windows.cu"

namespace {

enum { OK = 0, INVALID = 1, NO_MEMORY = 2, NOT_FOUND = 500, BAD_ADDRESS = 700, FAILED = 719 };

using Call = std::function<void(void **)>;

template <class... Each, size_t... Number>
Call unpacked(void (*kernel)(Each...), std::index_sequence<Number...>) {
    return [kernel](void **given) { kernel(*static_cast<std::remove_reference_t<Each> *>(given[Number])...); };
}

template <class... Each>
Call call_of(void (*kernel)(Each...)) {
    return unpacked(kernel, std::index_sequence_for<Each...>());
}

const std::map<std::string, Call> kernels = {
    {"pad", call_of(pad)},           {"place", call_of(place)},       {"look", call_of(look)},
    {"step_layer", call_of(step_layer)}, {"add_rule", call_of(add_rule)}, {"end_layer", call_of(end_layer)},
};

const size_t EDGE = 64;  // bytes on either side of an allocation that nobody may write
const int PATTERN = 0xA5;

size_t whole = size_t(1) << 32, used = 0;
unsigned long long launches = 0;
int fails_at = 0;  // number of the launch that fails, 0: none
std::map<char *, size_t> allocated;

bool within(uint64_t address, size_t size) {
    char *at = reinterpret_cast<char *>(address);
    auto next = allocated.upper_bound(at);
    if (next == allocated.begin()) return false;
    --next;
    return at + size <= next->first + next->second;
}

bool edges_are_whole() {
    for (auto &[at, size] : allocated)
        for (size_t n = 0; n < EDGE; n++)
            if (at[-1 - (long)n] != (char)PATTERN || at[size + n] != (char)PATTERN) return false;
    return true;
}

}  // namespace

extern "C" {

// For tests: a new card with this memory; threads of a block (0: those of the launch); the launch that fails (0: none).
void emulate(size_t memory, unsigned threads, int failing, uint64_t seed) {
    whole = memory, threads_of_block = threads, fails_at = failing, launches = 0, dice = seed | 1;
}

size_t emulated_bytes() { return used; }
unsigned long long emulated_launches() { return launches; }

int cuInit(unsigned) { return OK; }
int cuDriverGetVersion(int *version) { return *version = 13000, OK; }
int cuDeviceGetCount(int *count) { return *count = whole ? 1 : 0, OK; }
int cuDeviceGet(int *device, int) { return *device = 0, OK; }
int cuDeviceGetName(char *name, int size, int) { return snprintf(name, size, "an emulated card"), OK; }
int cuDeviceGetAttribute(int *value, int which, int) { return *value = which == 75 ? 9 : 0, OK; }
int cuDevicePrimaryCtxRetain(void **context, int) { return *context = &whole, OK; }

int cuDevicePrimaryCtxRelease_v2(int) {
    for (auto &[at, size] : allocated) free(at - EDGE);
    allocated.clear(), used = 0;
    return OK;
}

int cuCtxSetCurrent(void *) { return OK; }
int cuCtxSynchronize() { return edges_are_whole() ? OK : BAD_ADDRESS; }
int cuMemGetInfo_v2(size_t *left, size_t *all) { return *left = whole - used, *all = whole, OK; }

int cuMemAlloc_v2(uint64_t *address, size_t size) {
    if (!size) return INVALID;
    if (size > whole - used) return NO_MEMORY;
    char *room = static_cast<char *>(malloc(size + 2 * EDGE));
    if (!room) return NO_MEMORY;
    memset(room, PATTERN, size + 2 * EDGE);
    allocated[room + EDGE] = size;
    used += size;
    *address = reinterpret_cast<uint64_t>(room + EDGE);
    return OK;
}

int cuMemFree_v2(uint64_t address) {
    auto found = allocated.find(reinterpret_cast<char *>(address));
    if (found == allocated.end() || !edges_are_whole()) return INVALID;
    used -= found->second;
    free(found->first - EDGE);
    allocated.erase(found);
    return OK;
}

int cuMemcpyHtoD_v2(uint64_t to, const void *from, size_t size) {
    if (!within(to, size)) return INVALID;
    memcpy(reinterpret_cast<void *>(to), from, size);
    return OK;
}

int cuMemcpyDtoH_v2(void *to, uint64_t from, size_t size) {
    if (!within(from, size)) return INVALID;
    memcpy(to, reinterpret_cast<void *>(from), size);
    return OK;
}

int cuMemcpyDtoD_v2(uint64_t to, uint64_t from, size_t size) {
    if (!within(to, size) || !within(from, size)) return INVALID;
    memmove(reinterpret_cast<void *>(to), reinterpret_cast<void *>(from), size);
    return OK;
}

int cuMemsetD8_v2(uint64_t to, unsigned char value, size_t size) {
    if (!within(to, size)) return INVALID;
    memset(reinterpret_cast<void *>(to), value, size);
    return OK;
}

int cuModuleLoadData(void **module, const void *image) {
    const char *text = static_cast<const char *>(image);
    if (strcmp(text, "emulated") && strncmp(text, "\x7f" "ELF", 4)) return FAILED;
    return *module = &whole, OK;
}

int cuModuleUnload(void *) { return OK; }

int cuModuleGetFunction(const void **function, void *, const char *name) {
    auto found = kernels.find(name);
    if (found == kernels.end()) return NOT_FOUND;
    return *function = &found->second, OK;
}

int cuLaunchKernel(const Call *kernel, unsigned blocks, unsigned y, unsigned z, unsigned threads, unsigned ty,
                   unsigned tz, unsigned, void *, void **given, void **) {
    if (!blocks || blocks > 0x7FFFFFFF || y != 1 || z != 1 || ty != 1 || tz != 1) return INVALID;
    if (!threads || threads > MOST_THREADS || (threads & (threads - 1))) return INVALID;
    if (int(++launches) == fails_at) return FAILED;
    gridDim = {blocks, 1, 1}, blockDim = {threads_of_block ? threads_of_block : threads, 1, 1};
    std::vector<unsigned> order(blocks);
    for (unsigned n = 0; n < blocks; n++) order[n] = n;
    for (unsigned n = blocks - 1; n; n--) std::swap(order[n], order[rolled() % (n + 1)]);
    std::function<void()> body = [kernel, given] { (*kernel)(given); };
    for (unsigned n : order) {
        blockIdx = {n, 0, 0};
        if (!run_block(body)) return FAILED;
    }
    return OK;
}

int cuGetErrorName(int error, const char **name) {
    static const std::map<int, const char *> names = {
        {INVALID, "CUDA_ERROR_INVALID_VALUE"},     {NO_MEMORY, "CUDA_ERROR_OUT_OF_MEMORY"},
        {NOT_FOUND, "CUDA_ERROR_NOT_FOUND"},       {BAD_ADDRESS, "CUDA_ERROR_ILLEGAL_ADDRESS"},
        {FAILED, "CUDA_ERROR_LAUNCH_FAILED"},
    };
    auto found = names.find(error);
    if (found == names.end()) return INVALID;
    return *name = found->second, OK;
}
}
