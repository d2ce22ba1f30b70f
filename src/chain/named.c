/*
 * Replaces names of chains by their stages: reads files of stages, and fills in the arguments of
 * the call.
 */
#include "chain/named.h"

#include "base/shell_line.h"
#include "base/words.h"
#include "chain/named_files.h"
#include "chain/named_text.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define DEPTH_MAX 8                          /* most chains in one another */
#define VALUES_MAX (GF_NAMED_ARGUMENTS + 4)  /* more than a correct call can have */

struct expansion {
    struct gf_named_words *out;
    unsigned kinds;
    const char *typed;                   /* the current word of the command line */
};

/* One value of a call as written: KEY=VALUE, or VALUE. */
struct value {
    char *text;
    bool used;
};

/* A list of words that is being expanded: the command line, or the file of a call. */
struct level {
    const struct level *caller;          /* NULL: this is the command line */
    int depth;
    char *called;                        /* "scan", "@./scan.chain" */
    struct gf_named_text text;           /* the file; arguments have the values of the call */
    struct value value[VALUES_MAX];
    int values;
    int args_line;                       /* the last line that declares arguments */
    char *folder;                        /* the value of $dir, once it was needed */
    char *before;                        /* the word before the current one, or NULL */
    int before_takes;                    /* number of its arguments if it named a chain, else -1 */
};

static int expand_word(struct expansion *x, struct level *level, const char *word, struct gf_error *err);

/* ---- places of errors ---- */

/* Writes and returns "FILE:LINE" of the current word; NULL on the command line. */
static const char *place_of(const struct level *level, char *place)
{
    if (level->caller == NULL)
        return NULL;
    gf_named_text_place(level->text.path, level->text.word_line, place);
    return place;
}

/* Puts a line of the file before the error, and the place that calls the file after it. */
static int fail_line(const struct level *level, int line, struct gf_error *err)
{
    char place[GF_NAMED_TEXT_PLACE_BYTES], from[GF_NAMED_TEXT_PLACE_BYTES];

    gf_named_text_place(level->text.path, line, place);
    gf_error_place(err, place, place_of(level->caller, from));
    return -1;
}

/* Puts the place of the current word before the error. */
static int fail_here(const struct level *level, struct gf_error *err)
{
    return level->caller != NULL ? fail_line(level, level->text.word_line, err) : -1;
}

/*
 * Reports an error about the call at its place in a file. A call that was typed has none, so that the
 * line that declares the arguments is named.
 */
static int fail_call(const struct level *level, struct gf_error *err)
{
    char place[GF_NAMED_TEXT_PLACE_BYTES];

    if (place_of(level->caller, place) == NULL)
        return fail_line(level, level->args_line, err);
    gf_error_place(err, place, NULL);
    return -1;
}

/* ---- values of a call ---- */

/*
 * Returns the length of the next value, up to a comma. Commas in brackets or after a backslash belong to it,
 * unchanged.
 */
static size_t value_length(const char *text)
{
    int depth = 0;
    size_t n = 0;

    for (; text[n] != '\0' && (text[n] != ',' || depth > 0); n++) {
        if (text[n] == '\\' && text[n + 1] == ',')
            n++;
        else if (text[n] == '[')
            depth++;
        else if (text[n] == ']' && depth > 0)
            depth--;
    }
    return n;
}

/* Splits the word: "scan:3,level=50%". */
static int split_call(struct level *level, const char *word, struct gf_error *err)
{
    const char *text = strchr(word, ':');

    level->called = strndup(word, strcspn(word, ":"));
    if (level->called == NULL)
        return gf_fail_memory(err, NULL);
    while (text != NULL && level->values < VALUES_MAX) {
        const size_t length = value_length(text + 1);
        struct value *value = &level->value[level->values++];

        value->text = strndup(text + 1, length);
        if (value->text == NULL)
            return gf_fail_memory(err, NULL);
        text = text[1 + length] == ',' ? text + 1 + length : NULL;
    }
    return 0;
}

/* Copies the key of a value, and returns its length; 0: the value is given by position. */
static size_t copy_key(char key[64], const char *text)
{
    const size_t n = strcspn(text, "=");

    snprintf(key, 64, "%.*s", text[n] == '=' && n < 64 ? (int)n : 0, text);
    if (!gf_named_text_is_argument(key))
        key[0] = '\0';
    return strlen(key);
}

