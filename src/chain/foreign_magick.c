/* ImageMagick's options, translated to stages and options. */
#include "chain/foreign.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define PI 3.14159265358979323846

typedef bool translate(const char *value, const struct gf_foreign_settings *settings, struct gf_foreign_words *words);

/* ---- geometry ---- */

/* Appends resize for a geometry such as "200x200^>". `filter` is what -sample or -scale imply. */
static bool put_resize(const char *value, const char *filter, struct gf_foreign_words *words)
{
    const size_t n = value != NULL ? strcspn(value, "^!<>@#") : 0;
    const char mark = n > 0 ? value[n] : '\0';
    const bool box = n > 0 && strchr(value, 'x') != NULL && strchr(value, 'x') < value + n - 1 && value[0] != 'x';
    const char *fit = !box || mark == '!' ? "" : mark == '^' ? ",fit=outside" : ",fit=inside";
    double width, height;
    char rest;

    if (n == 0 || mark == '@' || mark == '#' || (mark != '\0' && value[n + 1] != '\0'))
        return false;
    if (strchr(value, '%') != NULL) {
        const int read = sscanf(value, "%lf%%x%lf%%%c", &width, &height, &rest);

        return (read == 1 || (read == 2 && width == height)) && width > 0
            && gf_foreign_put(words, "resize:%g%%%s", width, filter);
    }
    return gf_foreign_put(words, "resize:%.*s%s%s%s", (int)n, value, fit, filter, mark == '>' ? ",only=shrink"
                          : mark == '<' ? ",only=enlarge" : "");
}

static bool resize(const char *value, const struct gf_foreign_settings *settings, struct gf_foreign_words *words)
{
    (void)settings;
    return put_resize(value, "", words);
}

static bool sample(const char *value, const struct gf_foreign_settings *settings, struct gf_foreign_words *words)
{
    (void)settings;
    return put_resize(value, ",filter=nearest", words);
}

static bool scale(const char *value, const struct gf_foreign_settings *settings, struct gf_foreign_words *words)
{
    (void)settings;
    return put_resize(value, ",filter=area", words);
}

/* Writes ",at=center"; gravity has the names of at=, in capitals or not. */
static void print_anchor(const struct gf_foreign_settings *settings, char *text, size_t bytes)
{
    text[0] = '\0';
    if (settings->gravity == NULL)
        return;
    snprintf(text, bytes, ",at=%s", settings->gravity);
    for (char *c = text; *c != '\0'; c++)
        *c = (char)(*c >= 'A' && *c <= 'Z' ? *c - 'A' + 'a' : *c);
}

static bool crop(const char *value, const struct gf_foreign_settings *settings, struct gf_foreign_words *words)
{
    char at[40];

    print_anchor(settings, at, sizeof at);
    return gf_foreign_put(words, "crop:%s%s", value, at);
}

static bool extent(const char *value, const struct gf_foreign_settings *settings, struct gf_foreign_words *words)
{
    const char *background = settings->background;
    char at[40];

    print_anchor(settings, at, sizeof at);
    return gf_foreign_put(words, "pad:size=%s%s%s%s", value, at, background != NULL ? ",bg=" : "", background != NULL
                          ? background : "");
}

static bool border(const char *value, const struct gf_foreign_settings *settings, struct gf_foreign_words *words)
{
    const int width = (int)strcspn(value, "x");
    const char *background = settings->background;

    return gf_foreign_put(words, "pad:%.*s%s%s%s%s", width, value, value[width] == 'x' ? "," : "", value[width] == 'x'
                          ? value + width + 1 : "",
                          background != NULL ? ",bg=" : "", background != NULL ? background : "");
}

/* ---- neighborhoods ---- */

/* Reads "0x8", "3x8": the first number is 0 if it is not given. */
static bool read_radius_and_sigma(const char *value, double *radius, double *sigma)
{
    char first[16], rest[2];

    *radius = 0;
    if (strchr(value, 'x') == NULL)
        return gf_foreign_number(value, sigma);
    return sscanf(value, "%15[0-9.]x%lf%1s", first, sigma, rest) == 2 && gf_foreign_number(first, radius) && *sigma > 0;
}

static bool blur(const char *value, const struct gf_foreign_settings *settings, struct gf_foreign_words *words)
{
    double radius, sigma;

    (void)settings;
    if (!read_radius_and_sigma(value, &radius, &sigma))
        return false;
    return radius > 0 ? gf_foreign_put(words, "blur:%g,radius=%.0f", sigma, ceil(radius))
        : gf_foreign_put(words, "blur:%g", sigma);
}

/*
 * ImageMagick's mask is a negative Gaussian whose middle is twice its sum, divided by the new sum.
 * With g for the middle of the Gaussian, the result is v + (v - blur(v))/(1 + g).
 */
