/* Looking at samples as they are read: fast loops, and the warnings that follow. */
#include "run/watch.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/clones.h"

#define PIECE 4096                           /* samples that stay in the nearest cache for a second look */
#define IMAGE_TOLERANCE (0.5f / 255)         /* rounding noise: no 8-bit output shows it */
#define AUDIO_TOLERANCE (0.5f / 32768)       /* nor does a 16-bit output show this */
#define LOSSY_PEAK 2.0                       /* 6 dB above full scale */
#define LOSSY_SHARE 0.02                     /* of the samples, as in music that was clipped before it was encoded */

/* Counts and extremes of floats. */
struct found {
    int64_t outside, not_numbers;
    float least, most;
};

static const struct found nothing = { .least = INFINITY, .most = -INFINITY };

static void add_extremes(struct found *all, float least, float most)
{
    all->least = fminf(all->least, least);
    all->most = fmaxf(all->most, most);
}

/* Counts the samples that are not within `reach` of `middle`; NaN is not. */
GF_CLONES
static int32_t count_odd(const float *restrict v, int64_t n, float middle, float reach)
{
    int32_t odd = 0;

    for (int64_t i = 0; i < n; i++)
        odd += !(fabsf(v[i] - middle) <= reach);
    return odd;
}

/* Floats have the order of signed integers once the bits of negative ones are inverted below the sign. */
GF_INLINE int32_t to_order(int32_t bits)
{
    return bits ^ ((bits >> 31) & INT32_MAX);
}

GF_INLINE float from_order(int32_t order)
{
    const int32_t bits = to_order(order);
    float v;

    memcpy(&v, &bits, sizeof v);
    return v;
}

/* Finds the extremes of finite samples, and counts the others. */
GF_CLONES
static void find_extremes(const float *restrict v, int64_t n, struct found *found)
{
    const int32_t infinite = 0x7f800000;     /* the exponent of NaN and infinity has all bits set */
    int32_t least = infinite, most = to_order(infinite | INT32_MIN), not_numbers = 0;

    for (int64_t i = 0; i < n; i++) {
        int32_t bits, odd, low, high;

        memcpy(&bits, &v[i], sizeof bits);
        odd = -((bits & infinite) == infinite);              /* a mask: compilers do not vectorise branches here */
        not_numbers -= odd;
        low = (to_order(bits) & ~odd) | (INT32_MAX & odd);
        high = (to_order(bits) & ~odd) | (INT32_MIN & odd);
        least = low < least ? low : least;
        most = high > most ? high : most;
    }
    found->not_numbers += not_numbers;
    add_extremes(found, from_order(least), from_order(most));
}

static void look_at_piece(struct found *all, const float *v, int64_t n, bool audio)
{
    const int32_t odd = audio ? count_odd(v, n, 0, 1 + AUDIO_TOLERANCE) : count_odd(v, n, 0.5f, 0.5f + IMAGE_TOLERANCE);
    const int64_t before = all->not_numbers;

    find_extremes(v, n, all);
    all->outside += odd - (all->not_numbers - before);
}

/* Adds what `n` floats or doubles hold; stages compute with floats. */
static void look_at_floats(struct gf_watch *w, const struct gf_format *f, const void *samples, int64_t n, bool range)
{
    struct found all = nothing;
    float piece[PIECE];

    for (int64_t i = 0; i < n; i += PIECE) {
        const int64_t count = n - i < PIECE ? n - i : PIECE;

        for (int64_t k = 0; f->type == GF_F64 && k < count; k++)
            piece[k] = (float)((const double *)samples)[i + k];
        look_at_piece(&all, f->type == GF_F64 ? piece : (const float *)samples + i, count, f->kind == GF_AUDIO);
    }
    pthread_mutex_lock(&w->lock);
    w->audio = f->kind == GF_AUDIO;
    w->samples += n;
    w->outside += range ? all.outside : 0;
    w->not_numbers += all.not_numbers;
    w->least = fminf(w->least, all.least);
    w->most = fmaxf(w->most, all.most);
    pthread_mutex_unlock(&w->lock);
}

