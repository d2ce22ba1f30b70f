/* Counts samples of audio at full scale as they are written. */
#include "run/clipping.h"

#include "base/clones.h"

#include <stdlib.h>

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
