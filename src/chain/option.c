/* Splits the text after a stage's colon into values, and reads each as its option. */
#include "chain/option.h"

#include "base/words.h"
#include "chain/option_mask.h"
#include "chain/option_parse.h"
#include "chain/option_table.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

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

/* The text after a stage's colon, while it is read. */
struct reading {
    const char *what;                    /* the name of the stage, for messages */
    const struct gf_option *rows;
    const char *text;                    /* the rest */
    char *word;                          /* the current word, without escapes */
    int place;                           /* the row of the next word without a key */
    bool given[GF_OPTIONS_MAX];
    bool arrays;                         /* as in struct gf_option_place */
    void *values;
};

/* Words end at commas outside of brackets, at all commas, or at those before the name of an option. */
enum cut { CUT_OUTSIDE, CUT_ALL, CUT_AT_KEYS };

static bool begins_key(const struct gf_option *rows, const char *text)
{
    const size_t length = strcspn(text, "=,");

    for (const struct gf_option *row = rows; text[length] == '=' && row->name != NULL; row++)
        if (strlen(row->name) == length && strncmp(row->name, text, length) == 0)
            return true;
    return false;
}

/* Copies the next word to `word`. *depth becomes the number of open brackets at its end. */
static int cut_word(struct reading *r, char *word, enum cut cut, int *depth, struct gf_error *err)
{
    const char *at = r->text;
    size_t n = 0;

    *depth = 0;
    for (; *at != '\0' && (*at != ',' || (cut == CUT_OUTSIDE && *depth > 0)
                            || (cut == CUT_AT_KEYS && !begins_key(r->rows, at + 1))); at++) {
        if (*at == '\\' && at[1] == ',')
            at++;
        else if (*at == '[')
            ++*depth;
        else if (*at == ']')
            --*depth;
        if (n + 1 >= WORD_BYTES - EXTENT_BYTES)
            return gf_fail(err, GF_MISUSED, "%s: an argument is longer than %d bytes", r->what,
                           WORD_BYTES - EXTENT_BYTES - 1);
        word[n++] = *at;
    }
    word[n] = '\0';
    r->text = at;
    return 0;
}

/* Takes the next word. Brackets in names of files need not match. */
static int take_word(struct reading *r, struct gf_error *err)
{
    const struct gf_option *row = &r->rows[r->place];
    const bool file = row->name != NULL && (row->type == GF_OPTION_INPUT || row->type == GF_OPTION_OUTPUT);
    const bool rest = row->name != NULL && row->type == GF_OPTION_REST;
    const char *start = r->text;
    int depth;

    if (cut_word(r, r->word, rest ? CUT_AT_KEYS : CUT_OUTSIDE, &depth, err) != 0)
        return -1;
    if (depth == 0)
        return 0;
    if (!file)
        return gf_fail(err, GF_MISUSED, "%s: the brackets of '%.80s' do not match", r->what, r->word);
    r->text = start;
    return cut_word(r, r->word, CUT_ALL, &depth, err);
}

/* Returns the row that `word` names with KEY=, or a flag that it turns on, and the value; or NULL. */
static const struct gf_option *find_key(const struct gf_option *rows, char *word, char **value)
{
    static char on[] = "on";
    char *equals = word[0] != '[' ? strchr(word, '=') : NULL;
    const size_t length = equals != NULL ? (size_t)(equals - word) : strlen(word);

    *value = equals != NULL ? equals + 1 : on;
    for (const struct gf_option *row = rows; row->name != NULL; row++)
        if (strlen(row->name) == length && strncmp(row->name, word, length) == 0
            && (equals != NULL || (row->type == GF_OPTION_FLAG && row->key_only)))
            return row;
    *value = word;
    return NULL;
}

