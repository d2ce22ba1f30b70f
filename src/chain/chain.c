/* Reads words as configured stages. */
#define _GNU_SOURCE
#include "chain/chain.h"
#include "chain/foreign.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool may_be(unsigned kinds, enum gf_kind kind)
{
    return kinds == 0 || (kinds >> kind & 1) != 0;
}

/* Returns the stage that a word names, of either kind, or NULL. */
static const struct gf_stage *stage_of(const char *word)
{
    char name[64];
    const struct gf_stage *stage;

    snprintf(name, sizeof name, "%.*s", (int)strcspn(word, ":"), word);
    stage = gf_stage_find(name, GF_IMAGE);
    return stage != NULL ? stage : gf_stage_find(name, GF_AUDIO);
}

static bool has_key(const char *name, enum gf_kind kind, const char *word)
{
    const struct gf_stage *stage = gf_stage_find(name, kind);
    const size_t length = strcspn(word, "=");

    for (const struct gf_option *row = stage ? stage->options : NULL; row != NULL && row->name != NULL; row++)
        if (strncmp(row->name, word, length) == 0 && row->name[length] == '\0')
            return true;
    return false;
}

/* Returns true if a stage for images writes a file. NULL is fine. */
static bool writes_file(const struct gf_stage *stage)
{
    for (const struct gf_option *row = stage != NULL ? stage->options : NULL; row != NULL && row->name != NULL; row++)
        if (row->type == GF_OPTION_OUTPUT)
            return true;
    return false;
}

int gf_chain_check_files_before(const struct gf_chain *chain, int at, const char *why, struct gf_error *err)
{
    const enum gf_kind kind = chain->word[at].stage[GF_IMAGE] != NULL ? GF_IMAGE : GF_AUDIO;

    for (int i = 0; i < at; i++)
        if (writes_file(chain->word[i].stage[kind]))
            return gf_fail(err, GF_MISUSED, "%s: cannot be before %s, which %s;; write the files by another command",
                           chain->word[i].stage[kind]->name, chain->word[at].stage[kind]->name, why);
    return 0;
}

bool gf_chain_is_value(const char *before, const char *word)
{
    const struct gf_stage *stage = before != NULL ? stage_of(before) : NULL;
    const char *digits = word + strspn(word, "+-"), *slash = strchr(word, '/');

    if (slash != NULL && !isdigit((unsigned char)slash[1]))
        return false;                            /* a file, or half of its name without quotes: my 2/f.png */
    if (stage == NULL || digits - word > 1 || (strchr(before, '[') != NULL && strchr(before, ']') == NULL))
        return false;                            /* blanks have split a matrix, which needs quotes */
    if (strchr(word, '=') != NULL)
        return has_key(stage->name, GF_IMAGE, word) || has_key(stage->name, GF_AUDIO, word);
    return isdigit((unsigned char)digits[*digits == '.']) && access(word, F_OK) != 0
        && ((gf_stage_find(stage->name, GF_IMAGE) != NULL && gf_stage_find(stage->name, GF_IMAGE)->options != NULL)
            || (gf_stage_find(stage->name, GF_AUDIO) != NULL && gf_stage_find(stage->name, GF_AUDIO)->options != NULL));
}

const char *gf_chain_separator(const char *word)
{
    const size_t n = strlen(word);

    return strchr(word, ':') == NULL ? ":" : word[n - 1] == ':' || word[n - 1] == ',' ? "" : ",";
}

void gf_chain_add_join(const char *word, const char *next, struct gf_error *err)
{
    gf_error_add_advice(err, "write %.80s%s%.80s", word, gf_chain_separator(word), next);
}

/*
 * Combines the errors of a word that is wrong for images and for audio, if the input may be either.
 */
static void combine_errors(struct gf_error wrong[2], unsigned kinds, struct gf_error *err)
{
    const bool both = may_be(kinds, GF_IMAGE) && may_be(kinds, GF_AUDIO);

    *err = wrong[may_be(kinds, GF_IMAGE) ? GF_IMAGE : GF_AUDIO];
    if (both && wrong[GF_IMAGE].cause == GF_CAUSE_RANGE && wrong[GF_AUDIO].cause == GF_CAUSE_RANGE
        && strcmp(wrong[GF_IMAGE].text, wrong[GF_AUDIO].text) != 0)
        gf_error_add_advice(err, "for audio it %.300s", wrong[GF_AUDIO].text + wrong[GF_AUDIO].range);
}

