/* SoX's effects and vips's operations, whose values are separate arguments, translated to stages. */
#include "chain/foreign.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* The values of an effect. A missing one reads as NULL. */
struct values {
    const char *const *value;
    int count;
};

typedef bool translate(const struct values *v, struct gf_foreign_words *words);

static const char *get(const struct values *v, int i)
{
    return i < v->count ? v->value[i] : NULL;
}

static bool get_number(const struct values *v, int i, double *number)
{
    return get(v, i) != NULL && gf_foreign_number(get(v, i), number);
}

/* The values without the flags before them, such as -v of rate. */
static struct values skip_flags(struct values v)
{
    double number;

    while (v.count > 0 && v.value[0][0] == '-' && !gf_foreign_number(v.value[0], &number)) {
        v.value++;
        v.count--;
    }
    return v;
}

/* ---- SoX ---- */

static bool vol(const struct values *v, struct gf_foreign_words *words)
{
    return v->count == 1 && gf_foreign_put_volume(words, get(v, 0));
}

/* "gain -n -1" sets the peak, "gain -3" changes the level. */
static bool gain(const struct values *v, struct gf_foreign_words *words)
{
    double level;

    if (v->count == 2 && strcmp(get(v, 0), "-n") == 0 && get_number(v, 1, &level))
        return gf_foreign_put(words, "normalize:%g", level);
    return v->count == 1 && get_number(v, 0, &level) && gf_foreign_put(words, "gain:%g", level);
}

static bool norm(const struct values *v, struct gf_foreign_words *words)
{
    double level = 0;

    return (v->count == 0 || get_number(v, 0, &level)) && gf_foreign_put(words, "normalize:%g", level);
}

/* The second position is a length, unless = stands before it. */
static bool trim(const struct values *v, struct gf_foreign_words *words)
{
    const char *from = get(v, 0), *to = get(v, 1);

    if (from == NULL || v->count > 2)
        return false;
    if (to == NULL)
        return gf_foreign_put(words, "trim:%s", from);
    if (*to == '=' || *to == '-')
        return gf_foreign_put(words, "trim:%s,%s", from, to + (*to == '='));
    return gf_foreign_put(words, "trim:%s,+%s", from, to + (*to == '+'));
}

/* "fade [TYPE] IN [STOP [OUT]]"; STOP, where the fade-out ends, is assumed to be the end. */
static bool fade(const struct values *v, struct gf_foreign_words *words)
{
    static const char *const shapes[][2] = { { "t", "linear" }, { "q", "quarter" }, { "h", "half" }, { "l", "log" },
                                             { "p", "parabola" } };
    const int first = v->count > 0 && strlen(get(v, 0)) == 1 && strchr("tqhlp", get(v, 0)[0]) != NULL;
    const char *in = get(v, first), *stop = get(v, first + 1), *out = get(v, first + 2), *shape = "log";

    if (in == NULL || (stop != NULL && strcmp(stop, "0") != 0 && strcmp(stop, "-0") != 0))
        return false;
    for (size_t i = 0; first > 0 && i < sizeof shapes / sizeof *shapes; i++)
        if (strcmp(shapes[i][0], get(v, 0)) == 0)
            shape = shapes[i][1];
    if (stop != NULL && out == NULL)
        out = in;
    return gf_foreign_put(words, "fade:%s%s%s,shape=%s", in, out != NULL ? "," : "", out != NULL ? out : "", shape);
}

static bool rate(const struct values *all, struct gf_foreign_words *words)
{
    const struct values v = skip_flags(*all);

    return v.count == 1 && gf_foreign_put(words, "resample:%s", get(&v, 0));
}

static bool channels(const struct values *v, struct gf_foreign_words *words)
{
    return v->count == 1 && strcmp(get(v, 0), "1") == 0 && gf_foreign_put(words, "mono");
}

/* Each argument is an output; "1,2" is the mean of two channels. Only single channels and that mean are translated. */
static bool remix(const struct values *v, struct gf_foreign_words *words)
{
    char outputs[64] = "";

    if (v->count == 1 && (strcmp(get(v, 0), "1,2") == 0 || strcmp(get(v, 0), "-") == 0))
        return gf_foreign_put(words, "mono");
    for (int i = 0; i < v->count; i++) {
        if (strspn(get(v, i), "0123456789") != strlen(get(v, i))
            || strlen(outputs) + strlen(get(v, i)) + 2 > sizeof outputs)
            return false;
        snprintf(outputs + strlen(outputs), sizeof outputs - strlen(outputs), "%s%s", i > 0 ? "," : "", get(v, i));
    }
    return v->count > 0 && gf_foreign_put(words, "remix:%s", outputs);
}

static bool highpass(const struct values *all, struct gf_foreign_words *words)
{
    const struct values v = skip_flags(*all);

    return v.count >= 1 && gf_foreign_put(words, "highpass:%s", get(&v, 0));
}

