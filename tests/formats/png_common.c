/* Shared by tests of PNG: all types of images, known files, reading. */
#define _GNU_SOURCE
#include "png_common.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const struct gf_read_options gf_png_usual = { .max_pixels = 1000000, .max_bytes = 1 << 24 };

bool gf_png_salvage;
unsigned char gf_png_got[1 << 18];

const struct gf_png_sort gf_png_kinds[GF_PNG_KINDS] = {
    { 0, 1 }, { 0, 2 }, { 0, 4 }, { 0, 8 }, { 0, 16 }, { 2, 8 }, { 2, 16 }, { 3, 1 }, { 3, 2 }, { 3, 4 }, { 3, 8 },
    { 4, 8 }, { 4, 16 }, { 6, 8 }, { 6, 16 },
};

int64_t gf_png_read_file(const char *path, struct gf_format *f, struct gf_meta *meta)
{
    struct gf_error err = { 0 };
    const struct gf_read_options options = { .max_pixels = gf_png_usual.max_pixels, .max_bytes = gf_png_usual.max_bytes,
                                             .salvage = gf_png_salvage };
    struct gf_reader *r = gf_reader_open(path, &options, &err);
    int64_t got = r == NULL ? -1 : 0;
    size_t at = 0;
    int more = 1;

    while (r != NULL && more == 1) {
        const size_t bytes = gf_unit_bytes(&r->format);

        *f = r->format;
        if (meta != NULL && gf_meta_copy(meta, &r->meta, &err) != 0)
            exit(1);
        while (at + 3 * bytes <= sizeof gf_png_got && (got = gf_reader_read(r, gf_png_got + at, 3, &err)) > 0)
            at += (size_t)got * bytes;
        more = got < 0 ? -1 : gf_reader_next(r, &err);
    }
    if (r != NULL)
        gf_reader_close(r);
    gf_said = err;
    return r == NULL || got < 0 || more < 0 ? -1 : (int64_t)at;
}

void gf_png_put_file(const char *name, const struct gf_bytes *b)
{
    FILE *f = fopen(name, "wb");

    if (f == NULL || fwrite(b->at, 1, b->size, f) != b->size || fclose(f) != 0)
        exit(1);
}

int64_t gf_png_read(const struct gf_bytes *b, bool pipe_it, struct gf_format *f, struct gf_meta *meta)
{
    int ends[2];
    char path[64];
    int64_t result;

    if (!pipe_it) {
        gf_png_put_file("in.png", b);
        return gf_png_read_file("in.png", f, meta);
    }
    if (pipe(ends) != 0 || write(ends[1], b->at, b->size) != (ssize_t)b->size)
        exit(1);
    close(ends[1]);
    snprintf(path, sizeof path, "/dev/fd/%d", ends[0]);
    result = gf_png_read_file(path, f, meta);
    close(ends[0]);
    return result;
}
