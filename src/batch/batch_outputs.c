/* What many files become: a name for each, in a folder or by a pattern, and whether the names will do. */
#define _GNU_SOURCE
#include "base/path.h"
#include "batch/batch.h"
#include "batch/output_names.h"
#include "io/io.h"
#include "io/name_pattern.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

bool gf_batch_writes_to_folder(const struct gf_batch *b)
{
    const size_t n = strlen(b->output);

    return n > 0 && strcmp(b->output, "-") != 0
        && (b->output[n - 1] == '/' || (!gf_name_pattern_has_fields(b->output) && gf_path_is_folder(b->output)));
}

/* The input's name in a folder. */
static char *name_in(const struct gf_batch *b, const char *folder, const char *input)
{
    const struct gf_name_parts p = gf_name_parts(strcmp(input, "-") == 0 ? "stdin" : input);
    const char *ext = b->to ? b->to : p.ext;
    const int length = (int)(b->to ? strcspn(ext, ":") : strlen(ext));       /* raw:type=s16be and its like end in .raw */
    char *text;

    return asprintf(&text, "%s%s%.*s%s%.*s", folder, folder[strlen(folder) - 1] == '/' ? "" : "/", p.stem, p.name, *ext ? "." : "", length, ext) < 0
         ? NULL : text;
}

int gf_batch_output(const struct gf_batch *b, const char *input, int number, struct gf_filled_name *output, struct gf_error *err)
{
    const bool folder = gf_batch_writes_to_folder(b);
    char *name;

    *output = (struct gf_filled_name) { 0 };
    if (gf_name_pattern_has_fields(b->output)) {
        if (gf_name_pattern_fill_output(b->output, input, number, output, err) != 0)
            return -1;
    } else {
        output->name = strdup(b->output);
        output->root = folder ? strdup(b->output) : NULL;
    }
    if (folder && output->name != NULL) {
        name = name_in(b, output->name, input);
        free(output->name);
        output->name = name;
    }
    if (output->name != NULL && (output->root != NULL || !folder))
        return 0;
    gf_filled_name_release(output);
    return gf_fail_memory(err, NULL);
}

/* Whether it is a format of many pictures. */
static bool is_row(const char *output, const char *to)
{
    static const char *const rows[] = { "y4m", "pam", "ppm", "pgm", "pbm", "pnm", "pfm" };
    const char *word = to ? to : gf_path_extension(output);

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (strcasecmp(word, rows[i]) == 0)
            return true;
    return false;
}

int gf_batch_check_outputs(struct gf_batch *b, char **outputs, struct gf_error *err)
{
    if (b->count < 2)
        return 0;
    if (gf_name_pattern_has_percent(b->output) && !gf_name_pattern_has_fields(b->output) && !gf_batch_writes_to_folder(b))
        return gf_fail(err, GF_MISUSED, "several inputs need outputs of their own, and %s is one name; {n:3} in it is the number of each", b->output);
    if (is_row(b->output, b->to) && !gf_name_pattern_has_fields(b->output) && !gf_batch_writes_to_folder(b))
        return gf_fail(err, GF_MISUSED, "several inputs need outputs of their own: -o FOLDER/, or a name with {stem} or {n}; "
                       "cat FILES | gpufilter ... makes one row of pictures of them");
    if (strcmp(b->output, "-") == 0 || (!gf_name_pattern_has_fields(b->output) && !gf_batch_writes_to_folder(b)))
        return gf_fail(err, GF_MISUSED, "several inputs need outputs of their own: -o FOLDER/, or a name with {stem}, {ext}, {dir} or {n}");
    return gf_output_names_check(b->inputs, outputs, b->count, err);
}

int gf_batch_check_pattern(const struct gf_batch *b, const char *pattern, struct gf_error *err)
{
    char **names = calloc((size_t)b->count + 1, sizeof *names);
    int result = names ? gf_name_pattern_check(pattern, err) : gf_fail_memory(err, NULL);

    for (int i = 0; result == 0 && i < b->count; i++) {
        struct gf_filled_name filled;

        result = gf_name_pattern_fill_output(pattern, b->inputs[i], i + 1, &filled, err);
        names[i] = filled.name;
        free(filled.root);
    }
    if (result == 0 && b->count > 1)
        result = gf_output_names_check(b->inputs, names, b->count, err);
    for (int i = 0; names != NULL && i < b->count; i++)
        free(names[i]);
    free(names);
    return result;
}
