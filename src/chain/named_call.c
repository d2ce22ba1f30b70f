/* Arguments of chains: by position or by name, with defaults, and errors about them. */
#include "chain/named_call.h"

#include "base/words.h"
#include "chain/named_text.h"
#include "chain/option.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * Returns the length of the next value, up to a comma. Commas in brackets or after a backslash belong to it,
 * unchanged.
 */
static size_t piece_length(const char *text)
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

int gf_named_call_read(struct gf_named_call *call, const char *word, struct gf_error *err)
{
    const char *text = strchr(word, ':');

    call->line = 1;
    call->what = strndup(word, strcspn(word, ":"));
    if (call->what == NULL)
        return gf_fail_memory(err, NULL);
    while (text != NULL && call->pieces < GF_NAMED_CALL_PIECES) {
        const size_t length = piece_length(text + 1);
        char *piece = strndup(text + 1, length);

        if (piece == NULL)
            return gf_fail_memory(err, NULL);
        call->piece[call->pieces++].text = piece;
        text = text[1 + length] == ',' ? text + 1 + length : NULL;
    }
    return 0;
}

void gf_named_call_release(struct gf_named_call *call)
{
    for (int i = 0; i < call->pieces; i++)
        free(call->piece[i].text);
    for (int i = 0; i < call->arguments; i++) {
        free(call->argument[i].name);
        free(call->argument[i].value);
    }
    free(call->what);
    free(call->path);
    free(call->folder);
    *call = (struct gf_named_call) { 0 };
}

/* ---- messages ---- */

/* Reports an error at the line that declares the arguments. */
static int fail_line(const struct gf_named_call *call, int line, struct gf_error *err)
{
    char place[GF_NAMED_TEXT_PLACE_BYTES];

    gf_named_text_place(call->path, line, place);
    gf_error_place(err, place, call->place);
    return -1;
}

/*
 * Reports an error about the call at its place in a file. A call that was typed has none, so that the
 * line that declares the arguments is named.
 */
static int fail_call(const struct gf_named_call *call, struct gf_error *err)
{
    if (call->place == NULL)
        return fail_line(call, call->line, err);
    gf_error_place(err, call->place, NULL);
    return -1;
}

static void names_of(const struct gf_named_call *call, const char **names)
{
    for (int i = 0; i < call->arguments; i++)
        names[i] = call->argument[i].name;
    names[call->arguments] = NULL;
}

/* ---- values ---- */

/* Length of the key of a value; 0: it is given by position. */
static size_t key_length(const char *piece)
{
    const size_t n = strcspn(piece, "=");
    char key[64];

    if (piece[n] != '=' || n >= sizeof key)
        return 0;
    snprintf(key, sizeof key, "%.*s", (int)n, piece);
    return gf_named_text_is_argument(key) ? n : 0;
}

/* Returns the value of the call for argument `index`, or NULL. *twice is set if there are two. */
static const char *find_value(struct gf_named_call *call, int index, const char *name, bool *twice)
{
    const char *value = NULL;
    int place = 0;

    for (int i = 0; i < call->pieces; i++) {
        struct gf_named_call_piece *piece = &call->piece[i];
        const size_t key = key_length(piece->text);

        if (key == 0 ? place++ != index : strncmp(piece->text, name, key) != 0 || name[key] != '\0')
            continue;
        piece->used = true;
        if (key == 0 && piece->text[0] == '\0')          /* an empty value keeps the default */
            continue;
        *twice = value != NULL;
        value = piece->text + key + (key > 0);
    }
    return value;
}

/* True if the text ends in a comma, as in a list. A comma after a backslash belongs to the value. */
static bool ends_in_comma(const char *text)
{
    const size_t length = strlen(text);

    return length > 0 && text[length - 1] == ',' && (length == 1 || text[length - 2] != '\\');
}

static int check_name(const struct gf_named_call *call, const char *name, struct gf_error *err)
{
    if (!gf_named_text_is_argument(name) || strlen(name) > 60)
        return gf_fail(err, GF_MISUSED, "'%.60s' cannot be the name of an argument; use letters, digits and _, with a "
                                        "letter first", name);
    if (strcmp(name, "dir") == 0)
        return gf_fail(err, GF_MISUSED, "'dir' cannot be the name of an argument; $dir is the folder of the file");
    for (int i = 0; i < call->arguments; i++)
        if (strcmp(call->argument[i].name, name) == 0)
            return gf_fail(err, GF_MISUSED, "args declares %s twice", name);
    if (call->arguments == GF_NAMED_ARGUMENTS)
        return gf_fail(err, GF_MISUSED, "a chain has at most %d arguments", GF_NAMED_ARGUMENTS);
    return 0;
}

