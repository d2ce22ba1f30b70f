/* Says in words which values an option takes, for errors, help and manuals. */
#include "base/words.h"
#include "chain/option.h"

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
                 ? ", with - from the end, with + as a length" : "",
                 most_time(row, numbers, sizeof numbers));
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
