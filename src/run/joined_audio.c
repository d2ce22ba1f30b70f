/* Reads recordings one after another or within another, with a crossfade or without, or adds all of them. */
#include "run/joined_audio.h"

#include "base/elementary.h"
#include "base/memory_share.h"
#include "base/spool.h"
#include "io/name_pattern.h"
#include "io/watch.h"
#include "run/evened.h"
#include "run/joined_metadata.h"
#include "run/output_metadata.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define PIECE_FRAMES 4096
#define MOST_MIXED 16                    /* files of a mix that are open at the same time */
#define MOST_BYTES (INT64_C(32) << 20)   /* of a crossfade or of sums that stay in memory */

struct joined {
    struct gf_run_context context;
    struct gf_limits limits;
    struct gf_read_options options;      /* for the files after the first */
    enum gf_join join;
    char *const *names;
    int files, slots;                    /* with the first; those that `reader` has room for */
    struct gf_reader **reader;           /* of each file, while it is open */
    int64_t *units;                      /* of each file, by its header; GF_UNKNOWN: unknown */
    struct gf_joined_metadata metadata;
    struct gf_format format;             /* of the result */
    const char *first_name;
    int32_t rate;
    int channels;
    int at;                              /* the current file */
    int64_t done;                        /* frames of it that were read */
    void *raw;                           /* PIECE_FRAMES frames as a file has them */
    int64_t fade_frames;                 /* with a crossfade: its length, */
    bool linear;
    struct gf_spool_queue held;          /* the last frames, which may become part of the next one, */
    float *tail, *head;                  /* and a piece of them and of that one */
    double *sum;                         /* of a mix: PIECE_FRAMES frames, */
    struct gf_spool sums;                /* and those of the files before the current ones */
    int group;                           /* and the most files at the same time */
    bool opened;                         /* the last of them are open */
    /* of an insertion: the audio, of which parts are the files before and after that one; NULL: it joins or mixes */
    struct gf_reader *around;
    struct gf_insertion what;
    struct gf_inserting how;
    char *file;                          /* its name, with fields filled in */
    int place;                           /* its number among the files; -1: it is left out */
    int64_t limit;                       /* frames of a part before it */
    struct gf_audio_change change;
};

static const char *name_of(const struct joined *j, int i)
{
    return j->around == NULL ? (i > 0 ? j->names[i - 1] : j->first_name) : i == j->place ? j->file : j->around->name;
}

/* ---- files ---- */

/* Opens a file as it is. */
static struct gf_reader *open_own(const struct joined *j, int i, struct gf_error *err)
{
    struct gf_reader *const r = gf_reader_open(j->names[i - 1], &j->options, err);

    if (r == NULL)
        return NULL;
    if (r->format.kind != GF_AUDIO) {
        gf_fail(err, GF_FAILED, "%s: is an image, but %s is audio; only inputs of one kind can be joined or mixed",
                r->name, j->first_name);
        gf_reader_close(r);
        return NULL;
    }
    return r;
}

static struct gf_reader *even(const struct joined *j, struct gf_reader *r, struct gf_error *err)
{
    return gf_evened_open(&j->context, &j->limits, r, j->rate, j->channels, j->first_name, err);
}

static struct gf_reader *open_file(const struct joined *j, int i, struct gf_error *err)
{
    struct gf_reader *const r = open_own(j, i, err);

    return r != NULL ? even(j, r, err) : NULL;
}

