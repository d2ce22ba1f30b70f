/* Mutation of chains and arguments: adds stages and options that exist, with plausible and extreme values. */
#include "fuzz.h"

#include "chain/stage.h"
#include "cli/cli_options.h"

#include <stdio.h>
#include <string.h>

/* One pseudo-random number after another. */
static unsigned pick(unsigned *seed, unsigned count)
{
    *seed = *seed * 1664525u + 1013904223u;
    return (*seed >> 8) % count;
}

/* Writes the n-th of the choices "a|b|c", or of a list that NULL ends. */
static void put_choice(const char *choices, unsigned *seed, char *text, size_t room)
{
    const char *at = choices;

    for (unsigned n = pick(seed, 6); n > 0 && strchr(at, '|') != NULL; n--)
        at = strchr(at, '|') + 1;
    snprintf(text, room, "%.*s", (int)strcspn(at, "|"), at);
}

static void put_value(const struct gf_option *o, unsigned *seed, char *text, size_t room)
{
    static const char *const numbers[] = { "0", "1", "2", "3", "0.5", "-1", "7", "10", "100", "1e9", "-0.25",
                                           "0.001", "50%",
                                           "99999999999", "nan", "inf", "1/3", "15", "16", "31" };
    static const char *const others[] = { "red", "#8040", "3x2+1+0", "50%x1", "4x4", "200%", "x3", "0.01",
                                          "0:00.005", "-0.01",
                                          "+3f", "20f", "[1 2 1;0 0 0;1 2 1]", "[0.5]", "[1,2,3]", "gaussian",
                                          "sobel", "on",
                                          "off", "0.2,0.7", "out", "all", "center", "top-left", "%" };
    unsigned n = pick(seed, 8);

    if (o->choices != NULL && n > 0) {
        unsigned count = 0;

        while (o->choices[count] != NULL)
            count++;
        snprintf(text, room, "%s", count > 0 ? o->choices[pick(seed, count)] : "");
    } else if (n < 4 && o->most > o->least) {
        const double share = (double)pick(seed, 5) / 4;

        snprintf(text, room, "%.4g", n == 0 ? o->most + 1 : o->least + (o->most - o->least) * share * share * share);
    } else if (n < 6) {
        snprintf(text, room, "%s", numbers[pick(seed, sizeof numbers / sizeof *numbers)]);
    } else {
        snprintf(text, room, "%s", others[pick(seed, sizeof others / sizeof *others)]);
    }
}

/* Writes a stage with some of its options, by their names or their order. */
static void put_stage(unsigned *seed, char *text, size_t room)
{
    const struct gf_stage *stage = gf_stages[pick(seed, (unsigned)gf_stage_count)];
    size_t at = (size_t)snprintf(text, room, "%s", stage->name);
    char sign = ':';
    bool named = pick(seed, 3) == 0;

    for (const struct gf_option *o = stage->options; o != NULL && o->name != NULL && at + 1 < room; o++) {
        char value[64];

        if (pick(seed, 3) == 0 && !o->required) {
            named = true;
            continue;
        }
        put_value(o, seed, value, sizeof value);
        at += (size_t)snprintf(text + at, room - at, named || o->key_only ? "%c%s=%s" : "%c%.0s%s", sign, o->name,
        value);
        sign = ',';
    }
}

static void put_option(unsigned *seed, char *text, size_t room)
{
    const struct gf_cli_option *o = gf_cli_options;
    char value[64] = "3";
    unsigned count = 0;

    while (o[count].name != NULL)
        count++;
    o += pick(seed, count);
    if (o->argument != NULL && pick(seed, 4) > 0)
        put_choice(o->argument, seed, value, sizeof value);
    if (o->argument == NULL || pick(seed, 8) == 0)
        snprintf(text, room, "--%s", o->name);
    else if (o->letter != 0 && pick(seed, 2) == 0)
        snprintf(text, room, "-%c%s", o->letter, value);
    else
        snprintf(text, room, "--%s=%s", o->name, value);
}

/* Puts a line before, after or instead of one in the text. Returns the new size, or 0 if it does not fit. */
static size_t put_line(uint8_t *data, size_t size, size_t most, const char *line, unsigned *seed)
{
    const size_t length = strlen(line) + 1;
    size_t start = pick(seed, (unsigned)size + 1), end;

    if (size + length + 1 > most)
        return 0;
    while (start > 0 && data[start - 1] != '\n')
        start--;
    for (end = start; end < size && data[end] != '\n';)
        end++;
    if (pick(seed, 3) > 0)
        end = start;
    else if (end < size)
        end++;
    memmove(data + start + length, data + end, size - end);
    memcpy(data + start, line, length - 1);
    data[start + length - 1] = '\n';
    return size + length - (end - start);
}

size_t gf_fuzz_mutate_stages(uint8_t *data, size_t size, size_t most, unsigned seed)
{
    char line[400];

    put_stage(&seed, line, sizeof line);
    return put_line(data, size, most, line, &seed);
}

size_t gf_fuzz_mutate_arguments(uint8_t *data, size_t size, size_t most, unsigned seed)
{
    char line[400];

    if (pick(&seed, 3) == 0)
        put_stage(&seed, line, sizeof line);
    else
        put_option(&seed, line, sizeof line);
    return put_line(data, size, most, line, &seed);
}
