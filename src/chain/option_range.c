/* Says which values an option takes. */
#include "chain/option.h"

#include "base/words.h"

#include <math.h>
#include <stdio.h>

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
    static const char *const fixed[] = {
        [GF_OPTION_FLAG] = "on or off",
        [GF_OPTION_COLOUR] = "a color name (--help colors shows all), #rgb, #rrggbb or #rrggbbaa",
        [GF_OPTION_EXTENT] = "two numbers LO,HI",
        [GF_OPTION_GEOMETRY] = "WIDTHxHEIGHT+X+Y, WIDTHxHEIGHT or a ratio like 16:9; sides may be shares like 50%",
        [GF_OPTION_SIZE] = "WIDTHxHEIGHT, WIDTH, xHEIGHT or a share like 50%",
        [GF_OPTION_INPUT] = "a file name",
        [GF_OPTION_OUTPUT] = "a file name",
    };
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
    case GF_OPTION_INT:
    case GF_OPTION_NUMBER:
    case GF_OPTION_DECIBEL:
        range_of_numbers(row, text, bytes);
        break;
    case GF_OPTION_TIME:
        snprintf(text, bytes, "seconds, m:s, h:m:s or frames like 1000f%s%s",
                 row->least < 0 ? ", with - from the end, with + as a length; or end" : "",
                 most_time(row, numbers, sizeof numbers));
        break;
    case GF_OPTION_REST:
        snprintf(text, bytes, "%s", row->unit ? row->unit : "a list");
        break;
    case GF_OPTION_MASK:
        snprintf(text, bytes, "%s", row->colors ? "a .cube file, a Hald image, or an image of one row"
                 : row->counts ? "an image"
                 : row->sound ? "an audio file, a row of numbers like [1 2 1], or a text file of them"
                 : row->image ? "a matrix like [1 2; 3 4], or a gray image or a text file with one"
                 : row->masks ? "a matrix like [1 2; 3 4], a mask's name, or a text file with one"
                              : "a matrix like [1 2; 3 4], or a text file with one");
        break;
    default:
        snprintf(text, bytes, "%s", fixed[row->type]);
    }
}