/* Appends the second number of LO,HI to the word with the first. */
static int take_extent(struct reading *r, struct gf_error *err)
{
    const size_t length = strlen(r->word);
    char *value;
    const struct gf_option *row = find_key(r->rows, r->word, &value);
    int depth;

    if (row == NULL || row->type != GF_OPTION_EXTENT || *r->text != ',' || length > 100)
        return 0;
    r->word[length] = ',';
    r->text++;
    return cut_word(r, r->word + length + 1, CUT_ALL, &depth, err);
}

/*
 * Returns the name that other programs give the word, or that ends in a dash and the word, as min-psnr for psnr, or
 * the nearest name; or NULL.
 */
static const char *near_key(const char *word, const char *const *names)
{
    static const char *const theirs[][2] = { { "threshold", "db" }, { "range", "most" }, { "mask", "psf" },
                                             { "kernel", "psf" } };
    const size_t length = strlen(word);

    for (int i = 0; names[i] != NULL; i++) {
        const size_t n = strlen(names[i]);

        for (size_t k = 0; k < sizeof theirs / sizeof *theirs; k++)
            if (strcmp(word, theirs[k][0]) == 0 && strcmp(names[i], theirs[k][1]) == 0)
                return names[i];
        if (n > length && names[i][n - length - 1] == '-' && strcmp(names[i] + n - length, word) == 0)
            return names[i];
    }
    return gf_nearest_word(word, names);
}

/* Returns the only option for a length of time if the word is one, as 200ms; or NULL. */
static const struct gf_option *by_duration(const struct gf_option *rows, const char *word)
{
    const struct gf_option *only = NULL;
    const size_t digits = strspn(word, "0123456789.");

    if (digits == 0 || (strcmp(word + digits, "ms") != 0 && strcmp(word + digits, "s") != 0))
        return NULL;
    for (; rows->name != NULL; rows++)
        if (rows->type == GF_OPTION_TIME && rows->key_only) {
            if (only != NULL)
                return NULL;
            only = rows;
        }
    return only;
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
    if (by_choice == NULL && equals == NULL)
        by_choice = by_duration(rows, word);
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
        gf_fail(err, GF_MISUSED, "%s: unknown option '%s'", what, key);
    else
        gf_fail(err, GF_MISUSED, "%s: unexpected value '%.80s'", what, word);
    if (equals == NULL && rows[0].type == GF_OPTION_SIZE && strspn(word, "0123456789") == strlen(word))
        gf_error_advise(err, "write the size as WIDTHxHEIGHT");
    else
        gf_error_advise(err, "its options are %s", all);
    return -1;
}

/* True if a value may contain '='; KEY=VALUE is the name of numbers only if there is such a file or array. */
static bool may_have_equals(const struct reading *r, enum gf_option_type type, const char *word)
{
    return type == GF_OPTION_INPUT || type == GF_OPTION_OUTPUT
        || (type == GF_OPTION_MASK && (r->arrays || *word == '[' || access(word, F_OK) == 0));
}

