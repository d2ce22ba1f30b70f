/* What many files become: a name for each, in a folder or by a pattern, and whether the names will do. */
#define _GNU_SOURCE
#include "batch.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "io/formats.h"
#include "io/path.h"
#include "outputs.h"

bool gf_batch_is_folder(const struct gf_batch *b)
{
    const size_t n = strlen(b->output);

    return n > 0 && strcmp(b->output, "-") != 0 && (b->output[n - 1] == '/' || (!gf_is_pattern(b->output) && gf_is_folder(b->output)));
}

char *gf_batch_output(const struct gf_batch *b, const char *input, int number)
{
    const struct gf_name_parts p = gf_name_parts(strcmp(input, "-") == 0 ? "stdin" : input);
    const char *ext = b->to ? b->to : p.ext;
    const int length = (int)(b->to ? strcspn(ext, ":") : strlen(ext));       /* raw:type=s16be and its like end in .raw */
    char *filled = gf_is_pattern(b->output) ? gf_fill_pattern(b->output, input, number) : strdup(b->output), *text = NULL;

    if (filled == NULL || !gf_batch_is_folder(b))
        return filled;
    if (asprintf(&text, "%s%s%.*s%s%.*s", filled, filled[strlen(filled) - 1] == '/' ? "" : "/", p.stem, p.name, *ext ? "." : "", length, ext) < 0)
        text = NULL;
    free(filled);
    return text;
}

/* Whether it is a format of many pictures. */
static bool is_row(const char *output, const char *to)
{
    static const char *const rows[] = { "y4m", "pam", "ppm", "pgm", "pbm", "pnm", "pfm" };
    const char *word = to ? to : gf_name_ending(output);

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (strcasecmp(word, rows[i]) == 0)
            return true;
    return false;
}

int gf_batch_check_outputs(struct gf_batch *b, char **outputs, struct gf_error *err)
{
    if (b->count < 2)
        return 0;
    if (gf_has_percent(b->output) && !gf_is_pattern(b->output) && !gf_batch_is_folder(b))
        return gf_fail(err, GF_MISUSED, "several inputs need outputs of their own, and %s is one name; {n:3} in it is the number of each", b->output);
    if (is_row(b->output, b->to) && !gf_is_pattern(b->output) && !gf_batch_is_folder(b))
        return gf_fail(err, GF_MISUSED, "several inputs need outputs of their own: -o FOLDER/, or a name with {stem} or {n}; "
                       "cat FILES | gpufilter ... makes one row of pictures of them");
    if (strcmp(b->output, "-") == 0 || (!gf_is_pattern(b->output) && !gf_batch_is_folder(b)))
        return gf_fail(err, GF_MISUSED, "several inputs need outputs of their own: -o FOLDER/, or a name with {stem}, {ext}, {dir} or {n}");
    return gf_outputs_check(b->inputs, outputs, b->count, err);
}

int gf_batch_check_pattern(const struct gf_batch *b, const char *pattern, struct gf_error *err)
{
    char **names = calloc((size_t)b->count + 1, sizeof *names);
    int result = names ? gf_check_pattern(pattern, err) : gf_fail(err, GF_FAILED, "not enough memory");

    for (int i = 0; result == 0 && i < b->count; i++) {
        names[i] = gf_fill_pattern(pattern, b->inputs[i], i + 1);
        if (names[i] == NULL)
            result = gf_fail(err, GF_FAILED, "not enough memory");
    }
    if (result == 0 && b->count > 1)
        result = gf_outputs_check(b->inputs, names, b->count, err);
    for (int i = 0; names != NULL && i < b->count; i++)
        free(names[i]);
    free(names);
    return result;
}
