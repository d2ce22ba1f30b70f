/* Says in words which values an option takes, and reports others with the one that was probably meant. */
#include "chain/option_errors.h"

#include "base/words.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

static void range_of_numbers(const struct gf_option *row, char *text, size_t bytes)
{
    const char *unit = row->unit ? row->unit : "", *gap = row->unit ? " " : "";

    if (isinf(row->least) && isinf(row->most))
        snprintf(text, bytes, row->unit ? "any number of %s" : "any number", unit);
    else if (isinf(row->most))
        snprintf(text, bytes, "%.10g%s%s or more", row->least, gap, unit);
    else
        snprintf(text, bytes, "%.10g to %.10g%s%s", row->least, row->most, gap, unit);
}

/* Returns the limit of a time as text, unless it is too large to matter. */
static const char *most_time(const struct gf_option *row, char *text, size_t bytes)
{
    if (!(row->most > 0) || row->most >= 1e6)
        return "";
    snprintf(text, bytes, ", at most %.10g s", row->most);
    return text;
}

void gf_option_range(const struct gf_option *row, char *text, size_t bytes)
{
    char numbers[100], choices[300];

    switch (row->type) {
    case GF_OPTION_CHOICE:
        gf_join_words(row->choices, text, bytes);
        break;
    case GF_OPTION_EITHER:
        gf_join_words(row->choices, choices, sizeof choices);
        range_of_numbers(row, numbers, sizeof numbers);
        snprintf(text, bytes, "%s, or %s", choices, numbers);
        break;
    case GF_OPTION_FLAG:
        snprintf(text, bytes, "on or off");
        break;
    case GF_OPTION_COLOUR:
        snprintf(text, bytes, "a color name (--help colors shows all), #rgb, #rrggbb or #rrggbbaa");
        break;
    case GF_OPTION_EXTENT:
        snprintf(text, bytes, "two numbers LO,HI");
        break;
    case GF_OPTION_GEOMETRY:
        snprintf(text, bytes, "WIDTHxHEIGHT+X+Y or WIDTHxHEIGHT; sides may be shares like 50%%");
        break;
    case GF_OPTION_SIZE:
        snprintf(text, bytes, "WIDTHxHEIGHT, WIDTH, xHEIGHT or a share like 50%%");
        break;
    case GF_OPTION_TIME:
        snprintf(text, bytes, "seconds, m:s, h:m:s or frames like 1000f%s%s", row->least < 0
                 ? ", with - from the end, with + as a length" : "", most_time(row, numbers, sizeof numbers));
        break;
    case GF_OPTION_REST:
        snprintf(text, bytes, "%s", row->unit ? row->unit : "a list");
        break;
    case GF_OPTION_INPUT:
    case GF_OPTION_OUTPUT:
        snprintf(text, bytes, "a file name");
        break;
    case GF_OPTION_MASK:
        if (row->sound)
            snprintf(text, bytes, "an audio file, a row of numbers like [1 2 1], or a text file of them");
        else
            snprintf(text, bytes, "a matrix like [1 2; 3 4], %sa text file with one", row->masks ? "a mask's name, or "
                     : "or ");
        break;
    default:
        range_of_numbers(row, text, bytes);
    }
}

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
    { "cover", "outside" }, { "crop", "outside" }, { "contain", "inside" }, { "max", "inside" }, { "min", "outside" },
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

const char *gf_option_nearest_choice(const struct gf_option *row, const char *word)
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

/* Corrects the separator of two times, "2:00-2:30", or after a name, "lufs:-16". */
static void meant_sign(const struct gf_option_place *at, const char *word, char *text, size_t bytes)
{
    const size_t length = strcspn(word, ":"), first = strcspn(word, "-");

    if (at->row->type == GF_OPTION_TIME && first > 0 && word[first] == '-'
        && strspn(word, "0123456789:.-") == strlen(word)
        && strchr(word + first + 1, '-') == NULL && word[first + 1] != '\0' && at->row[1].name != NULL
        && at->row[1].type == GF_OPTION_TIME)
        snprintf(text, bytes, "%.*s,%.40s", (int)(first < 30 ? first : 30), word, word + first + 1);
    for (const struct gf_option *row = at->rows; word[length] == ':' && row->name != NULL; row++)
        if (strlen(row->name) == length && strncmp(row->name, word, length) == 0)
            snprintf(text, bytes, "%s=%.40s", row->name, word + length + 1);
}

int gf_option_fail_range(const struct gf_option_place *at, const char *word, struct gf_error *err)
{
    char range[500];

    gf_option_range(at->row, range, sizeof range);
    gf_fail(err, GF_MISUSED, "%s: %s=%.80s: must be %s", at->what, at->row->name, word, range);
    err->cause = GF_CAUSE_RANGE;
    err->range = (size_t)snprintf(NULL, 0, "%s: %s=%.80s: ", at->what, at->row->name, word);
    return -1;
}

int gf_option_refuse(const struct gf_option_place *at, const char *word, struct gf_error *err)
{
    const struct gf_option *row = at->row, *unit = by_unit(at, word), *choice = gf_option_with_choice(row, word);
    const size_t n = strlen(word);
    char meant[80] = "";
    double number;

    if (choice == NULL)
        choice = by_colour(at, word);
    if (near_colour(row, word) != NULL)
        snprintf(meant, sizeof meant, "%s", near_colour(row, word));
    else if (gf_parse_number(word, &number) == 0)
        meant_number(row, word, number, meant, sizeof meant);
    else
        meant_sign(at, word, meant, sizeof meant);
    gf_option_fail_range(at, word, err);
    if (unit != NULL)
        gf_error_advise(err, "did you mean '%s=%.*s'?", unit->name,
                        (int)(n - strlen(unit->unit) < 80 ? n - strlen(unit->unit) : 80), word);
    else if (choice != NULL)
        gf_error_advise(err, "did you mean '%s=%.80s'?", choice->name, word);
    else if (row->levels > 0 && gf_parse_number(word, &number) == 0 && number > row->most)
        gf_error_advise(err, "%g of 255 is %.2g%s%s%s", number, number / 255,
                        meant[0] != '\0' ? ", and as a percentage write '" : "", meant, meant[0] != '\0' ? "'" : "");
    else if (meant[0] != '\0')
        gf_error_advise(err, "did you mean '%s'?", meant);
    else if (row->type == GF_OPTION_DECIBEL && n > 4 && strcasecmp(word + n - 4, "dBFS") == 0)
        gf_error_advise(err, "dBFS is a level; the stage normalize sets levels");
    return -1;
}
