/*
 * Replaces names of chains by their stages: reads files of stages, and fills in the arguments of
 * the call.
 */
#include "chain/named.h"

#include "chain/named_call.h"
#include "chain/named_near.h"
#include "chain/named_text.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct expansion {
    struct gf_named_words *out;
    unsigned kinds;
    int room;
    const char *typed;                   /* the current word of the command line */
};

/* One list of words: the command line, or a file. */
struct level {
    const struct level *caller;
    struct gf_named_call *call;                /* NULL on the command line */
    int line;                            /* line of the current word */
    int depth;
    char *before;                        /* the word before the current one, or NULL */
    int before_takes;                    /* number of its arguments if it named a chain, else -1 */
};

static int expand_word(struct expansion *x, struct level *level, const char *word, struct gf_error *err);

/* Writes and returns "FILE:LINE" of the current word; NULL on the command line. */
static const char *place_of(const struct level *level, char *place)
{
    if (level->call == NULL)
        return NULL;
    gf_named_text_place(level->call->path, level->line, place);
    return place;
}

/* Puts the place of the current word before the error. */
static int fail_here(const struct level *level, struct gf_error *err)
{
    char place[GF_NAMED_TEXT_PLACE_BYTES], from[GF_NAMED_TEXT_PLACE_BYTES];

    if (level->call != NULL)
        gf_error_place(err, place_of(level, place), place_of(level->caller, from));
    return -1;
}

/* ---- stages ---- */

static bool is_stage(const char *word)
{
    char name[64];

    snprintf(name, sizeof name, "%.*s", (int)(strcspn(word, ":") < sizeof name ? strcspn(word, ":") : 0), word);
    return gf_stage_find(name, GF_IMAGE) != NULL || gf_stage_find(name, GF_AUDIO) != NULL;
}

static int put_stage(struct expansion *x, const struct level *level, const char *word, struct gf_error *err)
{
    char place[GF_NAMED_TEXT_PLACE_BYTES], from[GF_NAMED_TEXT_PLACE_BYTES];
    struct gf_named_words *out = x->out;
    struct gf_chain_origin *origin = &out->origin[out->count];
    const bool typed = level->call == NULL;

    if (out->count >= GF_CHAIN_STAGES && !typed) {
        gf_fail(err, GF_MISUSED, "a chain has at most %d stages; '%.80s' is one more", GF_CHAIN_STAGES, word);
        return fail_here(level, err);
    }
    *origin = (struct gf_chain_origin) { .call = typed ? NULL : x->typed };
    out->word[out->count] = strdup(word);
    if (out->word[out->count] == NULL)
        return gf_fail_memory(err, NULL);
    out->count++;
    if (typed)
        return 0;
    origin->place = strdup(place_of(level, place));
    if (place_of(level->caller, from) != NULL) {
        origin->from = strdup(from);
        if (origin->from == NULL)
            return gf_fail_memory(err, NULL);
    }
    return origin->place != NULL ? 0 : gf_fail_memory(err, NULL);
}

/* Takes a stage of the program, which has precedence over a file of its name. */
static int take_stage(struct expansion *x, const struct level *level, const char *word, struct gf_error *err)
{
    char stem[64];
    char *path = gf_named_path(word, stem);

    if (x->out->hidden == NULL)
        x->out->hidden = path;
    else
        free(path);
    return put_stage(x, level, word, err);
}

/* ---- words that are neither stages nor chains ---- */

/* True if the word looks like a value for a chain: 3, -3 or KEY=VALUE. */
static bool is_value(const char *word)
{
    const char *digits = word + strspn(word, "+-");

    return (digits - word <= 1 && isdigit((unsigned char)digits[*digits == '.']))
        || (isalpha((unsigned char)*word) && strchr(word, '=') != NULL);
}

