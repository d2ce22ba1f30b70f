/* biquad, eq, bass and treble: recursive filters of the second order. */
#include "base/elementary.h"
#include "chain/stage.h"
#include "kernels/sound/recur.h"

#include <math.h>

/* The coefficients of a section, before they are divided by a0. */
struct section {
    double b0, b1, b2, a0, a1, a2;
};

static int add_section(const struct section *f, const struct gf_format *in, struct gf_build *build,
                       struct gf_error *err)
{
    const struct gf_recur recur = {
        .sections = 1, .section = { { f->b0 / f->a0, f->b1 / f->a0, f->b2 / f->a0, f->a1 / f->a0, f->a2 / f->a0 } }
    };
    const struct gf_need need = { .carry_bytes = gf_recur_carry_bytes(&recur, in->channels) };

    return gf_build_op(build, &gf_op_recur, &recur, need, in, err);
}

/* Computes the phase advance of a frequency per frame, in half turns. */
static int angle_of(const char *stage, double hz, const struct gf_format *in, double *angle, struct gf_error *err)
{
    *angle = 2 * hz / in->rate;
    return gf_stage_check_hz(stage, hz, in, err);
}

/* ---- biquad ---- */

static const struct gf_option options_biquad[] = {
    { .name = "b0", .type = GF_OPTION_NUMBER, .offset = offsetof(struct section, b0), .least = -1e9,
      .most = 1e9, .required = true,
      .text = "weight of the current sample" },
    { .name = "b1", .type = GF_OPTION_NUMBER, .offset = offsetof(struct section, b1), .least = -1e9,
      .most = 1e9, .required = true,
      .text = "weight of the sample before it" },
    { .name = "b2", .type = GF_OPTION_NUMBER, .offset = offsetof(struct section, b2), .least = -1e9,
      .most = 1e9, .required = true,
      .text = "weight of the sample before that" },
    { .name = "a1", .type = GF_OPTION_NUMBER, .offset = offsetof(struct section, a1), .least = -1e9,
      .most = 1e9, .required = true,
      .text = "weight of the previous result, which is subtracted" },
    { .name = "a2", .type = GF_OPTION_NUMBER, .offset = offsetof(struct section, a2), .least = -1e9,
      .most = 1e9, .required = true,
      .text = "weight of the result before that, which is subtracted" },
    { .name = "a0", .type = GF_OPTION_NUMBER, .offset = offsetof(struct section, a0), .least = -1e9,
      .most = 1e9, .by_default = 1, .key_only = true,
      .text = "divisor of all others" },
    { .name = NULL }
};

static int bind_biquad(const void *config, const struct gf_format *in, struct gf_build *build, struct gf_error *err)
{
    const struct section *f = config;
    const double a1 = f->a1 / f->a0, a2 = f->a2 / f->a0;

    if (f->a0 == 0)
        return gf_fail(err, GF_MISUSED, "biquad: a0=0: all others are divided by it; must not be 0");
    if (!(fabs(a2) < 1 && fabs(a1) < 1 + a2))
        return gf_fail(err, GF_MISUSED,
                       "biquad: with a1=%g and a2=%g the filter is unstable; a2 must be between -1 and 1, and a1 "
                       "between -(1 + a2) and 1 + a2",
                       a1, a2);
    return add_section(f, in, build, err);
}

static const char *const examples_biquad[] = {
    "gpufilter -i sound.wav biquad:1,-1,0,-0.995,0 -o without-dc.wav",
    "gpufilter -i sound.wav biquad:0.2929,0.5858,0.2929,0,0.1716 -o lowpass.wav",
    NULL
};