/* Reads one word into its row. */
static int read_word(struct reading *r, char *word, struct gf_error *err)
{
    char *value;
    const struct gf_option *row = find_key(r->rows, word, &value);

    if (row == NULL) {
        row = &r->rows[r->place];
        if (row->name == NULL || row->key_only || (strchr(word, '=') != NULL && !may_have_equals(r, row->type, word)))
            return refuse_key(r->rows, r->what, word, err);
        r->place++;
    }
    if (r->given[row - r->rows])
        return gf_fail(err, GF_MISUSED, "%s: %s is given twice", r->what, row->name);
    r->given[row - r->rows] = true;
    return gf_option_parse_value(&(struct gf_option_place) { r->what, r->rows, row, r->arrays }, value, r->values, err);
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

/* Reads the current word, or the values that are joined in it. */
static int read_words(struct reading *r, struct gf_error *err)
{
    char *word = r->word, *joint;

    while ((joint = find_joint(&r->rows[r->place], word)) != NULL) {
        *joint = '\0';
        if (read_word(r, word, err) != 0)
            return -1;
        word = joint + 1;
    }
    return read_word(r, word, err);
}

/* Reports a required value that is missing; for a file, with the arguments that it needs. */
static int fail_missing(const char *what, const struct gf_option *missing, struct gf_error *err)
{
    const bool more = missing[1].name != NULL && missing[1].required;
    char range[500], second[40];

    gf_option_range(missing, range, sizeof range);
    gf_fail(err, GF_MISUSED, "%s: missing value for %s (%s)", what, missing->name, range);
    if (missing->type != GF_OPTION_INPUT)
        return -1;
    gf_capital_word(more ? missing[1].name : "", second, sizeof second);
    gf_error_advise(err, "write %s:FILE%s%s", what, more ? "," : "", second);
    return -1;
}

/* Reads all words. */
static int read_text(struct reading *r, struct gf_error *err)
{
    while (r->text != NULL) {
        if (take_word(r, err) != 0 || take_extent(r, err) != 0)
            return -1;
        if (r->word[0] == '\0' && r->rows[r->place].name != NULL && !r->rows[r->place].required)
            r->place++;                                     /* an empty value keeps the default */
        else if (read_words(r, err) != 0)
            return -1;
        r->text = *r->text == ',' ? r->text + 1 : NULL;
    }
    for (const struct gf_option *row = r->rows; row->name != NULL; row++)
        if (row->required && !r->given[row - r->rows])
            return fail_missing(r->what, row, err);
    return 0;
}

int gf_options_parse(const struct gf_option *rows, const char *what, const char *text, bool arrays,
                     void *values, struct gf_error *err)
{
    struct reading r = { .what = what, .rows = rows, .text = text, .values = values, .arrays = arrays };
    int result;

    if (rows == NULL || rows[0].name == NULL)
        return text == NULL ? 0 : refuse_key(NULL, what, text, err);
    for (const struct gf_option *row = rows; row->name != NULL; row++)
        fill_default(row, values);
    r.word = malloc(WORD_BYTES);
    if (r.word == NULL)
        return gf_fail_memory(err, what);
    result = read_text(&r, err);
    free(r.word);
    if (result != 0)
        gf_options_release(rows, values);
    return result;
}

/* Stores the identity of a file, which no output may replace. */
static void identify(struct gf_mask *mask)
{
    struct stat st;

    if (stat(mask->file, &st) != 0 || !S_ISREG(st.st_mode))
        return;
    mask->device = (uint64_t)st.st_dev;
    mask->inode = (uint64_t)st.st_ino;
}

/* Reads mask->file, or the array of this name, unless there is no name or it is read already. */
static int load_mask(const char *what, const struct gf_option *row, struct gf_mask *mask, const struct gf_given *given,
                     struct gf_error *err)
{
    char *const file = mask->file;
    struct gf_reader *array;
    int result;

    if (file == NULL || mask->weights != NULL)
        return 0;
    array = given != NULL ? given->find(given->context, file) : NULL;
    result = given != NULL && array == NULL && gf_option_mask_check(what, row, file, err) != 0 ? -1
        : (row->colors || row->counts ? gf_option_table_read : gf_option_mask_read)(what, row, file, array, mask, err);
    mask->file = file;
    if (result == 0 && array == NULL)
        identify(mask);
    else if (array == NULL)
        err->cause = GF_CAUSE_MASK;
    return result;
}

int gf_options_load(const struct gf_option *rows, const char *what, void *values, const struct gf_given *given,
                    struct gf_error *err)
{
    for (const struct gf_option *row = rows; row != NULL && row->name != NULL; row++)
        if (row->type == GF_OPTION_MASK) {
            struct gf_mask *mask = (struct gf_mask *)(void *)((char *)values + row->offset);

            if (load_mask(what, row, mask, given, err) != 0) {
                gf_options_release(rows, values);
                return -1;
            }
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
