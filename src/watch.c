/* Looking at samples as they are read: fast loops, and the warnings that follow. */
#include "watch.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "clones.h"

#define PIECE 4096                           /* samples that stay in the nearest cache for a second look */
#define TOLERANCE (0.5f / 255)               /* rounding noise: no 8-bit output shows it */

/* What a piece of floats holds. */
struct found {
    int64_t outside, not_numbers;
    float least, most;
};

/* How many samples are not from 0 to 1; NaN is not. */
GF_CLONES
static int32_t count_odd(const float *restrict v, int64_t n)
{
    int32_t odd = 0;

    for (int64_t i = 0; i < n; i++)
        odd += !(fabsf(v[i] - 0.5f) <= 0.5f + TOLERANCE);
    return odd;
}

/* Extremes are found among the bits: positive floats are in the order of signed integers, negative ones in that of unsigned. */
GF_CLONES
static void find_extremes(const float *restrict v, int64_t n, struct found *found)
{
    int32_t most = 0, not_numbers = 0;
    uint32_t least = 0;

    for (int64_t i = 0; i < n; i++) {
        uint32_t bits;
        int32_t number;

        memcpy(&bits, &v[i], sizeof bits);
        number = (bits & 0x7f800000u) != 0x7f800000u;        /* of all ones is the exponent of NaN and infinity */
        bits = number ? bits : 0;
        not_numbers += !number;
        most = (int32_t)bits > most ? (int32_t)bits : most;
        least = bits > least && bits >= 0x80000000u ? bits : least;
    }
    found->not_numbers += not_numbers;
    memcpy(&found->most, &most, sizeof most);
    memcpy(&found->least, &least, sizeof least);
}

static void look_at_floats(struct gf_watch *w, const float *v, int64_t n, bool range)
{
    struct found all = { 0 };

    for (int64_t i = 0; i < n; i += PIECE) {
        const int64_t count = n - i < PIECE ? n - i : PIECE;
        const int32_t odd = count_odd(v + i, count);
        struct found piece = { 0 };

        if (odd == 0)
            continue;
        find_extremes(v + i, count, &piece);
        all.outside += odd - piece.not_numbers;
        all.not_numbers += piece.not_numbers;
        all.least = fminf(all.least, piece.least);
        all.most = fmaxf(all.most, piece.most);
    }
    pthread_mutex_lock(&w->lock);
    w->samples += n;
    w->outside += range ? all.outside : 0;
    w->not_numbers += all.not_numbers;
    w->least = fminf(w->least, all.least);
    w->most = fmaxf(w->most, all.most);
    pthread_mutex_unlock(&w->lock);
}

/* Whether a pixel's alpha, the last of its channels, is less than full. */
#define CLEAR(name, type)                                                       \
    GF_CLONES                                                                   \
    static bool name(const type *restrict v, int64_t pixels, int channels, type full) \
    {                                                                           \
        type least = full;                                                      \
                                                                                \
        for (int64_t i = 0; i < pixels; i++)                                    \
            least = v[i * channels + channels - 1] < least ? v[i * channels + channels - 1] : least; \
        return least < full;                                                    \
    }

CLEAR(is_clear_u8, uint8_t)
CLEAR(is_clear_u16, uint16_t)
CLEAR(is_clear_f32, float)

static bool is_clear(const struct gf_format *f, const void *units, int64_t count)
{
    const int64_t pixels = count * f->width;

    if (f->type == GF_U8)
        return is_clear_u8(units, pixels, f->channels, (uint8_t)f->maxval);
    if (f->type == GF_U16)
        return is_clear_u16(units, pixels, f->channels, (uint16_t)f->maxval);
    return f->type == GF_F32 && is_clear_f32(units, pixels, f->channels, 1.0f - TOLERANCE);
}

void gf_watch_open(struct gf_watch *w)
{
    *w = (struct gf_watch) { 0 };
    pthread_mutex_init(&w->lock, NULL);
}

void gf_watch_close(struct gf_watch *w)
{
    pthread_mutex_destroy(&w->lock);
}

