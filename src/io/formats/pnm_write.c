/* Writes PBM, PGM, PPM, PAM and PFM: in order to a pipe, from any thread to a file. */
#define _GNU_SOURCE
#include "io/formats/pnm.h"

#include "io/fit.h"

#include <endian.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BLOCK_BYTES 65536        /* rows are collected to this size, because each write is a system call */

struct pnm_out {
    char kind;                   /* '4', '5', '6', '7', 'F' or 'f' */
    int64_t data;                /* offset of the first stored row */
    size_t stored_bytes;         /* of a stored row */
    int64_t row;                 /* next row to be written in order */
    unsigned char *whole;        /* the whole of a PFM for a pipe, because its last row comes first */
};

static bool has_name(const struct gf_writer *w, const char *name)
{
    return strcmp(w->ops->name, name) == 0;
}

/* Returns the variant that stores so many channels under this name, or 0. */
static char variant(const struct gf_writer *w, const struct gf_format *f)
{
    int channels = f->channels;

    if (has_name(w, "pfm"))
        return channels == 3 ? 'F' : channels == 1 ? 'f' : 0;
    if (has_name(w, "pbm"))
        return channels == 1 ? '4' : 0;
    if (has_name(w, "pgm"))
        return channels == 1 ? '5' : 0;
    if (has_name(w, "ppm"))
        return channels == 3 ? '6' : 0;
    if (has_name(w, "pnm") && (channels == 1 || channels == 3))
        return channels == 3 ? '6' : '5';
    return channels <= 4 ? '7' : 0;
}

static int fail_channels(const struct gf_writer *w, const struct gf_format *f, struct gf_error *err)
{
    const char *holds = has_name(w, "ppm") ? "3 channels" : has_name(w, "pfm") ? "1 or 3 channels"
                      : has_name(w, "pbm") || has_name(w, "pgm") ? "1 channel" : "1 to 4 channels";

    return gf_fail(err, GF_MISUSED, "%s: %s stores %s, but the image has %d channel%s%s; try %s", w->name,
                   w->ops->name, holds, f->channels, f->channels == 1 ? "" : "s", f->alpha ? " with alpha" : "",
                   has_name(w, "pam") || has_name(w, "pnm") ? "the stages gray or channel" : "pam");
}

static int pnm_fit(struct gf_writer *w, struct gf_format *f, struct gf_error *err)
{
    if (f->alpha && !has_name(w, "pam") && !has_name(w, "pnm")) {
        f->channels = gf_colours(f);     /* no alpha: pixels are blended with black */
        f->alpha = false;
    }
    if (has_name(w, "ppm") && f->channels == 1)
        f->channels = 3;                 /* gray is stored as RGB */
    if (variant(w, f) == 0)
        return fail_channels(w, f, err);
    if (has_name(w, "pfm")) {
        if (w->options.depth > 0)
            return gf_fail(err, GF_MISUSED, "%s: PFM stores f32, not --depth %d; try .pam", w->name, w->options.depth);
        f->type = GF_F32;
        f->bits = 32;
        f->maxval = 1;
        return 0;
    }
    if (has_name(w, "pbm")) {
        char depth[12];

        snprintf(depth, sizeof depth, "%s%d", w->options.depth < 0 ? "f" : "", abs(w->options.depth));
        if (w->options.depth > 1 || w->options.depth < 0)
            return gf_fail(err, GF_MISUSED, "%s: PBM stores 1 bit, not --depth %s; try .pgm", w->name, depth);
        f->type = GF_U8;
        f->bits = 1;
        f->maxval = 1;
        return 0;
    }
    return gf_fit_narrow(w, f) ? 0 : gf_fit_image(w, f, w->ops->name, err);
}

static const char *tuple_type(const struct gf_format *f)
{
    if (f->alpha)
        return f->channels == 4 ? "RGB_ALPHA" : f->maxval == 1 ? "BLACKANDWHITE_ALPHA" : "GRAYSCALE_ALPHA";
    /* other meanings of 2 or 4 channels need a name, so that the last one is not taken as alpha */
    return f->channels == 1 ? f->maxval == 1 ? "BLACKANDWHITE" : "GRAYSCALE" : f->channels == 3 ? "RGB" : "CHANNELS";
}

