/* Structured mutation of TIFF: entries of its directories, in both byte orders. */
#include "fuzz.h"

#include <string.h>

#define ENTRY_BYTES 12

/* Tags that readers use. */
static const uint16_t tags[] = { 254, 256, 257, 258, 259, 262, 266, 270, 271, 273, 274, 277, 278, 279, 282, 284, 296,
                                 317, 320,
                                 322, 323, 324, 325, 330, 338, 339, 347, 530, 532, 700, 33432, 34377, 34665, 34675,
                                   34853, 40965 };
/* Values that matter for compression, photometry, counts and offsets. */
static const uint32_t values[] = { 0, 1, 2, 3, 4, 5, 6, 7, 8, 16, 32, 64, 0x7fff, 0xffff, 0x10000, 0x7fffffff,
                                   0x80000000,
                                   0xffffffff, 32773, 32946, 34712, 50000 };

struct tiff {
    uint8_t *data;
    size_t size;
    bool big;
};

static uint32_t get(const struct tiff *t, size_t at, int bytes)
{
    uint32_t v = 0;

    for (int i = 0; i < bytes; i++)
        v |= (uint32_t)t->data[at + (size_t)i] << 8 * (t->big ? bytes - 1 - i : i);
    return v;
}

static void put(const struct tiff *t, size_t at, int bytes, uint32_t v)
{
    for (int i = 0; i < bytes; i++)
        t->data[at + (size_t)i] = (uint8_t)(v >> 8 * (t->big ? bytes - 1 - i : i));
}

/* Finds the directory number `n`, or the last one before it. Returns its offset, or 0. */
static size_t find_directory(const struct tiff *t, unsigned n)
{
    size_t at = 0, next = get(t, 4, 4);

    while (next >= 8 && next + 2 <= t->size && next + 2 + get(t, next, 2) * ENTRY_BYTES + 4 <= t->size) {
        at = next;
        next = get(t, at + 2 + get(t, at, 2) * ENTRY_BYTES, 4);
        if (n-- == 0)
            break;
    }
    return at;
}

/* Returns the directory of EXIF or of the place in a directory, or the directory itself. */
static size_t find_inner(const struct tiff *t, size_t at)
{
    const uint32_t count = at != 0 ? get(t, at, 2) : 0;

    for (uint32_t i = 0; i < count; i++) {
        const size_t entry = at + 2 + i * ENTRY_BYTES, inner = get(t, entry + 8, 4);
        const uint32_t tag = get(t, entry, 2);

        if ((tag == 34665 || tag == 34853) && inner >= 8 && inner + 2 <= t->size
            && inner + 2 + get(t, inner, 2) * ENTRY_BYTES + 4 <= t->size)
            return inner;
    }
    return at;
}

size_t gf_fuzz_mutate_tiff(uint8_t *data, size_t size, size_t most, unsigned seed)
{
    struct tiff t = { data, size, size > 2 && data[0] == 'M' };
    size_t directory, entry, other;
    uint32_t count;

    (void)most;
    if (size < 16 || (memcmp(data, "II*\0", 4) != 0 && memcmp(data, "MM\0*", 4) != 0))
        return 0;
    directory = find_directory(&t, seed / 16 % 4);
    if (seed / 65536 % 4 == 0)
        directory = find_inner(&t, directory);
    count = directory != 0 ? get(&t, directory, 2) : 0;
    if (count == 0)
        return 0;
    entry = directory + 2 + seed / 64 % count * ENTRY_BYTES;
    other = directory + 2 + seed / 4096 % count * ENTRY_BYTES;
    switch (seed % 16) {
    case 0:
        memmove(data + entry, data + other, ENTRY_BYTES);
        break;
    case 1:
        put(&t, entry, 2, tags[seed / 4096 % (sizeof tags / sizeof *tags)]);
        break;
    case 2:
    case 3:
        put(&t, entry + 2, 2, seed / 4096 % 18);
        break;
    case 4:
    case 5:
        put(&t, entry + 4, 4, values[seed / 4096 % (sizeof values / sizeof *values)]);
        break;
    case 6:
        put(&t, directory, 2, count + (seed / 4096 % 3) - 1);
        break;
    case 7:
        put(&t, entry + 8, 4, seed / 4096 % (uint32_t)size);
        break;
    default:
        put(&t, entry + 8, get(&t, entry + 2, 2) == 3 ? 2 : 4,
        values[seed / 4096 % (sizeof values / sizeof *values)]);
    }
    return size;
}
