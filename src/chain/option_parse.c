/* Reads values of options: numbers, sizes, times, colors and masks. */
#include "chain/option_parse.h"

#include "base/words.h"
#include "chain/option_mask.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

/*
 * Reads "-3", "-3dB", or a share of the amplitude, "50%"; for a level relative to full scale also
 * "-3dBFS".
 */
static int parse_decibels(const struct gf_option *row, const char *word, double *value)
{
    char *end;

    *value = strtod(word, &end);
    if (end == word || isspace((unsigned char)*word))
        return -1;
    if (strcmp(end, "%") == 0)
        *value = 20 * log10(*value / 100);       /* a negative share gives NaN, which the caller refuses */
    else if (*end != '\0' && strcasecmp(end, "dB") != 0 && (row->unit == NULL || strcasecmp(end, row->unit) != 0))
        return -1;
    return 0;
}

/* Units after a number, and their short forms. */
static const struct { const char *unit, *written; } units[] = {
    { "Hz", "Hz" }, { "LUFS", "LUFS" }, { "degrees", "degrees" }, { "degrees", "deg" }, { "degrees", "\u00b0" },
    { "pixels", "pixels" },
    { "pixels", "px" },
};

/* Length of the unit at the end of the word. */
static size_t unit_bytes(const char *unit, const char *word)
{
    const size_t n = strlen(word);

    for (size_t i = 0; unit != NULL && i < sizeof units / sizeof *units; i++) {
        const size_t u = strlen(units[i].written);

        if (strcmp(units[i].unit, unit) == 0 && n > u && strcasecmp(word + n - u, units[i].written) == 0)
            return u;
    }
    return 0;
}

/* Reads a number that may have a unit: "44.1kHz", "-23LUFS", "90deg", "20px". */
static int parse_with_unit(const struct gf_option *row, const char *word, double *value)
{
    const size_t n = strlen(word) - unit_bytes(row->unit, word);
    char number[64];

    if (word[n] == '\0' || n >= sizeof number)
        return gf_parse_number(word, value);
    snprintf(number, sizeof number, "%.*s", (int)n, word);
    return gf_parse_number(number, value);
}

static int read_number(const struct gf_option_place *at, const char *word, double *value, struct gf_error *err)
{
    const struct gf_option *row = at->row;

    if (row->type == GF_OPTION_DECIBEL ? parse_decibels(row, word, value) != 0
                                       : parse_with_unit(row, word, value) != 0
                                           || (row->unit != NULL && strpbrk(word, "%Bb") != NULL))
        /* percent and decibels are for values on the scale from 0 to 1, not for pixels */
        return gf_option_refuse(at, word, err);
    if (!(*value >= row->least && *value <= row->most) || !isfinite(*value))
        return gf_option_refuse(at, word, err);
    if (row->type == GF_OPTION_INT && *value != floor(*value))
        return gf_option_refuse(at, word, err);
    if (row->factor && (*word == '+' || *word == '-') && strchr(word, '%') != NULL)
        return gf_fail(err, GF_MISUSED, "%s: %s=%.80s: must be a factor, not a change; write %g for %g%% %s",
                       at->what, row->name, word, 1 + *value, 100 * fabs(*value), *value < 0 ? "less" : "more");
    return 0;
}

/* Reads "LO,HI". The row's range applies to both. */
static int read_extent(const struct gf_option_place *at, const char *word, struct gf_extent *e, struct gf_error *err)
{
    const char *comma = strchr(word, ',');
    char low[64];

    *e = (struct gf_extent) { .given = true };
    if (comma == NULL || comma - word >= (ptrdiff_t)sizeof low)
        return gf_option_refuse(at, word, err);
    snprintf(low, sizeof low, "%.*s", (int)(comma - word), word);
    if (read_number(at, low, &e->low, err) != 0 || read_number(at, comma + 1, &e->high, err) != 0)
        return -1;
    return e->low < e->high ? 0 : gf_fail(err, GF_MISUSED, "%s: %s=%.80s: the first number must be less than the "
                                                           "second", at->what, at->row->name, word);
}

static int find_choice(const struct gf_option *row, const char *word)
{
    for (int i = 0; row->choices[i] != NULL; i++)
        if (strcmp(row->choices[i], word) == 0)
            return i;
    return -1;
}

static int refuse_choice(const struct gf_option_place *at, const char *word, struct gf_error *err)
{
    const char *near = gf_option_nearest_choice(at->row, word);

    if (near == NULL)
        return gf_option_refuse(at, word, err);
    gf_option_fail_range(at, word, err);
    gf_error_advise(err, "did you mean '%s'?", near);
    return -1;
}

