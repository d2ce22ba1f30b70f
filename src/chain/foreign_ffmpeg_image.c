/* FFmpeg's filters of images, translated to stages. */
#include "chain/foreign_ffmpeg.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PI 3.14159265358979323846


/* One side of a size. Exactly one member is set. */
struct side {
    double pixels, share;
    bool follows;                                /* from the other side, which keeps the proportions */
};

/* Reads "640", "-2", "iw/2", "iw*0.5"; `axis` is w or h. */
static bool read_side(const char *text, char axis, struct side *side)
{
    const char iw[] = { 'i', axis, '\0' }, in_w[] = { 'i', 'n', '_', axis, '\0' };
    double number;

    *side = (struct side) { 0 };
    if (gf_foreign_number(text, &number)) {
        side->follows = number < 0;
        side->pixels = number > 0 ? number : 0;
        side->share = number == 0;
        return number == floor(number);
    }
    if (text == NULL || (strncmp(text, iw, 2) != 0 && strncmp(text, in_w, 4) != 0))
        return false;
    text += text[2] == '_' ? 4 : 2;
    number = 1;
    if (*text != '\0' && ((*text != '/' && *text != '*') || !gf_foreign_number(text + 1, &number) || !(number > 0)))
        return false;
    side->share = *text == '/' ? 1 / number : number;
    return true;
}

static bool scale(const struct gf_foreign_arguments *a, struct gf_foreign_words *words)
{
    static const struct { const char *flag, *filter; } filters[] = {
        { "bicubic", "cubic" }, { "bilinear", "linear" }, { "fast_bilinear", "linear" }, { "lanczos", "lanczos" },
        { "neighbor", "nearest" }, { "area", "area" },
    };
    const char *ratio = gf_foreign_argument(a, "force_original_aspect_ratio", -1), *fit = "";
    const char *flags = gf_foreign_argument(a, "flags", 2), *w = gf_foreign_argument(a, "w|width", 0);
    char filter[32] = "";
    struct side x, y;

    if (ratio != NULL && strcmp(ratio, "disable") != 0)
        fit = strcmp(ratio, "decrease") == 0 ? ",fit=inside" : ",fit=outside";
    for (size_t i = 0; flags != NULL && i < sizeof filters / sizeof *filters; i++)
        if (strcmp(filters[i].flag, flags) == 0)
            snprintf(filter, sizeof filter, ",filter=%s", filters[i].filter);
    if (w != NULL && strspn(w, "0123456789x") == strlen(w) && strchr(w, 'x') != NULL)
        return gf_foreign_put(words, "resize:%s%s%s", w, fit, filter);
    if (!read_side(w, 'w', &x) || !read_side(gf_foreign_argument(a, "h|height", 1), 'h', &y))
        return false;
    if (x.pixels > 0 && y.pixels > 0)
        return gf_foreign_put(words, "resize:%.0fx%.0f%s%s", x.pixels, y.pixels, fit, filter);
    if (x.pixels > 0 && y.follows)
        return gf_foreign_put(words, "resize:%.0f%s", x.pixels, filter);
    if (x.follows && y.pixels > 0)
        return gf_foreign_put(words, "resize:x%.0f%s", y.pixels, filter);
    if ((x.share > 0 && (y.share == x.share || y.follows)) || (x.follows && y.share > 0))
        return gf_foreign_put(words, "resize:%.6g%%%s", 100 * (x.share > 0 ? x.share : y.share), filter);
    return false;
}

/* True if the place of a crop or of padding is the middle. */
static bool is_middle(const char *text)
{
    static const char *const words[] = { "(iw-ow)/2", "(ow-iw)/2", "(in_w-out_w)/2", "(ih-oh)/2", "(oh-ih)/2",
                                         "(in_h-out_h)/2", "-1", NULL };

    for (int i = 0; text != NULL && words[i] != NULL; i++)
        if (strcmp(text, words[i]) == 0)
            return true;
    return false;
}

/* "320" or "50%". */
static void print_side(const struct side *side, char *text, size_t bytes)
{
    if (side->pixels > 0)
        snprintf(text, bytes, "%.0f", side->pixels);
    else
        snprintf(text, bytes, "%.6g%%", 100 * side->share);
}