/* Makes the format of the result one that has all samples of this file, too. */
static void widen_format(struct gf_format *to, const struct gf_format *f)
{
    const bool whole = !gf_type_is_float(to->type) || to->made_of_bits > 0;
    const bool integers = whole && (!gf_type_is_float(f->type) || f->made_of_bits > 0);
    const int old = to->made_of_bits > 0 ? to->made_of_bits : to->bits;
    const int new = f->made_of_bits > 0 ? f->made_of_bits : f->bits;
    const int bits = old > new ? old : new;

    if (gf_type_is_float(to->type) || gf_type_is_float(f->type)) {
        /* floats of 32 bits have 25 bits of an integer */
        const bool long_integers = (!gf_type_is_float(to->type) && old > 25)
            || (!gf_type_is_float(f->type) && new > 25);

        to->type = to->type == GF_F64 || f->type == GF_F64 || long_integers ? GF_F64 : GF_F32;
        to->bits = to->type == GF_F64 ? 64 : 32;
        to->made_of_bits = integers ? bits : 0;
    } else {
        to->type = to->type == GF_S32 || f->type == GF_S32 ? GF_S32 : GF_S16;
        to->bits = bits;
    }
}

/* Opening a pipe again would lose what has been read. */
static bool may_reopen(const char *name)
{
    struct stat st;

    return stat(name, &st) == 0 && S_ISREG(st.st_mode);
}

/* Opens a file for the first time. Its first frame is frame `at` of the result. */
static struct gf_reader *look_at_file(struct joined *j, int i, int64_t at, struct gf_error *err)
{
    struct gf_reader *const r = open_own(j, i, err);

    if (r == NULL || gf_joined_metadata_add(&j->metadata, r, at, err) == 0)
        return r != NULL ? even(j, r, err) : NULL;
    gf_reader_close(r);
    return NULL;
}

/* Returns the place in the result of the file after file `i`, which is at `at`; GF_UNKNOWN: unknown. */
static int64_t next_place(const struct joined *j, int i, int64_t at)
{
    if (j->join == GF_JOIN_MIX)
        return 0;
    return at == GF_UNKNOWN || j->units[i] == GF_UNKNOWN ? GF_UNKNOWN : at + j->units[i] - j->fade_frames;
}

/* Returns the most files of a mix that are open at the same time. A live pipe cannot wait for others to be summed. */
static int find_group(const struct joined *j)
{
    return j->options.live || j->files <= MOST_MIXED ? j->files : MOST_MIXED;
}

/* Reads the headers of the files after the first. Pipes and those of a mix of few files stay open. */
static int look_at_files(struct joined *j, struct gf_reader *r, struct gf_error *err)
{
    int64_t at = 0;

    if (gf_joined_metadata_begin(&j->metadata, r, j->join == GF_JOIN_MIX, err) != 0)
        return -1;
    for (int i = 1; i < j->files; i++) {
        const bool again = (j->join != GF_JOIN_MIX || j->group < j->files) && may_reopen(j->names[i - 1]);
        struct gf_reader *file;

        at = next_place(j, i - 1, at);
        j->options.notices = again ? NULL : r->notices;
        file = look_at_file(j, i, at, err);
        if (file == NULL)
            return -1;
        j->units[i] = file->format.units;
        widen_format(&j->format, &file->format);
        r->lossy |= file->lossy;
        j->reader[i] = again ? NULL : file;
        if (again)
            gf_reader_close(file);
    }
    j->options.notices = r->notices;
    return gf_joined_metadata_end(&j->metadata, r->notices, err);
}

/* Makes the format that of floats, for sums of samples. */
static void make_floats(struct gf_format *f)
{
    f->made_of_bits = f->made_of_bits > 0 ? f->made_of_bits : gf_type_is_float(f->type) ? 0 : f->bits;
    f->type = GF_F32;
    f->bits = 32;
}

/* Returns the length of the result, or GF_UNKNOWN. */
static int64_t count_units(const struct joined *j)
{
    int64_t units = 0;

    for (int i = 0; i < j->files; i++) {
        if (j->units[i] == GF_UNKNOWN)
            return GF_UNKNOWN;
        if (j->join == GF_JOIN_MIX)
            units = j->units[i] > units ? j->units[i] : units;
        else
            units += j->units[i] - (i > 0 ? j->fade_frames : 0);
    }
    return units;
}

