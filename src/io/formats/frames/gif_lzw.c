/* Decodes the LZW data of a GIF: codes of growing width in blocks of up to 255 bytes. */
#include "io/formats/frames/gif.h"

#define MOST_FIRST_BITS 8                /* colors are bytes */

static int fail_damaged(const struct gf_source *s, int64_t pictures, const char *why, struct gf_error *err)
{
    return gf_fail_damaged(err, "%s: frame %lld is damaged: %s", s->name, (long long)pictures + 1, why);
}

/* Clears the table of strings, so that each code means its own color. */
static void clear_table(struct gf_gif_lzw *z)
{
    z->code_bits = z->first_bits + 1;
    z->next = (1 << z->first_bits) + 2;
    z->before = -1;
}

int gf_gif_lzw_begin(struct gf_gif_lzw *z, struct gf_source *s, int64_t pictures, struct gf_error *err)
{
    const int bits = gf_source_byte(s, err);

    if (bits < 0)
        return bits == -1 ? gf_gif_fail_cut(s, pictures, err) : -1;
    if (bits < 1 || bits > MOST_FIRST_BITS)
        return fail_damaged(s, pictures, "its code size is not 1 to 8 bits", err);
    z->first_bits = bits;
    z->at = z->there = z->bit_count = 0;
    z->bits = 0;
    z->ended = false;
    for (int i = 0; i < 1 << bits; i++) {
        z->first[i] = z->last[i] = (uint8_t)i;
        z->length[i] = 1;
    }
    clear_table(z);
    return 0;
}

/* Reads the next block. Returns 1, 0 after the last one, or -1. */
static int next_block(struct gf_gif_lzw *z, struct gf_source *s, int64_t pictures, struct gf_error *err)
{
    const int size = z->ended ? 0 : gf_source_byte(s, err);
    int64_t got;

    if (size < 0)
        return size == -1 ? gf_gif_fail_cut(s, pictures, err) : -1;
    z->ended = size == 0;
    if (z->ended)
        return 0;
    got = gf_source_read(s, z->block, (size_t)size, err);
    if (got < size)
        return got < 0 ? -1 : gf_gif_fail_cut(s, pictures, err);
    z->at = 0;
    z->there = size;
    return 1;
}

/* Returns the next code, -2 after the last block, or -1. */
static int next_code(struct gf_gif_lzw *z, struct gf_source *s, int64_t pictures, struct gf_error *err)
{
    int code;

    while (z->bit_count < z->code_bits) {
        if (z->at == z->there) {
            const int more = next_block(z, s, pictures, err);

            if (more != 1)
                return more == 0 ? -2 : -1;
        }
        z->bits |= (uint32_t)z->block[z->at++] << z->bit_count;
        z->bit_count += 8;
    }
    code = (int)(z->bits & ((1u << z->code_bits) - 1));
    z->bits >>= z->code_bits;
    z->bit_count -= z->code_bits;
    return code;
}

/*
 * Adds a string to the table: the previous string plus the first pixel of this one. `code` may be
 * the new string itself.
 */
static void add_string(struct gf_gif_lzw *z, int code)
{
    const int n = z->next;

    if (z->before < 0 || n == GF_GIF_CODES)
        return;
    z->prefix[n] = (uint16_t)z->before;
    z->first[n] = z->first[z->before];
    z->last[n] = z->first[code == n ? z->before : code];
    z->length[n] = (uint16_t)(z->length[z->before] + 1);
    z->next++;
    if (z->next >= 1 << z->code_bits && z->next < GF_GIF_CODES)
        z->code_bits++;
}

int gf_gif_lzw_next(struct gf_gif_lzw *z, struct gf_source *s, int64_t pictures, uint8_t *to, struct gf_error *err)
{
    const int clear_code = 1 << z->first_bits;
    int code, length;

    while ((code = next_code(z, s, pictures, err)) == clear_code)
        clear_table(z);
    if (code < 0 || code == clear_code + 1)
        return code == -1 ? -1 : 0;
    if (code > z->next || (code == z->next && z->before < 0))
        return fail_damaged(s, pictures, "a code is not in the table", err);
    add_string(z, code);
    z->before = code;
    length = z->length[code];
    for (int i = length - 1; i > 0; i--, code = z->prefix[code])
        to[i] = z->last[code];
    to[0] = z->last[code];
    return length;
}

int gf_gif_lzw_end(struct gf_gif_lzw *z, struct gf_source *s, int64_t pictures, struct gf_error *err)
{
    return z->ended ? 0 : gf_gif_skip_data(s, pictures, err);
}
