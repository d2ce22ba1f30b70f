/* Opens recordings of which one is made, and gives them one format. */
#include "run/audio_parts.h"

#include "io/watch.h"
#include "run/evened.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* ---- files ---- */

/* Opens a file as it is. */
static struct gf_reader *open_own(const struct gf_audio_parts *p, int i, struct gf_error *err)
{
    struct gf_reader *const r = gf_reader_open(p->part[i].name, &p->options, err);

    if (r == NULL)
        return NULL;
    if (r->format.kind != GF_AUDIO) {
        gf_fail(err, GF_FAILED, "%s: is an image, but %s is audio; only inputs of one kind can be joined or mixed",
                r->name, p->part[0].name);
        gf_reader_close(r);
        return NULL;
    }
    return r;
}

static struct gf_reader *even(const struct gf_audio_parts *p, struct gf_reader *r, struct gf_error *err)
{
    return gf_evened_open(&p->context, &p->limits, r, p->format.rate, p->format.channels, p->part[0].name, err);
}

struct gf_reader *gf_audio_parts_need(struct gf_audio_parts *p, int i, struct gf_error *err)
{
    struct gf_audio_part *const part = &p->part[i];
    struct gf_reader *r = part->reader;

    if (r != NULL)
        return r;
    r = open_own(p, i, err);
    part->reader = r != NULL ? even(p, r, err) : NULL;
    if (part->reader == NULL || part->reader->format.units == part->units)
        return part->reader;
    gf_fail(err, GF_FAILED, "%s: has changed since its header was read", part->reader->name);
    return NULL;
}

int gf_audio_parts_close(struct gf_audio_parts *p, int i, struct gf_error *err)
{
    struct gf_reader *const r = p->part[i].reader;
    int result = 0;

    p->part[i].reader = NULL;
    if (r == NULL || p->part[i].lent)
        return 0;
    result = gf_joined_metadata_add_late(&p->metadata, r, err);
    gf_reader_close(r);
    return result;
}

void gf_audio_parts_widen(struct gf_format *to, const struct gf_format *f)
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

bool gf_audio_parts_may_reopen(const char *name)
{
    struct stat st;

    return stat(name, &st) == 0 && S_ISREG(st.st_mode);
}

/* Opens a file for the first time. Its first frame is frame `at` of the result. */
static struct gf_reader *look_at_file(struct gf_audio_parts *p, int i, int64_t at, struct gf_error *err)
{
    struct gf_reader *const r = open_own(p, i, err);

    if (r == NULL || gf_joined_metadata_add(&p->metadata, r, at, err) == 0)
        return r != NULL ? even(p, r, err) : NULL;
    gf_reader_close(r);
    return NULL;
}

/* Reads the headers of the files after the first. Pipes stay open. */
static int look_at_files(struct gf_audio_parts *p, const struct gf_audio_parts_order *order, struct gf_error *err)
{
    struct gf_reader *const first = p->part[0].reader;
    int64_t at = 0;

    if (gf_joined_metadata_begin(&p->metadata, first, order->mixed, err) != 0)
        return -1;
    for (int i = 1; i < p->count; i++) {
        struct gf_audio_part *const part = &p->part[i];
        const bool again = !order->stay_open && gf_audio_parts_may_reopen(part->name);
        const int64_t before = part[-1].units;

        if (!order->mixed)
            at = at == GF_UNKNOWN || before == GF_UNKNOWN ? GF_UNKNOWN : at + before - order->overlap;
        p->options.notices = again ? NULL : first->notices;
        part->reader = look_at_file(p, i, at, err);
        if (part->reader == NULL)
            return -1;
        part->units = part->reader->format.units;
        gf_audio_parts_widen(&p->format, &part->reader->format);
        first->lossy |= part->reader->lossy;
        if (again) {
            gf_reader_close(part->reader);
            part->reader = NULL;
        }
    }
    p->options.notices = first->notices;
    return gf_joined_metadata_end(&p->metadata, first->notices, err);
}