static int refuse_short(const struct joined *j, int i, struct gf_error *err)
{
    return gf_fail(err, GF_FAILED, j->around != NULL && i != j->place
                   ? "%s: a part of it is shorter than the crossfade of %.4g s"
                   : "%s: is shorter than the crossfade of %.4g s", name_of(j, i), (double)j->fade_frames / j->rate);
}

/* Returns the reader of a file, which it opens if need be; NULL on failure. */
static struct gf_reader *need_file(struct joined *j, int i, struct gf_error *err)
{
    struct gf_reader **const r = &j->reader[i];

    if (*r == NULL)
        *r = open_file(j, i, err);
    if (*r != NULL && j->around == NULL && j->units[i] != (*r)->format.units) {
        gf_fail(err, GF_FAILED, "%s: has changed since its header was read", (*r)->name);
        return NULL;
    }
    return *r;
}

static int close_file(struct joined *j, int i, struct gf_error *err)
{
    struct gf_reader *const r = j->reader[i];
    int result = 0;

    j->reader[i] = NULL;
    if (r != NULL && r != j->around) {
        result = gf_joined_metadata_add_late(&j->metadata, r, err);
        gf_reader_close(r);
    }
    return result;
}

/* Closes the current file, and goes on to the next one. */
static int end_file(struct joined *j, struct gf_error *err)
{
    j->done = 0;
    return close_file(j, j->at++, err);
}

/* ---- samples ---- */

static double sample_of(const void *from, enum gf_type type, int64_t i)
{
    switch (type) {
    case GF_S16: return ((const int16_t *)from)[i] / 32768.0;
    case GF_S32: return ((const int32_t *)from)[i] / 2147483648.0;
    case GF_F64: return ((const double *)from)[i];
    default: return (double)((const float *)from)[i];
    }
}

/* Converts samples to a type that has room for them. */
static void convert(const void *from, enum gf_type type, void *to, enum gf_type wanted, int64_t count)
{
    if (type == wanted)
        memcpy(to, from, (size_t)count * gf_type_bytes(type));
    else if (wanted == GF_S32)
        for (int64_t i = 0; i < count; i++)
            ((int32_t *)to)[i] = ((const int16_t *)from)[i] * 65536;
    else if (wanted == GF_F64)
        for (int64_t i = 0; i < count; i++)
            ((double *)to)[i] = sample_of(from, type, i);
    else
        for (int64_t i = 0; i < count; i++)
            ((float *)to)[i] = (float)sample_of(from, type, i);
}

/* Leaves out an insertion after the end of the audio. */
static void leave_out(struct joined *j, int64_t units)
{
    gf_warn(j->around->notices, "inserted", j->around->name, "insert: it is %.4g s long, so %s is not inserted at "
            "%.4g s", (double)units / j->rate, j->file, (double)j->how.at / j->rate);
    j->files = 1;
    j->place = -1;
    j->limit = INT64_MAX;
}

/* Reads frames of the current file in the format of the result. Returns 0 at its end, or -1. */
static int64_t read_file(struct joined *j, void *to, int64_t count, struct gf_error *err)
{
    struct gf_reader *const r = need_file(j, j->at, err);
    const enum gf_type wanted = j->format.type;
    int64_t got;

    if (r == NULL)
        return -1;
    if (j->around != NULL && j->at < j->place && count > j->limit - j->done)
        count = j->limit - j->done;
    if (r->format.type == wanted) {
        got = gf_reader_read(r, to, count, err);
    } else {
        got = gf_reader_read(r, j->raw, count < PIECE_FRAMES ? count : PIECE_FRAMES, err);
        if (got > 0)
            convert(j->raw, r->format.type, to, wanted, got * j->channels);
    }
    j->done += got > 0 ? got : 0;
    if (got == 0 && j->around != NULL && j->at < j->place && j->done < j->limit && j->limit != INT64_MAX)
        leave_out(j, j->done);
    return got;
}

