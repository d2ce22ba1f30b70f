/* Advice on words that are no stages: what other programs mean by them. Only advice that parses is given. */
#include "chain/chain_advice.h"

#include "base/words.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* The longest word that may be a translation. */
#define WORD_BYTES 400
#define ALL_PROGRAMS (GF_FFMPEG | GF_MAGICK | GF_SOX | GF_VIPS | GF_PEOPLE)

static bool is_stage(const char *name)
{
    return gf_stage_find(name, GF_IMAGE) != NULL || gf_stage_find(name, GF_AUDIO) != NULL;
}

/* ---- translations ---- */

bool gf_chain_is_right(const char *words, unsigned kinds)
{
    struct gf_chain *chain = calloc(1, sizeof *chain);
    bool right = chain != NULL;

    while (right && *words != '\0') {
        const size_t length = strcspn(words, " ");
        char word[WORD_BYTES];

        snprintf(word, sizeof word, "%.*s", (int)length, words);
        right = length < sizeof word && chain->count < GF_CHAIN_STAGES && gf_chain_accept(chain, word, kinds);
        words += length + (words[length] == ' ');
    }
    if (chain != NULL)
        gf_chain_release(chain);
    free(chain);
    return right;
}

bool gf_chain_translate(const struct gf_foreign_call *call, unsigned kinds, struct gf_foreign_settings *settings,
                        struct gf_foreign_words *words)
{
    for (int row = 0; row >= 0; row++) {
        struct gf_foreign_settings changed = *settings;
        struct gf_foreign_words found = { "" };

        row = gf_foreign_find(call, row, &changed, &found);
        if (row < 0)
            return false;
        if ((found.text[0] == '\0' && (call->whose & GF_PEOPLE) != 0)
            || (found.text[0] != '-' && !gf_chain_is_right(found.text, kinds)))
            continue;
        *settings = changed;
        return gf_foreign_put(words, found.text);
    }
    return false;
}

/* Appends NAME:VALUE, or NAME alone, if that is a stage. */
static bool put_if_right(const char *name, const char *value, unsigned kinds, struct gf_foreign_words *words)
{
    char word[WORD_BYTES];
    const int length = snprintf(word, sizeof word, "%s%s%s", name, value != NULL ? ":" : "",
                                value != NULL ? value : "");

    return length > 0 && (size_t)length < sizeof word && strchr(word, ' ') == NULL && gf_chain_is_right(word, kinds)
        && gf_foreign_put(words, word);
}

/* Translates one filter, "scale=640:-2", "resize:200x200^" or "blur:2". */
static bool translate_one(const char *text, unsigned whose, unsigned kinds, struct gf_foreign_settings *settings,
                          struct gf_foreign_words *words)
{
    const size_t length = strcspn(text, ":=");
    const char *value = text[length] != '\0' ? text + length + 1 : NULL, *alias;
    struct gf_foreign_words found = { "" };
    char name[64];
    const struct gf_foreign_call call = { (whose != 0 ? whose : ALL_PROGRAMS) | kinds * GF_FOR(0), name, value,
                                          NULL, 0 };

    if (length >= sizeof name)
        return false;
    snprintf(name, sizeof name, "%.*s", (int)length, text);
    alias = gf_foreign_alias(name, NULL);
    if (whose == 0 && text[length] != '=' && put_if_right(alias != NULL ? alias : name, value, kinds, words))
        return true;
    if (gf_chain_translate(&call, kinds, settings, &found) && found.text[0] != '\0' && found.text[0] != '-')
        return gf_foreign_put(words, found.text);
    if (whose != 0 && gf_foreign_has(whose, name))       /* values of another program, which mean something else here */
        return false;
    return put_if_right(alias != NULL ? alias : name, value, kinds, words);
}

/* The length of the first filter of a graph: up to a comma that a name follows. After NAME:, NAME=VALUE is a value. */
static size_t first_length(const char *graph)
{
    const bool ours = graph[strcspn(graph, ":=,")] == ':';
    const char *comma = strchr(graph, ',');

    for (; comma != NULL; comma = strchr(comma + 1, ',')) {
        const char *next = comma + 1 + strspn(comma + 1, " ");
        char name[64];

        snprintf(name, sizeof name, "%.*s", (int)strcspn(next, ":=,"), next);
        if (*name != '\0' && !(ours && next[strlen(name)] == '=')
            && (is_stage(name) || gf_foreign_has(GF_FFMPEG, name) || (!ours && gf_foreign_hint(name, 0) != NULL)))
            return (size_t)(comma - graph);
    }
    return strlen(graph);
}