/* Keeps the text of a word, with the name of the stage instead of an alias, and writes that name. */
static int take_text(struct gf_chain_word *word, const char *text, char name[64], struct gf_error *err)
{
    const size_t length = strcspn(text, ":");
    const char *stage;

    snprintf(name, 64, "%.*s", (int)length, text);
    stage = stage_of(text) == NULL ? gf_foreign_alias(name, &word->alias) : NULL;
    if (stage == NULL) {
        word->text = strdup(text);
        return word->text != NULL ? 0 : gf_fail_memory(err, NULL);
    }
    snprintf(name, 64, "%s", stage);
    if (asprintf(&word->text, "%s%s", name, text + length) < 0) {
        word->text = NULL;
        return gf_fail_memory(err, NULL);
    }
    return 0;
}

/* Parses one word for each kind that has such a stage. It fails if the word is wrong for all of them. */
static int parse_word(struct gf_chain_word *word, const char *text, unsigned kinds, bool arrays, struct gf_error *err)
{
    const char *colon;
    struct gf_error wrong[2];
    char name[64];
    int known = 0, right = 0;

    if (take_text(word, text, name, err) != 0)
        return -1;
    colon = strchr(word->text, ':');
    for (int kind = GF_IMAGE; kind <= GF_AUDIO; kind++) {
        const struct gf_stage *stage = gf_stage_find(name, (enum gf_kind)kind);

        if (stage == NULL)
            continue;
        known++;
        word->config[kind] = calloc(1, stage->config_bytes ? stage->config_bytes : 1);
        if (word->config[kind] == NULL)
            return gf_fail_memory(err, NULL);
        if (gf_options_parse(stage->options, name, colon ? colon + 1 : NULL, arrays, word->config[kind],
                             &wrong[kind]) == 0) {
            word->stage[kind] = stage;
            right++;
        } else {
            *err = wrong[kind];
            if (err->status != GF_MISUSED)               /* the word may be right, but a file could not be read */
                return -1;
        }
    }
    if (word->stage[GF_AUDIO] != NULL && word->stage[GF_AUDIO]->album != NULL
        && word->stage[GF_AUDIO]->album(word->config[GF_AUDIO])) {
        word->album = calloc(1, sizeof *word->album);
        if (word->album == NULL)
            return gf_fail_memory(err, NULL);
    }
    if (known == 0)
        return gf_fail(err, GF_MISUSED, "no stage is called '%.80s';; gpufilter --list shows all", name);
    if (right == 0 && known == 2)
        combine_errors(wrong, kinds, err);
    return right > 0 ? 0 : -1;
}

bool gf_chain_accept(struct gf_chain *chain, const char *word, unsigned kinds)
{
    struct gf_chain_word *parsed = &chain->word[chain->count++];
    struct gf_error err;

    if (parse_word(parsed, word, kinds, false, &err) != 0)
        return false;
    return (parsed->stage[GF_IMAGE] != NULL && (kinds == 0 || (kinds & 1u << GF_IMAGE) != 0))
        || (parsed->stage[GF_AUDIO] != NULL && (kinds == 0 || (kinds & 1u << GF_AUDIO) != 0));
}

/* Parses the word at `i`. The error of a wrong one has the cause GF_CAUSE_STAGE, unless it is a value. */
static int parse_next(struct gf_chain_word *word, const char *const *words, int i, unsigned kinds, bool arrays,
                      struct gf_error *err)
{
    const char *call = word->origin ? word->origin->call : NULL;
    const char *before = i > 0 && (word[-1].origin ? word[-1].origin->call : NULL) == call ? words[i - 1] : NULL;

    if (gf_chain_is_value(before, words[i])) {
        gf_fail(err, GF_MISUSED, "'%.80s' is not a stage but a value for the one before it", words[i]);
        gf_chain_add_join(before, words[i], err);
        return -1;
    }
    if (parse_word(word, words[i], kinds, arrays, err) == 0)
        return 0;
    if (err->status == GF_MISUSED)
        err->cause = GF_CAUSE_STAGE;
    return -1;
}

