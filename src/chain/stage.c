/* Looking stages up; the list itself is generated. */
#include "chain/stage.h"

#include <ctype.h>
#include <string.h>

int gf_check_hz(const char *stage, double hz, const struct gf_format *in, struct gf_error *err)
{
    if (hz < in->rate / 2.0)
        return 0;
    return gf_fail(err, GF_FAILED, "%s: %.10g Hz is beyond what a recording of %d Hz holds; it takes less than %.10g", stage, hz, in->rate,
                   in->rate / 2.0);
}

const struct gf_stage *gf_stage_find(const char *name, enum gf_kind kind)
{
    for (int i = 0; i < gf_stage_count; i++)
        if (gf_stages[i]->kind == kind && strcmp(gf_stages[i]->name, name) == 0)
            return gf_stages[i];
    return NULL;
}

/* Whether they are the same but for capitals, dashes and underscores in `word`. */
static bool is_called(const char *word, const char *name)
{
    for (; *word != '\0'; word++) {
        if (*word == '-' || *word == '_')
            continue;
        if (tolower((unsigned char)*word) != *name++)
            return false;
    }
    return *name == '\0';
}

const char *gf_stage_hint(const char *word)
{
    for (int i = 0; i < gf_stage_count; i++)
        if (is_called(word, gf_stages[i]->name))
            return gf_stages[i]->name;
    for (const struct gf_synonym *s = gf_synonyms; s->word != NULL; s++)
        if (is_called(word, s->word))
            return s->hint;
    return NULL;
}

const char *gf_stage_counterpart(const char *stage, enum gf_kind kind)
{
    for (const struct gf_counterpart *c = gf_counterparts; c->picture != NULL; c++)
        if (strcmp(kind == GF_IMAGE ? c->sound : c->picture, stage) == 0)
            return kind == GF_IMAGE ? c->picture : c->sound;
    return NULL;
}