static int format_header(const struct gf_writer *w, const struct pnm_out *p, char *to, size_t size)
{
    const struct gf_format *f = &w->format;
    long long width = f->width, height = f->units;

    if (p->kind == '7')
        return snprintf(to, size, "P7\nWIDTH %lld\nHEIGHT %lld\nDEPTH %d\nMAXVAL %u\nTUPLTYPE %s\nENDHDR\n", width,
                        height, f->channels, f->maxval, tuple_type(f));
    if (p->kind == 'F' || p->kind == 'f')
        return snprintf(to, size, "P%c\n%lld %lld\n-1.0\n", p->kind, width, height);
    if (p->kind == '4')
        return snprintf(to, size, "P4\n%lld %lld\n", width, height);
    return snprintf(to, size, "P%c\n%lld %lld\n%u\n", p->kind, width, height, f->maxval);
}

static int pnm_begin(struct gf_writer *w, struct gf_error *err)
{
    struct pnm_out *p = w->state != NULL ? w->state : calloc(1, sizeof *p);
    const struct gf_format *f = &w->format;
    char text[200];

    w->state = p;
    if (p == NULL)
        return gf_fail_memory(err, w->name);
    p->kind = variant(w, f);
    if (p->kind == 0)
        return fail_channels(w, f, err);
    if (f->units < 0)
        return gf_fail(err, GF_FAILED, "%s: %s needs the height in advance", w->name, w->ops->name);
    p->stored_bytes = p->kind == '4' ? (size_t)(f->width + 7) / 8 : gf_unit_bytes(f);
    p->row = 0;
    if (gf_output_write(w->out, text, (size_t)format_header(w, p, text, sizeof text), err) != 0)
        return -1;
    p->data = gf_output_position(w->out);
    w->random = gf_output_random(w->out);
    if ((p->kind != 'F' && p->kind != 'f') || w->random)
        return 0;
    p->whole = malloc(p->stored_bytes * (size_t)f->units + 1);
    if (p->whole == NULL)
        return gf_fail_memory_hint(err, w->name, "write it to a file");
    return 0;
}

/* Writes stored bytes at their place in a file, or next in a pipe. */
static int write_stored(struct gf_writer *w, int64_t offset, const void *bytes, size_t size, struct gf_error *err)
{
    struct pnm_out *p = w->state;

    if (w->random)
        return gf_output_write_at(w->out, p->data + offset, bytes, size, err);
    return gf_output_write(w->out, bytes, size, err);
}

/* Packs pixels into bits, the first in the highest bit. A set bit is black. */
static void pack_bits(const uint8_t *from, size_t count, unsigned char *to)
{
    memset(to, 0, (count + 7) / 8);
    for (size_t i = 0; i < count; i++)
        to[i / 8] |= (unsigned char)((from[i] == 0) << (7 - i % 8));
}

static int bitmap_rows(struct gf_writer *w, int64_t start, const uint8_t *from, int64_t count, struct gf_error *err)
{
    const struct pnm_out *p = w->state;
    const size_t width = (size_t)w->format.width;
    unsigned char block[BLOCK_BYTES];
    int64_t offset = start * (int64_t)p->stored_bytes;
    size_t filled = 0;

    for (int64_t i = 0; i < count; i++, from += width)
        for (size_t at = 0, n; at < width; at += n) {
            const size_t room = 8 * (sizeof block - filled);

            n = width - at < room ? width - at : room;
            pack_bits(from + at, n, block + filled);
            filled += (n + 7) / 8;
            if (filled < sizeof block)
                continue;
            if (write_stored(w, offset, block, filled, err) != 0)
                return -1;
            offset += (int64_t)filled;
            filled = 0;
        }
    return filled > 0 ? write_stored(w, offset, block, filled, err) : 0;
}

