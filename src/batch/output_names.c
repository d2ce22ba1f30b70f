/* What outputs are called. */
#define _GNU_SOURCE
#include "batch/output_names.h"

#include "base/path.h"
#include "io/io.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

void gf_output_names_warn_guess(const struct gf_writer *w)
{
    const char *ending, *slash;

    if (w->guessed == NULL)
        return;
    if (w->redirected == NULL) {
        gf_warn(w->options.notices, "unknown-extension", w->name, "no format has the extension .%s; it is written as %s, and --to selects another",
                gf_path_extension(w->name), w->guessed);
        return;
    }
    ending = gf_path_extension(w->redirected);
    slash = strrchr(w->redirected, '/');
    gf_warn(w->options.notices, "redirected", slash + 1, "standard output goes to it and is written as %s; -o %s or --to %s writes what the "
            "name means", w->guessed, slash + 1, ending);
}

/* ---- each its own ---- */

struct gf_output_name {
    const char *text;
    int index;
};

static int by_text(const void *a, const void *b)
{
    const struct gf_output_name *x = a, *y = b;
    const int order = strcmp(x->text, y->text);

    return order != 0 ? order : x->index - y->index;
}

int gf_output_names_check(char *const *inputs, char *const *names, int count, struct gf_error *err)
{
    struct gf_output_name *sorted = malloc((size_t)count * sizeof *sorted + 1);
    int result = 0;

    if (sorted == NULL)
        return gf_fail_memory(err, NULL);
    for (int i = 0; i < count; i++)
        sorted[i] = (struct gf_output_name) { names[i], i };
    qsort(sorted, (size_t)count, sizeof *sorted, by_text);
    for (int i = 1; result == 0 && i < count; i++)
        if (strcmp(sorted[i - 1].text, sorted[i].text) == 0)
            result = gf_fail(err, GF_MISUSED, "%s and %s would both be written to %s; of {dir}, {stem}, {ext} and {n}, put one that differs into the name",
                             inputs[sorted[i - 1].index], inputs[sorted[i].index], sorted[i].text);
    free(sorted);
    return result;
}

/* ---- endings that change ---- */

int gf_output_names_sort(struct gf_output_names *o, struct gf_error *err)
{
    o->sorted = malloc((size_t)o->count * sizeof *o->sorted + 1);
    if (o->sorted == NULL)
        return gf_fail_memory(err, NULL);
    for (int i = 0; i < o->count; i++)
        o->sorted[i] = (struct gf_output_name) { o->names[i], i };
    qsort(o->sorted, (size_t)o->count, sizeof *o->sorted, by_text);
    return 0;
}

void gf_output_names_release(struct gf_output_names *o)
{
    free(o->sorted);
    o->sorted = NULL;
}

/* Of a name without its ending. */
static int stem_length(const char *name)
{
    const size_t ending = strlen(gf_path_extension(name));

    return (int)(strlen(name) - ending) - (ending > 0);
}

char *gf_output_names_change_extension(const char *name, enum gf_kind kind, bool table)
{
    char *changed;

    if (gf_writer_takes(name, kind, table))
        return strdup(name);
    return asprintf(&changed, "%.*s.%s", stem_length(name), name, table ? "tsv" : kind == GF_IMAGE ? "png" : "wav") < 0 ? NULL : changed;
}

static bool is_read(const char *ending)
{
    for (const char *const *word = gf_reader_names(); *word != NULL; word++)
        if (strcasecmp(*word, ending) == 0)
            return true;
    return false;
}

/*
 * How firm a claim is. One that needs no change stands. Then come inputs that are sure to be
 * changed, then those that will be only where the chain makes something else of them, and last
 * what may not be readable at all.
 */
static int rank_of(const char *name, enum gf_kind kind, bool table)
{
    const bool written = gf_writer_takes(name, GF_IMAGE, false) || gf_writer_takes(name, GF_AUDIO, false);

    if (gf_writer_takes(name, kind, table))
        return 3;
    if (written)
        return table ? 2 : 1;
    return is_read(gf_path_extension(name)) ? 2 : 0;
}

/* The first of the sorted names that is not before `key`. */
static int first_from(const struct gf_output_names *o, const char *key)
{
    int low = 0, high = o->count;

    while (low < high) {
        const int middle = low + (high - low) / 2;

        if (strcmp(o->sorted[middle].text, key) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Whether `index` gives way to `other`, should that get the same name. */
static bool gives_way(const struct gf_output_names *o, int index, int other, const char *name, enum gf_kind kind,
                      bool table)
{
    const int own = rank_of(o->names[index], kind, table), rank = rank_of(o->names[other], kind, table);
    char *changed;
    bool same;

    if (other == index || rank < own || (rank == own && other > index))
        return false;
    changed = gf_output_names_change_extension(o->names[other], kind, table);
    same = changed == NULL || strcmp(changed, name) == 0;
    free(changed);
    return same;
}

int gf_output_names_claim(const struct gf_output_names *o, int index, const char *name, enum gf_kind kind, bool table,
                          struct gf_error *err)
{
    int stem = stem_length(name), result = 0;
    char *key;

    if (strcmp(name, o->names[index]) == 0)
        return 0;
    key = strndup(name, (size_t)stem + 1);
    if (key == NULL)
        return gf_fail_memory(err, NULL);
    for (int dotted = 1; dotted >= 0; dotted--) {            /* those with an ending, and the one without */
        key[stem] = dotted ? '.' : '\0';
        for (int i = first_from(o, key); result == 0 && i < o->count; i++) {
            if (dotted ? strncmp(o->sorted[i].text, key, (size_t)stem + 1) != 0 : strcmp(o->sorted[i].text, key) != 0)
                break;
            if (gives_way(o, index, o->sorted[i].index, name, kind, table))
                result = gf_fail(err, GF_FAILED, "%s: would be written to %s, and so would %s; {stem} and {ext} in the name tell them apart",
                                 o->inputs[index], name, o->inputs[o->sorted[i].index]);
        }
    }
    free(key);
    return result;
}
