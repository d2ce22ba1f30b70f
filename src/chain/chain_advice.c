/* Advice on words in the syntax of other programs: the stages to write instead. Only advice that parses is given. */
#include "chain/chain.h"

#include "chain/foreign.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The longest word that may be a translation. */
#define WORD_BYTES 400

static bool is_name(const char *name, size_t length)
{
    char text[64];

    if (length == 0 || length >= sizeof text)
        return false;
    snprintf(text, sizeof text, "%.*s", (int)length, name);
    return gf_stage_find(text, GF_IMAGE) != NULL || gf_stage_find(text, GF_AUDIO) != NULL
        || gf_stage_alias(text, NULL) != NULL
        || gf_foreign_ffmpeg_has(text, length);
}

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

/* Appends `format` filled in with a name and a value, if that is a stage. */
static bool put_if_right(const char *format, const char *name, const char *value, unsigned kinds,
                         struct gf_foreign_words *words)
{
    char word[WORD_BYTES];
    const int length = snprintf(word, sizeof word, format, name, value);

    return length > 0 && (size_t)length < sizeof word && strchr(word, ' ') == NULL && gf_chain_is_right(word, kinds)
        && gf_foreign_put(words, "%s", word);
}

/* Hands the translation on if it parses. */
static bool keep(bool translated, const struct gf_foreign_words *found, unsigned kinds, struct gf_foreign_words *words)
{
    return translated && found->text[0] != '\0' && gf_chain_is_right(found->text, kinds)
        && gf_foreign_put(words, "%s", found->text);
}

/* Translates one filter, "scale=640:-2", "resize:200x200^" or "blur:2". */
static bool translate_one(const char *text, unsigned kinds, struct gf_foreign_words *words)
{
    const size_t length = strcspn(text, ":=");
    const char *value = text[length] != '\0' ? text + length + 1 : NULL, *hint;
    struct gf_foreign_words found = { "" };
    char name[64];

    if (length >= sizeof name)
        return false;
    snprintf(name, sizeof name, "%.*s", (int)length, text);
    if (gf_stage_alias(name, NULL) != NULL && text[length] != '=')
        return put_if_right("%s%s", gf_stage_alias(name, NULL), text + length, kinds, words);
    if (text[length] != '=' && put_if_right("%s", text, "", kinds, words))
        return true;
    if (text[length] == ':' && keep(gf_foreign_magick(name, value, NULL, &found), &found, kinds, words))
        return true;
    found.text[0] = '\0';
    if (keep(gf_foreign_ffmpeg(text, &found), &found, kinds, words))
        return true;
    if (value == NULL)
        return false;
    found.text[0] = '\0';
    if (text[length] == ':' && keep(gf_foreign_effect(name, &value, 1, false, &found), &found, kinds, words))
        return true;
    if (text[length] == '=' && put_if_right("%s:%s", name, value, kinds, words))
        return true;
    hint = gf_stage_hint(name);
    return hint != NULL && strcspn(hint, " :,") == strlen(hint) && put_if_right("%s:%s", hint, value, kinds, words);
}

/* The length of the first filter of a graph: up to a comma that a name follows. */
static size_t first_length(const char *graph)
{
    const char *comma = strchr(graph, ',');

    for (; comma != NULL; comma = strchr(comma + 1, ',')) {
        const char *next = comma + 1 + strspn(comma + 1, " ");

        if (is_name(next, strcspn(next, ":=,")))
            return (size_t)(comma - graph);
    }
    return strlen(graph);
}

bool gf_chain_advise(const char *graph, unsigned kinds, char *advice, size_t bytes)
{
    struct gf_foreign_words words = { "" };

    if (strlen(graph) >= WORD_BYTES)
        return false;
    while (*graph != '\0') {
        const size_t length = first_length(graph);
        char filter[WORD_BYTES];

        snprintf(filter, sizeof filter, "%.*s", (int)length, graph);
        if (!translate_one(filter, kinds, &words))
            return false;
        graph += length;
        graph += strspn(graph, ", ");
    }
    return words.text[0] != '\0' && (size_t)snprintf(advice, bytes, "%s", words.text) < bytes;
}