static bool sharpen(const char *value, const struct gf_foreign_settings *settings, struct gf_foreign_words *words)
{
    double radius, sigma, sum = 0;

    (void)settings;
    if (strchr(value, 'x') == NULL || !read_radius_and_sigma(value, &radius, &sigma) || radius > 0 || !(sigma <= 100))
        return false;
    for (int i = -(int)ceil(5 * sigma); i <= (int)ceil(5 * sigma); i++)
        sum += exp(-i * i / (2 * sigma * sigma));
    return gf_foreign_put(words, "sharpen:%.3g,%g", 1 / (1 + 1 / (sum * sum)), sigma);
}

static bool median(const char *value, const struct gf_foreign_settings *settings, struct gf_foreign_words *words)
{
    (void)settings;
    return gf_foreign_put(words, "median:%s", value);
}

/* "0x1+10%+30%": only sigma is translated, because our limits are shares of the largest gradient. */
static bool canny(const char *value, const struct gf_foreign_settings *settings, struct gf_foreign_words *words)
{
    double sigma;

    (void)settings;
    return sscanf(value, "%*[0-9.]x%lf", &sigma) == 1 && gf_foreign_put(words, "canny:%g", sigma);
}

/* ---- tones and colors ---- */

/* "10%,90%" or "10%x90%,1.2"; without a percent sign the numbers are levels of an unknown depth. */
static bool level(const char *value, const struct gf_foreign_settings *settings, struct gf_foreign_words *words)
{
    double low, high, gamma;
    int read;

    (void)settings;
    read = sscanf(value, "%lf%%%*[,x]%lf%%,%lf", &low, &high, &gamma);
    if (read == 2)
        return gf_foreign_put(words, "levels:%g,%g", low / 100, high / 100);
    return read == 3 && gf_foreign_put(words, "levels:%g,%g,%g", low / 100, high / 100, gamma);
}

/*
 * "BRIGHTNESS,SATURATION,HUE" in percent; a change of brightness has no equivalent. A hue of 200
 * turns by 180 degrees.
 */
static bool modulate(const char *value, const struct gf_foreign_settings *settings, struct gf_foreign_words *words)
{
    double brightness, saturation = 100, hue = 100;

    (void)settings;
    if (sscanf(value, "%lf,%lf,%lf", &brightness, &saturation, &hue) < 1 || brightness != 100)
        return false;
    return (saturation == 100 || gf_foreign_put(words, "saturate:%g", saturation / 100))
        && (hue == 100 || gf_foreign_put(words, "hue:%g", (hue - 100) * 1.8));
}

/*
 * ImageMagick computes slope·v + intercept with slope = tan(π(C/100 + 1)/4), intercept = B/100 +
 * (100 - B)/200·(1 - slope).
 */
static bool brightness_contrast(const char *value, const struct gf_foreign_settings *settings,
                                struct gf_foreign_words *words)
{
    double brightness, contrast = 0, slope, shift;

    (void)settings;
    if (sscanf(value, "%lf%*[x,]%lf", &brightness, &contrast) < 1 || fabs(contrast) >= 100)
        return false;
    slope = tan(PI * (contrast / 100 + 1) / 4);
    shift = (brightness / 100 - (1 - slope) * brightness / 200);
    return (contrast == 0 || gf_foreign_put(words, "contrast:%.4g", slope))
        && (shift == 0 || gf_foreign_put(words, "brightness:%.4g", shift));
}

static bool colorspace(const char *value, const struct gf_foreign_settings *settings, struct gf_foreign_words *words)
{
    (void)settings;
    if (strcasecmp(value, "gray") == 0 || strcasecmp(value, "grayscale") == 0)
        return gf_foreign_put(words, "gray:rec709");
    return strcasecmp(value, "sRGB") == 0 && gf_foreign_put(words, "--icc convert");
}

static bool grayscale(const char *value, const struct gf_foreign_settings *settings, struct gf_foreign_words *words)
{
    (void)settings;
    if (strcasecmp(value, "Rec601Luma") == 0)
        return gf_foreign_put(words, "gray:rec601");
    if (strcasecmp(value, "Rec709Luma") == 0)
        return gf_foreign_put(words, "gray:rec709");
    return strcasecmp(value, "Average") == 0 && gf_foreign_put(words, "gray:average");
}

static bool alpha(const char *value, const struct gf_foreign_settings *settings, struct gf_foreign_words *words)
{
    if (strcasecmp(value, "off") == 0 || strcasecmp(value, "on") == 0)
        return gf_foreign_put(words, "alpha:%s", strcasecmp(value, "off") == 0 ? "off" : "on");
    return strcasecmp(value, "remove") == 0 && gf_foreign_put(words, "alpha:off,bg=%s", settings->background != NULL
                                                              ? settings->background : "white");
}

static bool flatten(const char *value, const struct gf_foreign_settings *settings, struct gf_foreign_words *words)
{
    (void)value;
    return gf_foreign_put(words, "alpha:off,bg=%s", settings->background != NULL ? settings->background : "white");
}