/* ---- one after another ---- */

static int64_t read_joined(struct gf_reader *r, void *units, int64_t count, struct gf_error *err)
{
    struct joined *const j = r->state;
    unsigned char *to = units;
    int64_t done = 0;

    while (done < count && j->at < j->files) {
        const int64_t got = read_file(j, to + (size_t)done * gf_unit_bytes(&j->format), count - done, err);

        if (got < 0)
            return -1;
        done += got;
        if (got == 0 && end_file(j, err) != 0)
            return -1;
    }
    return done;
}

/* ---- with a crossfade ---- */

/* Lets the last frames, which are held, fade into the first ones of the current file. */
static int fade_over(struct joined *j, struct gf_error *err)
{
    const size_t unit = gf_unit_bytes(&j->format);

    for (int64_t at = 0, got; at < j->fade_frames; at += got) {
        const int64_t left = j->fade_frames - at;

        got = read_file(j, j->head, left < PIECE_FRAMES ? left : PIECE_FRAMES, err);
        if (got <= 0)
            return got < 0 ? -1 : refuse_short(j, j->at, err);
        if (gf_spool_queue_take(&j->held, j->tail, (size_t)got * unit, err) != 0)
            return -1;
        for (int64_t i = 0; i < got; i++) {
            const double t = ((double)(at + i) + .5) / (double)j->fade_frames;
            const double in = j->linear ? t : gf_sin_pi(t / 2), out = j->linear ? 1 - t : gf_cos_pi(t / 2);

            for (int64_t k = i * j->channels; k < (i + 1) * j->channels; k++)
                j->head[k] = (float)((double)j->tail[k] * out + (double)j->head[k] * in);
        }
        if (gf_spool_queue_put(&j->held, j->head, (size_t)got * unit, err) != 0)
            return -1;
    }
    return 0;
}

/* Goes on to the next file, into which the last frames fade. */
static int end_faded(struct joined *j, struct gf_error *err)
{
    if (j->files > 1 && j->held.bytes < (size_t)j->fade_frames * gf_unit_bytes(&j->format))
        return refuse_short(j, j->at, err);
    return end_file(j, err) != 0 || (j->at < j->files && fade_over(j, err) != 0) ? -1 : 0;
}

static int64_t read_faded(struct gf_reader *r, void *units, int64_t count, struct gf_error *err)
{
    struct joined *const j = r->state;
    const size_t unit = gf_unit_bytes(&j->format), kept = (size_t)j->fade_frames * unit;
    unsigned char *const to = units;
    int64_t done = 0, got = 0;

    while (done < count && (j->at < j->files || j->held.bytes > 0)) {
        const int64_t now = count - done < PIECE_FRAMES ? count - done : PIECE_FRAMES;
        size_t bytes = (size_t)now * unit;

        if (j->at < j->files) {
            got = read_file(j, j->head, now, err);
            if (got < 0 || (got == 0 && end_faded(j, err) != 0)
                || gf_spool_queue_put(&j->held, j->head, (size_t)got * unit, err) != 0)
                return -1;
            bytes = j->held.bytes > kept ? j->held.bytes - kept : 0;
        }
        bytes = bytes < j->held.bytes ? bytes : j->held.bytes;
        if (gf_spool_queue_take(&j->held, to + (size_t)done * unit, bytes, err) != 0)
            return -1;
        done += (int64_t)(bytes / unit);
    }
    return done;
}

/* ---- all at the same time ---- */

