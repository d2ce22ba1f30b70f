/* Finds values that an output cannot store, and warns about them. */
#include "run/value_losses.h"

#include "base/clones.h"
#include "base/elementary.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define LOSSY_PEAK 2.0                       /* 6 dB above full scale */
#define LOSSY_SHARE 0.02                     /* of the samples, as in music that was clipped before it was encoded */

/* Returns what an output stored as `stored` loses of the signal at an exit. */
static unsigned lost_in(const struct gf_binding *binding, const struct gf_exit *exit, const struct gf_format *stored)
{
    unsigned lost = 0;

    if (gf_type_is_float(binding->in.type) && !gf_type_is_float(stored->type))
        lost |= exit->ranged ? GF_WATCH_NUMBERS : GF_WATCH_NUMBERS | GF_WATCH_RANGE;
    if (binding->in.alpha && exit->format.alpha && !stored->alpha)
        lost |= GF_WATCH_ALPHA;
    return lost;
}

unsigned gf_value_losses_choose(const struct gf_binding *binding, const struct gf_outputs *outputs)
{
    unsigned watched = 0;

    if (binding->in.yuv.used)
        return 0;
    if (binding->binned != NULL && gf_type_is_float(binding->in.type))
        watched |= GF_WATCH_NUMBERS | GF_WATCH_RANGE;
    for (int k = outputs->table || outputs->shown; k < binding->exits; k++)
        watched |= lost_in(binding, &binding->exit[k], &outputs->stored[k]);
    return watched;
}

/* Returns what an output loses of a second image that stage `from` reads. */
static unsigned side_lost_in(const struct gf_binding *binding, int from, const struct gf_exit *exit,
                             const struct gf_format *stored)
{
    if (exit->words <= from || gf_type_is_float(stored->type))
        return 0;
    for (int i = from; i < exit->words; i++)
        if (binding->chain->word[i].stage[GF_IMAGE]->range != GF_RANGE_KEPT)
            return GF_WATCH_NUMBERS;
    return GF_WATCH_NUMBERS | GF_WATCH_RANGE;
}

/* True if the values of a second image are positions, and no stage uses them as samples. */
static bool is_map(const struct gf_binding *binding, const struct gf_side *side)
{
    bool found = false;

    for (int i = 0; i < binding->links; i++)
        if (binding->link[i].side != NULL && strcmp(binding->link[i].side->file, side->file) == 0) {
            if (!binding->link[i].op->beside_is_map)
                return false;
            found = true;
        }
    return found;
}

unsigned gf_value_losses_choose_side(const struct gf_binding *binding, const struct gf_outputs *outputs,
                                     const struct gf_side *side)
{
    unsigned lost = 0;

    if (side->kind == GF_AUDIO || is_map(binding, side))     /* only the level of audio is used */
        return 0;
    for (int k = outputs->table || outputs->shown; k < binding->exits; k++)
        lost |= side_lost_in(binding, side->word, &binding->exit[k], &outputs->stored[k]);
    return lost;
}

/* Writes a share of the samples with two digits: "12%", "0.03%". */
static void share_text(const struct gf_watch *w, char *text, size_t bytes)
{
    const double share = (double)w->outside / (double)w->samples;

    snprintf(text, bytes, share >= 0.995 ? "%.3g%%" : "%.2g%%", 100 * share);
}

static void warn_image(const struct gf_watch *w, struct gf_notices *n, const struct gf_binding *binding,
                       const char *name)
{
    const double least = (double)w->least, most = (double)w->most;
    char share[32];

    share_text(w, share, sizeof share);
    if (binding->binned != NULL)
        gf_warn(n, "outside", name, "%s of the samples lie outside 0 to 1 (%.4g to %.4g), and %s counts them in its "
                "outermost bins; to include them, put normalize before it or give it range=%.4g,%.4g",
                share, least, most, binding->binned, least, most);
    else
        gf_warn(n, "outside", name,
                "%s of the samples lie outside 0 to 1 (%.4g to %.4g) and are clipped; to keep them, "
                "begin with normalize or levels:%.4g,%.4g; to clip them without a warning, add clamp",
                share, least, most, least, most);
}

/* A lossy decoder slightly exceeds full scale for loud music; that is no fault of the file. */
static bool is_overshoot(const struct gf_watch *w)
{
    return w->lossy && (double)w->most <= LOSSY_PEAK && (double)w->least >= -LOSSY_PEAK
        && (double)w->outside <= LOSSY_SHARE * (double)w->samples;
}

/* The kind is that of gf_clipping_warn(), so that clipped samples are named once. */
static void warn_audio(const struct gf_watch *w, struct gf_notices *n, const struct gf_binding *binding,
                       const char *name)
{
    const double above_db = 20 * gf_log10(fmax((double)w->most, -(double)w->least));
    const double lower_db = ceil(10 * above_db) / 10;
    char share[32];

    if (is_overshoot(w))
        return;
    share_text(w, share, sizeof share);
    if (binding->binned != NULL)
        gf_warn(n, "clipped", name,
                "%s of the samples lie outside -1 to 1 (up to %.1f dB above full scale), and %s counts "
                "them in its outermost bins; to include them, put gain:-%.1f or normalize before it",
                share, above_db, binding->binned, lower_db);
    else
        gf_warn(n, "clipped", name,
                "%s of the samples lie outside -1 to 1 (up to %.1f dB above full scale) and are clipped; "
                "to keep them, begin with gain:-%.1f, limit:-1 or normalize:-1; to clip them without a warning, add "
                "clamp:-1,1",
                share, above_db, lower_db);
}