static int read_either(const struct gf_option_place *at, const char *word, struct gf_either *value,
                       struct gf_error *err)
{
    double number;

    value->choice = find_choice(at->row, word);
    value->number = 0;
    if (value->choice >= 0)
        return 0;
    if (gf_parse_number(word, &number) != 0)
        return refuse_choice(at, word, err);
    return read_number(at, word, &value->number, err);
}

/* Reads a whole number without a sign at *p, which moves to its end; -1 if there is none. */
static int64_t take_digits(const char **p)
{
    int64_t n = 0;
    const char *start = *p;

    for (; isdigit((unsigned char)**p); (*p)++) {
        if (n > INT64_C(100000000000000))
            return -1;
        n = n * 10 + (**p - '0');
    }
    return *p == start ? -1 : n;
}

/* Reads "320" or "50%" at *p, which moves to the end of it. */
static bool take_side(const char **p, int64_t *pixels, double *share)
{
    const char *start = *p;
    char *end;

    *pixels = take_digits(p);
    if (**p != '%' && **p != '.')
        return *pixels > 0;
    *pixels = 0;
    *share = strtod(start, &end) / 100;
    *p = end + 1;
    return isdigit((unsigned char)*start) && *end == '%' && *share > 0 && *share <= 1;
}

static int read_geometry(const struct gf_option_place *at, const char *word, struct gf_geometry *g,
                         struct gf_error *err)
{
    const char *p = word;

    *g = (struct gf_geometry) { .width = 0 };
    if (!take_side(&p, &g->width, &g->width_share) || *p++ != 'x' || !take_side(&p, &g->height, &g->height_share))
        return gf_option_refuse(at, word, err);
    if (*p == '\0')
        return 0;
    if (*p++ != '+' || (g->x = take_digits(&p)) < 0 || *p++ != '+' || (g->y = take_digits(&p)) < 0 || *p != '\0')
        return gf_option_refuse(at, word, err);
    return 0;
}

/* Reports a word that is neither a mask nor a file. */
static int refuse_mask(const struct gf_option_place *at, const char *word, struct gf_error *err)
{
    const char *names[65], *near;
    int n = 0;

    for (; n < 64 && at->row->masks[n].name != NULL; n++)
        names[n] = at->row->masks[n].name;
    names[n] = NULL;
    near = gf_nearest_word(word, names);
    return gf_fail(err, GF_MISUSED, "%s: no mask or file is called '%.80s'%s%s%s", at->what, word,
                   near ? "; did you mean '" : "; --help with the name of the stage lists the masks", near ? near : "",
                       near ? "'?" : "");
}

static int refuse_missing(const struct gf_option_place *at, const char *word, struct gf_error *err)
{
    char range[500];

    gf_option_range(at->row, range, sizeof range);
    return gf_fail(err, GF_MISUSED, "%s: no such file: '%.200s'; %s must be %s", at->what, word, at->row->name,
                   range);
}

/* Reads a mask as numbers or by its name, or keeps the name of its file. */
static int read_mask(const struct gf_option_place *at, const char *word, struct gf_mask *mask, struct gf_error *err)
{
    const struct gf_named_mask *named = at->row->masks;

    free(mask->weights);
    free(mask->file);
    *mask = (struct gf_mask) { 0 };
    if (at->row->sound && word[0] != '[' && access(word, F_OK) != 0)
        return refuse_missing(at, word, err);
    while (named != NULL && named->name != NULL && strcmp(named->name, word) != 0)
        named++;
    if (word[0] != '['
        && (at->row->sound || named == NULL
            || (named->name == NULL && (strpbrk(word, "[./") != NULL || access(word, F_OK) == 0)))) {
        mask->file = strdup(word);
        return mask->file != NULL ? 0 : gf_fail_memory(err, at->what);
    }
    if (word[0] != '[' && named->name == NULL)
        return refuse_mask(at, word, err);
    if (gf_option_mask_parse(at->what, at->row, word[0] == '[' ? word : named->matrix, mask, err) != 0)
        return -1;
    for (int i = 0; word[0] != '[' && i < mask->rows * mask->columns; i++)
        mask->weights[i] /= named->divide;
    return 0;
}