int gf_audio_parts_begin(struct gf_audio_parts *p, const struct gf_reader *like, int count, struct gf_error *err)
{
    p->format = like->format;
    p->raw = malloc(GF_PIECE_FRAMES * (size_t)p->format.channels * sizeof(double));
    p->part = calloc((size_t)count, sizeof *p->part);
    if (p->raw == NULL || p->part == NULL)
        return gf_fail_memory(err, like->name);
    p->count = count;
    for (int i = 0; i < count; i++)
        p->part[i].limit = INT64_MAX;
    return 0;
}

int gf_audio_parts_open(struct gf_audio_parts *p, const struct gf_run_context *context, const struct gf_limits *limits,
                        struct gf_reader *first, const struct gf_read_options *options,
                        const struct gf_audio_parts_order *order, struct gf_error *err)
{
    gf_run_context_copy(context, &p->context);
    p->limits = *limits;
    p->options = *options;
    p->options.join = GF_JOIN_OFF;
    p->options.joined_count = 0;
    if (gf_audio_parts_begin(p, first, options->joined_count + 1, err) != 0)
        return -1;
    p->part[0].name = first->name;
    p->part[0].reader = first;
    p->part[0].units = first->format.units;
    for (int i = 1; i < p->count; i++)
        p->part[i].name = options->joined[i - 1];
    return look_at_files(p, order, err);
}

void gf_audio_parts_release(struct gf_audio_parts *p)
{
    for (int i = 0; i < p->count; i++)
        if (!p->part[i].lent)
            gf_reader_close(p->part[i].reader);
    gf_joined_metadata_release(&p->metadata);
    free(p->part);
    free(p->raw);
    p->part = NULL;
    p->raw = NULL;
    p->count = 0;
}

/* ---- samples ---- */

double gf_audio_sample(const void *from, enum gf_type type, int64_t i)
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
            ((double *)to)[i] = gf_audio_sample(from, type, i);
    else
        for (int64_t i = 0; i < count; i++)
            ((float *)to)[i] = (float)gf_audio_sample(from, type, i);
}

int64_t gf_audio_parts_read(struct gf_audio_parts *p, int i, void *to, int64_t count, struct gf_error *err)
{
    struct gf_reader *const r = gf_audio_parts_need(p, i, err);
    int64_t got;

    if (r == NULL || r->format.type == p->format.type)
        return r != NULL ? gf_reader_read(r, to, count, err) : -1;
    got = gf_reader_read(r, p->raw, count < GF_PIECE_FRAMES ? count : GF_PIECE_FRAMES, err);
    if (got > 0)
        convert(p->raw, r->format.type, to, p->format.type, got * p->format.channels);
    return got;
}

bool gf_audio_parts_are_ahead(const struct gf_audio_parts *p)
{
    for (int i = 0; i < p->count; i++)
        if (p->part[i].reader != NULL && p->part[i].reader->ahead)
            return true;
    return false;
}

void gf_audio_parts_use_floats(struct gf_format *f)
{
    f->made_of_bits = f->made_of_bits > 0 ? f->made_of_bits : gf_type_is_float(f->type) ? 0 : f->bits;
    f->type = GF_F32;
    f->bits = 32;
}

/* ---- the reader ---- */

struct gf_reader *gf_audio_parts_reader(const struct gf_reader_ops *ops, void *state, struct gf_error *err)
{
    struct gf_audio_parts *const p = state;
    const struct gf_reader *const first = p->part[0].reader;
    struct gf_reader *const r = gf_reader_new(first, ops, state, &p->format, err);

    if (r == NULL)
        return NULL;
    r->lossy = first->lossy;
    r->unwatched = p->format.made_of_bits > 0 ? GF_WATCH_RANGE : 0;
    r->assembled = true;
    r->meta = p->metadata.meta;
    p->metadata.meta = (struct gf_meta) { 0 };
    return r;
}

int gf_audio_parts_next(struct gf_reader *r, struct gf_error *err)
{
    struct gf_audio_parts *const p = r->state;

    for (int i = 0; i < p->count; i++)           /* a stage such as trim may need less than all */
        if (gf_audio_parts_close(p, i, err) != 0)
            return -1;
    gf_meta_release(&r->meta);
    r->meta = p->metadata.late;
    p->metadata.late = (struct gf_meta) { 0 };
    return 0;
}