/* Loops over pixels are fast if the number of channels is a constant. */
#define CLEAR(name, type)                                                       \
    GF_INLINE bool name##_of(const type *restrict v, int64_t pixels, int channels, type full) \
    {                                                                           \
        type least = full;                                                      \
                                                                                \
        for (int64_t i = 0; i < pixels; i++)                                    \
            least = v[i * channels + channels - 1] < least ? v[i * channels + channels - 1] : least; \
        return least < full;                                                    \
    }                                                                           \
                                                                                \
    /* Returns true if the last channel of a pixel, its alpha, is below `full`. */ \
    GF_CLONES                                                                   \
    static bool name(const type *restrict v, int64_t pixels, int channels, type full) \
    {                                                                           \
        return channels == 4 ? name##_of(v, pixels, 4, full)                    \
             : channels == 2 ? name##_of(v, pixels, 2, full) : name##_of(v, pixels, channels, full); \
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
    return f->type == GF_F32 && is_clear_f32(units, pixels, f->channels, 1.0f - IMAGE_TOLERANCE);
}

void gf_watch_reset(struct gf_watch *w)
{
    pthread_mutex_lock(&w->lock);
    w->samples = w->outside = w->not_numbers = 0;
    w->least = INFINITY;
    w->most = -INFINITY;
    w->clear = false;
    pthread_mutex_unlock(&w->lock);
}

void gf_watch_open(struct gf_watch *w)
{
    *w = (struct gf_watch) { 0 };
    pthread_mutex_init(&w->lock, NULL);
    gf_watch_reset(w);
}

void gf_watch_close(struct gf_watch *w)
{
    pthread_mutex_destroy(&w->lock);
}

/* Returns what an output loses that stores the signal `from` as `stored`. */
static unsigned lost_in(const struct gf_chain *chain, bool ranged, const struct gf_format *from,
                        const struct gf_format *stored)
{
    unsigned lost = 0;

    if (gf_type_is_float(chain->in.type) && !gf_type_is_float(stored->type))
        lost |= ranged ? GF_WATCH_NUMBERS : GF_WATCH_NUMBERS | GF_WATCH_RANGE;
    if (chain->in.alpha && from->alpha && !stored->alpha)
        lost |= GF_WATCH_ALPHA;
    return lost;
}

