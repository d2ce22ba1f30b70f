/* Names outputs from the name, folder or pattern of the user, the inputs, and the kind of content. */
#define _GNU_SOURCE
#include "batch/output_names.h"

#include "base/path.h"
#include "io/io.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

void gf_output_names_warn_redirected(const struct gf_writer *w)
{
    const char *extension, *slash;

    if (w->redirected == NULL)
        return;
    extension = gf_path_extension(w->redirected);
    slash = strrchr(w->redirected, '/');
    gf_warn(w->options.notices, "redirected", slash + 1,
            "standard output is redirected to this file and written as %s; use -o %s or --to %s "
            "for the format of its extension", w->redirected_title, slash + 1, extension);
}

/* ---- before inputs are opened ---- */

bool gf_output_names_is_folder(const char *text)
{
    const size_t n = strlen(text);

    return n > 0 && strcmp(text, "-") != 0
        && (text[n - 1] == '/' || (!gf_name_pattern_has_fields(text) && gf_path_is_folder(text)));
}

bool gf_output_names_differ(const struct gf_output_names *o)
{
    return o->folder || gf_name_pattern_has_fields(o->text);
}

bool gf_output_names_adapt(const struct gf_output_names *o)
{
    return o->folder && o->to == NULL;
}

bool gf_output_names_numbered(const struct gf_output_names *o)
{
    return o->tiles || (!o->many && !gf_output_names_adapt(o) && gf_name_pattern_has_number(o->text));
}

bool gf_output_names_numbers_folders(const struct gf_output_names *o)
{
    const int folder = gf_name_parts(o->text).dir;
    char *const text = gf_output_names_numbered(o) && folder > 0 ? strndup(o->text, (size_t)folder) : NULL;
    const bool numbers = text != NULL && gf_name_pattern_has_number(text);

    free(text);
    return numbers;
}

int gf_output_names_base(const struct gf_output_names *o, int index)
{
    return o->bases != NULL ? o->bases[index] : -1;
}

/* Returns the name of an input in the output folder `folder`. */
static char *name_in_folder(const struct gf_output_names *o, const char *folder, const char *input, int base)
{
    const struct gf_name_parts p = gf_name_parts(strcmp(input, "-") == 0 ? "stdin" : input);
    const char *ext = o->to ? o->to : p.ext;
    /* raw:type=s16be gives the extension .raw */
    const int length = (int)(o->to ? strcspn(ext, ":") : strlen(ext));
    const int below = base >= 0 ? p.dir - base : 0;      /* the folders that outputs keep, with their slashes */
    char *text;

    if (asprintf(&text, "%s%s%.*s%.*s%s%.*s", folder, folder[strlen(folder) - 1] == '/' ? "" : "/", below,
                 below > 0 ? input + base : "", p.stem, p.name,
                 *ext ? "." : "", length, ext) < 0)
        return NULL;
    return text;
}

/* True if --to names the extension: the last part of the pattern has none, whatever a stem that is filled in has. */
static bool needs_extension(const struct gf_output_names *o)
{
    const char *slash = strrchr(o->text, '/'), *leaf = slash != NULL ? slash + 1 : o->text;

    return o->to != NULL && (o->tiles || gf_name_pattern_has_fields(o->text)) && strchr(leaf, '.') == NULL
        && strstr(leaf, "{ext}") == NULL;
}

static char *add_extension(const char *to, const char *name)
{
    char *text;

    return asprintf(&text, "%s.%.*s", name, (int)strcspn(to, ":"), to) >= 0 ? text : NULL;
}

static int fill_name(const struct gf_output_names *o, const char *input, const struct gf_name_facts *facts,
                     struct gf_notices *notices, struct gf_filled_name *filled, struct gf_error *err)
{
    char *pattern;

    *filled = (struct gf_filled_name) { 0 };
    if (!o->tiles && !gf_name_pattern_has_fields(o->text)) {
        filled->name = strdup(o->text);
        filled->root = o->folder ? strdup(o->text) : NULL;
    } else if (gf_name_pattern_fill_output(o->text, input, facts, filled, err) != 0)
        return -1;
    pattern = filled->name;
    if (pattern != NULL && (o->folder || needs_extension(o))) {
        filled->name = o->folder ? name_in_folder(o, pattern, input, facts->base) : add_extension(o->to, pattern);
        free(pattern);
    }
    if (filled->name == NULL || (filled->root == NULL && o->folder)) {
        gf_filled_name_release(filled);
        return gf_fail_memory(err, NULL);
    }
    if (filled->stripped)
        gf_note(notices, "stripped", input, "removed leading / or ../ from {dir}; outputs stay in %s", filled->root);
    return 0;
}