/* Sums up to `count` frames from `done` on: of files before the current ones, and of these. Returns the most, or -1. */
static int64_t add_files(struct joined *j, int64_t count, struct gf_error *err)
{
    const size_t unit = (size_t)j->channels * sizeof *j->sum, at = (size_t)j->done * unit;
    const size_t left = j->sums.bytes > at ? j->sums.bytes - at : 0;
    const size_t before = left < (size_t)count * unit ? left : (size_t)count * unit;
    int64_t longest = (int64_t)(before / unit);

    memset(j->sum, 0, (size_t)count * unit);
    if (gf_spool_read(&j->sums, at, j->sum, before, err) != 0)
        return -1;
    for (int i = j->at; i < j->files && i < j->at + j->group; i++) {
        struct gf_reader *const r = j->reader[i];
        const int64_t got = r != NULL ? gf_reader_read(r, j->raw, count, err) : 0;

        if (got < 0)
            return -1;
        for (int64_t k = 0; k < got * j->channels; k++)
            j->sum[k] += sample_of(j->raw, r->format.type, k);
        if (got < count && close_file(j, i, err) != 0)
            return -1;
        longest = got > longest ? got : longest;
    }
    j->done += longest;
    return longest;
}

static int open_group(struct joined *j, struct gf_error *err)
{
    for (int i = j->at; i < j->files && i < j->at + j->group; i++)
        if (need_file(j, i, err) == NULL)
            return -1;
    j->done = 0;
    return 0;
}

/*
 * Opens the last files of a mix, once those before are added, some at a time: so many open files and resamplers would
 * need too much memory. Sums have the order of the files.
 */
static int open_last_group(struct joined *j, struct gf_error *err)
{
    const size_t unit = (size_t)j->channels * sizeof *j->sum;
    int64_t got;

    for (; j->at + j->group < j->files; j->at += j->group) {
        if (open_group(j, err) != 0)
            return -1;
        do {
            const size_t at = (size_t)j->done * unit;

            got = add_files(j, PIECE_FRAMES, err);
            if (got < 0 || (got > 0 && gf_spool_put(&j->sums, at, j->sum, (size_t)got * unit, err) != 0))
                return -1;
        } while (got > 0);
    }
    j->opened = true;
    return open_group(j, err);
}

static int64_t read_mixed(struct gf_reader *r, void *units, int64_t count, struct gf_error *err)
{
    struct joined *const j = r->state;
    float *to = units;
    int64_t done = 0;

    if (!j->opened && open_last_group(j, err) != 0)
        return -1;
    while (done < count) {
        const int64_t left = count - done;
        const int64_t got = add_files(j, left < PIECE_FRAMES ? left : PIECE_FRAMES, err);

        if (got <= 0)
            return got < 0 ? -1 : done;
        for (int64_t k = 0; k < got * j->channels; k++)
            *to++ = (float)(j->sum[k] / j->files);
        done += got;
    }
    return done;
}

/* ---- the reader ---- */

static int next(struct gf_reader *r, struct gf_error *err)
{
    struct joined *const j = r->state;

    for (int i = 0; i < j->files; i++)           /* a stage such as trim may need less than all */
        if (close_file(j, i, err) != 0)
            return -1;
    gf_meta_release(&r->meta);
    r->meta = j->metadata.late;
    j->metadata.late = (struct gf_meta) { 0 };
    return 0;
}

static void release(struct joined *j)
{
    for (int i = 0; j->reader != NULL && i < j->slots; i++)
        if (j->reader[i] != j->around)
            gf_reader_close(j->reader[i]);
    gf_joined_metadata_release(&j->metadata);
    free(j->reader);
    free(j->units);
    free(j->raw);
    free(j->sum);
    free(j->tail);
    free(j->head);
    gf_spool_close(&j->held.spool);
    gf_spool_close(&j->sums);
    free(j->file);
    j->file = NULL;
    j->reader = NULL;
    j->units = NULL;
    j->raw = j->tail = j->head = NULL;
    j->sum = NULL;
}

static void close_joined(struct gf_reader *r)
{
    release(r->state);
}

static const struct gf_reader_ops joined_ops = { .next = next, .read = read_joined, .close = close_joined,
                                                 .opening = GF_LABOUR_FILE, .reading = GF_LABOUR_FILE };