#define OVER_BLACK "transparent pixels become black; to make them white, end the chain with alpha:off,bg=white"

void gf_value_losses_warn_clears(struct gf_notices *n, const char *name, const char *stage, const char *format)
{
    gf_warn(n, "alpha-lost", name, "%s makes transparent pixels, and %s has no alpha: " OVER_BLACK, stage, format);
}

void gf_value_losses_warn(struct gf_watch *w, struct gf_notices *n, const struct gf_binding *binding, const char *name,
                          const char *format)
{
    pthread_mutex_lock(&w->lock);
    if (w->outside > 0)
        (w->audio ? warn_audio : warn_image)(w, n, binding, name);
    if (w->not_numbers > 0)
        gf_warn(n, "not-numbers", name, "%lld sample%s not finite; NaN %s as 0, infinity as the end of the range",
                (long long)w->not_numbers, w->not_numbers == 1 ? " is" : "s are",
                    binding->binned != NULL ? "is counted" : "is stored");
    if (w->clear)
        gf_warn(n, "alpha-lost", name, "%s has no alpha: " OVER_BLACK, format != NULL ? format : "an output");
    pthread_mutex_unlock(&w->lock);
}

void gf_value_losses_warn_side(struct gf_watch *w, struct gf_notices *n, const struct gf_binding *binding,
                               unsigned lost, const struct gf_side *side, const char *name)
{
    char share[32], kind[300];
    double least, most;

    pthread_mutex_lock(&w->lock);
    least = (double)w->least;
    most = (double)w->most;
    if (w->outside > 0 && (lost & GF_WATCH_RANGE) != 0) {
        share_text(w, share, sizeof share);
        snprintf(kind, sizeof kind, "outside %s", side->file);
        gf_warn(n, kind, name,
                "%s of the samples of %s lie outside 0 to 1 (%.4g to %.4g), so the result of %s is "
                "clipped; to keep its values, convert that file with normalize or levels:%.4g,%.4g first; "
                "to clip without a warning, add clamp after the stage",
                share, side->name, least, most, binding->chain->word[side->word].text, least, most);
    }
    if (w->not_numbers > 0 && (lost & GF_WATCH_NUMBERS) != 0) {
        snprintf(kind, sizeof kind, "not-numbers %s", side->file);
        gf_warn(n, kind, name,
                "%lld sample%s of %s %s not finite; NaN is stored as 0, infinity as the end of the range",
                (long long)w->not_numbers, w->not_numbers == 1 ? "" : "s", side->name,
                w->not_numbers == 1 ? "is" : "are");
    }
    pthread_mutex_unlock(&w->lock);
}

/* ---- audio at full scale ---- */

#define FEW 16                               /* clipped samples that do not deserve a warning */
#define MANY 1000                            /* samples at full scale; more, and 1% of all, are not just peaks */
#define PIECE_SAMPLES 4096                   /* samples that are counted only if one of them is at full scale */

/*
 * A clipped wave stays at full scale for several samples; a peak that just reaches it does not. Returns the samples
 * that two others precede, and adds all that are at full scale to *each.
 */
#define COUNT(name, type, least)                                                                                \
    GF_CLONES                                                                                                   \
    static int64_t name(const type *restrict v, int64_t n, int64_t channels, type top, int64_t *each)           \
    {                                                                                                           \
        int64_t all = 0, end;                                                                                   \
                                                                                                                \
        for (int64_t at = 0; at < n; at = end) {                                                                \
            const int64_t first = at > 2 * channels ? at : 2 * channels;                                        \
            type full = 0;                                                                                      \
                                                                                                                \
            end = at + PIECE_SAMPLES < n ? at + PIECE_SAMPLES : n;                                              \
            for (int64_t i = at; i < end; i++)                                                                  \
                full |= v[i] == (least) || v[i] >= top;                                                         \
            for (int64_t i = at; full != 0 && i < end; i++)                                                     \
                *each += v[i] == (least) || v[i] >= top;                                                        \
            for (int64_t i = first; full != 0 && i < end; i++)                                                  \
                all += (v[i] == (least) && v[i - channels] == (least) && v[i - 2 * channels] == (least))        \
                     || (v[i] >= top && v[i - channels] >= top && v[i - 2 * channels] >= top);                  \
        }                                                                                                       \
        return all;                                                                                             \
    }

COUNT(count_s16, int16_t, INT16_MIN)
COUNT(count_s32, int32_t, INT32_MIN)