static bool crop(const struct gf_foreign_arguments *a, struct gf_foreign_words *words)
{
    const char *x = gf_foreign_argument(a, "x", 2), *y = gf_foreign_argument(a, "y", 3);
    char width[40], height[40];
    struct side w, h;
    double left, top;

    if (!read_side(gf_foreign_argument(a, "w|out_w", 0), 'w', &w)
        || !read_side(gf_foreign_argument(a, "h|out_h", 1), 'h', &h) || w.follows || h.follows)
        return false;
    if (w.pixels > 0 && w.pixels <= 32 && h.pixels > 0 && h.pixels <= 32 && x == NULL)
        return false;                            /* 1:1 and 16:9 are meant as ratios, which crop does not take */
    print_side(&w, width, sizeof width);
    print_side(&h, height, sizeof height);
    if ((x == NULL || is_middle(x)) && (y == NULL || is_middle(y)))
        return gf_foreign_put(words, "crop:%sx%s,at=center", width, height);
    return gf_foreign_number(x, &left) && gf_foreign_number(y, &top)
        && gf_foreign_put(words, "crop:%sx%s+%.0f+%.0f", width, height, left, top);
}

static bool pad(const struct gf_foreign_arguments *a, struct gf_foreign_words *words)
{
    const char *x = gf_foreign_argument(a, "x", 2), *y = gf_foreign_argument(a, "y", 3);
    const char *color = gf_foreign_argument(a, "color", 4);
    const bool middle = is_middle(x) && is_middle(y);
    const bool corner = (x == NULL || strcmp(x, "0") == 0) && (y == NULL || strcmp(y, "0") == 0);
    struct side w, h;

    if (!read_side(gf_foreign_argument(a, "w|width", 0), 'w', &w)
        || !read_side(gf_foreign_argument(a, "h|height", 1), 'h', &h) || !(w.pixels > 0) || !(h.pixels > 0)
        || (!middle && !corner))
        return false;
    return gf_foreign_put(words, "pad:size=%.0fx%.0f%s%s%s", w.pixels, h.pixels, middle ? ",at=center" : "",
                          color != NULL ? ",bg=" : "", color != NULL ? color : "");
}

/* The angle is in radians, often as PI/4 or 45*PI/180. */
static bool rotate(const struct gf_foreign_arguments *a, struct gf_foreign_words *words)
{
    const char *angle = gf_foreign_argument(a, "a|angle", 0);
    const double sign = angle != NULL && *angle == '-' ? -1 : 1;
    char *end;
    double number;

    if (angle == NULL || gf_foreign_argument(a, "ow|oh|out_w|out_h", -1) != NULL)
        return false;
    angle += *angle == '-';
    if (gf_foreign_number(angle, &number))
        return fabs(number) <= 2 * PI && gf_foreign_put(words, "rotate:%.6g,fit=keep", sign * number * 180 / PI);
    number = strtod(angle, &end);
    if (end == angle)
        number = 1;
    else if (*end++ != '*')
        return false;
    if (strncmp(end, "PI", 2) != 0)
        return false;
    end += 2;
    if (*end == '/' && strtod(end + 1, &end) > 0)
        number /= strtod(strrchr(angle, '/') + 1, NULL);
    return *end == '\0' && gf_foreign_put(words, "rotate:%.6g,fit=keep", sign * number * 180);
}

static bool transpose(const struct gf_foreign_arguments *a, struct gf_foreign_words *words)
{
    static const struct { const char *name, *number, *stages; } turns[] = {
        { "cclock_flip", "0", "transpose" }, { "clock", "1", "rotate:90" }, { "cclock", "2", "rotate:270" },
        { "clock_flip", "3", "rotate:90 flip" },
    };
    const char *turn = gf_foreign_argument(a, "dir", 0);

    for (size_t i = 0; i < sizeof turns / sizeof *turns; i++)
        if (strcmp(turn != NULL ? turn : "0", turns[i].number) == 0
            || (turn != NULL && strcmp(turn, turns[i].name) == 0))
            return gf_foreign_put(words, "%s", turns[i].stages);
    return false;
}

static bool hue(const struct gf_foreign_arguments *a, struct gf_foreign_words *words)
{
    double degrees, saturation;

    if (!gf_foreign_argument_number(a, "h", 0, 0, &degrees) || !gf_foreign_argument_number(a, "s", 1, 1, &saturation)
        || gf_foreign_argument(a, "b|H", 2) != NULL)
        return false;
    return (degrees == 0 || gf_foreign_put(words, "hue:%g", degrees))
        && (saturation == 1 || gf_foreign_put(words, "saturate:%g", saturation));
}

static bool is_color_key(const char *key)
{
    return strcmp(key, "contrast") == 0 || strcmp(key, "brightness") == 0 || strcmp(key, "saturation") == 0
        || strcmp(key, "gamma") == 0;
}