static const struct gf_reader_ops faded_ops = { .next = next, .read = read_faded, .close = close_joined,
                                                .opening = GF_LABOUR_FILE, .reading = GF_LABOUR_CODE };
static const struct gf_reader_ops mixed_ops = { .next = next, .read = read_mixed, .close = close_joined,
                                                .opening = GF_LABOUR_FILE, .reading = GF_LABOUR_CODE };

/* Returns the bytes of a crossfade or of sums that stay in memory. */
static size_t find_most_bytes(const struct joined *j)
{
    const int64_t share = gf_memory_share(GF_MEMORY_JOINED, gf_run_context_host_bytes(&j->context, &j->limits));

    return (size_t)(share < MOST_BYTES ? share : MOST_BYTES);
}

/* Makes room for samples. */
static int make_room(struct joined *j, struct gf_error *err)
{
    const bool fades = j->join == GF_JOIN_FADE, mixes = j->join == GF_JOIN_MIX;
    const size_t unit = gf_unit_bytes(&j->format), piece = PIECE_FRAMES * unit;

    gf_spool_queue_begin(&j->held, (size_t)j->fade_frames * unit + piece, find_most_bytes(j));
    gf_spool_begin(&j->sums, find_most_bytes(j));
    j->raw = malloc((size_t)PIECE_FRAMES * (size_t)j->channels * sizeof(double));
    j->tail = fades ? malloc(piece) : NULL;
    j->head = fades ? malloc(piece) : NULL;
    j->sum = mixes ? malloc((size_t)PIECE_FRAMES * (size_t)j->channels * sizeof *j->sum) : NULL;
    return j->raw == NULL || (fades && (j->tail == NULL || j->head == NULL)) || (mixes && j->sum == NULL)
        ? gf_fail_memory(err, j->first_name) : 0;
}

/* Sets the format of the result, once the headers of all files are read. */
static int begin(struct joined *j, struct gf_error *err)
{
    for (int i = 0; j->fade_frames > 0 && i < j->files; i++)
        if (j->units[i] != GF_UNKNOWN && j->units[i] < j->fade_frames)
            return refuse_short(j, i, err);
    if (j->join != GF_JOIN_ON)
        make_floats(&j->format);
    j->format.units = count_units(j);
    j->at = 0;
    j->done = 0;
    return make_room(j, err);
}

static int check_join(enum gf_join join, const struct gf_reader *first, struct gf_error *err)
{
    return join != GF_JOIN_FIT && join != GF_JOIN_PAD ? 0
        : gf_fail(err, GF_MISUSED, "%s: is audio, but --join=fit and --join=pad are for sizes of images;; use --join",
                  first->name);
}

/* Describes the files. The first one is open. */
static int describe(struct joined *j, const struct gf_run_context *context, const struct gf_limits *limits,
                    struct gf_reader *first, const struct gf_read_options *options, struct gf_error *err)
{
    gf_run_context_copy(context, &j->context);
    j->limits = *limits;
    j->options = *options;
    j->options.join = GF_JOIN_OFF;
    j->options.joined_count = 0;
    j->join = options->join;
    j->names = options->joined;
    j->files = j->slots = options->joined_count + 1;
    j->format = first->format;
    j->first_name = first->name;
    j->rate = first->format.rate;
    j->channels = first->format.channels;
    j->group = find_group(j);
    j->linear = options->fade.linear;
    j->fade_frames = j->join == GF_JOIN_FADE ? (int64_t)(options->fade.seconds * j->rate + .5) : 0;
    j->reader = calloc((size_t)j->files, sizeof(struct gf_reader *));
    j->units = calloc((size_t)j->files, sizeof *j->units);
    if (j->reader == NULL || j->units == NULL)
        return gf_fail_memory(err, first->name);
    j->units[0] = first->format.units;
    return look_at_files(j, first, err) != 0 ? -1 : begin(j, err);
}

