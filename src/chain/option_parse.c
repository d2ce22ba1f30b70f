/* Reads values of options: numbers, sizes, times, colors and masks. */
#include "chain/option_parse.h"

#include "base/elementary.h"
#include "base/words.h"
#include "chain/option_mask.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

/* Returns a later option with the unit of the word, as lufs for -16LUFS; or NULL. */
static const struct gf_option *by_unit(const struct gf_option_place *at, const char *word)
{
    const size_t n = strlen(word);

    for (const struct gf_option *row = at->row + 1; row[-1].name != NULL && row->name != NULL; row++) {
        const size_t u = row->unit != NULL && row->key_only ? strlen(row->unit) : 0;

        if (u > 0 && n > u && strcasecmp(word + n - u, row->unit) == 0
            && (at->row->unit == NULL || strcmp(at->row->unit, row->unit) != 0))
            return row;
    }
    return NULL;
}

const struct gf_option *gf_option_with_choice(const struct gf_option *rows, const char *word)
{
    for (; rows->name != NULL; rows++)
        for (int i = 0; (rows->type == GF_OPTION_CHOICE || rows->type == GF_OPTION_EITHER) && rows->choices[i] != NULL;
             i++)
            if (strcmp(rows->choices[i], word) == 0)
                return rows;
    return NULL;
}

/* Writes a number that is right with an addition, "44.1k" Hz, "60%" or "-16"; or nothing. */
static void meant_number(const struct gf_option *row, const char *word, double number, char *text, size_t bytes)
{
    const bool plain = word[strspn(word, "+-0123456789.")] == '\0';
    const bool share = row->unit == NULL && row->type == GF_OPTION_NUMBER && row->most <= 10
        && number / 100 <= row->most;
    const bool times = row->times > 0 && number / 100 <= row->most;

    text[0] = '\0';
    if (row->unit != NULL && strcmp(row->unit, "Hz") == 0 && number > 0 && number < row->least
        && number * 1000 >= row->least && number * 1000 <= row->most && plain)
        snprintf(text, bytes, "%.60sk", word);
    else if (plain && share && number / 100 >= row->least && number < row->least)
        snprintf(text, bytes, "%.60s%%", word);
    else if (plain && number > row->most && ((share && number <= 100) || times))
        snprintf(text, bytes, "%.60s%%", word);
    else if (*word != '-' && number > row->most && row->most <= 0 && -number >= row->least)
        snprintf(text, bytes, "-%.60s", word + (*word == '+'));
}

/*
 * Names of choices in other programs. If a word has several rows, the one among the option's
 * choices counts.
 */
static const struct { const char *word, *choice; } elsewhere[] = {
    { "cover", "outside" }, { "crop", "outside" }, { "crop", "inner" }, { "inside", "inner" },
    { "contain", "inside" }, { "max", "inside" }, { "min", "outside" },
    { "fill", "stretch" },
    { "exact", "stretch" }, { "neighbor", "nearest" }, { "neighbour", "nearest" }, { "point", "nearest" },
    { "box", "area" },
    { "catrom", "cubic" }, { "replicate", "clamp" }, { "repeat", "wrap" }, { "tile", "wrap" },
    { "symmetric", "reflect" }, { "reflect101", "mirror" },
    { "constant", "zero" }, { "black", "zero" }, { "centre", "center" }, { "middle", "center" }, { "nw", "northwest" },
    { "ne", "northeast" },
    { "sw", "southwest" }, { "se", "southeast" }, { "bt601", "rec601" }, { "bt709", "rec709" },
    { "luminance", "rec709" }, { "mean", "average" },
    { "true", "on" }, { "yes", "on" }, { "false", "off" }, { "no", "off" }, { "remove", "off" }, { "add", "on" },
    { "logarithmic", "log" }, { "sine", "quarter" }, { "cosine", "half" },
};

/* The choice that other programs call `word`, or the nearest one; or NULL. */
static const char *nearest_choice(const struct gf_option *row, const char *word)
{
    for (size_t i = 0; i < sizeof elsewhere / sizeof *elsewhere; i++)
        for (int c = 0; strcasecmp(elsewhere[i].word, word) == 0 && row->choices[c] != NULL; c++)
            if (strcmp(row->choices[c], elsewhere[i].choice) == 0)
                return row->choices[c];
    return gf_nearest_word(word, row->choices);
}

