/* The targets of readers: open an input as a file or a pipe, read all of its signals, and list what a file is. */
#define _GNU_SOURCE
#include "fuzz.h"

#include "batch/info_facts.h"
#include "io/io.h"
#include "io/text_output.h"
#include "io/watch.h"

#include <stdlib.h>

/* Larger inputs are refused or not read to their end, so that slow inputs are findings. */
#define MOST_PIXELS (1 << 20)
#define MOST_BYTES (INT64_C(32) << 20)
#define MOST_READ (INT64_C(4) << 20)

/* Bits of option 0. */
enum { PIPE = 1, SALVAGE = 2, SRGB = 4, RANDOM = 8, FIELDS = 16, LITTLE_MEMORY = 32, LIVE = 64, CHANNELS = 128 };

static struct gf_fuzz_file input;

/* Reads units in order, two at a time first. Returns the bytes, or -1. */
static int64_t read_in_order(struct gf_reader *r, struct gf_error *err)
{
    const struct gf_format stored = gf_stored_format(&r->format);
    const size_t unit = gf_unit_bytes(&stored);
    const int64_t count = unit < 65536 ? 65536 / (int64_t)unit : 1;
    void *units = unit < (size_t)MOST_BYTES ? malloc(unit * (size_t)(count > 2 ? count : 2)) : NULL;
    int64_t done = 0, got = 1;

    for (int64_t n = 2; units != NULL && got > 0 && done < MOST_READ; n = count) {
        got = gf_reader_read(r, units, n, err);
        done += got * (int64_t)unit;
    }
    free(units);
    return got < 0 ? -1 : done;
}

/* Reads the last unit, the first one and one between them, directly and through a view. */
static int read_anywhere(struct gf_reader *r, struct gf_error *err)
{
    const struct gf_format stored = gf_stored_format(&r->format);
    const int64_t places[] = { stored.units - 1, 0, stored.units / 2, stored.units };
    void *units = gf_unit_bytes(&stored) < (size_t)MOST_BYTES ? malloc(gf_unit_bytes(&stored)) : NULL;
    struct gf_view view;
    const bool viewed = gf_reader_view(r, &view);
    int result = 0;

    for (int i = 0; units != NULL && result == 0 && i < 4; i++)
        result = gf_reader_read_at(viewed && i == 1 ? &view.reader : r, places[i], units, 1, err);
    free(units);
    return result;
}

/* Reads all signals, and closes the reader. The files of a joined input get readers of their own if they can. */
static void read_signals(struct gf_reader *r, unsigned flags)
{
    struct gf_error err = { 0 };
    int64_t bytes = 0;

    do {
        struct gf_reader *const next = gf_reader_leave(r);
        int64_t got = (flags & RANDOM) != 0 && r->random ? read_anywhere(r, &err) : 0;

        got = got == 0 ? read_in_order(r, &err) : -1;
        bytes = got < 0 ? MOST_READ : bytes + got + 1000;
        if (next != NULL) {
            if (got >= 0 && gf_reader_next(r, &err) == 1)
                abort();                         /* the file had only one image */
            gf_reader_close(r);
            r = next;
        }
    } while (bytes < MOST_READ && gf_reader_next(r, &err) == 1);
    gf_reader_close(r);
}

/* Lists what the file is, as --info does, in all forms. */
static void list_facts(const char *path, struct gf_read_options o)
{
    struct gf_text_output text;
    struct gf_info_facts facts;
    struct gf_error err = { 0 };
    FILE *to;

    o.headers = true;
    o.salvage = o.srgb = false;
    if (gf_info_facts_find(&facts, path, &o, &err) == 0
        && (to = gf_text_output_open(&text, NULL, path, &err)) != NULL) {
        gf_info_put_line(to, &facts, true);
        gf_info_put_row(to, &facts, ',', true);
        gf_info_put_json(to, &facts);
        if (gf_text_output_close(&text, to, 0, &err) == 0 && text.text[0] == '\0')
            abort();
        free(text.text);
    }
    gf_info_facts_release(&facts);
}

void gf_fuzz_read(const struct gf_fuzz_target *target, const uint8_t *option, const uint8_t *data, size_t size)
{
    const unsigned flags = option[0];
    const struct gf_notice_options quiet = { .quiet = true };
    struct gf_notices *notices = gf_notices_new(&quiet);
    struct gf_read_options o = { .max_pixels = MOST_PIXELS, .max_bytes = MOST_BYTES, .notices = notices,
                                 .memory_bytes = (flags & LITTLE_MEMORY) != 0 ? 1 << 20 : 0,
                                 .srgb = (flags & SRGB) != 0, .salvage = (flags & SALVAGE) != 0,
                                 .interlaced = (flags & FIELDS) != 0 ? GF_INTERLACED_FIELDS : GF_INTERLACED_BY_HEADER,
                                 .live = (flags & LIVE) != 0 };
    struct gf_fuzz_file pipe;
    char *const again = input.path;              /* with FIELDS, a file is joined with itself */
    const bool piped = (flags & PIPE) != 0 && gf_fuzz_pipe_put(&pipe, data, size);
    struct gf_error err = { 0 };
    struct gf_watch watch;
    struct gf_reader *r;
    int formats = 0;

    while (target->formats[formats] != NULL)
        formats++;
    if (option[1] % (formats + 1) != 0)
        o.from = target->formats[option[1] % (formats + 1) - 1];
    if ((flags & CHANNELS) != 0)
        o.channels = (struct gf_picked_channels) { .count = 2, .number = { 2, 1 } };
    if (!piped)
        gf_fuzz_file_put(&input, data, size);
    if (!piped && (flags & FIELDS) != 0) {
        o.join = GF_JOIN_ON;
        o.joined = &again;
        o.joined_count = 1;
    }
    gf_watch_open(&watch);
    r = gf_reader_open(piped ? pipe.path : input.path, &o, &err);
    if (r != NULL) {
        r->watch = &watch;
        read_signals(r, flags);
    }
    gf_watch_close(&watch);
    if (piped)
        gf_fuzz_pipe_close(&pipe);
    else
        list_facts(input.path, o);
    gf_notices_free(notices);
}