struct gf_reader *gf_joined_audio_open(const struct gf_run_context *context, const struct gf_limits *limits,
                                       struct gf_reader *first, const struct gf_read_options *options,
                                       struct gf_error *err)
{
    const struct gf_reader_ops *const ops = options->join == GF_JOIN_ON ? &joined_ops
        : options->join == GF_JOIN_FADE ? &faded_ops : &mixed_ops;
    struct gf_reader *r = NULL;
    struct joined *j = NULL;

    if (check_join(options->join, first, err) != 0)
        goto out;
    if (options->joined_count == 0)
        return first;
    j = calloc(1, sizeof *j);
    if (j == NULL)
        gf_fail_memory(err, first->name);
    else if (describe(j, context, limits, first, options, err) == 0)
        r = gf_reader_new(first, ops, j, &j->format, err);
    if (r == NULL)
        goto out;
    j->reader[0] = first;
    r->lossy = first->lossy;
    r->unwatched = j->format.made_of_bits > 0 ? GF_WATCH_RANGE : 0;
    r->assembled = true;
    r->meta = j->metadata.meta;
    j->metadata.meta = (struct gf_meta) { 0 };
    return r;
out:
    gf_reader_close(first);
    if (j != NULL)
        release(j);
    free(j);
    return NULL;
}

/* ---- one within another ---- */

/* Opens the recording that is inserted. */
static struct gf_reader *open_inserted(struct joined *j, struct gf_error *err)
{
    const struct gf_sides *const s = j->what.sides;
    struct gf_reader *r;

    j->options = s->read;
    j->options.from = NULL;                      /* --from and --latency concern the input */
    j->options.live = false;
    j->file = gf_name_pattern_fill(j->how.file, s->input, s->base, s->number);
    if (j->file == NULL) {
        gf_fail_memory(err, NULL);
        return NULL;
    }
    if (j->file[0] == '\0' || strcmp(j->file, "-") == 0) {
        gf_fail(err, GF_MISUSED, "insert: missing the name of an audio file; only the input may be a pipe");
        return NULL;
    }
    if (j->around->part.start > 0 && !may_reopen(j->file)) {
        gf_fail(err, GF_FAILED, "%s: cannot be read again for each part;; write it to a file first", j->file);
        return NULL;
    }
    r = gf_reader_open(j->file, &j->options, err);
    if (r == NULL || r->format.kind == GF_AUDIO)
        return r == NULL ? NULL : gf_evened_open(&j->context, &j->limits, r, j->rate, j->channels, j->first_name, err);
    gf_fail(err, GF_FAILED, "%s: is an image; only audio can be inserted", j->file);
    gf_reader_close(r);
    return NULL;
}

/* Puts the recording between the parts of the audio. */
static void order_parts(struct joined *j, struct gf_reader *file)
{
    const int64_t all = j->around->format.units, at = j->how.at;
    const bool last = at == INT64_MAX || at == all, beyond = all != GF_UNKNOWN && at > all && !last;

    j->place = at > 0;
    j->files = at == 0 || last ? 2 : 3;
    j->limit = last ? INT64_MAX : at;
    j->reader[j->place] = file;
    j->reader[1 - j->place] = j->around;
    j->reader[2] = j->files > 2 ? j->around : NULL;
    j->units[j->place] = file->format.units;
    j->units[1 - j->place] = at == 0 || last ? all : at;
    j->units[2] = all == GF_UNKNOWN ? GF_UNKNOWN : all - at;
    if (!beyond)
        return;
    leave_out(j, all);
    j->units[0] = all;
}