static int read_size(const struct gf_option_place *at, const char *word, struct gf_size *size, struct gf_error *err)
{
    const size_t n = strlen(word), left = n - unit_bytes("pixels", word);
    const char *p = word;
    char *end;

    *size = (struct gf_size) { 0, 0, 0 };
    if (n > 1 && word[n - 1] == '%' && (isdigit((unsigned char)*word) || *word == '.') && strpbrk(word, "xX") == NULL) {
        size->share = strtod(word, &end) / 100;
        return end == word + n - 1 && size->share > 0 && isfinite(size->share) ? 0 : gf_option_refuse(at, word, err);
    }
    if (*p != 'x' && (size->width = take_digits(&p)) <= 0)
        return gf_option_refuse(at, word, err);
    if (*p == 'x' && p[1] == '\0' && size->width > 0)       /* 800x is a width of 800 */
        return 0;
    if (*p == 'x' && (p++, size->height = take_digits(&p)) <= 0)
        return gf_option_refuse(at, word, err);
    return p == word + left ? 0 : gf_option_refuse(at, word, err);
}

int64_t gf_time_frames(const struct gf_time *t, int32_t rate)
{
    return llrint(t->in_frames ? t->count : t->count * rate);
}

/* Returns the seconds of a unit of time; 0 if it is none. */
static double seconds_in(const char *unit)
{
    static const struct { const char *unit; double seconds; } all[] = {
        { "", 1 }, { "s", 1 }, { "ms", 0.001 }, { "m", 60 }, { "min", 60 }, { "h", 3600 },
    };

    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (strcmp(all[i].unit, unit) == 0)
            return all[i].seconds;
    return 0;
}

/* Reads h:m:s, m:s or s, with a fraction of seconds; 300ms, 90m; or 1000f, a count of frames. */
static int read_time(const struct gf_option_place *at, const char *word, struct gf_time *t, struct gf_error *err)
{
    const char *p = word;
    char *end;

    *t = (struct gf_time) { .given = true };
    if ((*p == '+' || *p == '-') && at->row->least < 0)
        t->sign = *p++;
    for (int colons = 0; ; colons++) {
        const double number = strtod(p, &end);

        if (!(isdigit((unsigned char)*p) || *p == '.') || end == p || strcspn(p, "xX") < (size_t)(end - p)
            || (colons > 0 && number >= 60))
            return gf_option_refuse(at, word, err);
        t->count = t->count * 60 + number;
        if (*end != ':')
            break;
        if (number != floor(number) || colons == 2)
            return gf_option_refuse(at, word, err);
        p = end + 1;
    }
    t->in_frames = strcmp(end, "f") == 0 && strchr(word, ':') == NULL && t->count == floor(t->count);
    if (!t->in_frames && (seconds_in(end) == 0 || (strchr(word, ':') != NULL && seconds_in(end) != 1)))
        return gf_option_refuse(at, word, err);
    if (strcmp(end, "ms") == 0)
        t->count /= 1000;                        /* a division gives the same number as reading 0.3 */
    else if (!t->in_frames)
        t->count *= seconds_in(end);
    if (t->count > (t->in_frames ? 1e15 : at->row->most))
        return gf_fail(err, GF_MISUSED, "%s: %s=%.80s: must be at most %.10g seconds; for milliseconds write 300ms",
                       at->what, at->row->name, word, at->row->most);
    return 0;
}

int gf_option_parse_value(const struct gf_option_place *at, const char *word, void *values, struct gf_error *err)
{
    const struct gf_option *row = at->row;
    void *value = (char *)values + row->offset;
    double number;

    switch (row->type) {
    case GF_OPTION_INT:
        if (read_number(at, word, &number, err) != 0)
            return -1;
        *(int64_t *)value = (int64_t)number;
        return 0;
    case GF_OPTION_NUMBER:
    case GF_OPTION_DECIBEL:
        return read_number(at, word, value, err);
    case GF_OPTION_CHOICE:
        *(int *)value = find_choice(row, word);
        return *(int *)value >= 0 ? 0 : refuse_choice(at, word, err);
    case GF_OPTION_EITHER:
        return read_either(at, word, value, err);
    case GF_OPTION_FLAG:
        *(bool *)value = strcmp(word, "on") == 0;
        return *(bool *)value || strcmp(word, "off") == 0 ? 0 : gf_option_refuse(at, word, err);
    case GF_OPTION_COLOUR:
        return gf_option_parse_colour(word, value) == 0 ? 0 : gf_option_refuse(at, word, err);
    case GF_OPTION_EXTENT:
        return read_extent(at, word, value, err);
    case GF_OPTION_GEOMETRY:
        return read_geometry(at, word, value, err);
    case GF_OPTION_SIZE:
        return read_size(at, word, value, err);
    case GF_OPTION_TIME:
        return read_time(at, word, value, err);
    case GF_OPTION_REST:
    case GF_OPTION_INPUT:
    case GF_OPTION_OUTPUT:
        *(char **)value = strdup(word);
        return *(char **)value ? 0 : gf_fail_memory(err, at->what);
    default:
        return read_mask(at, word, value, err);
    }
}
