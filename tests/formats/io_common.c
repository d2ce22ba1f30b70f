/* Shared by tests of readers and writers: known files, reading in small steps, writing. */
#define _GNU_SOURCE
#include "io_common.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void gf_put_file(const char *name, const void *bytes, size_t size)
{
    FILE *f = fopen(name, "wb");

    if (f == NULL || fwrite(bytes, 1, size, f) != size || fclose(f) != 0) {
        perror(name);
        exit(1);
    }
}

size_t gf_get_file(const char *name, void *bytes, size_t room)
{
    FILE *f = fopen(name, "rb");
    size_t size;

    if (f == NULL)
        return 0;
    size = fread(bytes, 1, room, f);
    fclose(f);
    return size;
}

bool gf_file_is(const char *name, const void *bytes, size_t size)
{
    unsigned char there[65536];
    size_t got = gf_get_file(name, there, sizeof there);
    bool same = got == size && memcmp(there, bytes, size) == 0;

    for (size_t i = 0; !same && i < got && i < 120; i++)
        printf("%s%02x", i % 40 == 0 ? "\n# " : " ", there[i]);
    if (!same)
        printf("\n# %zu bytes, not %zu\n", got, size);
    return same;
}

/* Reads signals in small steps. Returns the number of all units, or -1. */
int64_t gf_read_all(const char *path, const char *from, struct gf_format *f, void *to, size_t room, int *signals)
{
    struct gf_read_options o = { .from = from, .max_pixels = 1000000, .max_bytes = 1 << 24 };
    struct gf_error err = { 0 };
    struct gf_reader *r = gf_reader_open(path, &o, &err);
    int64_t units = 0, got = 0;
    int more = 1;
    char *at = to;

    *signals = 0;
    if (r == NULL) {
        gf_said = err;
        return -1;
    }
    *f = r->format;
    for (; more > 0; more = gf_reader_next(r, &err)) {
        size_t bytes = gf_unit_bytes(&r->format);

        ++*signals;
        while ((size_t)(at - (char *)to) + 2 * bytes <= room && (got = gf_reader_read(r, at, 2, &err)) > 0) {
            units += got;
            at += (size_t)got * bytes;
        }
        if (got < 0)
            break;
    }
    gf_said = err;
    gf_reader_close(r);
    return got < 0 || more < 0 ? -1 : units;
}

/* Reads bytes from a file, or from a pipe. */
int64_t gf_read_bytes(const void *bytes, size_t size, bool pipe_it, struct gf_format *f, void *to, size_t room,
                      int *signals)
{
    int ends[2];
    char path[64];
    int64_t units;

    if (!pipe_it) {
        gf_put_file("in", bytes, size);
        return gf_read_all("in", NULL, f, to, room, signals);
    }
    if (pipe(ends) != 0 || write(ends[1], bytes, size) != (ssize_t)size)
        exit(1);
    close(ends[1]);
    snprintf(path, sizeof path, "/dev/fd/%d", ends[0]);
    units = gf_read_all(path, NULL, f, to, room, signals);
    close(ends[0]);
    return units;
}

const struct gf_format gf_gray8 = { .kind = GF_IMAGE, .type = GF_U8, .bits = 8, .maxval = 255, .channels = 1,
                                        .width = 2, .units = 2 };

/*
 * Writes one signal. Returns 0 or -1. `backwards`: writes single rows from the last to the first,
 * if the format can.
 */
int gf_write_one(const char *path, const struct gf_write_options *o, const struct gf_format *f, const void *units,
                 bool backwards, struct gf_format *fitted)
{
    struct gf_error err = { 0 };
    struct gf_writer *w = gf_writer_open(path, o, f, false, &err);
    struct gf_format g = *f, stored;
    int result = -1;

    if (w == NULL || gf_writer_fit(w, &g, &err) != 0 || gf_writer_begin(w, &g, &err) != 0)
        goto out;
    stored = gf_stored_format(&g);
    for (int64_t i = stored.units - 1; backwards && w->random && i >= 0; i--) {
        if (gf_writer_write_at(w, i, (const char *)units + (size_t)i * gf_unit_bytes(&stored), 1, &err) != 0)
            goto out;
    }
    if (!(backwards && w->random) && gf_writer_write(w, units, stored.units, &err) != 0)
        goto out;
    if (gf_writer_end(w, &err) != 0 || gf_writer_commit(w, &err) != 0)
        goto out;
    result = 0;
out:
    if (fitted != NULL)
        *fitted = g;
    gf_said = err;
    gf_writer_close(w);
    return result;
}

struct gf_format gf_picture_format(enum gf_type type, uint32_t maxval, int channels, bool alpha,
                                   int64_t width, int64_t rows)
{
    return (struct gf_format) { .kind = GF_IMAGE, .type = type, .bits = type == GF_F32 ? 32 : maxval > 255 ? 16 : 8,
                                .maxval = maxval, .channels = channels, .alpha = alpha, .width = width, .units = rows };
}

struct gf_format gf_sound_format(enum gf_type type, int bits, int channels, int64_t frames)
{
    return (struct gf_format) { .kind = GF_AUDIO, .type = type, .bits = bits, .channels = channels, .width = 1,
                                .units = frames, .rate = 8000 };
}