/* What one output loses, that a writer makes of what comes to it. */
static unsigned lost_in(const struct gf_chain *chain, bool ranged, const struct gf_format *comes, const struct gf_format *stored)
{
    unsigned lost = 0;

    if (gf_type_is_float(chain->in.type) && !gf_type_is_float(stored->type))
        lost |= ranged ? GF_WATCH_NUMBERS : GF_WATCH_NUMBERS | GF_WATCH_RANGE;
    if (chain->in.alpha && comes->alpha && !stored->alpha)
        lost |= GF_WATCH_ALPHA;
    return lost;
}

unsigned gf_watch_choose(const struct gf_chain *chain, const struct gf_format *stored)
{
    unsigned watched = 0;

    if (chain->in.kind != GF_IMAGE || chain->in.yuv.used)
        return 0;
    if (chain->binned != NULL && gf_type_is_float(chain->in.type))
        watched |= GF_WATCH_NUMBERS | GF_WATCH_RANGE;
    if (stored != NULL)
        watched |= lost_in(chain, chain->ranged, &chain->out, stored);
    for (int i = 0; i < chain->links; i++)
        if (chain->link[i].kind == GF_LINK_TEE)
            watched |= lost_in(chain, chain->link[i].ranged, &chain->link[i].out, &chain->link[i].stored);
    return watched;
}

void gf_watch_look(struct gf_watch *w, unsigned watched, const struct gf_format *f, const void *units, int64_t count)
{
    bool clear;

    if (count <= 0)
        return;
    if ((watched & (GF_WATCH_RANGE | GF_WATCH_NUMBERS)) != 0 && f->type == GF_F32)
        look_at_floats(w, units, count * f->width * f->channels, (watched & GF_WATCH_RANGE) != 0);
    if ((watched & GF_WATCH_ALPHA) == 0 || !f->alpha)
        return;
    pthread_mutex_lock(&w->lock);
    clear = w->clear;
    pthread_mutex_unlock(&w->lock);
    if (clear || !is_clear(f, units, count))
        return;
    pthread_mutex_lock(&w->lock);
    w->clear = true;
    pthread_mutex_unlock(&w->lock);
}

/* "12%", "0.03%": two digits. */
static void share_text(double share, char *text, size_t bytes)
{
    snprintf(text, bytes, share >= 0.995 ? "%.3g%%" : "%.2g%%", 100 * share);
}

static void warn_range(const struct gf_watch *w, struct gf_notices *n, const struct gf_chain *chain, const char *name)
{
    char share[32];

    share_text((double)w->outside / (double)w->samples, share, sizeof share);
    if (chain->binned != NULL)
        gf_warn(n, "outside", name, "%s of the samples lie outside 0 to 1 (%.4g to %.4g), and %s counts them in its outermost bins; its range=%.4g,%.4g, "
                "or normalize before it, takes them in", share, (double)w->least, (double)w->most, chain->binned, (double)w->least, (double)w->most);
    else
        gf_warn(n, "outside", name, "%s of the samples lie outside 0 to 1 (%.4g to %.4g) and are clipped; normalize or levels:%.4g,%.4g as the first "
                "stage maps them to 0 to 1, clamp clips them without a warning", share, (double)w->least, (double)w->most, (double)w->least,
                (double)w->most);
}

#define OVER_BLACK "transparent pixels are stored over black; alpha:off,bg=white as the last stage stores them over white"

void gf_watch_warn_clears(struct gf_notices *n, const char *name, const char *stage, const char *format)
{
    gf_warn(n, "alpha-lost", name, "%s makes transparent pixels, and %s has no alpha: " OVER_BLACK, stage, format);
}

void gf_watch_warn(struct gf_watch *w, struct gf_notices *n, const struct gf_chain *chain, const char *name, const char *format)
{
    pthread_mutex_lock(&w->lock);
    if (w->outside > 0)
        warn_range(w, n, chain, name);
    if (w->not_numbers > 0)
        gf_warn(n, "not-numbers", name, "%lld sample%s not finite; NaN %s as 0, infinity as the end of the range", (long long)w->not_numbers,
                w->not_numbers == 1 ? " is" : "s are", chain->binned != NULL ? "is counted" : "is stored");
    if (w->clear)
        gf_warn(n, "alpha-lost", name, "%s has no alpha: " OVER_BLACK, format != NULL ? format : "an output");
    pthread_mutex_unlock(&w->lock);
}