/* FFmpeg's eq changes colors; the stage of this name is an equalizer for audio. */
static bool eq(const struct gf_foreign_arguments *a, struct gf_foreign_words *words)
{
    double contrast, brightness, saturation, gamma;

    for (int i = 0; i < a->count; i++)
        if (!is_color_key(a->key[i]))
            return false;
    if (a->count == 0 || !gf_foreign_argument_number(a, "contrast", -1, 1, &contrast)
        || !gf_foreign_argument_number(a, "brightness", -1, 0, &brightness)
        || !gf_foreign_argument_number(a, "saturation", -1, 1, &saturation)
        || !gf_foreign_argument_number(a, "gamma", -1, 1, &gamma))
        return false;
    return (contrast == 1 || gf_foreign_put(words, "contrast:%g", contrast))
        && (brightness == 0 || gf_foreign_put(words, "brightness:%g", brightness))
        && (gamma == 1 || gf_foreign_put(words, "gamma:%g", gamma))
        && (saturation == 1 || gf_foreign_put(words, "saturate:%g", saturation));
}

/* FFmpeg blurs with a binomial mask of N taps; a Gaussian of the same variance, (N - 1)/4, is very near. */
static bool unsharp(const struct gf_foreign_arguments *a, struct gf_foreign_words *words)
{
    double width, height, amount;

    return gf_foreign_argument_number(a, "lx|luma_msize_x", 0, 5, &width)
        && gf_foreign_argument_number(a, "ly|luma_msize_y", 1, 5, &height) && width == height && width >= 3
        && gf_foreign_argument_number(a, "la|luma_amount", 2, 1, &amount)
        && gf_foreign_put(words, "sharpen:%g,%.3g", amount, sqrt(width - 1) / 2);
}

static bool boxblur(const struct gf_foreign_arguments *a, struct gf_foreign_words *words)
{
    double radius, times;

    if (!gf_foreign_argument_number(a, "lr|luma_radius", 0, 2, &radius)
        || !gf_foreign_argument_number(a, "lp|luma_power", 1, 2, &times) || times < 1 || times > 4)
        return false;
    for (int i = 0; i < (int)times; i++)
        if (!gf_foreign_put(words, "box:%g", radius))
            return false;
    return true;
}

static bool bilateral(const struct gf_foreign_arguments *a, struct gf_foreign_words *words)
{
    double sigma, range;

    return gf_foreign_argument_number(a, "sigmaS", 0, 0.1, &sigma)
        && gf_foreign_argument_number(a, "sigmaR", 1, 0.1, &range)
        && gf_foreign_put(words, "bilateral:%g,%g", sigma, range);
}

static bool format(const struct gf_foreign_arguments *a, struct gf_foreign_words *words)
{
    const char *name = gf_foreign_argument(a, "pix_fmts", 0);

    return name != NULL && strncmp(name, "gray", 4) == 0 && gf_foreign_put(words, "gray");
}

/* A filter without arguments. */
#define FIXED(function, stage) \
    static bool function(const struct gf_foreign_arguments *a, struct gf_foreign_words *words) \
    { \
        return a->count == 0 && gf_foreign_put(words, stage); \
    }
/* A filter of one number, which the stage takes as it is. */
#define NUMBER(function, keys, by_default, stage) \
    static bool function(const struct gf_foreign_arguments *a, struct gf_foreign_words *words) \
    { \
        double number; \
        return gf_foreign_argument_number(a, keys, 0, by_default, &number) \
            && gf_foreign_put(words, stage ":%g", number); \
    }

FIXED(hflip, "flop")
FIXED(vflip, "flip")
FIXED(negate, "invert")
FIXED(edgedetect, "canny")
FIXED(histeq, "equalize")
FIXED(sobel, "sobel")
FIXED(vignette, "vignette")
FIXED(normalize, "autolevel")
NUMBER(gblur, "sigma", 0.5, "blur")
NUMBER(avgblur, "sizeX", 1, "box")
NUMBER(median, "radius", 1, "median")

const struct gf_foreign_filter gf_foreign_image_filters[] = {
    { "avgblur", avgblur }, { "bilateral", bilateral }, { "boxblur", boxblur }, { "crop", crop },
    { "edgedetect", edgedetect }, { "eq", eq }, { "format", format }, { "gblur", gblur }, { "hflip", hflip },
    { "histeq", histeq }, { "hue", hue }, { "median", median }, { "negate", negate }, { "normalize", normalize },
    { "pad", pad }, { "rotate", rotate }, { "scale", scale }, { "sobel", sobel }, { "transpose", transpose },
    { "unsharp", unsharp }, { "vflip", vflip }, { "vignette", vignette }, { NULL, NULL }
};