const struct gf_stage gf_stage_biquad = {
    .name = "biquad",
    .kind = GF_AUDIO,
    .group = GF_GROUP_FILTER,
    .keeps_times = true,
    .summary = "apply a second-order recursive filter with given coefficients",
    .text = "    y[n] = b0·x[n] + b1·x[n-1] + b2·x[n-2] - a1·y[n-1] - a2·y[n-2]\n\n"
            "Samples before the start count as 0. The output is as long as the input. If a filter has six "
            "coefficients, give the sixth with a0=: all others are divided by it.\n\n"
            "The filter must be stable, or it never decays: |a2| < 1 and |a1| < 1 + a2. Results and state "
            "are double precision. Samples that are not finite count as 0.",
    .examples = examples_biquad,
    .picture = "voice.wav biquad:0.5,0,-0.5,-1.4,0.8 | resample:8k spectrogram:600,512",
    .options = options_biquad,
    .config_bytes = sizeof(struct section),
    .bind = bind_biquad,
};

/* ---- eq ---- */

struct eq {
    double hz, q, db;
};

static const struct gf_option options_eq[] = {
    { .name = "hz", .type = GF_OPTION_NUMBER, .offset = offsetof(struct eq, hz), .least = 0.01, .most = 1e9,
      .unit = "Hz", .required = true,
      .text = "center of the band" },
    { .name = "q", .type = GF_OPTION_NUMBER, .offset = offsetof(struct eq, q), .least = 0.001, .most = 10000,
      .required = true,
      .text = "narrowness: hz divided by the bandwidth between the two frequencies with half the gain in dB" },
    { .name = "db", .type = GF_OPTION_DECIBEL, .offset = offsetof(struct eq, db), .least = -120, .most = 120,
      .unit = "dB", .required = true,
      .text = "gain at the center; negative values lower it" },
    { .name = NULL }
};

static int bind_eq(const void *config, const struct gf_format *in, struct gf_build *build, struct gf_error *err)
{
    const struct eq *e = config;
    const double a = gf_pow(10, e->db / 40);
    double w, alpha;

    if (angle_of("eq", e->hz, in, &w, err) != 0)
        return -1;
    alpha = gf_sin_pi(w) / (2 * e->q);
    if (e->db == 0)
        return 0;
    return add_section(&(struct section) { 1 + alpha * a, -2 * gf_cos_pi(w), 1 - alpha * a,
                                           1 + alpha / a, -2 * gf_cos_pi(w), 1 - alpha / a }, in, build, err);
}

static const char *const examples_eq[] = {
    "gpufilter -i sound.wav eq:1k,1,-6 -o softer-middle.wav",
    "gpufilter -i sound.wav eq:50,20,-40 eq:150,20,-30 -o without-hum.wav",
    NULL
};

const struct gf_stage gf_stage_eq = {
    .name = "eq",
    .kind = GF_AUDIO,
    .group = GF_GROUP_FILTER,
    .keeps_times = true,
    .summary = "boost or cut a band of frequencies",
    .text = "This is the peaking filter of Robert Bristow-Johnson's cookbook. The gain is DB at HZ, and 0 "
            "dB far from it. Q is HZ divided by the bandwidth between the two frequencies at which the "
            "gain is DB/2, as in the analog filter. Several eq stages make an equalizer. 0 dB changes "
            "nothing.",
    .examples = examples_eq,
    .picture = "voice.wav eq:1500,2,30 | resample:8k spectrogram:600,512",
    .options = options_eq,
    .config_bytes = sizeof(struct eq),
    .bind = bind_eq,
};

/* ---- shelves ---- */

struct shelf {
    double db, hz, slope;
};

#define SHELF_OPTIONS(frequency, side)                                                                    \
    {                                                                                                     \
        { .name = "db", .type = GF_OPTION_DECIBEL, .offset = offsetof(struct shelf, db), .least = -120,   \
          .most = 120, .unit = "dB", .required = true,                                                    \
          .text = "gain far " side " the frequency; negative values lower it" },                          \
        { .name = "hz", .type = GF_OPTION_NUMBER, .offset = offsetof(struct shelf, hz), .least = 0.01,    \
          .most = 1e9, .unit = "Hz", .by_default = frequency, .text = "frequency with half the gain in dB" }, \
        { .name = "slope", .type = GF_OPTION_NUMBER, .offset = offsetof(struct shelf, slope), .least = 0.01, \
          .most = 1, .by_default = 1, .key_only = true,                                                   \
          .text = "steepness at hz; 1 is the steepest without overshoot" },                               \
        { .name = NULL }                                                                                  \
    }