static int wide_rows(struct gf_writer *w, int64_t start, const uint16_t *from, int64_t count, struct gf_error *err)
{
    struct pnm_out *p = w->state;
    int64_t offset = start * (int64_t)p->stored_bytes;
    size_t left = (size_t)count * p->stored_bytes / 2;
    uint16_t chunk[32768];

    while (left > 0) {
        size_t n = left < sizeof chunk / 2 ? left : sizeof chunk / 2;

        for (size_t i = 0; i < n; i++)
            chunk[i] = htobe16(from[i]);
        if (write_stored(w, offset, chunk, n * 2, err) != 0)
            return -1;
        from += n;
        left -= n;
        offset += (int64_t)n * 2;
    }
    return 0;
}

/* Writes rows of a PFM, which stores them from bottom to top: reverses one block after another. */
static int float_rows(struct gf_writer *w, int64_t start, const char *from, int64_t count, struct gf_error *err)
{
    struct pnm_out *p = w->state;
    const size_t bytes = p->stored_bytes;
    const int64_t rows = p->whole != NULL ? count : bytes < BLOCK_BYTES ? (int64_t)(BLOCK_BYTES / bytes) : 1;
    char block[BLOCK_BYTES];

    while (count > 0) {
        const int64_t n = count < rows ? count : rows;
        const int64_t offset = (w->format.units - start - n) * (int64_t)bytes;
        char *to = p->whole != NULL ? (char *)p->whole + offset : block;

        for (int64_t i = 0; i < n && (n > 1 || p->whole != NULL); i++)
            memcpy(to + (size_t)(n - 1 - i) * bytes, from + (size_t)i * bytes, bytes);
        if (p->whole == NULL && write_stored(w, offset, n > 1 ? block : from, (size_t)n * bytes, err) != 0)
            return -1;
        start += n;
        count -= n;
        from += (size_t)n * bytes;
    }
    return 0;
}

static int pnm_write_at(struct gf_writer *w, int64_t start, const void *units, int64_t count, struct gf_error *err)
{
    struct pnm_out *p = w->state;

    if (p->kind == '4')
        return bitmap_rows(w, start, units, count, err);
    if (p->kind == 'F' || p->kind == 'f')
        return float_rows(w, start, units, count, err);
    if (w->format.type == GF_U16)
        return wide_rows(w, start, units, count, err);
    return write_stored(w, start * (int64_t)p->stored_bytes, units, (size_t)count * p->stored_bytes, err);
}

static int pnm_write(struct gf_writer *w, const void *units, int64_t count, struct gf_error *err)
{
    struct pnm_out *p = w->state;

    if (pnm_write_at(w, p->row, units, count, err) != 0)
        return -1;
    p->row += count;
    return 0;
}

static int pnm_end(struct gf_writer *w, struct gf_error *err)
{
    struct pnm_out *p = w->state;
    size_t size = p->stored_bytes * (size_t)w->format.units;
    int result = 0;

    if (w->random)
        gf_output_set_position(w->out, p->data + (int64_t)size);
    else if (p->whole != NULL)
        result = gf_output_write(w->out, p->whole, size, err);
    free(p->whole);
    p->whole = NULL;
    return result;
}

static void pnm_release(struct gf_writer *w)
{
    struct pnm_out *p = w->state;

    if (p != NULL)
        free(p->whole);
    free(p);
}

#define PNM_WRITER(word) \
    const struct gf_writer_ops gf_write_##word = { \
        .name = #word, .kind = GF_IMAGE, .bare = GF_BARE_PIPED, .linear = true, \
        .heeds = GF_HEEDS_DEPTH, .fit = pnm_fit, \
        .begin = pnm_begin, .write = pnm_write, \
        .write_at = pnm_write_at, .end = pnm_end, .release = pnm_release, .part_bytes = sizeof(struct pnm_out), \
    }

PNM_WRITER(pbm);
PNM_WRITER(pgm);
PNM_WRITER(ppm);
PNM_WRITER(pnm);
PNM_WRITER(pam);
PNM_WRITER(pfm);