/* Writes a call, "ImageFilter.GaussianBlur(radius=2)", as "GaussianBlur:radius=2"; other words stay as they are. */
static const char *write_call(const char *word, char text[WORD_BYTES])
{
    const char *open = strchr(word, '(');
    size_t used = 0, start = 0;

    snprintf(text, WORD_BYTES, "%s", word);
    if (open == NULL || word[strlen(word) - 1] != ')' || strcspn(word, ":=,[/") < (size_t)(open - word))
        return text;
    for (const char *c = word; *c != '\0' && used + 1 < WORD_BYTES; c++) {
        if (*c == '.' && isalpha((unsigned char)text[start]) && (c < open || isupper((unsigned char)c[1])))
            used = start;                        /* the name of a module or a class */
        else if (c == open || strchr("() ", *c) == NULL)
            text[used++] = c == open ? ':' : *c;
        if (strchr("(,=", *c) != NULL)
            start = used;
    }
    text[used - (used > 0 && text[used - 1] == ':')] = '\0';
    return text;
}

bool gf_chain_advise(const char *graph, unsigned whose, unsigned kinds, struct gf_foreign_settings *settings,
                     struct gf_foreign_words *words)
{
    char text[WORD_BYTES];

    if (strlen(graph) >= WORD_BYTES || *(graph = write_call(graph, text)) == '\0')
        return false;
    while (*graph != '\0') {
        const size_t length = first_length(graph);
        char filter[WORD_BYTES];

        snprintf(filter, sizeof filter, "%.*s", (int)length, graph);
        if (!translate_one(filter, whose, kinds, settings, words)) {
            snprintf(settings->failed, sizeof settings->failed, "%.100s", filter);
            return false;
        }
        graph += length;
        graph += strspn(graph, ", ");
    }
    return true;
}

/* ---- errors ---- */

/* A hint for a name that is no stage, or the nearest stage that works on such an input. `word` has its values. */
static const char *hint_for(const char *name, const char *word, unsigned kinds)
{
    const char *value = word[strcspn(word, ":=")] != '\0' ? word + strcspn(word, ":=") + 1 : NULL;
    const struct gf_foreign_typed typed = { .name = name, .values = value };
    const char *names[512], *hint = gf_foreign_explain(&typed, kinds);
    int n = 0;

    for (int i = 0; i < gf_stage_count && n < 511; i++)
        if (kinds == 0 || (kinds >> gf_stages[i]->kind & 1) != 0)
            names[n++] = gf_stages[i]->name;
    names[n] = NULL;
    return hint != NULL ? hint : gf_nearest_word(name, names);
}

/* Explains a file where a stage belongs. */
static int explain_file(const char *name, struct gf_error *err)
{
    struct stat s;

    if (stat(name, &s) == 0 && S_ISDIR(s.st_mode))
        return gf_fail(err, GF_MISUSED, "'%.200s' is a folder, not a stage;; -i %.200s reads its files, -o %.200s "
                                        "writes into it", name, name, name);
    return gf_fail(err, GF_MISUSED, "'%.200s' is a file, not a stage;; -i %.200s reads it, and -o names the output",
                   name, name);
}

static int explain_unknown(const char *name, const char *word, unsigned kinds, struct gf_error *err)
{
    const char *equals = strchr(name, '='), *near;
    char stage[64];

    snprintf(stage, sizeof stage, "%.*s", (int)strcspn(name, "="), name);
    near = hint_for(stage, word, kinds);
    if (access(name, F_OK) == 0)
        return explain_file(name, err);
    if (equals != NULL && is_stage(stage))
        return gf_fail(err, GF_MISUSED, "'%.80s' is not a stage;; values follow a colon, see gpufilter --help %s", name,
                       stage);
    if (near != NULL) {
        gf_fail(err, GF_MISUSED, gf_foreign_is_clause(near) ? "no stage is called '%.80s'; %s"
                                                            : "no stage is called '%.80s'; did you mean '%s'?",
                stage, near);
        err->for_shell = gf_foreign_is_for_shell(near);
        return -1;
    }
    if (strpbrk(name, "./") != NULL)
        return gf_fail(err, GF_MISUSED, "'%.200s' is neither a stage nor a file;; -i names an input, -o the output",
                       name);
    return -1;
}

/*
 * Replaces what the message suggests by a translation of the first word, if there is one. If the word is no stage,
 * words after it that need a translation are translated, too.
 */
static bool add_translation(const char *const *words, int count, bool known, unsigned kinds, struct gf_error *err)
{
    struct gf_foreign_settings settings = { .set = { false } };
    struct gf_foreign_words all = { "" }, typed = { "" }, advice = { "" }, wrong = { "" };

    if (strpbrk(words[0], ":=,(") == NULL)
        return false;
    for (int i = 0; i < (known ? 1 : count) && gf_foreign_put(&typed, words[i])
         && gf_chain_advise(words[i], 0, kinds, &settings, &all); i++)
        if (i == 0 || !gf_chain_is_right(words[i], kinds)) {
            advice = all;
            wrong = typed;
        }
    if (advice.text[0] == '\0' || strcmp(advice.text, words[0]) == 0)    /* the word is right, its file is not */
        return false;
    if (!known)
        gf_fail(err, GF_MISUSED, strcmp(wrong.text, words[0]) == 0 ? "'%.80s' is not a stage"
                                                                   : "not all of '%.200s' are stages", wrong.text);
    gf_error_advise(err, "%s%swrite %s", settings.remark != NULL ? settings.remark : "",
                    settings.remark != NULL ? "; " : "", advice.text);
    err->for_shell = settings.remark != NULL && gf_foreign_is_for_shell(settings.remark);
    return true;
}