int gf_output_names_one(const struct gf_output_names *o, const char *input, int base, int number,
                        struct gf_notices *notices, struct gf_filled_name *filled, struct gf_error *err)
{
    /* without {x} and {y}, {n} is that of the tile */
    const bool filled_later = o->tiles && !gf_name_pattern_has_place(o->text);
    const struct gf_name_facts facts = { .base = base, .n = filled_later ? 0 : number };

    return fill_name(o, input, &facts, notices, filled, err);
}

/* ---- tiles ---- */

/* Refuses a name that several tiles would have. */
static int check_tile_names(const struct gf_output_names *o, struct gf_error *err)
{
    if (strcmp(o->text, "-") == 0)
        return gf_fail(err, GF_MISUSED, "tile writes a file for each tile;; name them with -o '{stem}-{y}-{x}.png'");
    if (o->folder)
        return gf_fail(err, GF_MISUSED, "%s: is a folder, but an input has many tiles;; use -o "
                       "'%s%s{stem}-{y}-{x}.png'", o->text, o->text, o->text[strlen(o->text) - 1] == '/' ? "" : "/");
    if (!gf_name_pattern_has_place(o->text) && !gf_name_pattern_has_number(o->text))
        return gf_fail(err, GF_MISUSED, "%s: several tiles would have the same name;; put {x} and {y} into it, such as "
                       "'{stem}-{y}-{x}.png', or {n}", o->text);
    return !gf_name_pattern_runs_together(o->text) ? 0
        : gf_fail(err, GF_MISUSED, "%s: two tiles may get the same name, such as 111 for 1 and 11, and for 11 and 1;; "
                  "put a character between the numbers, or give them a width, such as {x:3}", o->text);
}

int gf_output_names_tile(const struct gf_output_names *o, int index, int64_t image, int64_t count,
                         const struct gf_tile *tile, struct gf_filled_name *filled, struct gf_error *err)
{
    const bool placed = gf_name_pattern_has_place(o->text);
    const struct gf_name_facts facts = { .base = gf_output_names_base(o, index), .of_tile = true, .x = tile->x,
                                         .y = tile->y, .n = !placed ? count : o->many ? index + 1 : image };

    return fill_name(o, o->inputs[index], &facts, NULL, filled, err);
}

int gf_output_names_check_tiles(const struct gf_output_names *o, int index, struct gf_error *err)
{
    if (!gf_name_pattern_has_place(o->text) || (!o->many && gf_name_pattern_has_number(o->text)))
        return 0;
    return gf_fail(err, GF_FAILED, "%s: contains several images, whose tiles would have the same names;; %s, or use "
                   "--images 1 for the first", o->inputs[index],
                   o->many ? "use {n} without {x} and {y}, which numbers all tiles of an input"
                           : "put {n} into the name for the number of the image");
}

/* ---- names of all inputs ---- */

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

int gf_output_names_fill(struct gf_output_names *o, struct gf_notices *notices, struct gf_error *err)
{
    if (gf_name_pattern_check(o->text, o->tiles, err) != 0 || (o->tiles && check_tile_names(o, err) != 0))
        return -1;
    o->filled = calloc((size_t)o->count + 1, sizeof *o->filled);
    o->sorted = calloc((size_t)o->count + 1, sizeof *o->sorted);
    if (o->filled == NULL || o->sorted == NULL)
        return gf_fail_memory(err, NULL);
    for (int i = 0; i < o->count; i++) {
        if (gf_output_names_one(o, o->inputs[i], gf_output_names_base(o, i), o->many ? i + 1 : 0, notices,
                                &o->filled[i], err) != 0)
            return -1;
        o->sorted[i] = (struct gf_output_name) { o->filled[i].name, i };
    }
    qsort(o->sorted, (size_t)o->count, sizeof *o->sorted, by_text);
    return 0;
}

void gf_output_names_release(struct gf_output_names *o)
{
    for (int i = 0; o->filled != NULL && i < o->count; i++)
        gf_filled_name_release(&o->filled[i]);
    free(o->filled);
    free(o->sorted);
}

