/* Splits the text after a stage's colon into values, and reads each as its option. */
#include "base/words.h"
#include "chain/option_errors.h"
#include "chain/option_mask.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WORD_BYTES 65536
#define EXTENT_BYTES 128                 /* room for the first number of an extent before the word */

static void fill_default(const struct gf_option *row, void *values)
{
    void *value = (char *)values + row->offset;

    switch (row->type) {
    case GF_OPTION_INT: *(int64_t *)value = isnan(row->by_default) ? -1 : (int64_t)row->by_default; break;
    case GF_OPTION_NUMBER:
    case GF_OPTION_DECIBEL: *(double *)value = row->by_default; break;
    case GF_OPTION_CHOICE: *(int *)value = (int)row->by_default; break;
    case GF_OPTION_EITHER: *(struct gf_either *)value = (struct gf_either) { (int)row->by_default, 0 }; break;
    case GF_OPTION_FLAG: *(bool *)value = row->by_default != 0; break;
    default: break;                                         /* already zero */
    }
}

/* Words end at commas outside of brackets, at all commas, or at the end of the text. */
enum cut { CUT_OUTSIDE, CUT_ALL, CUT_NONE };

/*
 * Copies the next word of *text into `word`, without escapes. *depth becomes the number of open
 * brackets at its end.
 */
static int cut_word(const char *what, const char **text, char *word, enum cut cut, int *depth, struct gf_error *err)
{
    size_t n = 0;

    *depth = 0;
    for (; **text != '\0' && (**text != ',' || (cut == CUT_OUTSIDE && *depth > 0) || cut == CUT_NONE); (*text)++) {
        if (**text == '\\' && (*text)[1] == ',')
            (*text)++;
        else if (**text == '[')
            ++*depth;
        else if (**text == ']')
            --*depth;
        if (n + 1 >= WORD_BYTES - EXTENT_BYTES)
            return gf_fail(err, GF_MISUSED, "%s: an argument is longer than %d bytes", what,
                           WORD_BYTES - EXTENT_BYTES - 1);
        word[n++] = **text;
    }
    word[n] = '\0';
    return 0;
}

/* Takes the next word for a row. Brackets in names of files need not match. */
static int take_word(const char *what, const char **text, char *word, const struct gf_option *row, struct gf_error *err)
{
    const bool file = row->name != NULL && (row->type == GF_OPTION_INPUT || row->type == GF_OPTION_OUTPUT);
    const char *start = *text;
    int depth;

    if (cut_word(what, text, word, row->name != NULL && row->type == GF_OPTION_REST ? CUT_NONE : CUT_OUTSIDE, &depth,
                 err) != 0)
        return -1;
    if (depth == 0)
        return 0;
    if (!file)
        return gf_fail(err, GF_MISUSED, "%s: the brackets of '%.80s' do not match", what, word);
    *text = start;
    return cut_word(what, text, word, CUT_ALL, &depth, err);
}

/* Returns the flag that `word` names, which turns it on; or NULL. */
static const struct gf_option *find_flag(const struct gf_option *rows, const char *word, char **value)
{
    static char on[] = "on";

    for (const struct gf_option *row = rows; row->name != NULL; row++)
        if (row->type == GF_OPTION_FLAG && row->key_only && strcmp(row->name, word) == 0) {
            *value = on;
            return row;
        }
    return NULL;
}

/* Returns the row that `word` names with KEY=, and the start of its value; or NULL. */
static const struct gf_option *find_key(const struct gf_option *rows, char *word, char **value)
{
    char *equals = strchr(word, '=');

    if (equals == NULL || word[0] == '[')
        return find_flag(rows, word, value);
    for (const struct gf_option *row = rows; row->name != NULL; row++)
        if (strlen(row->name) == (size_t)(equals - word) && strncmp(row->name, word, (size_t)(equals - word)) == 0) {
            *value = equals + 1;
            return row;
        }
    return NULL;
}

/* Appends the second number of LO,HI to the word with the first. */
static int take_extent(const struct gf_option *rows, const char *what, const char **text, char *word,
                       struct gf_error *err)
{
    const size_t length = strlen(word);
    char *value;
    const struct gf_option *row = find_key(rows, word, &value);
    int depth;

    if (row == NULL || row->type != GF_OPTION_EXTENT || **text != ',' || length > 100)
        return 0;
    word[length] = ',';
    ++*text;
    return cut_word(what, text, word + length + 1, CUT_ALL, &depth, err);
}