/* Returns a later option for a color if the word is one; or NULL. */
static const struct gf_option *by_colour(const struct gf_option_place *at, const char *word)
{
    const struct gf_option *row = at->row;
    struct gf_colour colour;

    while (row->name != NULL && row->type != GF_OPTION_COLOUR)
        row++;
    return row->name != NULL && row != at->row && gf_option_parse_colour(word, &colour) == 0 ? row : NULL;
}

/* Returns an option for a size if the word is one, as in pad:320x240; or NULL. */
static const struct gf_option *by_size(const struct gf_option_place *at, const char *word)
{
    const size_t digits = strspn(word, "0123456789");
    const bool size = digits > 0 && word[digits] == 'x' && word[digits + 1] != '\0'
        && strspn(word + digits + 1, "0123456789") == strlen(word + digits + 1);
    const struct gf_option *row = at->rows;

    while (row->name != NULL && row->type != GF_OPTION_SIZE)
        row++;
    return row->name != NULL && row != at->row && size ? row : NULL;
}

/* Returns a later option for a mask if the word is one in brackets, or names a file; or NULL. */
static const struct gf_option *by_mask(const struct gf_option_place *at, const char *word)
{
    const struct gf_option *row = at->row;

    while (row->name != NULL && row->type != GF_OPTION_MASK)
        row++;
    return row->name != NULL && row != at->row && (word[0] == '[' || strstr(word, ".txt") != NULL) ? row : NULL;
}

/* Returns the name of a color that is near the word; or NULL. */
static const char *near_colour(const struct gf_option *row, const char *word)
{
    const char *names[256];
    int n = 0;

    if (row->type != GF_OPTION_COLOUR)
        return NULL;
    for (; n < 255 && gf_named_colours[n].name != NULL; n++)
        names[n] = gf_named_colours[n].name;
    names[n] = NULL;
    return gf_nearest_word(word, names);
}

/* Corrects the separator of two times, "2:00-2:30", or numbers, "0-0.8", or after a name, "lufs:-16". */
static void meant_sign(const struct gf_option_place *at, const char *word, char *text, size_t bytes)
{
    const size_t length = strcspn(word, ":"), first = strcspn(word, "-");

    const bool two = at->row->type == GF_OPTION_EXTENT
        || (at->row->type == GF_OPTION_TIME && at->row[1].name != NULL && at->row[1].type == GF_OPTION_TIME);

    if (two && first > 0 && word[first] == '-' && strspn(word, "0123456789:.-") == strlen(word)
        && strchr(word + first + 1, '-') == NULL && word[first + 1] != '\0')
        snprintf(text, bytes, "%.*s,%.40s", (int)(first < 30 ? first : 30), word, word + first + 1);
    for (const struct gf_option *row = at->rows; word[length] == ':' && row->name != NULL; row++)
        if (strlen(row->name) == length && strncmp(row->name, word, length) == 0)
            snprintf(text, bytes, "%s=%.40s", row->name, word + length + 1);
}

/* Fails because a value is outside the row's range, without advice. */
static int fail_range(const struct gf_option_place *at, const char *word, struct gf_error *err)
{
    char range[500];

    gf_option_range(at->row, range, sizeof range);
    gf_fail(err, GF_MISUSED, "%s: %s=%.80s: must be %s", at->what, at->row->name, word, range);
    err->cause = GF_CAUSE_RANGE;
    err->range = (size_t)snprintf(NULL, 0, "%s: %s=%.80s: ", at->what, at->row->name, word);
    return -1;
}