/* Returns the value of the call for the next argument, or NULL. *twice is set if there are two. */
static const char *find_value(struct level *level, const char *name, bool *twice)
{
    const char *found = NULL;
    int place = 0;

    for (int i = 0; i < level->values; i++) {
        struct value *value = &level->value[i];
        char key[64];
        const size_t length = copy_key(key, value->text);

        if (length == 0 ? place++ != level->text.arguments : strcmp(key, name) != 0)
            continue;
        value->used = true;
        if (value->text[0] == '\0')                      /* an empty value keeps the default */
            continue;
        *twice = found != NULL;
        found = value->text + length + (length > 0);
    }
    return found;
}

/* Collects the names of the arguments, and joins them for a message. */
static void list_names(const struct level *level, const char *names[GF_NAMED_ARGUMENTS + 1],
                       char all[GF_NAMED_ARGUMENTS * 64])
{
    for (int i = 0; i < level->text.arguments; i++)
        names[i] = level->text.argument[i].name;
    names[level->text.arguments] = NULL;
    gf_join_words(names, all, GF_NAMED_ARGUMENTS * 64);
}

/* Fails if the call has values that no argument was declared for. */
static int check_values(const struct level *level, struct gf_error *err)
{
    const char *names[GF_NAMED_ARGUMENTS + 1], *near, *text = NULL;
    char key[64], all[GF_NAMED_ARGUMENTS * 64];

    for (int i = 0; text == NULL && i < level->values; i++)
        text = level->value[i].used ? NULL : level->value[i].text;
    if (text == NULL)
        return 0;
    list_names(level, names, all);
    copy_key(key, text);
    near = gf_nearest_word(key, names);
    if (level->text.arguments == 0)
        gf_fail(err, GF_MISUSED, "%.80s: unexpected value '%.80s'; it takes none", level->called, text);
    else if (key[0] == '\0')
        gf_fail(err, GF_MISUSED, "%.80s: unexpected value '%.80s'; its arguments are %.300s", level->called, text, all);
    else if (near != NULL)
        gf_fail(err, GF_MISUSED, "%.80s: unknown argument '%s'; did you mean '%s='?", level->called, key, near);
    else
        gf_fail(err, GF_MISUSED, "%.80s: unknown argument '%s'; its arguments are %.300s", level->called, key, all);
    return fail_call(level, err);
}

/* Reports a missing value with the call as it should be written, values so far included. */
static int fail_missing(const struct level *level, const char *name, struct gf_error *err)
{
    const bool alone = level->text.arguments == 0;
    char given[300] = "", large[64];
    size_t used = 0;

    for (int i = 0; i < level->values && used < 200; i++)
        if (level->value[i].text[0] != '\0')
            used += (size_t)snprintf(given + used, sizeof given - used, "%.80s,", level->value[i].text);
    gf_capital_word(name, large, sizeof large);
    gf_fail(err, GF_MISUSED, "%.80s: missing value for %s; write %.80s:%s%s%s%s", level->called, name, level->called,
            given, used == 0 && alone ? "" : name, used == 0 && alone ? "" : "=", large);
    return fail_call(level, err);
}

/* ---- arguments of a file ---- */

/* Returns the folder of the file with a backslash before each comma, as options need it. */
static const char *folder_of(struct level *level, struct gf_error *err)
{
    const char *path = level->text.path, *slash = strrchr(path, '/');
    const size_t length = slash == NULL ? 0 : slash == path ? 1 : (size_t)(slash - path);
    char *to = level->folder;

    if (to != NULL)
        return to;
    to = level->folder = malloc(2 * length + 2);
    if (to == NULL) {
        gf_fail_memory(err, NULL);
        return NULL;
    }
    for (size_t i = 0; i < length; i++) {
        if (path[i] == ',')
            *to++ = '\\';
        *to++ = path[i];
    }
    strcpy(to, length == 0 ? "." : "");
    return level->folder;
}

/* Returns the value of $name: an argument, or the folder of the file. */
static const char *value_of(void *context, const char *name, struct gf_error *err)
{
    struct level *level = context;
    const char *names[GF_NAMED_ARGUMENTS + 1], *near;
    char all[GF_NAMED_ARGUMENTS * 64];

    for (int i = 0; i < level->text.arguments; i++)
        if (strcmp(level->text.argument[i].name, name) == 0)
            return level->text.argument[i].value;
    if (strcmp(name, "dir") == 0)
        return folder_of(level, err);
    list_names(level, names, all);
    near = gf_nearest_word(name, names);
    if (near != NULL)
        gf_fail(err, GF_MISUSED, "no argument is called '%s'; did you mean '$%s'?", name, near);
    else if (!gf_named_text_is_argument(name))
        gf_fail(err, GF_MISUSED, "no argument is called '%s'; a line 'args NAME=DEFAULT' before the stages declares "
                                 "arguments by name", name);
    else if (level->text.arguments > 0)
        gf_fail(err, GF_MISUSED, "no argument is called '%s'; args declares %.300s", name, all);
    else
        gf_fail(err, GF_MISUSED, "no argument is called '%s'; a line 'args %s=DEFAULT' before the stages declares it",
                name, name);
    return NULL;
}