/*
 * Returns the name that ends in a dash and the word, as min-psnr for psnr, or the nearest name; or
 * NULL.
 */
static const char *near_key(const char *word, const char *const *names)
{
    const size_t length = strlen(word);

    for (int i = 0; names[i] != NULL; i++) {
        const size_t n = strlen(names[i]);

        if (n > length && names[i][n - length - 1] == '-' && strcmp(names[i] + n - length, word) == 0)
            return names[i];
    }
    return gf_nearest_word(word, names);
}

static int refuse_key(const struct gf_option *rows, const char *what, const char *word, struct gf_error *err)
{
    const char *names[GF_OPTIONS_MAX + 1], *near, *equals = strchr(word, '=');
    const struct gf_option *by_choice;
    char key[64], all[300];
    int n = 0;

    for (; rows != NULL && rows[n].name != NULL && n < GF_OPTIONS_MAX; n++)
        names[n] = rows[n].name;
    names[n] = NULL;
    if (n == 0)
        return gf_fail(err, GF_MISUSED, "%s: unexpected value '%.80s'; it takes none", what, word);
    snprintf(key, sizeof key, "%.*s", (int)(strcspn(word, "=") < 60 ? strcspn(word, "=") : 60), word);
    gf_join_words(names, all, sizeof all);
    near = equals != NULL ? near_key(key, names) : NULL;
    by_choice = gf_option_with_choice(rows, equals != NULL ? equals + 1 : word);
    for (const struct gf_option *row = rows; near != NULL && by_choice != NULL && row->name != NULL; row++)
        if (strcmp(row->name, near) == 0 && gf_option_with_choice(row, equals + 1) == row)
            by_choice = row;
    /* a value that names a choice is a better hint than a similar key */
    if (near != NULL && by_choice == NULL)
        return gf_fail(err, GF_MISUSED, "%s: unknown option '%s'; did you mean '%s='?", what, key, near);
    if (by_choice != NULL && equals != NULL)
        return gf_fail(err, GF_MISUSED, "%s: unknown option '%s'; did you mean '%s=%s'?", what, key, by_choice->name,
                       equals + 1);
    if (by_choice != NULL)
        return gf_fail(err, GF_MISUSED, "%s: unexpected value '%s'; did you mean '%s=%s'?", what, word, by_choice->name,
                       word);
    if (equals != NULL)
        return gf_fail(err, GF_MISUSED, "%s: unknown option '%s'; its options are %s", what, key, all);
    if (rows[0].type == GF_OPTION_SIZE && strspn(word, "0123456789") == strlen(word))
        return gf_fail(err, GF_MISUSED, "%s: unexpected value '%.80s'; write the size as WIDTHxHEIGHT",
                       what, word);
    return gf_fail(err, GF_MISUSED, "%s: unexpected value '%.80s'; its options are %s", what, word, all);
}

/* True if a value of the type may contain '='. */
static bool may_have_equals(enum gf_option_type type)
{
    return type == GF_OPTION_MASK || type == GF_OPTION_INPUT || type == GF_OPTION_OUTPUT;
}

/* Reads one word into its row. *place is the row for the next word without a key. */
static int read_word(const struct gf_option *rows, const char *what, char *word, int *place,
                     bool *given, void *values, struct gf_error *err)
{
    char *value = word;
    const struct gf_option *row = find_key(rows, word, &value);
    struct gf_option_place at;

    if (row == NULL) {
        row = &rows[*place];
        if (row->name == NULL || row->key_only || (strchr(word, '=') != NULL && !may_have_equals(row->type)))
            return refuse_key(rows, what, word, err);
        (*place)++;
    }
    if (given[row - rows])
        return gf_fail(err, GF_MISUSED, "%s: %s is given twice", what, row->name);
    given[row - rows] = true;
    at = (struct gf_option_place) { what, rows, row };
    return gf_option_parse_value(&at, value, values, err);
}

/* Returns the x or + between joined values, AxB+C+D, but not the + of an exponent; or NULL. */
static char *find_joint(const struct gf_option *row, char *word)
{
    if (row->name == NULL || !row->joined || strchr(word, '=') != NULL)
        return NULL;
    for (char *p = word; *p != '\0'; p++)
        if (*p == 'x' || (*p == '+' && p > word && p[-1] != 'e'))
            return p;
    return NULL;
}

