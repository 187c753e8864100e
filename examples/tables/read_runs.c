/* Print the positions of a saved table of layers: depth, and the number of the position in hexadecimal digits.
 *     cc -O2 -o read_runs read_runs.c && ./read_runs FOLDER
 * The format: docs/tables.md. A damaged file is an error. Numbers of up to two words, files below 2 GB. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
typedef unsigned __int128 number;

static void damaged(const char *name) { fprintf(stderr, "%s: missing or damaged\n", name), exit(1); }
static unsigned char *load(const char *folder, const char *name, size_t *size) {
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "rb");
    if (!file || fseek(file, 0, SEEK_END)) damaged(path);
    unsigned char *data = calloc((*size = ftell(file)) + 1, 1);
    rewind(file);
    if (!data || fread(data, 1, *size, file) != *size) damaged(path);
    fclose(file);
    return data;
}
static uint64_t word(const unsigned char *at) {
    uint64_t found = 0;
    for (int i = 7; i >= 0; i--) found = found << 8 | at[i];
    return found;
}
static uint32_t crc(const unsigned char *at, const unsigned char *end) {
    uint32_t sum = ~0u;
    while (at < end)
        for (int bit = (sum ^= *at++, 0); bit < 8; bit++) sum = sum >> 1 ^ (0xEDB88320u & -(sum & 1));
    return ~sum;
}
int main(int count, char **arguments) {
    const char *folder = count > 1 ? arguments[1] : ".";
    size_t size;
    char *at = (char *)load(folder, "manifest.json", &size), *layers = strstr(at, "\"layers\":");
    int words = (at = strstr(at, "\"words\":")) ? atoi(at + 8) : 0, row = 8 * (words + 2);
    if (words < 1 || words > 2 || !layers) damaged("manifest.json");
    *strchr(at = layers, ']') = 0;
    for (int depth = 0; (at = strstr(at, "\"positions\":")); depth++) {
        char name[32];
        snprintf(name, sizeof name, "layer-%05d.run", depth);
        size_t left = strtoull(at += 12, NULL, 10), length = (left + 511) / 512 * row;
        unsigned char *data = load(folder, name, &size), *end, *gap = data, *index = data + size - length;
        if (size < length) damaged(name);
        for (uint64_t until; left; index += row, gap = end) {
            number value = words == 2 ? (number)word(index) << 64 | word(index + 8) : word(index), step;
            end = data + ((until = word(index + row - 16)) <= size - length ? until : 0);
            if (end < gap || crc(gap, end) != word(index + row - 8)) damaged(name);
            for (int here = left < 512 ? left : 512; here--; left--, value += step + 1) {
                printf("%d %016" PRIx64 "%016" PRIx64 "\n", depth, (uint64_t)(value >> 64), (uint64_t)value);
                for (int bits = step = 0, more = here > 0; more; bits += 7, more = *gap++ > 127)
                    if (gap < end) step |= (number)(*gap & 127) << bits; else damaged(name);
            }
        }
        free(data);
    }
    return 0;
}