/* Adds what a row of the table says about such values of a stage of ours, if that is a clause. */
static void add_clause(const char *word, unsigned kinds, struct gf_error *err)
{
    const char *colon = strchr(word, ':');
    char name[64];
    const struct gf_foreign_call call = { GF_PEOPLE | kinds * GF_FOR(0), name, colon != NULL ? colon + 1 : NULL, NULL,
                                          0 };

    snprintf(name, sizeof name, "%.*s", (int)strcspn(word, ":"), word);
    for (int row = 0; colon != NULL && row >= 0; row++) {
        struct gf_foreign_settings settings = { .set = { false } };
        struct gf_foreign_words words = { "" };

        row = gf_foreign_find(&call, row, &settings, &words);
        if (row < 0)
            return;
        if (gf_foreign_is_clause(words.text)) {
            gf_error_advise(err, "%s", words.text);
            return;
        }
    }
}

/* Explains a stage that does not work on such inputs, whatever else is wrong with it. Returns false if it does. */
static bool explain_other_kind(const char *name, const char *word, unsigned kinds, struct gf_error *err)
{
    const enum gf_kind kind = kinds == 1u << GF_AUDIO ? GF_AUDIO : GF_IMAGE;
    const char *twin = kinds == 1u << kind && is_stage(name) && gf_stage_find(name, kind) == NULL
        ? gf_foreign_counterpart(word, kind) : NULL;

    if (twin == NULL)
        return false;
    gf_fail(err, GF_MISUSED, gf_foreign_is_clause(twin) ? "%s works on %s;; %s" : "%s works on %s;; did you mean '%s'?",
            name, kind == GF_IMAGE ? "audio" : "images", twin);
    return true;
}

/* Returns the length of a call of a stage at the start of a text, with its quotes; 0: there is none. */
static size_t call_length(const char *text, const char *name)
{
    const bool quoted = *text == '\'';
    const size_t length = strlen(name);

    if (strncmp(text + quoted, name, length) != 0 || text[quoted + length] != ':')
        return 0;
    return quoted ? strcspn(text + 1, "'") + 2 : strcspn(text, " ");
}

/* Adds a call from the examples of the stages of that name to a message about values that are missing. */
static void add_example(const char *name, unsigned kinds, struct gf_error *err)
{
    for (int kind = GF_IMAGE; kind <= GF_AUDIO; kind++) {
        const struct gf_stage *stage = gf_stage_find(name, (enum gf_kind)kind);

        for (int i = 0; stage != NULL && (kinds == 0 || (kinds >> kind & 1) != 0) && stage->examples[i] != NULL; i++)
            for (const char *at = strchr(stage->examples[i], ' '); at != NULL; at = strchr(at + 1, ' '))
                if (call_length(at + 1, name) > 0) {
                    gf_error_advise(err, "for example %.*s", (int)call_length(at + 1, name), at + 1);
                    return;
                }
    }
}

int gf_chain_explain(const struct gf_chain *chain, const char *const *words, int count, unsigned kinds,
                     struct gf_error *err)
{
    const int i = chain->count - 1;
    char name[64], text[WORD_BYTES];
    bool known, other = false;

    if (i < 0 || i >= count || err->status != GF_MISUSED)
        return -1;
    snprintf(name, sizeof name, "%.*s", (int)strcspn(words[i], ":"), words[i]);
    known = is_stage(name) || gf_foreign_alias(name, NULL) != NULL;
    if (err->cause == GF_CAUSE_STAGE && !add_translation(words + i, count - i, known, kinds, err)) {
        write_call(words[i], text);
        snprintf(name, sizeof name, "%.*s", (int)strcspn(text, ":"), text);
        if (!known && is_stage(name))            /* a call of ours */
            gf_fail(err, GF_MISUSED, "'%.80s' is not a stage;; values follow a colon, see gpufilter --help %s",
                    words[i], name);
        else if (!known)
            explain_unknown(name, text, kinds, err);
        else if (!(other = explain_other_kind(name, words[i], kinds, err)))
            add_clause(words[i], kinds, err);
        if (other)
            goto out;                    /* other values do not help */
        if (i + 1 < count && gf_chain_is_value(words[i], words[i + 1]) && *gf_chain_separator(words[i]) != ',')
            gf_chain_add_join(words[i], words[i + 1], err);
        else if (known && err->advice == 0 && strchr(words[i], ':') == NULL)
            add_example(name, kinds, err);
    }
out:
    if (chain->word[i].origin != NULL)
        gf_error_place(err, chain->word[i].origin->place, chain->word[i].origin->from);
    return -1;
}