/* Fails if blanks split a declaration: NAME = DEFAULT, NAME =DEFAULT, NAME= DEFAULT. */
static int check_blanks(const struct gf_named_text *t, struct gf_error *err)
{
    const char *sign = strchr(t->word, '='), *next = t->at + strspn(t->at, " \t");
    const bool split = sign == NULL ? *next == '='
                                    : sign[1] == '\0' && *next != '\0' && strchr("+-.[0123456789", *next) != NULL;

    if (!t->plain || !split)
        return 0;
    next += strspn(next, "= \t");
    return gf_fail(err, GF_MISUSED, "no blanks are allowed around =; write %.*s=%.*s", (int)strcspn(t->word, "="),
                   t->word, (int)strcspn(next, " \t\r\n"), next);
}

static int check_name(const struct level *level, const char *name, struct gf_error *err)
{
    if (!gf_named_text_is_argument(name) || strlen(name) > 60)
        return gf_fail(err, GF_MISUSED, "'%.60s' cannot be the name of an argument; use letters, digits and _, with a "
                                        "letter first", name);
    if (strcmp(name, "dir") == 0)
        return gf_fail(err, GF_MISUSED, "'dir' cannot be the name of an argument; $dir is the folder of the file");
    for (int i = 0; i < level->text.arguments; i++)
        if (strcmp(level->text.argument[i].name, name) == 0)
            return gf_fail(err, GF_MISUSED, "args declares %s twice", name);
    if (level->text.arguments == GF_NAMED_ARGUMENTS)
        return gf_fail(err, GF_MISUSED, "a chain has at most %d arguments", GF_NAMED_ARGUMENTS);
    return 0;
}

/* True if the text ends in a comma, as in a list. A comma after a backslash belongs to the value. */
static bool ends_in_comma(const char *text)
{
    const size_t length = strlen(text);

    return length > 0 && text[length - 1] == ',' && (length == 1 || text[length - 2] != '\\');
}

/* Declares the current word, "radius=2" or "radius". Its value is that of the call, or the default. */
static int declare(struct level *level, struct gf_error *err)
{
    char *name = level->text.word, *by_default = strchr(name, '=');
    const char *value;
    bool twice = false;

    level->args_line = level->text.word_line;
    if (check_blanks(&level->text, err) != 0)
        return fail_here(level, err);
    if (ends_in_comma(name)) {
        gf_fail(err, GF_MISUSED, "'%.60s' ends in a comma; separate arguments by blanks", name);
        return fail_here(level, err);
    }
    if (by_default != NULL)
        *by_default++ = '\0';
    if (check_name(level, name, err) != 0)
        return fail_here(level, err);
    value = find_value(level, name, &twice);
    if (twice) {
        gf_fail(err, GF_MISUSED, "%.80s: %s is given twice", level->called, name);
        return fail_call(level, err);
    }
    if (value == NULL && by_default == NULL)
        return fail_missing(level, name, err);
    return gf_named_text_declare(&level->text, name, value != NULL ? value : by_default, err);
}

/* ---- stages ---- */

static bool is_stage(const char *word)
{
    char name[64];

    snprintf(name, sizeof name, "%.*s", (int)strcspn(word, ":"), word);
    return gf_stage_find(name, GF_IMAGE) != NULL || gf_stage_find(name, GF_AUDIO) != NULL;
}

static int put_stage(struct expansion *x, const struct level *level, const char *word, struct gf_error *err)
{
    char place[GF_NAMED_TEXT_PLACE_BYTES], from[GF_NAMED_TEXT_PLACE_BYTES];
    struct gf_named_words *out = x->out;
    struct gf_chain_origin *origin = &out->origin[out->count];

    if (out->count >= GF_CHAIN_STAGES && level->caller != NULL) {
        gf_fail(err, GF_MISUSED, "a chain has at most %d stages; '%.80s' is one more", GF_CHAIN_STAGES, word);
        return fail_here(level, err);
    }
    out->word[out->count++] = strdup(word);
    if (out->word[out->count - 1] == NULL)
        return gf_fail_memory(err, NULL);
    if (level->caller == NULL)
        return 0;
    origin->call = x->typed;
    origin->place = strdup(place_of(level, place));
    if (place_of(level->caller, from) != NULL && (origin->from = strdup(from)) == NULL)
        return gf_fail_memory(err, NULL);
    return origin->place != NULL ? 0 : gf_fail_memory(err, NULL);
}