static int take_other(struct expansion *x, const struct level *level, const char *word, struct gf_error *err)
{
    if (level->before_takes >= 0 && is_value(word)) {
        gf_fail(err, GF_MISUSED, level->before_takes == 0 ? "'%.80s' is not a stage, and %.80s takes no arguments"
                                                          : "'%.80s' is not a stage but a value for the one before "
                                                            "it; write %.80s%s%.80s", word,
                level->before, gf_chain_separator(level->before), word);
        return fail_here(level, err);
    }
    if (level->call != NULL && *word == '-' && !gf_chain_is_value(level->before, word)) {
        gf_fail(err, GF_MISUSED, "'%.80s' is an option; a file of stages can have stages only", word);
        return fail_here(level, err);
    }
    if (!gf_chain_is_value(level->before, word) && access(word, F_OK) != 0
        && gf_named_near_refuse(x->kinds, word, err) != 0)
        return fail_here(level, err);
    return put_stage(x, level, word, err);
}

/* ---- files ---- */

/* Returns the value of $name: an argument, or the folder of the file. */
static const char *value_of(void *context, const char *name, struct gf_error *err)
{
    return gf_named_call_value(context, name, err);
}

/* True if a declaration was split at blanks: NAME = DEFAULT, NAME =DEFAULT, NAME= DEFAULT. */
static bool is_split_declaration(const char *word, const char *next)
{
    const char *sign = strchr(word, '=');

    if (sign == NULL)
        return *next == '=';
    return sign[1] == '\0' && *next != '\0' && strchr("#$\"'\\", *next) == NULL && strchr(next, '=') == NULL
        && !gf_named_text_is_argument(next);
}

/* Fails if blanks split a declaration. `t` is after its first part. */
static int check_blanks(const struct level *level, const struct gf_named_text *t, struct gf_error *err)
{
    const char *next = t->at + strspn(t->at, " \t");
    char place[GF_NAMED_TEXT_PLACE_BYTES], word[61];

    snprintf(word, sizeof word, "%.*s", (int)(strcspn(next, " \t\r\n") < 60 ? strcspn(next, " \t\r\n") : 60), next);
    if (!t->plain || !is_split_declaration(t->word, word))
        return 0;
    next += *next == '=';
    next += strspn(next, " \t");
    gf_fail(err, GF_MISUSED, "no blanks are allowed around =; write %.*s=%.*s",
            (int)(strcspn(t->word, "=") < 60 ? strcspn(t->word, "=") : 60), t->word,
            (int)(strcspn(next, " \t\r\n") < 60 ? strcspn(next, " \t\r\n") : 60), next);
    gf_named_text_place(level->call->path, t->word_line, place);
    gf_error_place(err, place, level->call->place);
    return -1;
}

/*
 * Declares the arguments of a line after its word `args`. *more is set if a word of the next line
 * was read, too.
 */
static int declare(const struct level *level, struct gf_named_text *t, int *more, struct gf_error *err)
{
    while ((*more = gf_named_text_next(t, err)) > 0 && !t->first)
        if (check_blanks(level, t, err) != 0 || gf_named_call_declare(level->call, t->word, t->word_line, err) != 0)
            return -1;
    return *more < 0 ? -1 : 0;
}

/* Expands the words of a file. The first one has been read. */
static int expand_text(struct expansion *x, struct level *level, struct gf_named_text *t, int more,
                       struct gf_error *err)
{
    const int before = x->out->count;