/* Ignores the value, a threshold, because the stage sepia has none. */
static bool sepia_tone(const char *value, const struct gf_foreign_settings *settings, struct gf_foreign_words *words)
{
    (void)value;
    (void)settings;
    return gf_foreign_put(words, "sepia");
}

static bool contrast_stretch(const char *value, const struct gf_foreign_settings *settings,
                             struct gf_foreign_words *words)
{
    double low, high;
    const int read = sscanf(value, "%lf%%%*[x,]%lf%%", &low, &high);

    (void)settings;
    return (read == 1 || (read == 2 && low == high)) && gf_foreign_put(words, "autolevel:%g%%", low);
}

/* ---- options of files ---- */

static bool interlace(const char *value, const struct gf_foreign_settings *settings, struct gf_foreign_words *words)
{
    (void)settings;
    return strcasecmp(value, "none") == 0 || gf_foreign_put(words, "--progressive");
}

static bool sampling_factor(const char *value, const struct gf_foreign_settings *settings,
                            struct gf_foreign_words *words)
{
    static const char *const factors[][2] = { { "4:4:4", "444" }, { "4:2:2", "422" }, { "4:2:0", "420" },
                                              { "1x1", "444" }, { "2x1", "422" }, { "2x2", "420" } };

    (void)settings;
    for (size_t i = 0; i < sizeof factors / sizeof *factors; i++)
        if (strcmp(factors[i][0], value) == 0)
            return gf_foreign_put(words, "--subsampling %s", factors[i][1]);
    return false;
}

static const struct row {
    const char *name;
    int values;
    /* the translation; before the value, if there is one. NULL: the function makes it */
    const char *stage;
    translate *function;
} rows[] = {
    { "adaptive-resize", 1, NULL, resize },
    { "alpha", 1, NULL, alpha },
    { "auto-level", 0, "autolevel", NULL },
    { "auto-orient", 0, "", NULL },
    { "blur", 1, NULL, blur },
    { "border", 1, NULL, border },
    { "brightness-contrast", 1, NULL, brightness_contrast },
    { "canny", 1, NULL, canny },
    { "colorspace", 1, NULL, colorspace },
    { "contrast-stretch", 1, NULL, contrast_stretch },
    { "crop", 1, NULL, crop },
    { "depth", 1, "--depth ", NULL },
    { "despeckle", 0, "median:1", NULL },
    { "equalize", 0, "equalize", NULL },
    { "extent", 1, NULL, extent },
    { "flatten", 0, NULL, flatten },
    { "flip", 0, "flip", NULL },
    { "flop", 0, "flop", NULL },
    { "gamma", 1, "gamma:", NULL },
    { "gaussian-blur", 1, NULL, blur },
    { "geometry", 1, NULL, resize },
    { "grayscale", 1, NULL, grayscale },
    { "interlace", 1, NULL, interlace },
    { "level", 1, NULL, level },
    { "median", 1, NULL, median },
    { "modulate", 1, NULL, modulate },
    { "negate", 0, "invert", NULL },
    { "normalize", 0, "autolevel:1%", NULL },
    { "posterize", 1, "posterize:", NULL },
    { "quality", 1, "--quality ", NULL },
    { "resize", 1, NULL, resize },
    { "rotate", 1, "rotate:", NULL },
    { "sample", 1, NULL, sample },
    { "sampling-factor", 1, NULL, sampling_factor },
    { "scale", 1, NULL, scale },
    { "sepia-tone", 1, NULL, sepia_tone },
    { "sharpen", 1, NULL, sharpen },
    { "strip", 0, "--strip", NULL },
    { "threshold", 1, "threshold:", NULL },
    { "thumbnail", 1, NULL, resize },
    { "transpose", 0, "transpose", NULL },
    { "transverse", 0, "rotate:90 flip", NULL },
    { "type", 1, NULL, colorspace },
    { "unsharp", 1, "unsharp:", NULL },
};

static const struct row *find_row(const char *name)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (strcmp(rows[i].name, name) == 0)
            return &rows[i];
    return NULL;
}

int gf_foreign_magick_values(const char *name)
{
    const struct row *row = find_row(name);

    return row != NULL ? row->values : -1;
}

bool gf_foreign_magick(const char *name, const char *value, const struct gf_foreign_settings *settings,
                       struct gf_foreign_words *words)
{
    static const struct gf_foreign_settings none;
    const struct row *row = find_row(name);
    const size_t used = strlen(words->text);

    if (row == NULL || (row->values > 0) != (value != NULL && *value != '\0'))
        return false;
    if (row->function != NULL) {
        if (row->function(value, settings != NULL ? settings : &none, words))
            return true;
        words->text[used] = '\0';
        return false;
    }
    if (*row->stage == '\0')                     /* gpufilter does it by default */
        return true;
    return gf_foreign_put(words, "%s%s", row->stage, value != NULL ? value : "");
}