/* Takes a stage of the program, which has precedence over a file of its name. */
static int take_stage(struct expansion *x, const struct level *level, const char *word, struct gf_error *err)
{
    if (x->out->hidden == NULL)
        x->out->hidden = gf_named_files_path(word);
    return put_stage(x, level, word, err);
}

/* True if the word looks like a value for a chain: 3, -3 or KEY=VALUE. */
static bool is_value(const char *word)
{
    const char *digits = word + strspn(word, "+-");

    return (digits - word <= 1 && isdigit((unsigned char)digits[*digits == '.']))
        || (isalpha((unsigned char)*word) && strchr(word, '=') != NULL);
}

/* Takes a word that names neither a stage nor a chain, which the parser reports unless it is refused here. */
static int take_other(struct expansion *x, const struct level *level, const char *word, struct gf_error *err)
{
    if (level->before_takes >= 0 && is_value(word)) {
        gf_fail(err, GF_MISUSED, level->before_takes == 0 ? "'%.80s' is not a stage, and %.80s takes no arguments"
                                                          : "'%.80s' is not a stage but a value for the one before "
                                                            "it; write %.80s%s%.80s", word,
                level->before, gf_chain_separator(level->before), word);
        return fail_here(level, err);
    }
    if (gf_chain_is_value(level->before, word))
        return put_stage(x, level, word, err);
    if (level->caller != NULL && *word == '-') {
        gf_fail(err, GF_MISUSED, "'%.80s' is an option; a file of stages can have stages only", word);
        return fail_here(level, err);
    }
    if (access(word, F_OK) != 0 && gf_named_files_refuse(x->kinds, word, err) != 0)
        return fail_here(level, err);
    return put_stage(x, level, word, err);
}

/* ---- calls ---- */

/* Expands the file of a call that was split: its arguments, then its words. */
static int expand_file(struct expansion *x, struct level *level, struct gf_error *err)
{
    struct gf_named_text *t = &level->text;
    const int before = x->out->count;
    int more = gf_named_text_next(t, err);

    while (more > 0 && gf_named_text_is_args(t)) {
        level->args_line = t->word_line;
        while ((more = gf_named_text_next(t, err)) > 0 && !t->first)
            if (declare(level, err) != 0)
                return -1;
    }
    if (more < 0 || check_values(level, err) != 0)
        return -1;
    for (; more > 0; more = gf_named_text_next(t, err)) {
        if (t->used == 0 && !t->quoted)                  /* the value of $name was empty */
            continue;
        if (t->plain && strcmp(t->word, "args") == 0) {
            gf_fail(err, GF_MISUSED, "args must be at the beginning of a line, before the first stage");
            return fail_here(level, err);
        }
        if (expand_word(x, level, t->word, err) != 0)
            return -1;
    }
    if (more == 0 && x->out->count == before)
        return gf_fail(err, GF_MISUSED, "%.300s: no stage in this file", t->path);
    return more;
}

/* True if a caller reads the same file. */
static bool is_open(const struct level *level)
{
    for (const struct level *l = level->caller; l->caller != NULL; l = l->caller)
        if (l->text.device == level->text.device && l->text.number == level->text.number)
            return true;
    return false;
}

/* Opens the file of a call. Errors are at the place of the call. */
static int open_file(struct level *level, const char *word, const char *path, struct gf_error *err)
{
    char *name;

    if (gf_named_text_open(&level->text, path, *word == '@', err) != 0) {
        name = *word == '@' ? gf_named_files_path(word + 1) : NULL;
        if (name != NULL)
            gf_error_add_advice(err, "did you mean '%s'?", word + 1);
        free(name);
        return -1;
    }
    level->text.value = value_of;
    level->text.context = level;
    if (is_open(level))
        return gf_fail(err, GF_MISUSED, "%.80s: a chain cannot call itself", level->called);
    if (level->depth > DEPTH_MAX)
        return gf_fail(err, GF_MISUSED, "%.80s: chains are nested more than %d deep", level->called, DEPTH_MAX);
    return 0;
}