/* Describes the result of an insertion, after its parts are in order. */
static int describe_inserted(struct gf_reader *r, struct joined *j, const struct gf_reader *file, struct gf_error *err)
{
    const int64_t all = j->around->format.units, fade = j->fade_frames;
    const int64_t at = j->how.at == INT64_MAX ? all : j->how.at;
    const int64_t first = j->place == 0 ? 0 : at == GF_UNKNOWN ? -1 : at - fade;
    const bool last = j->place == j->files - 1, known = last || file->format.units != GF_UNKNOWN;

    r->format = j->format;
    r->lossy = j->around->lossy || file->lossy;
    r->bit_rate = j->around->bit_rate;
    r->part = (struct gf_reader_part) { .cut = false };
    r->unwatched = j->around->unwatched | (j->format.made_of_bits > 0 ? (unsigned)GF_WATCH_RANGE : 0);
    if (gf_output_metadata_follow(r, j->around, NULL, &j->change, err) != 0)
        return -1;
    if (j->place < 0)
        return 0;
    j->change.timed = j->change.timed && known;
    return gf_joined_metadata_insert(&r->meta, &file->meta, at, first,
                                     last || !known ? 0 : file->format.units - fade * (j->files - 1), j->rate, err);
}

/* Begins with the current recording of the audio. */
static int begin_inserted(struct gf_reader *r, struct joined *j, struct gf_error *err)
{
    const struct gf_chain_word *const word = j->what.word;
    const struct gf_format *const f = &j->around->format;
    struct gf_reader *file;

    release(j);
    j->format = *f;
    j->rate = f->rate;
    j->channels = f->channels;
    j->first_name = j->around->name;
    j->reader = calloc(3, sizeof(struct gf_reader *));
    j->units = calloc(3, sizeof *j->units);
    j->slots = 3;
    if (j->reader == NULL || j->units == NULL)
        return gf_fail_memory(err, j->first_name);
    if (word->stage[GF_AUDIO]->inserts(word->config[GF_AUDIO], f, &j->how, err) != 0)
        return gf_chain_fail_word(word, err);
    file = open_inserted(j, err);
    if (file == NULL)
        return -1;
    j->fade_frames = (int64_t)(j->how.fade_seconds * j->rate + .5);
    j->join = j->fade_frames > 0 ? GF_JOIN_FADE : GF_JOIN_ON;
    widen_format(&j->format, &file->format);
    order_parts(j, file);
    return begin(j, err) != 0 || describe_inserted(r, j, file, err) != 0 ? -1 : 0;
}

static int next_inserted(struct gf_reader *r, struct gf_error *err)
{
    struct joined *const j = r->state;
    const int more = gf_output_metadata_next(r, j->around, err);

    return more != 1 ? more : begin_inserted(r, j, err) != 0 ? -1 : 1;
}

static int64_t read_inserted(struct gf_reader *r, void *units, int64_t count, struct gf_error *err)
{
    const struct joined *const j = r->state;

    return j->join == GF_JOIN_FADE ? read_faded(r, units, count, err) : read_joined(r, units, count, err);
}

static void close_inserted(struct gf_reader *r)
{
    struct joined *const j = r->state;

    release(j);
    gf_reader_close(j->around);
}

static const struct gf_reader_ops inserted_ops = { .next = next_inserted, .read = read_inserted,
                                                   .close = close_inserted, .opening = GF_LABOUR_FILE,
                                                   .reading = GF_LABOUR_FILE };

struct gf_reader *gf_inserted_audio_open(const struct gf_run_context *context, const struct gf_limits *limits,
                                         struct gf_reader *r, const struct gf_insertion *what, struct gf_error *err)
{
    struct joined *const j = calloc(1, sizeof *j);
    struct gf_reader *inserted;

    if (j == NULL) {
        gf_fail_memory(err, r->name);
        return NULL;
    }
    gf_run_context_copy(context, &j->context);
    j->limits = *limits;
    j->what = *what;
    j->around = r;
    inserted = gf_reader_new(r, &inserted_ops, j, &r->format, err);
    if (inserted != NULL && begin_inserted(inserted, j, err) == 0)
        return inserted;
    release(j);
    if (inserted != NULL) {
        inserted->state = NULL;
        gf_reader_close(inserted);
    }
    free(j);
    return NULL;
}