static const struct gf_option options_bass[] = SHELF_OPTIONS(100, "below");
static const struct gf_option options_treble[] = SHELF_OPTIONS(3000, "above");

/* `side`: 1 for bass, -1 for treble; the formulas differ by the sign of the cosine. */
static int add_shelf(const char *stage, const struct shelf *s, double side, const struct gf_format *in,
                     struct gf_build *build, struct gf_error *err)
{
    const double a = gf_pow(10, s->db / 40);
    double w, k, root;

    if (angle_of(stage, s->hz, in, &w, err) != 0)
        return -1;
    k = side * gf_cos_pi(w);
    root = sqrt(a) * gf_sin_pi(w) * sqrt((a + 1 / a) * (1 / s->slope - 1) + 2);        /* 2·√A·α */
    if (s->db == 0)
        return 0;
    return add_section(&(struct section) { a * (a + 1 - (a - 1) * k + root), side * 2 * a * (a - 1 - (a + 1) * k),
                                           a * (a + 1 - (a - 1) * k - root), a + 1 + (a - 1) * k + root,
                                           side * -2 * (a - 1 + (a + 1) * k), a + 1 + (a - 1) * k - root },
                       in, build, err);
}

static int bind_bass(const void *config, const struct gf_format *in, struct gf_build *build, struct gf_error *err)
{
    return add_shelf("bass", config, 1, in, build, err);
}

static int bind_treble(const void *config, const struct gf_format *in, struct gf_build *build, struct gf_error *err)
{
    return add_shelf("treble", config, -1, in, build, err);
}

static const char *const examples_bass[] = {
    "gpufilter -i sound.wav bass:6 -o warm.wav",
    "gpufilter -i sound.wav bass:-12,60,slope=0.5 gain:3 -o lean.wav",
    NULL
};

static const char *const examples_treble[] = {
    "gpufilter -i sound.wav treble:-4 -o soft.wav",
    "gpufilter -i sound.wav bass:3 treble:3,8k -o loudness.wav",
    NULL
};

#define SHELF_TEXT \
    "cookbook. The gain is DB/2 at HZ. slope=1 has a Q of √½ (0.7071), the steepest without overshoot. " \
    "With smaller slopes the gain changes over more octaves; slope=0.5 is SoX's default. 0 dB changes nothing."

const struct gf_stage gf_stage_bass = {
    .name = "bass",
    .kind = GF_AUDIO,
    .group = GF_GROUP_FILTER,
    .keeps_times = true,
    .summary = "boost or cut low frequencies",
    .text = "The gain is DB far below HZ, and 0 dB far above it. This is the low shelf of Robert "
            "Bristow-Johnson's "
            SHELF_TEXT,
    .examples = examples_bass,
    .picture = "voice.wav bass:24,600 | resample:8k spectrogram:600,512",
    .options = options_bass,
    .config_bytes = sizeof(struct shelf),
    .bind = bind_bass,
};

const struct gf_stage gf_stage_treble = {
    .name = "treble",
    .kind = GF_AUDIO,
    .group = GF_GROUP_FILTER,
    .keeps_times = true,
    .summary = "boost or cut high frequencies",
    .text = "The gain is DB far above HZ, and 0 dB far below it. This is the high shelf of Robert "
            "Bristow-Johnson's "
            SHELF_TEXT,
    .examples = examples_treble,
    .picture = "voice.wav treble:24,1500 | resample:8k spectrogram:600,512",
    .options = options_treble,
    .config_bytes = sizeof(struct shelf),
    .bind = bind_treble,
};