static void release_level(struct level *level)
{
    for (int i = 0; i < level->values; i++)
        free(level->value[i].text);
    gf_named_text_close(&level->text);
    free(level->called);
    free(level->folder);
    free(level->before);
}

/* Expands the call of a file. *takes becomes the number of its arguments. */
static int call_file(struct expansion *x, const struct level *caller, const char *word, const char *path, int *takes,
                     struct gf_error *err)
{
    struct level level = { .caller = caller, .depth = caller->depth + 1, .args_line = 1, .before_takes = -1 };
    int result = -1;

    if (split_call(&level, word, err) == 0)
        result = open_file(&level, word, path, err) == 0 ? expand_file(x, &level, err) : fail_here(caller, err);
    *takes = level.text.arguments;
    release_level(&level);
    return result;
}

/* Returns the path of @FILE, relative to the file that names it, or to the current folder. */
static char *path_at(const struct level *level, const char *word, struct gf_error *err)
{
    const int length = (int)strcspn(word + 1, ":");
    const char *folder = level->caller != NULL && word[1] != '/' ? level->text.path : "";
    const char *slash = strrchr(folder, '/');
    const int before = slash != NULL ? (int)(slash + 1 - folder) : 0;
    char *path = malloc((size_t)(before + length) + 1);

    if (length == 0) {
        gf_fail(err, GF_MISUSED, "'@': missing the name of a file of stages; write @FILE");
        fail_here(level, err);
        free(path);
        return NULL;
    }
    if (path == NULL)
        gf_fail_memory(err, NULL);
    else
        sprintf(path, "%.*s%.*s", before, folder, length, word + 1);
    return path;
}

static int expand_word(struct expansion *x, struct level *level, const char *word, struct gf_error *err)
{
    char *path = NULL;
    int result = -1, takes = -1;

    if (is_stage(word))
        result = take_stage(x, level, word, err);
    else if ((path = *word == '@' ? path_at(level, word, err) : gf_named_files_path(word)) != NULL)
        result = call_file(x, level, word, path, &takes, err);
    else if (*word != '@')
        result = take_other(x, level, word, err);
    free(path);
    free(level->before);
    level->before = strdup(word);
    level->before_takes = level->before != NULL ? takes : -1;
    return result;
}

int gf_named_expand(const char *const *words, int count, unsigned kinds, struct gf_named_words *out,
                    struct gf_error *err)
{
    struct expansion x = { .out = out, .kinds = kinds };
    struct level level = { .before_takes = -1 };
    int result = 0;

    *out = (struct gf_named_words) { 0 };
    /* files add at most as many words as a chain can have */
    out->word = calloc((size_t)count + GF_CHAIN_STAGES + 1, sizeof *out->word);
    out->origin = calloc((size_t)count + GF_CHAIN_STAGES + 1, sizeof *out->origin);
    if (out->word == NULL || out->origin == NULL)
        return gf_fail_memory(err, NULL);
    for (int i = 0; result == 0 && i < count; i++) {
        x.typed = words[i];
        result = expand_word(&x, &level, words[i], err);
    }
    release_level(&level);
    return result;
}

void gf_named_words_release(struct gf_named_words *x)
{
    for (int i = 0; i < x->count; i++) {
        free(x->word[i]);
        free(x->origin[i].place);
        free(x->origin[i].from);
    }
    free(x->word);
    free(x->origin);
    free(x->hidden);
    *x = (struct gf_named_words) { 0 };
}

/* Prints a word with quotes if a shell needs them. */
static void print_word(const char *word, FILE *to)
{
    const char *quote = gf_shell_quote(word);

    fputs(quote, to);
    for (; *word != '\0'; word++)
        fputs(*word == '\'' ? "'\\''" : (const char[]) { *word, '\0' }, to);
    fputs(quote, to);
}

void gf_named_explain(const struct gf_chain *chain, FILE *to)
{
    const char *call = NULL;

    for (int i = 0; i < chain->count; i++) {
        const struct gf_chain_origin *origin = chain->word[i].origin;

        if (call != NULL && (origin == NULL || origin->call != call))
            fputc('\n', to);
        if (origin != NULL && origin->call != call)
            fprintf(to, "chain:  %s is", origin->call);
        call = origin != NULL ? origin->call : NULL;
        if (call == NULL)
            continue;
        fputc(' ', to);
        print_word(chain->word[i].text, to);
    }
    if (call != NULL)
        fputc('\n', to);
}
