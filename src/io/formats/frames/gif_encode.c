/* The LZW encoder of the GIF writer. */
#include "io/formats/frames/gif_encode.h"

#include <stdlib.h>
#include <string.h>

#define LONGEST_CODE 12
#define CODE_BYTES 8                     /* room that a code, a new block and the end need at most */

void gf_gif_data_free(struct gf_gif_data *d)
{
    free(d->bytes);
    d->bytes = NULL;
    d->room = 0;
}

static int make_room(struct gf_gif_data *d)
{
    const size_t room = d->room + d->room / 2 + 4096;
    unsigned char *bytes;

    if (d->room - d->size >= CODE_BYTES)
        return 0;
    bytes = realloc(d->bytes, room);
    if (bytes == NULL)
        return -1;
    d->bytes = bytes;
    d->room = room;
    return 0;
}

static void put_byte(struct gf_gif_data *d)
{
    if (d->size - d->block > GF_GIF_BLOCK_BYTES) {
        d->bytes[d->block] = GF_GIF_BLOCK_BYTES;
        d->block = d->size++;
    }
    d->bytes[d->size++] = (unsigned char)d->bits;
    d->bits >>= 8;
    d->bit_count -= 8;
}

static int put_code(struct gf_gif_data *d, uint32_t code)
{
    if (make_room(d) != 0)
        return -1;
    d->bits |= code << d->bit_count;
    for (d->bit_count += d->code_bits; d->bit_count >= 8;)
        put_byte(d);
    return 0;
}

/* Stores the last bits, the size of the last block, and the empty block after it. */
static int put_end(struct gf_gif_data *d)
{
    if (make_room(d) != 0)
        return -1;
    if (d->bit_count > 0)
        put_byte(d);
    d->bytes[d->block] = (unsigned char)(d->size - d->block - 1);
    if (d->size - d->block > 1)
        d->bytes[d->size++] = 0;
    return 0;
}

/* Returns the slot of a string, which has a previous code and a pixel, or a free one. */
static uint32_t *find_string(struct gf_gif_data *d, uint32_t key)
{
    uint32_t slot = key * 2654435761u >> (32 - 14);

    while (d->string[slot] != 0 && d->string[slot] >> LONGEST_CODE != key)
        slot = (slot + 1) % GF_GIF_STRINGS;
    return &d->string[slot];
}

int gf_gif_encode(struct gf_gif_data *d, const uint8_t *pixels, int64_t n, int bits)
{
    const int first_bits = bits < 2 ? 2 : bits;
    const uint32_t clear = 1u << first_bits;
    uint32_t next = clear + 2, before = pixels[0];

    d->size = d->bits = 0;
    d->bit_count = 0;
    d->code_bits = first_bits + 1;
    memset(d->string, 0, sizeof d->string);
    if (make_room(d) != 0)
        return -1;
    d->bytes[0] = (unsigned char)first_bits;
    d->block = 1;
    d->size = 2;
    if (put_code(d, clear) != 0)
        return -1;
    for (int64_t i = 1; i < n; i++) {
        const uint32_t key = before << 8 | pixels[i];
        uint32_t *string = find_string(d, key);

        if (*string != 0) {
            before = *string & ((1u << LONGEST_CODE) - 1);
            continue;
        }
        if (put_code(d, before) != 0)
            return -1;
        before = pixels[i];
        if (next < 1u << LONGEST_CODE) {
            d->code_bits += next == 1u << d->code_bits;
            *string = key << LONGEST_CODE | next++;
            continue;
        }
        if (put_code(d, clear) != 0)
            return -1;
        memset(d->string, 0, sizeof d->string);
        next = clear + 2;
        d->code_bits = first_bits + 1;
    }
    if (put_code(d, before) != 0)
        return -1;
    d->code_bits += next == 1u << d->code_bits && d->code_bits < LONGEST_CODE;
    return put_code(d, clear + 1) != 0 ? -1 : put_end(d);
}
