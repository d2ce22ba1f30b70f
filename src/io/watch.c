/* Finds properties of samples as they are read, in vectorized loops. */
#include "io/watch.h"

#include "base/clones.h"

#include <math.h>
#include <string.h>

#define PIECE 4096                           /* samples that stay in the L1 cache between two loops */
#define IMAGE_TOLERANCE (0.5f / 255)         /* rounding noise, invisible in 8-bit outputs */
#define AUDIO_TOLERANCE (0.5f / 32768)       /* the same for 16-bit outputs */

/* Counts and extremes of floats. */
struct findings {
    int64_t outside, not_numbers;
    float least, most;
};

static const struct findings nothing = { .least = INFINITY, .most = -INFINITY };

static void add_extremes(struct findings *all, float least, float most)
{
    all->least = fminf(all->least, least);
    all->most = fmaxf(all->most, most);
}

/* Counts samples that are not within `reach` of `middle`, including NaN. */
GF_CLONES
static int32_t count_odd(const float *restrict v, int64_t n, float middle, float reach)
{
    int32_t odd = 0;

    for (int64_t i = 0; i < n; i++)
        odd += !(fabsf(v[i] - middle) <= reach);
    return odd;
}

/* Inverting all bits except the sign of negative floats gives integers in the same order. */
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
static void find_extremes(const float *restrict v, int64_t n, struct findings *f)
{
    const int32_t infinite = 0x7f800000;     /* the exponent of NaN and infinity has all bits set */
    int32_t least = infinite, most = to_order(infinite | INT32_MIN), not_numbers = 0;

    for (int64_t i = 0; i < n; i++) {
        int32_t bits, odd, low, high;

        memcpy(&bits, &v[i], sizeof bits);
        odd = -((bits & infinite) == infinite);              /* a mask: compilers do not vectorize branches here */
        not_numbers -= odd;
        low = (to_order(bits) & ~odd) | (INT32_MAX & odd);
        high = (to_order(bits) & ~odd) | (INT32_MIN & odd);
        least = low < least ? low : least;
        most = high > most ? high : most;
    }
    f->not_numbers += not_numbers;
    add_extremes(f, from_order(least), from_order(most));
}

static void check_piece(struct findings *all, const float *v, int64_t n, bool audio)
{
    const int32_t odd = audio ? count_odd(v, n, 0, 1 + AUDIO_TOLERANCE) : count_odd(v, n, 0.5f, 0.5f + IMAGE_TOLERANCE);
    const int64_t before = all->not_numbers;

    find_extremes(v, n, all);
    all->outside += odd - (all->not_numbers - before);
}

/*
 * Adds the findings of n floats or doubles. Doubles
 * are rounded, because stages compute with floats.
 */
static void check_floats(struct gf_watch *w, const struct gf_format *f, const void *samples, int64_t n, bool range)
{
    struct findings all = nothing;
    float piece[PIECE];

    for (int64_t i = 0; i < n; i += PIECE) {
        const int64_t count = n - i < PIECE ? n - i : PIECE;

        for (int64_t k = 0; f->type == GF_F64 && k < count; k++)
            piece[k] = (float)((const double *)samples)[i + k];
        check_piece(&all, f->type == GF_F64 ? piece : (const float *)samples + i, count, f->kind == GF_AUDIO);
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

/* Each loop is compiled for 2, 4 and any number of channels: a constant makes it much faster. */
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

void gf_watch_look(struct gf_watch *w, unsigned watched, const struct gf_format *f, const void *units, int64_t count)
{
    bool clear;

    if (count <= 0)
        return;
    if ((watched & (GF_WATCH_RANGE | GF_WATCH_NUMBERS)) != 0 && gf_type_is_float(f->type))
        check_floats(w, f, units, count * f->width * f->channels, (watched & GF_WATCH_RANGE) != 0);
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