int gf_chain_fail_word(const struct gf_chain_word *word, struct gf_error *err)
{
    if (word->origin != NULL)
        gf_error_place(err, word->origin->place, word->origin->from);
    return -1;
}

int gf_chain_parse(struct gf_chain *chain, const char *const *words, const struct gf_chain_origin *origins,
                    int count, unsigned kinds, struct gf_error *err)
{
    return gf_chain_parse_arrays(chain, words, origins, count, kinds, false, err);
}

int gf_chain_parse_arrays(struct gf_chain *chain, const char *const *words, const struct gf_chain_origin *origins,
                          int count, unsigned kinds, bool arrays, struct gf_error *err)
{
    memset(chain, 0, sizeof *chain);
    if (count > GF_CHAIN_STAGES)
        return gf_fail(err, GF_MISUSED, "a chain has at most %d stages; this one has %d", GF_CHAIN_STAGES, count);
    for (int i = 0; i < count; i++) {
        struct gf_chain_word *word = &chain->word[chain->count++];

        word->origin = origins != NULL && origins[i].call != NULL ? &origins[i] : NULL;
        if (parse_next(word, words, i, kinds, arrays, err) != 0)
            return -1;
    }
    return 0;
}

/* A word whose file is wrong for one kind may be right for the other. */
static int load_word(struct gf_chain_word *word, const struct gf_given *given, int64_t *bytes, struct gf_error *err)
{
    bool right = false;

    for (int kind = GF_IMAGE; kind <= GF_AUDIO; kind++) {
        const struct gf_stage *stage = word->stage[kind];

        if (stage == NULL)
            continue;
        if (gf_options_load(stage->options, stage->name, word->config[kind], given, err) == 0) {
            *bytes += gf_options_bytes(stage->options, word->config[kind]);
            right = true;
        } else {
            word->stage[kind] = NULL;
            if (err->status != GF_MISUSED)               /* the file could not be read */
                return -1;
        }
    }
    return right ? 0 : -1;
}

int gf_chain_load(struct gf_chain *chain, const struct gf_given *given, struct gf_error *err)
{
    for (int i = 0; i < chain->count; i++)
        if (load_word(&chain->word[i], given, &chain->list_bytes, err) != 0)
            return gf_chain_fail_word(&chain->word[i], err);
    return 0;
}

void gf_chain_release(struct gf_chain *chain)
{
    for (int i = 0; i < chain->count; i++) {
        struct gf_chain_word *word = &chain->word[i];

        for (int kind = GF_IMAGE; kind <= GF_AUDIO; kind++) {
            if (word->stage[kind] != NULL)
                gf_options_release(word->stage[kind]->options, word->config[kind]);
            free(word->config[kind]);
        }
        if (word->album != NULL)
            free(word->album->value);
        free(word->album);
        free(word->text);
    }
    memset(chain, 0, sizeof *chain);
}

enum gf_ends gf_chain_ends(const struct gf_chain *chain)
{
    const struct gf_chain_word *last = chain->count > 0 ? &chain->word[chain->count - 1] : NULL;

    for (int kind = GF_IMAGE; last != NULL && kind <= GF_AUDIO; kind++)
        if (last->stage[kind] != NULL && gf_stage_ends(last->stage[kind], last->config[kind]) != GF_ENDS_SIGNAL)
            return gf_stage_ends(last->stage[kind], last->config[kind]);
    return GF_ENDS_SIGNAL;
}

bool gf_chain_word_wants_length(const struct gf_chain_word *word, enum gf_kind kind)
{
    const struct gf_stage *stage = word->stage[kind];

    return stage != NULL && stage->wants_length && (stage->waits == NULL || stage->waits(word->config[kind]));
}

int gf_chain_wants_length(const struct gf_chain *chain, enum gf_kind kind)
{
    for (int i = 0; i < chain->count; i++)
        if (gf_chain_word_wants_length(&chain->word[i], kind))
            return i;
    return -1;
}
