/*
 * Suggestions for words that are neither a stage nor a chain: a chain of the user with a similar
 * name.
 */
#include "chain/named_near.h"

#include "base/words.h"
#include "chain/foreign.h"
#include "chain/named.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Length of the name in a word: up to a colon, and at most 60. */
static int stem_length(const char *word)
{
    const size_t length = strcspn(word, ":");

    return length < 60 ? (int)length : 60;
}

/* Fails if a file of the user would match, except that its name has a dot. */
static int check_dots(const char *word, struct gf_error *err)
{
    char *path = gf_named_dotted(word);

    if (path == NULL)
        return 0;
    gf_fail(err, GF_MISUSED, "no stage is called '%.*s'; %.300s is not used, because names of chains have no dot; "
                             "rename it or write @%.300s",
            stem_length(word), word, path, path);
    free(path);
    return -1;
}

/* Fails with a suggestion if a chain of the user has a name nearer than any stage. */
static int check_near(unsigned kinds, const char *word, struct gf_error *err)
{
    const char *names[1024], *near;
    char **own = gf_named_list(), stem[64];
    int n = 0, first_own, result = 0;

    snprintf(stem, sizeof stem, "%.*s", stem_length(word), word);
    for (int i = 0; i < gf_stage_count && n < 512; i++)
        if (kinds == 0 || (kinds >> gf_stages[i]->kind & 1) != 0)
            names[n++] = gf_stages[i]->name;
    first_own = n;
    for (char **name = own; name != NULL && *name != NULL && n < 1023; name++)
        names[n++] = *name;
    names[n] = NULL;
    near = gf_foreign_hint(stem, kinds) == NULL ? gf_nearest_word(stem, names) : NULL;
    for (int i = first_own; near != NULL && i < n; i++)
        if (names[i] == near)
            result = gf_fail(err, GF_MISUSED, "no stage is called '%.80s'; did you mean '%s'?", stem, near);
    gf_named_list_free(own);
    return result;
}

int gf_named_near_refuse(unsigned kinds, const char *word, struct gf_error *err)
{
    return check_dots(word, err) != 0 || check_near(kinds, word, err) != 0 ? -1 : 0;
}