static bool lowpass(const struct values *all, struct gf_foreign_words *words)
{
    const struct values v = skip_flags(*all);

    return v.count >= 1 && gf_foreign_put(words, "lowpass:%s", get(&v, 0));
}

/* "sinc 300-3k", "sinc -4k", "sinc 80". */
static bool sinc(const struct values *v, struct gf_foreign_words *words)
{
    const char *band = get(v, 0), *dash = band != NULL ? strchr(band, '-') : NULL;

    if (v->count != 1)
        return false;
    if (dash == NULL)
        return gf_foreign_put(words, "highpass:%s", band);
    if (dash == band)
        return gf_foreign_put(words, "lowpass:%s", band + 1);
    return gf_foreign_put(words, "bandpass:%.*s,%s", (int)(dash - band), band, dash + 1);
}

/* SoX's shelves have a slope of 0.5 unless they are given another one. */
static bool put_shelf(const struct values *v, const char *stage, const char *hz, struct gf_foreign_words *words)
{
    double gain;

    return get_number(v, 0, &gain) && v->count <= 2
        && gf_foreign_put(words, "%s:%g,%s,slope=0.5", stage, gain, get(v, 1) != NULL ? get(v, 1) : hz);
}

static bool bass(const struct values *v, struct gf_foreign_words *words)
{
    return put_shelf(v, "bass", "100", words);
}

static bool treble(const struct values *v, struct gf_foreign_words *words)
{
    return put_shelf(v, "treble", "3k", words);
}

/* "equalizer 1000 1q 6": the width may be a Q (q), Hz (h or nothing), kHz (k) or octaves (o). */
static bool equalizer(const struct values *v, struct gf_foreign_words *words)
{
    double hz, width, gain;
    char unit = 'h', rest;

    if (v->count != 3 || !get_number(v, 0, &hz) || !get_number(v, 2, &gain)
        || sscanf(get(v, 1), "%lf%c%c", &width, &unit, &rest) < 1 || width <= 0)
        return false;
    if (unit == 'o')
        width = 1 / (2 * sinh(log(2) / 2 * width));
    else if (unit == 'h' || unit == 'k')
        width = hz / (unit == 'k' ? 1000 * width : width);
    else if (unit != 'q')
        return false;
    return gf_foreign_put(words, "eq:%g,%.4g,%g", hz, width, gain);
}

static bool pad(const struct values *v, struct gf_foreign_words *words)
{
    return v->count >= 1 && v->count <= 2 && gf_foreign_put(words, "pad:%s%s%s", get(v, 0), v->count == 2 ? "," : "",
                                                            v->count == 2 ? get(v, 1) : "");
}

/* "echo IN_GAIN OUT_GAIN DELAY DECAY ...", with delays in milliseconds. */
static bool echo(const struct values *v, struct gf_foreign_words *words)
{
    char delays[100] = "", decays[100] = "";
    double in_gain, out_gain;

    if (v->count < 4 || v->count > 10 || v->count % 2 != 0 || !get_number(v, 0, &in_gain)
        || !get_number(v, 1, &out_gain))
        return false;
    for (int i = 2; i < v->count; i += 2) {
        const char *bar = i > 2 ? "|" : "";

        if (strlen(v->value[i]) > 20 || strlen(v->value[i + 1]) > 20)
            return false;
        snprintf(delays + strlen(delays), sizeof delays - strlen(delays), "%s%s", bar, v->value[i]);
        snprintf(decays + strlen(decays), sizeof decays - strlen(decays), "%s%s", bar, v->value[i + 1]);
    }
    return gf_foreign_put_echoes(words, in_gain, out_gain, delays, decays);
}

/* ---- vips ---- */

static bool resize(const struct values *v, struct gf_foreign_words *words)
{
    double scale;

    return v->count == 1 && get_number(v, 0, &scale) && scale > 0 && gf_foreign_put(words, "resize:%g%%", 100 * scale);
}

/* The value is a width; the height is at most the same. "--height 200" and "--crop centre" may follow. */
static bool thumbnail(const struct values *v, struct gf_foreign_words *words)
{
    double width, height;

    if (v->count == 0 || !get_number(v, 0, &width))
        return false;
    height = width;
    if (v->count > 1 && (strcmp(get(v, 1), "--height") != 0 || !get_number(v, 2, &height)))
        return false;
    if (v->count == 5 && strcmp(get(v, 3), "--crop") == 0 && strcmp(get(v, 4), "centre") == 0)
        return gf_foreign_put(words, "resize:%.0fx%.0f,fit=outside crop:%.0fx%.0f,at=center", width, height, width,
                              height);
    return (v->count == 1 || v->count == 3) && gf_foreign_put(words, "resize:%.0fx%.0f,fit=inside", width, height);
}

/* The value is the side of the window, 2·radius + 1. */
static bool median(const struct values *v, struct gf_foreign_words *words)
{
    double side;

    return v->count == 1 && get_number(v, 0, &side) && side >= 3 && fmod(side, 2) == 1
        && gf_foreign_put(words, "median:%.0f", (side - 1) / 2);
}