    for (; more > 0; more = gf_named_text_next(t, err)) {
        level->line = t->word_line;
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
        return gf_fail(err, GF_MISUSED, "%.300s: no stage in this file", level->call->path);
    return more;
}

static int expand_file(struct expansion *x, struct level *level, const char *text, struct gf_error *err)
{
    struct gf_named_text t = { .path = level->call->path, .at = text, .line = 1, .fresh = true, .value = value_of,
                               .context = level->call };
    int more = gf_named_text_next(&t, err), result = -1;

    while (more > 0 && t.first && t.plain && strcmp(t.word, "args") == 0) {
        level->call->line = t.word_line;
        if (declare(level, &t, &more, err) != 0)
            goto out;
    }
    if (more >= 0 && gf_named_call_check(level->call, err) == 0)
        result = expand_text(x, level, &t, more, err);
out:
    free(t.word);
    return result;
}

/* True if a caller reads the same file. */
static bool is_open(const struct level *level, const struct gf_named_call *call)
{
    for (; level != NULL && level->call != NULL; level = level->caller)
        if (level->call->device == call->device && level->call->number == call->number)
            return true;
    return false;
}

/* Adds to an error about @FILE that a chain of this name exists without the @. */
static void add_name(const char *word, struct gf_error *err)
{
    char stem[64], *path = gf_named_path(word + 1, stem);

    if (path != NULL)
        gf_error_add_advice(err, "did you mean '%s'?", word + 1);
    free(path);
}

/* Calls the chain of a file. The call takes over `path`. */
static int call_file(struct expansion *x, struct level *caller, const char *word, char *path, bool any,
                     struct gf_error *err)
{
    char place[GF_NAMED_TEXT_PLACE_BYTES];
    struct gf_named_call call = { .path = path, .place = place_of(caller, place) };
    struct level level = { .caller = caller, .call = &call, .depth = caller->depth + 1, .before_takes = -1 };
    char *text = NULL;
    int result = -1;

    if (gf_named_call_read(&call, word, err) != 0)
        goto out;
    text = gf_named_text_read(path, any, &call.device, &call.number, err);
    if (text == NULL) {
        if (*word == '@')
            add_name(word, err);
        fail_here(caller, err);
    } else if (is_open(caller, &call)) {
        gf_fail(err, GF_MISUSED, "%.80s: a chain cannot call itself", call.what);
        fail_here(caller, err);
    } else if (level.depth > GF_NAMED_DEPTH) {
        gf_fail(err, GF_MISUSED, "%.80s: chains are nested more than %d deep", call.what, GF_NAMED_DEPTH);
        fail_here(caller, err);
    } else
        result = expand_file(x, &level, text, err);
out:
    caller->before_takes = call.arguments;
    free(level.before);
    free(text);
    gf_named_call_release(&call);
    return result;
}

/* Expands @FILE, relative to the file that names it, or to the current folder. */
static int call_at(struct expansion *x, struct level *level, const char *word, struct gf_error *err)
{
    const int length = (int)strcspn(word + 1, ":");
    const char *folder = level->call != NULL && word[1] != '/' ? level->call->path : "";
    const char *slash = strrchr(folder, '/');
    const int before = slash != NULL ? (int)(slash + 1 - folder) : 0;
    char *path;

    if (length == 0) {
        gf_fail(err, GF_MISUSED, "'@': missing the name of a file of stages; write @FILE");
        return fail_here(level, err);
    }
    path = malloc((size_t)(before + length) + 1);
    if (path == NULL)
        return gf_fail_memory(err, NULL);
    sprintf(path, "%.*s%.*s", before, folder, length, word + 1);
    return call_file(x, level, word, path, true, err);
}

static int expand_word(struct expansion *x, struct level *level, const char *word, struct gf_error *err)
{
    char stem[64], *path = NULL;
    int result, takes = -1;

    if (is_stage(word))
        result = take_stage(x, level, word, err);
    else if (*word == '@')
        result = call_at(x, level, word, err), takes = level->before_takes;
    else if ((path = gf_named_path(word, stem)) != NULL)
        result = call_file(x, level, word, path, false, err), takes = level->before_takes;
    else
        result = take_other(x, level, word, err);
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
    free(level.before);
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
    if (strpbrk(word, " \t\"'`$&|;<>()[]{}*?!#~\\") == NULL && *word != '\0') {
        fputs(word, to);
        return;
    }
    fputc('\'', to);
    for (; *word != '\0'; word++)
        fputs(*word == '\'' ? "'\\''" : (const char[]) { *word, '\0' }, to);
    fputc('\'', to);
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