/* Reports a missing value with the call as it should be written, values so far included. */
static int fail_missing(const struct gf_named_call *call, const char *name, struct gf_error *err)
{
    char words[400], large[64] = "";
    int n = snprintf(words, sizeof words, "%.80s:", call->what);
    const int none = n;

    for (int i = 0; i < call->pieces && n < 200; i++)
        if (call->piece[i].text[0] != '\0')
            n += snprintf(words + n, sizeof words - (size_t)n, "%.80s,", call->piece[i].text);
    for (size_t i = 0; name[i] != '\0' && i < sizeof large - 1; i++)
        large[i] = (char)toupper((unsigned char)name[i]), large[i + 1] = '\0';
    if (n == none && call->arguments == 0)
        snprintf(words + n, sizeof words - (size_t)n, "%s", large);
    else
        snprintf(words + n, sizeof words - (size_t)n, "%.60s=%s", name, large);
    gf_fail(err, GF_MISUSED, "%.80s: missing value for %s; write %s", call->what, name, words);
    return fail_call(call, err);
}

int gf_named_call_declare(struct gf_named_call *call, char *text, int line, struct gf_error *err)
{
    const size_t length = strcspn(text, "=");
    const char *by_default = text[length] == '=' ? text + length + 1 : NULL, *value;
    struct gf_named_argument *a;
    bool twice = false;

    call->line = line;
    if (ends_in_comma(text)) {
        gf_fail(err, GF_MISUSED, "'%.60s' ends in a comma; separate arguments by blanks", text);
        return fail_line(call, line, err);
    }
    text[length] = '\0';
    if (check_name(call, text, err) != 0)
        return fail_line(call, line, err);
    value = find_value(call, call->arguments, text, &twice);
    if (twice) {
        gf_fail(err, GF_MISUSED, "%.80s: %s is given twice", call->what, text);
        return fail_call(call, err);
    }
    if (value == NULL && by_default == NULL)
        return fail_missing(call, text, err);
    a = &call->argument[call->arguments++];
    a->name = strdup(text);
    a->value = strdup(value != NULL ? value : by_default);
    return a->name != NULL && a->value != NULL ? 0 : gf_fail_memory(err, NULL);
}

int gf_named_call_check(const struct gf_named_call *call, struct gf_error *err)
{
    const char *names[GF_NAMED_ARGUMENTS + 1], *near, *text = NULL;
    char key[64], all[GF_NAMED_ARGUMENTS * 64];

    for (int i = 0; text == NULL && i < call->pieces; i++)
        text = call->piece[i].used ? NULL : call->piece[i].text;
    if (text == NULL)
        return 0;
    names_of(call, names);
    gf_join_words(names, all, sizeof all);
    snprintf(key, sizeof key, "%.*s", (int)key_length(text), text);
    near = gf_nearest_word(key, names);
    if (call->arguments == 0)
        gf_fail(err, GF_MISUSED, "%.80s: unexpected value '%.80s'; it takes none", call->what, text);
    else if (key[0] == '\0')
        gf_fail(err, GF_MISUSED, "%.80s: unexpected value '%.80s'; its arguments are %.300s", call->what, text, all);
    else if (near != NULL)
        gf_fail(err, GF_MISUSED, "%.80s: unknown argument '%s'; did you mean '%s='?", call->what, key, near);
    else
        gf_fail(err, GF_MISUSED, "%.80s: unknown argument '%s'; its arguments are %.300s", call->what, key, all);
    return fail_call(call, err);
}

/* Returns the folder of the file with a backslash before each comma, as options need it. */
static const char *folder_of(struct gf_named_call *call)
{
    const char *slash = strrchr(call->path, '/');
    const size_t length = slash == NULL ? 0 : slash == call->path ? 1 : (size_t)(slash - call->path);
    char *to;

    if (call->folder != NULL)
        return call->folder;
    to = call->folder = malloc(2 * length + 2);
    if (to == NULL)
        return NULL;
    for (size_t i = 0; i < length; i++) {
        if (call->path[i] == ',')
            *to++ = '\\';
        *to++ = call->path[i];
    }
    if (length == 0)
        *to++ = '.';
    *to = '\0';
    return call->folder;
}

const char *gf_named_call_value(struct gf_named_call *call, const char *name, struct gf_error *err)
{
    const char *names[GF_NAMED_ARGUMENTS + 1], *near, *folder;
    char all[GF_NAMED_ARGUMENTS * 64];

    for (int i = 0; i < call->arguments; i++)
        if (strcmp(call->argument[i].name, name) == 0)
            return call->argument[i].value;
    if (strcmp(name, "dir") == 0) {
        folder = folder_of(call);
        if (folder == NULL)
            gf_fail_memory(err, NULL);
        return folder;
    }
    names_of(call, names);
    gf_join_words(names, all, sizeof all);
    near = gf_nearest_word(name, names);
    if (near != NULL)
        gf_fail(err, GF_MISUSED, "no argument is called '%s'; did you mean '$%s'?", name, near);
    else if (!gf_named_text_is_argument(name))
        gf_fail(err, GF_MISUSED, "no argument is called '%s'; a line 'args NAME=DEFAULT' before the stages declares "
                                 "arguments by name",
                name);
    else if (call->arguments > 0)
        gf_fail(err, GF_MISUSED, "no argument is called '%s'; args declares %.300s", name, all);
    else
        gf_fail(err, GF_MISUSED, "no argument is called '%s'; a line 'args %s=DEFAULT' before the stages declares it",
                name, name);
    return NULL;
}