static bool gaussblur(const struct values *v, struct gf_foreign_words *words)
{
    return v->count == 1 && gf_foreign_put(words, "blur:%s", get(v, 0));
}

static bool rot(const struct values *v, struct gf_foreign_words *words)
{
    return v->count == 1 && get(v, 0)[0] == 'd' && gf_foreign_put(words, "rotate:%s", get(v, 0) + 1);
}

static bool flip(const struct values *v, struct gf_foreign_words *words)
{
    if (v->count != 1 || (strcmp(get(v, 0), "horizontal") != 0 && strcmp(get(v, 0), "vertical") != 0))
        return false;
    return gf_foreign_put(words, get(v, 0)[0] == 'h' ? "flop" : "flip");
}

static bool crop(const struct values *v, struct gf_foreign_words *words)
{
    double n[4];

    for (int i = 0; i < 4; i++)
        if (v->count != 4 || !get_number(v, i, &n[i]))
            return false;
    return gf_foreign_put(words, "crop:%.0fx%.0f+%.0f+%.0f", n[2], n[3], n[0], n[1]);
}

static bool colourspace(const struct values *v, struct gf_foreign_words *words)
{
    return v->count == 1 && (strcmp(get(v, 0), "b-w") == 0 || strcmp(get(v, 0), "grey16") == 0)
        && gf_foreign_put(words, "gray:rec709,light=linear");
}

/* zoom repeats pixels, shrink averages them; both have a factor for each side. */
static bool scale_evenly(const struct values *v, bool larger, struct gf_foreign_words *words)
{
    double across, down;

    if (v->count != 2 || !get_number(v, 0, &across) || !get_number(v, 1, &down) || across != down || across < 1)
        return false;
    return larger ? gf_foreign_put(words, "resize:%.0f%%,filter=nearest", 100 * across)
        : gf_foreign_put(words, "resize:%.6g%%,filter=area", 100 / across);
}

static bool zoom(const struct values *v, struct gf_foreign_words *words)
{
    return scale_evenly(v, true, words);
}

static bool shrink(const struct values *v, struct gf_foreign_words *words)
{
    return scale_evenly(v, false, words);
}

/* The value counts bands from 0. */
static bool extract_band(const struct values *v, struct gf_foreign_words *words)
{
    double band;

    return v->count == 1 && get_number(v, 0, &band) && (band == 0 || band == 1 || band == 2)
        && gf_foreign_put(words, "channel:%c", "rgb"[(int)band]);
}

/* Appends the stage for a name without values. SoX and vips share the table. */
static bool put_plain(const char *name, struct gf_foreign_words *words)
{
    static const char *const names[][2] = {
        { "invert", "invert" }, { "hist_equal", "equalize:rgb" }, { "sobel", "sobel" }, { "canny", "canny" },
        { "reverse", "reverse" }, { "swap", "remix:2,1" }, { "stat", "stats" }, { "stats", "stats" },
        { "oops", "remix:1-2" }, { "autorot", "" },
        { "copy", "" },
        { "rot90", "rotate:90" }, { "rot180", "rotate:180" }, { "rot270", "rotate:270" },
        { "bandmean", "gray:average" }, { "hist_find", "histogram" },
    };

    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(names[i][0], name) == 0)
            return names[i][1][0] == '\0' || gf_foreign_put(words, "%s", names[i][1]);
    return false;
}

struct row {
    const char *name;
    translate *function;
};

/* Both tables end with a row without a name. */
static const struct row sox_effects[] = {
    { "bass", bass }, { "channels", channels }, { "echo", echo }, { "equalizer", equalizer }, { "fade", fade },
    { "gain", gain }, { "highpass", highpass }, { "lowpass", lowpass }, { "norm", norm }, { "pad", pad },
    { "rate", rate }, { "remix", remix }, { "sinc", sinc }, { "treble", treble },
    { "trim", trim }, { "vol", vol }, { NULL, NULL }
};
static const struct row vips_operations[] = {
    { "colourspace", colourspace }, { "crop", crop }, { "extract_area", crop }, { "extract_band", extract_band },
    { "flip", flip },
    { "gaussblur", gaussblur }, { "median", median }, { "resize", resize }, { "rot", rot },
    { "shrink", shrink }, { "thumbnail", thumbnail }, { "zoom", zoom },
    { NULL, NULL }
};

bool gf_foreign_effect(const char *name, const char *const *values, int count, bool vips,
                       struct gf_foreign_words *words)
{
    const struct values v = { values, count };
    const size_t used = strlen(words->text);

    if (count == 0 && put_plain(name, words))
        return true;
    for (const struct row *row = vips ? vips_operations : sox_effects; row->name != NULL; row++)
        if (strcmp(row->name, name) == 0 && row->function(&v, words))
            return true;
    words->text[used] = '\0';
    return false;
}