/* Reads a word, or the values that are joined in it. */
static int read_words(const struct gf_option *rows, const char *what, char *word, int *place,
                      bool *given, void *values, struct gf_error *err)
{
    char *joint = find_joint(&rows[*place], word);

    for (; joint != NULL; joint = find_joint(&rows[*place], word)) {
        *joint = '\0';
        if (read_word(rows, what, word, place, given, values, err) != 0)
            return -1;
        word = joint + 1;
    }
    return read_word(rows, what, word, place, given, values, err);
}

/* Reports a required value that is missing; for a file, with the arguments that it needs. */
static void fail_missing(const char *what, const struct gf_option *missing, struct gf_error *err)
{
    char range[500], second[40] = "";

    gf_option_range(missing, range, sizeof range);
    if (missing[1].name != NULL && missing[1].required)
        snprintf(second, sizeof second, ",%s", missing[1].name);
    for (char *c = second; *c != '\0'; c++)
        *c = (char)toupper((unsigned char)*c);
    if (missing->type == GF_OPTION_INPUT)
        gf_fail(err, GF_MISUSED, "%s: missing value for %s (%s); write %s:FILE%s", what, missing->name, range, what,
                second);
    else
        gf_fail(err, GF_MISUSED, "%s: missing value for %s (%s)", what, missing->name, range);
}

int gf_options_parse(const struct gf_option *rows, const char *what, const char *text,
                     void *values, struct gf_error *err)
{
    bool given[GF_OPTIONS_MAX] = { false };
    char *word = NULL;
    int place = 0, result = -1;

    if (rows == NULL || rows[0].name == NULL)
        return text == NULL ? 0 : refuse_key(NULL, what, text, err);
    for (const struct gf_option *row = rows; row->name != NULL; row++)
        fill_default(row, values);
    word = malloc(WORD_BYTES);
    if (word == NULL)
        return gf_fail_memory(err, what);
    while (text != NULL) {
        if (take_word(what, &text, word, &rows[place], err) != 0 || take_extent(rows, what, &text, word, err) != 0)
            goto out;
        if (word[0] == '\0' && rows[place].name != NULL && !rows[place].required)
            place++;                                        /* an empty value keeps the default */
        else if (read_words(rows, what, word, &place, given, values, err) != 0)
            goto out;
        text = *text == ',' ? text + 1 : NULL;
    }
    for (const struct gf_option *row = rows; row->name != NULL; row++)
        if (row->required && !given[row - rows]) {
            fail_missing(what, row, err);
            goto out;
        }
    result = 0;
out:
    free(word);
    if (result != 0)
        gf_options_release(rows, values);
    return result;
}

int gf_options_load(const struct gf_option *rows, const char *what, void *values, struct gf_error *err)
{
    for (const struct gf_option *row = rows; row != NULL && row->name != NULL; row++)
        if (row->type == GF_OPTION_MASK
            && gf_option_mask_load(what, row, (struct gf_mask *)(void *)((char *)values + row->offset), err) != 0) {
            gf_options_release(rows, values);
            return -1;
        }
    return 0;
}

int64_t gf_options_bytes(const struct gf_option *rows, const void *values)
{
    int64_t bytes = 0;

    for (const struct gf_option *row = rows; row != NULL && row->name != NULL; row++)
        if (row->type == GF_OPTION_MASK) {
            const struct gf_mask *mask = (const struct gf_mask *)((const char *)values + row->offset);

            bytes += mask->weights != NULL ? (int64_t)sizeof *mask->weights * mask->rows * mask->columns : 0;
        }
    return bytes;
}

void gf_options_release(const struct gf_option *rows, void *values)
{
    for (const struct gf_option *row = rows; row != NULL && row->name != NULL; row++)
        if (row->type == GF_OPTION_INPUT || row->type == GF_OPTION_OUTPUT || row->type == GF_OPTION_REST) {
            free(*(char **)((char *)values + row->offset));
            *(char **)((char *)values + row->offset) = NULL;
        } else if (row->type == GF_OPTION_MASK) {
            struct gf_mask *mask = (struct gf_mask *)((char *)values + row->offset);

            free(mask->weights);
            free(mask->file);
            *mask = (struct gf_mask) { 0 };
        }
}
