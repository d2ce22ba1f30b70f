/* Adds recordings, some files at a time. */
#include "run/mixed_audio.h"

#include "base/spool.h"
#include "run/audio_parts.h"

#include <stdlib.h>
#include <string.h>

#define MOST_MIXED 16                    /* files that are open at the same time */

struct mixed {
    struct gf_audio_parts parts;
    int group;                           /* the most files at the same time */
    int at;                              /* the first of the current ones */
    int64_t done;                        /* frames of them that were read */
    bool opened;                         /* the last of them are open */
    double *sum;                         /* GF_PIECE_FRAMES frames, */
    struct gf_spool sums;                /* and those of the files before the current ones */
};

/* Sums up to `count` frames from `done` on: of files before the current ones, and of these. Returns the most, or -1. */
static int64_t add_files(struct mixed *m, int64_t count, struct gf_error *err)
{
    const size_t unit = (size_t)m->parts.format.channels * sizeof *m->sum, at = (size_t)m->done * unit;
    const size_t left = m->sums.bytes > at ? m->sums.bytes - at : 0;
    const size_t before = left < (size_t)count * unit ? left : (size_t)count * unit;
    int64_t longest = (int64_t)(before / unit);

    memset(m->sum, 0, (size_t)count * unit);
    if (gf_spool_read(&m->sums, at, m->sum, before, err) != 0)
        return -1;
    for (int i = m->at; i < m->parts.count && i < m->at + m->group; i++) {
        struct gf_reader *const r = m->parts.part[i].reader;
        const int64_t got = r != NULL ? gf_reader_read(r, m->parts.raw, count, err) : 0;

        if (got < 0)
            return -1;
        for (int64_t k = 0; k < got * m->parts.format.channels; k++)
            m->sum[k] += gf_audio_sample(m->parts.raw, r->format.type, k);
        if (got < count && gf_audio_parts_close(&m->parts, i, err) != 0)
            return -1;
        longest = got > longest ? got : longest;
    }
    m->done += longest;
    return longest;
}

static int open_group(struct mixed *m, struct gf_error *err)
{
    for (int i = m->at; i < m->parts.count && i < m->at + m->group; i++)
        if (gf_audio_parts_need(&m->parts, i, err) == NULL)
            return -1;
    m->done = 0;
    return 0;
}

/*
 * Opens the last files, once those before are added, some at a time: so many open files and resamplers would need too
 * much memory. Sums have the order of the files.
 */
static int open_last_group(struct mixed *m, struct gf_error *err)
{
    const size_t unit = (size_t)m->parts.format.channels * sizeof *m->sum;
    int64_t got;

    for (; m->at + m->group < m->parts.count; m->at += m->group) {
        if (open_group(m, err) != 0)
            return -1;
        do {
            const size_t at = (size_t)m->done * unit;

            got = add_files(m, GF_PIECE_FRAMES, err);
            if (got < 0 || (got > 0 && gf_spool_put(&m->sums, at, m->sum, (size_t)got * unit, err) != 0))
                return -1;
        } while (got > 0);
    }
    m->opened = true;
    return open_group(m, err);
}

static int64_t read_mixed(struct gf_reader *r, void *units, int64_t count, struct gf_error *err)
{
    struct mixed *const m = r->state;
    float *to = units;
    int64_t done = 0;

    if (!m->opened && open_last_group(m, err) != 0)
        return -1;
    while (done < count) {
        const int64_t left = count - done;
        const int64_t got = add_files(m, left < GF_PIECE_FRAMES ? left : GF_PIECE_FRAMES, err);

        r->ahead = gf_audio_parts_are_ahead(&m->parts);
        if (got <= 0)
            return got < 0 ? -1 : done;
        for (int64_t k = 0; k < got * m->parts.format.channels; k++)
            *to++ = (float)(m->sum[k] / m->parts.count);
        done += got;
    }
    return done;
}

/* ---- the reader ---- */

static void release(struct mixed *m)
{
    gf_audio_parts_release(&m->parts);
    free(m->sum);
    gf_spool_close(&m->sums);
}

static void close_mixed(struct gf_reader *r)
{
    release(r->state);
}

static const struct gf_reader_ops ops = { .next = gf_audio_parts_next, .read = read_mixed, .close = close_mixed,
                                          .opening = GF_LABOUR_FILE, .reading = GF_LABOUR_CODE };

/* Sets the format of the result, and makes room for sums. */
static int begin(struct mixed *m, struct gf_error *err)
{
    struct gf_format *const f = &m->parts.format;

    gf_audio_parts_use_floats(f);
    f->units = 0;
    for (int i = 0; i < m->parts.count && f->units != GF_UNKNOWN; i++) {
        const int64_t units = m->parts.part[i].units;

        f->units = units == GF_UNKNOWN || units > f->units ? units : f->units;
    }
    gf_spool_begin(&m->sums, gf_run_context_waiting_bytes(&m->parts.context, &m->parts.limits));
    m->sum = malloc(GF_PIECE_FRAMES * (size_t)f->channels * sizeof *m->sum);
    return m->sum != NULL ? 0 : gf_fail_memory(err, m->parts.part[0].name);
}

struct gf_reader *gf_mixed_audio_open(const struct gf_run_context *context, const struct gf_limits *limits,
                                      struct gf_reader *first, const struct gf_read_options *options,
                                      struct gf_error *err)
{
    struct mixed *const m = calloc(1, sizeof *m);
    const int files = options->joined_count + 1;
    struct gf_reader *r = NULL;

    if (m == NULL) {
        gf_fail_memory(err, first->name);
        gf_reader_close(first);
        return NULL;
    }
    /* a live pipe cannot wait for others to be summed */
    m->group = options->live || files <= MOST_MIXED ? files : MOST_MIXED;
    if (gf_audio_parts_open(&m->parts, context, limits, first, options,
                            &(struct gf_audio_parts_order) { .mixed = true, .stay_open = m->group == files }, err) == 0
        && begin(m, err) == 0)
        r = gf_audio_parts_reader(&ops, m, err);
    if (r != NULL)
        return r;
    release(m);
    free(m);
    return NULL;
}