/* ---- several inputs ---- */

static int check_different(const struct gf_output_names *o, struct gf_error *err)
{
    const struct gf_output_name *s = o->sorted;

    for (int i = 1; i < o->count; i++)
        if (strcmp(s[i - 1].text, s[i].text) == 0)
            return gf_fail(err, GF_MISUSED,
                           "%s and %s would both be written to %s;; give -o a name that differs, such as %s",
                           o->inputs[s[i - 1].index], o->inputs[s[i].index], s[i].text,
                           o->tiles ? "'{stem}-{y}-{x}.png' or '{stem}-{n}.png'"
                                    : "'{dir}/{stem}-{ext}.png' or '{n}.png'");
    return 0;
}

static bool is_typed(const struct gf_output_names *o)
{
    return !o->folder && o->to == NULL && strchr(gf_path_extension(o->text), '{') == NULL;
}

int gf_output_names_check_extension(const struct gf_output_names *o, const char *name, struct gf_error *err)
{
    return is_typed(o) ? gf_writer_check_name(name, err) : 0;
}

int gf_output_names_check(const struct gf_output_names *o, struct gf_error *err)
{
    const char *format = o->to ? o->to : gf_path_extension(o->text);
    bool joins = gf_writer_is_sequence(format);

    if (o->count > 0 && gf_output_names_check_extension(o, o->filled[0].name, err) != 0)
        return -1;
    if (o->count < 2)
        return 0;
    if (gf_output_names_differ(o))
        return check_different(o, err);
    if (is_typed(o) && gf_writer_check_frames(o->text, err) != 0)
        return -1;
    if (o->tiles)
        return gf_fail(err, GF_MISUSED, "several inputs need different names for their tiles;; put {stem} into the "
                       "name, such as '{stem}-{y}-{x}.png'");
    if (gf_name_pattern_has_percent(o->text))
        return gf_fail(err, GF_MISUSED,
                       "several inputs need different outputs, but %s is a single name; use {n:3} for their numbers",
                       o->text);
    for (int i = 0; joins && i < o->count; i++)
        joins = (gf_reader_kinds(o->inputs[i]) & 1u << GF_IMAGE) != 0;
    if (joins)
        return gf_fail(err, GF_MISUSED,
                       "several inputs need different outputs;; use -o FOLDER/, or a name with {stem} or {n}, "
                       "or --join for all images in one %s; after --join, stack:median or montage make one image of "
                       "them", format);
    return gf_fail(err, GF_MISUSED, "several inputs need different outputs;; use -o FOLDER/, or a name with {stem}, "
                   "{ext}, {dir} or {n}%s; the second input is %.100s", gf_reader_kinds(o->inputs[0]) == 1u << GF_AUDIO
                   ? ", or --join for one output with all of them" : "", o->inputs[1]);
}

int gf_output_names_check_stage(const char *text, char **inputs, const int *bases, int count, struct gf_error *err)
{
    struct gf_output_names o = { .text = text, .many = true, .inputs = inputs, .bases = bases, .count = count };
    const int result = gf_output_names_fill(&o, NULL, err) != 0 ? -1 : check_different(&o, err);

    gf_output_names_release(&o);
    return result;
}

/*
 * Returns true if output i surely is its input. In a folder it gets another name if its format cannot be
 * written, or not for the kind of result.
 */
static bool is_in_place(const struct gf_output_names *o, int i, bool table)
{
    const struct gf_filled_name *filled = &o->filled[i];

    /* without a root the name was typed, not filled in */
    return filled->root != NULL && gf_path_same(o->inputs[i], filled->name)
        && (!gf_output_names_adapt(o) || gf_writer_takes(filled->name, GF_IMAGE, table)
            || gf_writer_takes(filled->name, GF_AUDIO, table));
}

void gf_output_names_warn_in_place(const struct gf_output_names *o, bool table, const char *skips, int shard,
                                   int shards, struct gf_notices *notices)
{
    for (int i = shards > 0 ? shard - 1 : 0; i < o->count; i += shards > 0 ? shards : 1) {
        if (!is_in_place(o, i, table))
            continue;
        if (skips != NULL)
            gf_warn(notices, "skipped-in-place", o->inputs[i],
                    "skipped, because the output is the input and %s keeps it; use -o with another folder", skips);
        else
            gf_warn(notices, "replaced", o->inputs[i],
                    "the output replaces the input; use -o with another folder to keep it");
    }
}