/* Reports the values that the option allows, and a suggestion if there is one. Always returns -1. */
static int refuse(const struct gf_option_place *at, const char *word, struct gf_error *err)
{
    const struct gf_option *row = at->row, *unit = by_unit(at, word), *choice = gf_option_with_choice(row, word);
    const size_t n = strlen(word);
    char meant[80] = "";
    double number, most;

    if (choice == NULL)
        choice = by_colour(at, word);
    if (choice == NULL)
        choice = by_size(at, word);
    if (choice == NULL)
        choice = by_mask(at, word);
    if (near_colour(row, word) != NULL)
        snprintf(meant, sizeof meant, "%s", near_colour(row, word));
    else if (gf_parse_number(word, &number) == 0)
        meant_number(row, word, number, meant, sizeof meant);
    else
        meant_sign(at, word, meant, sizeof meant);
    if (row->type == GF_OPTION_FLAG && (strcmp(word, "yes") == 0 || strcmp(word, "true") == 0))
        snprintf(meant, sizeof meant, "%s=on", row->name);
    if (row->type == GF_OPTION_TIME && strcmp(word, "start") == 0)
        snprintf(meant, sizeof meant, "0");
    fail_range(at, word, err);
    most = gf_parse_number(word, &number) == 0 && number > 255 ? 65535 : 255;
    if (unit != NULL)
        gf_error_advise(err, "did you mean '%s=%.*s'?", unit->name,
                        (int)(n - strlen(unit->unit) < 80 ? n - strlen(unit->unit) : 80), word);
    else if (choice != NULL)
        gf_error_advise(err, "did you mean '%s=%.80s'?", choice->name, word);
    else if (row->levels > 0 && gf_parse_number(word, &number) == 0 && number > row->most)
        gf_error_advise(err, "%g of %.0f is %.2g%s%s%s", number, most, number / most,
                        meant[0] != '\0' ? ", and as a percentage write '" : "", meant, meant[0] != '\0' ? "'" : "");
    else if (meant[0] != '\0')
        gf_error_advise(err, "did you mean '%s'?", meant);
    else if (row->type == GF_OPTION_DECIBEL && n > 4 && strcasecmp(word + n - 4, "dBFS") == 0)
        gf_error_advise(err, "dBFS is a level; the stage normalize sets levels");
    return -1;
}

/* ---- reading ---- */

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
        *value = 20 * gf_log10(*value / 100);       /* a negative share gives NaN, which the caller refuses */
    else if (*end != '\0' && strcasecmp(end, "dB") != 0 && (row->unit == NULL || strcasecmp(end, row->unit) != 0))
        return -1;
    return 0;
}