/* Returns the largest value in the top `bits` bits of an integer. */
static int32_t top_of(const struct gf_format *f)
{
    const int wide = f->type == GF_S16 ? 16 : 32, unused = wide - f->bits;

    return (int32_t)((wide == 16 ? INT16_MAX : INT32_MAX) - ((INT64_C(1) << unused) - 1));
}

static bool is_full(const struct gf_format *f, const void *frames, int64_t i, bool high)
{
    const int32_t v = f->type == GF_S16 ? ((const int16_t *)frames)[i] : ((const int32_t *)frames)[i];

    return high ? v >= top_of(f) : v == (f->type == GF_S16 ? INT16_MIN : INT32_MIN);
}

/*
 * Describes the end of a piece that begins or ends with frame `at`: how many samples of a run stand
 * there.
 */
static void look_at_edge(struct gf_clipping_edge *e, const struct gf_format *f, const void *frames, int64_t count,
                         int64_t at, int64_t step)
{
    for (int high = 0; high < 2; high++)
        for (int c = 0; c < f->channels; c++)
            while (e->run[high][c] < 2 && e->run[high][c] < count
                   && is_full(f, frames, (at + step * e->run[high][c]) * f->channels + c, high))
                e->run[high][c]++;
}

/*
 * Joins neighbors; `a` becomes both. Runs across the border count. A piece of one frame may be
 * clipped throughout.
 */
static int64_t join_pieces(struct gf_clipping_piece *a, const struct gf_clipping_piece *b, int channels)
{
    const int64_t left = gf_span_units(a->span), right = gf_span_units(b->span);
    int64_t more = 0;

    for (int high = 0; high < 2; high++)
        for (int c = 0; c < channels; c++) {
            const int before = a->last.run[high][c], after = b->first.run[high][c];

            more += before + after > 2 ? before + after - 2 : 0;
            if (left < 2 && a->first.run[high][c] == left)
                a->first.run[high][c] = (unsigned char)(left + after < 2 ? left + after : 2);
            a->last.run[high][c] = b->last.run[high][c];
            if (right < 2 && b->last.run[high][c] == right)
                a->last.run[high][c] = (unsigned char)(right + before < 2 ? right + before : 2);
        }
    a->span.end = b->span.end;
    return more;
}

/*
 * Joins pieces that touch, so that there are hardly more than lanes. If memory runs out, runs
 * across a border do not count.
 */
static void add_piece(struct gf_clipping *c, struct gf_clipping_piece *p, int channels)
{
    struct gf_clipping_piece *more = c->piece;

    for (int i = 0; i < c->pieces; i++) {
        struct gf_clipping_piece *q = &c->piece[i];

        if (q->span.end == p->span.start) {
            c->samples += join_pieces(q, p, channels);
            *p = *q;
        } else if (p->span.end == q->span.start) {
            c->samples += join_pieces(p, q, channels);
        } else {
            continue;
        }
        *q = c->piece[--c->pieces];
        i = -1;                              /* the joined piece may now touch an earlier one */
    }
    if (c->pieces == c->room) {
        more = realloc(c->piece, (size_t)(2 * c->room + 8) * sizeof *more);
        if (more == NULL)
            return;
        c->piece = more;
        c->room = 2 * c->room + 8;
    }
    c->piece[c->pieces++] = *p;
}

void gf_clipping_open(struct gf_clipping *c)
{
    *c = (struct gf_clipping) { 0 };
    pthread_mutex_init(&c->lock, NULL);
}

void gf_clipping_count(struct gf_clipping *c, const struct gf_format *f, const void *frames, struct gf_span span)
{
    const int64_t count = gf_span_units(span), n = count * f->channels;
    struct gf_clipping_piece p = { .span = span };
    int64_t inside, each = 0;

    if ((f->type != GF_S16 && f->type != GF_S32) || count <= 0)
        return;
    inside = f->type == GF_S16 ? count_s16(frames, n, f->channels, (int16_t)top_of(f), &each)
             : count_s32(frames, n, f->channels, top_of(f), &each);
    look_at_edge(&p.first, f, frames, count, 0, 1);
    look_at_edge(&p.last, f, frames, count, count - 1, -1);
    pthread_mutex_lock(&c->lock);
    c->samples += inside;
    c->each += each;
    c->all += n;
    add_piece(c, &p, f->channels);
    pthread_mutex_unlock(&c->lock);
}

int64_t gf_clipping_close(struct gf_clipping *c)
{
    pthread_mutex_destroy(&c->lock);
    free(c->piece);
    return c->samples <= FEW && c->each > MANY && c->each > c->all / 100 ? c->each : c->samples;
}

void gf_clipping_warn(struct gf_notices *n, const char *name, long long clipped, const char *above, double above_db)
{
    if (above != NULL && clipped > 0)
        gf_warn(n, "clipped", name,
                "%lld samples or more were clipped at full scale; %s raises peaks %.1f dB above it; add "
                "limit:-1 as the last stage", clipped, above, above_db);
    else if (clipped > FEW)
        gf_warn(n, "clipped", name,
                "%lld samples or more were clipped at full scale; add gain:-3, limit:-1 or normalize:-1 "
                "as the last stage", clipped);
}