/* ---- extensions that change ---- */

/* Returns the length of a name without its extension. */
static int stem_length(const char *name)
{
    const size_t extension = strlen(gf_path_extension(name));

    return (int)(strlen(name) - extension) - (extension > 0);
}

static char *change_extension(const char *name, enum gf_kind kind, bool table)
{
    char *changed;

    if (gf_writer_takes(name, kind, table))
        return strdup(name);
    if (asprintf(&changed, "%.*s.%s", stem_length(name), name, gf_writer_usual_extension(kind, table)) < 0)
        return NULL;
    return changed;
}

static bool is_readable(const char *extension)
{
    for (const char *const *word = gf_reader_names(); *word != NULL; word++)
        if (strcasecmp(*word, extension) == 0)
            return true;
    return false;
}

/*
 * Returns the precedence of an input for a name. First come names that need no change, then
 * inputs whose extension surely changes, then those whose extension changes only for another
 * kind of result, and last files that may not be readable at all.
 */
static int precedence_of(const char *name, enum gf_kind kind, bool table)
{
    const bool written = gf_writer_takes(name, GF_IMAGE, false) || gf_writer_takes(name, GF_AUDIO, false);

    if (gf_writer_takes(name, kind, table))
        return 3;
    if (written)
        return table ? 2 : 1;
    return is_readable(gf_path_extension(name)) ? 2 : 0;
}

/* Returns the index of the first sorted name that is not less than `key`. */
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

/* Returns true if `other` would get the same name and has precedence over `index`. */
static bool yields_to(const struct gf_output_names *o, int index, int other, const char *name, enum gf_kind kind,
                      bool table)
{
    const int own = precedence_of(o->filled[index].name, kind, table);
    const int rank = precedence_of(o->filled[other].name, kind, table);
    char *changed;
    bool same;

    if (other == index || rank < own || (rank == own && other > index))
        return false;
    changed = change_extension(o->filled[other].name, kind, table);
    same = changed == NULL || strcmp(changed, name) == 0;
    free(changed);
    return same;
}

/* Fails if another output takes precedence for `name`, the name of output `index`. */
static int check_claim(const struct gf_output_names *o, int index, const char *name, enum gf_kind kind, bool table,
                       struct gf_error *err)
{
    int stem = stem_length(name), result = 0;
    char *key;

    if (strcmp(name, o->filled[index].name) == 0)
        return 0;
    key = strndup(name, (size_t)stem + 1);
    if (key == NULL)
        return gf_fail_memory(err, NULL);
    for (int dotted = 1; dotted >= 0; dotted--) {            /* names with an extension, then without */
        key[stem] = dotted ? '.' : '\0';
        for (int i = first_from(o, key); result == 0 && i < o->count; i++) {
            if (dotted ? strncmp(o->sorted[i].text, key, (size_t)stem + 1) != 0 : strcmp(o->sorted[i].text, key) != 0)
                break;
            if (yields_to(o, index, o->sorted[i].index, name, kind, table))
                result = gf_fail(err, GF_FAILED,
                                 "%s: would be written to %s, like %s; add {stem} and {ext} to the name",
                                 o->inputs[index], name, o->inputs[o->sorted[i].index]);
        }
    }
    free(key);
    return result;
}

char *gf_output_names_settle(const struct gf_output_names *o, int index, int64_t image, enum gf_kind kind, bool table,
                             struct gf_error *err)
{
    struct gf_filled_name numbered;
    char *name;

    if (gf_output_names_numbered(o) && !o->many) {
        if (gf_output_names_one(o, o->inputs[index], gf_output_names_base(o, index), (int)image, NULL, &numbered,
                                err) != 0)
            return NULL;
        free(numbered.root);
        return numbered.name;
    }
    name = gf_output_names_adapt(o) ? change_extension(o->filled[index].name, kind, table)
                                    : strdup(o->filled[index].name);
    if (name == NULL)
        gf_fail_memory(err, NULL);
    else if (gf_output_names_adapt(o) && check_claim(o, index, name, kind, table, err) != 0) {
        free(name);
        name = NULL;
    }
    return name;
}