/* Units after a number, and their short forms; a ratio may be 4:1. */
static const struct { const char *unit, *written; } units[] = {
    { "Hz", "Hz" }, { "LUFS", "LUFS" }, { "degrees", "degrees" }, { "degrees", "deg" }, { "degrees", "\u00b0" },
    { "pixels", "pixels" },
    { "pixels", "px" }, { "K", "K" }, { "EV", "EV" }, { "EV", "stop" }, { "EV", "stops" }, { "ratio", ":1" },
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
    const size_t n = strlen(word) - unit_bytes(row->unit != NULL ? row->unit : row->name, word);
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
        return refuse(at, word, err);
    if (!(*value >= row->least && *value <= row->most) || !isfinite(*value))
        return refuse(at, word, err);
    if (row->type == GF_OPTION_INT && *value != floor(*value))
        return refuse(at, word, err);
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
        return refuse(at, word, err);
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
    const char *near = nearest_choice(at->row, word);

    if (near == NULL)
        return refuse(at, word, err);
    fail_range(at, word, err);
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
    if (parse_with_unit(at->row, word, &number) != 0)
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

/* Reads a ratio like 16:9 or 2.35:1, which is the whole word; 0 if it is none. */
static double read_ratio(const char *word)
{
    char *colon, *end;
    double across, down;

    if (word[0] == '\0' || strspn(word, "0123456789.:") != strlen(word))
        return 0;
    across = strtod(word, &colon);
    if (*colon != ':' || !(across > 0))
        return 0;
    down = strtod(colon + 1, &end);
    return end != colon + 1 && *end == '\0' && down > 0 && across / down > 0 && isfinite(across / down)
        ? across / down : 0;
}

static int read_geometry(const struct gf_option_place *at, const char *word, struct gf_geometry *g,
                         struct gf_error *err)
{
    const char *p = word;

    *g = (struct gf_geometry) { .ratio = read_ratio(word) };
    if (g->ratio > 0)
        return 0;
    if (!take_side(&p, &g->width, &g->width_share) || *p++ != 'x' || !take_side(&p, &g->height, &g->height_share))
        return refuse(at, word, err);
    if (*p == '\0')
        return 0;
    if (*p++ != '+' || (g->x = take_digits(&p)) < 0 || *p++ != '+' || (g->y = take_digits(&p)) < 0 || *p != '\0')
        return refuse(at, word, err);
    return 0;
}

/* Reads a mask as numbers or by its name, or keeps the name of its file. */
static int read_mask(const struct gf_option_place *at, const char *word, struct gf_mask *mask, struct gf_error *err)
{
    const struct gf_named_mask *named = at->row->masks;

    if (word[0] == '[' && !at->row->colors && !at->row->counts)
        return gf_option_mask_parse(at->what, at->row, word, mask, err);
    while (named != NULL && named->name != NULL && strcmp(named->name, word) != 0)
        named++;
    if (named != NULL && named->name != NULL) {
        if (gf_option_mask_parse(at->what, at->row, named->matrix, mask, err) != 0)
            return -1;
        for (int i = 0; i < mask->rows * mask->columns; i++)
            mask->weights[i] /= named->divide;
        return 0;
    }
    if (!at->arrays && gf_option_mask_check(at->what, at->row, word, err) != 0)
        return -1;
    mask->file = strdup(word);
    return mask->file != NULL ? 0 : gf_fail_memory(err, at->what);
}

static int read_size(const struct gf_option_place *at, const char *word, struct gf_size *size, struct gf_error *err)
{
    const size_t n = strlen(word), left = n - unit_bytes("pixels", word);
    const char *p = word;
    char *end;

    *size = (struct gf_size) { 0, 0, 0 };
    if (n > 1 && word[n - 1] == '%' && (isdigit((unsigned char)*word) || *word == '.') && strpbrk(word, "xX") == NULL) {
        size->share = strtod(word, &end) / 100;
        return end == word + n - 1 && size->share > 0 && isfinite(size->share) ? 0 : refuse(at, word, err);
    }
    if (*p != 'x' && (size->width = take_digits(&p)) <= 0)
        return refuse(at, word, err);
    if (*p == 'x' && p[1] == '\0' && size->width > 0)       /* 800x is a width of 800 */
        return 0;
    if (*p == 'x' && (p++, size->height = take_digits(&p)) <= 0)
        return refuse(at, word, err);
    return p == word + left ? 0 : refuse(at, word, err);
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
    if (strcmp(word, "end") == 0 && at->row->least < 0)
        p = "-0";
    if ((*p == '+' || *p == '-') && at->row->least < 0)
        t->sign = *p++;
    for (int colons = 0; ; colons++) {
        const double number = strtod(p, &end);

        if (!(isdigit((unsigned char)*p) || *p == '.') || end == p || strcspn(p, "xX") < (size_t)(end - p)
            || (colons > 0 && number >= 60))
            return refuse(at, word, err);
        t->count = t->count * 60 + number;
        if (*end != ':')
            break;
        if (number != floor(number) || colons == 2)
            return refuse(at, word, err);
        p = end + 1;
    }
    t->in_frames = strcmp(end, "f") == 0 && strchr(word, ':') == NULL && t->count == floor(t->count);
    if (!t->in_frames && (seconds_in(end) == 0 || (strchr(word, ':') != NULL && seconds_in(end) != 1)))
        return refuse(at, word, err);
    if (strcmp(end, "ms") == 0)
        t->count /= 1000;                        /* a division gives the same number as reading 0.3 */
    else if (!t->in_frames)
        t->count *= seconds_in(end);
    if (t->count > (t->in_frames ? 1e15 : at->row->most))
        return gf_fail(err, GF_MISUSED, "%s: %s=%.80s: must be at most %.10g seconds; for milliseconds write %gms",
                       at->what, at->row->name, word, at->row->most,
                       t->count <= 1000 * at->row->most ? t->count : 300.0);
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
        return *(bool *)value || strcmp(word, "off") == 0 ? 0 : refuse(at, word, err);
    case GF_OPTION_COLOUR:
        return gf_option_parse_colour(word, value) == 0 ? 0 : refuse(at, word, err);
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

int gf_time_read(const char *what, const char *name, const char *text, struct gf_time *t, struct gf_error *err)
{
    const struct gf_option rows[] = { { .name = name, .type = GF_OPTION_TIME, .most = 1e7 }, { .name = NULL } };
    const struct gf_option_place place = { .what = what, .rows = rows, .row = rows };

    return gf_option_parse_value(&place, text, t, err);
}