unsigned gf_watch_choose(const struct gf_chain *chain, const struct gf_format *stored)
{
    unsigned watched = 0;

    if (chain->in.yuv.used)
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

/* Returns what an output after word `to` loses of a second image that word `from` reads. */
static unsigned side_lost_in(const struct gf_chain *chain, int from, int to, const struct gf_format *stored)
{
    if (gf_type_is_float(stored->type))
        return 0;
    for (int i = from; i < to; i++)
        if (chain->word[i].stage[GF_IMAGE]->range != GF_RANGE_KEPT)
            return GF_WATCH_NUMBERS;
    return GF_WATCH_NUMBERS | GF_WATCH_RANGE;
}

static int find_word(const struct gf_chain *chain, const char *text)
{
    int i = 0;

    while (i < chain->words && chain->word[i].text != text)
        i++;
    return i;
}

unsigned gf_watch_choose_side(const struct gf_chain *chain, const struct gf_side_picture *side, const struct gf_format *stored)
{
    const int from = find_word(chain, side->stage);
    unsigned lost = stored != NULL ? side_lost_in(chain, from, chain->words, stored) : 0;

    for (int i = 0; i < chain->links; i++) {
        const int to = chain->link[i].kind == GF_LINK_TEE ? find_word(chain, chain->link[i].stage) : 0;

        if (to > from)
            lost |= side_lost_in(chain, from, to, &chain->link[i].stored);
    }
    return lost;
}

void gf_watch_look(struct gf_watch *w, unsigned watched, const struct gf_format *f, const void *units, int64_t count)
{
    bool clear;

    if (count <= 0)
        return;
    if ((watched & (GF_WATCH_RANGE | GF_WATCH_NUMBERS)) != 0 && gf_type_is_float(f->type))
        look_at_floats(w, f, units, count * f->width * f->channels, (watched & GF_WATCH_RANGE) != 0);
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

/* Writes a share of the samples with two digits: "12%", "0.03%". */
static void share_text(const struct gf_watch *w, char *text, size_t bytes)
{
    const double share = (double)w->outside / (double)w->samples;

    snprintf(text, bytes, share >= 0.995 ? "%.3g%%" : "%.2g%%", 100 * share);
}

static void warn_image(const struct gf_watch *w, struct gf_notices *n, const struct gf_chain *chain, const char *name)
{
    const double least = (double)w->least, most = (double)w->most;
    char share[32];

    share_text(w, share, sizeof share);
    if (chain->binned != NULL)
        gf_warn(n, "outside", name, "%s of the samples lie outside 0 to 1 (%.4g to %.4g), and %s counts them in its "
                "outermost bins; normalize before it, or its range=%.4g,%.4g, takes them in",
                share, least, most, chain->binned, least, most);
    else
        gf_warn(n, "outside", name, "%s of the samples lie outside 0 to 1 (%.4g to %.4g) and are clipped; normalize or "
                "levels:%.4g,%.4g as the first stage maps them to 0 to 1, clamp clips them without a warning",
                share, least, most, least, most);
}

/* A lossy decoder goes a little above full scale where the music is loud; that is not the fault of a file. */
static bool is_overshoot(const struct gf_watch *w)
{
    return w->lossy && (double)w->most <= LOSSY_PEAK && (double)w->least >= -LOSSY_PEAK
        && (double)w->outside <= LOSSY_SHARE * (double)w->samples;
}

/* The kind is that of gf_full_warn(), so that samples which clip are named once. */
static void warn_audio(const struct gf_watch *w, struct gf_notices *n, const struct gf_chain *chain, const char *name)
{
    const double above_db = 20 * log10(fmax((double)w->most, -(double)w->least)), lower_db = ceil(10 * above_db) / 10;
    char share[32];

    if (is_overshoot(w))
        return;
    share_text(w, share, sizeof share);
    if (chain->binned != NULL)
        gf_warn(n, "clipped", name, "%s of the samples lie outside -1 to 1 (up to %.1f dB above full scale), and %s counts "
                "them in its outermost bins; gain:-%.1f or normalize before it takes them in",
                share, above_db, chain->binned, lower_db);
    else
        gf_warn(n, "clipped", name, "%s of the samples lie outside -1 to 1 (up to %.1f dB above full scale) and are clipped; "
                "gain:-%.1f, limit:-1 or normalize:-1 as the first stage makes room, clamp:-1,1 clips them without a warning",
                share, above_db, lower_db);
}

#define OVER_BLACK "transparent pixels are stored over black; alpha:off,bg=white as the last stage stores them over white"

void gf_watch_warn_clears(struct gf_notices *n, const char *name, const char *stage, const char *format)
{
    gf_warn(n, "alpha-lost", name, "%s makes transparent pixels, and %s has no alpha: " OVER_BLACK, stage, format);
}

void gf_watch_warn(struct gf_watch *w, struct gf_notices *n, const struct gf_chain *chain, const char *name,
                   const char *format)
{
    pthread_mutex_lock(&w->lock);
    if (w->outside > 0)
        (w->audio ? warn_audio : warn_image)(w, n, chain, name);
    if (w->not_numbers > 0)
        gf_warn(n, "not-numbers", name, "%lld sample%s not finite; NaN %s as 0, infinity as the end of the range",
                (long long)w->not_numbers, w->not_numbers == 1 ? " is" : "s are", chain->binned != NULL ? "is counted" : "is stored");
    if (w->clear)
        gf_warn(n, "alpha-lost", name, "%s has no alpha: " OVER_BLACK, format != NULL ? format : "an output");
    pthread_mutex_unlock(&w->lock);
}

void gf_watch_warn_side(struct gf_watch *w, struct gf_notices *n, unsigned lost, const struct gf_side_picture *side,
                        const char *name)
{
    char share[32], kind[300];
    double least, most;

    pthread_mutex_lock(&w->lock);
    least = (double)w->least;
    most = (double)w->most;
    if (w->outside > 0 && (lost & GF_WATCH_RANGE) != 0) {
        share_text(w, share, sizeof share);
        snprintf(kind, sizeof kind, "outside %s", side->file);
        gf_warn(n, kind, name, "%s of the samples of %s lie outside 0 to 1 (%.4g to %.4g), and the result of %s is clipped; "
                "normalize or levels:%.4g,%.4g maps that file to 0 to 1 in advance, clamp after the stage clips without a warning",
                share, side->name, least, most, side->stage, least, most);
    }
    if (w->not_numbers > 0 && (lost & GF_WATCH_NUMBERS) != 0) {
        snprintf(kind, sizeof kind, "not-numbers %s", side->file);
        gf_warn(n, kind, name, "%lld sample%s of %s %s not finite; NaN is stored as 0, infinity as the end of the range",
                (long long)w->not_numbers, w->not_numbers == 1 ? "" : "s", side->name,
                w->not_numbers == 1 ? "is" : "are");
    }
    pthread_mutex_unlock(&w->lock);
}
