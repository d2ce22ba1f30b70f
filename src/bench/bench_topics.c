/*
 * Finds what a name means: an operation, a lesson, or a stage, which stands for an operation that
 * it uses.
 */
#include "bench/bench_topics.h"

#include "base/terminal.h"
#include "base/words.h"
#include "bench/bench_results.h"
#include "chain/chain.h"
#include "chain/option.h"
#include "kernels/lessons/lesson.h"

#include <stdio.h>
#include <string.h>

#define WORDS 8                          /* different operations of a stage that a note names */

const char *const *gf_bench_topics(void)
{
    static const char *names[GF_BENCH_SERIES];
    int count = 0;

    for (int i = 0; i < gf_bench_group_count && count < GF_BENCH_SERIES - 3; i++)
        if (gf_bench_groups[i]->cases != NULL)
            names[count++] = gf_bench_groups[i]->name;
    for (const struct gf_lesson *l = gf_lessons; l->name != NULL && count < GF_BENCH_SERIES - 2; l++)
        if (gf_bench_group_find(l->name) == NULL)
            names[count++] = l->name;
    names[count++] = "all";
    names[count] = NULL;
    return names;
}

/*
 * Lists the operations of a bound chain, as "histogram, scan and point". Returns the first that is
 * no point step.
 */
static const char *list_operations(const struct gf_chain *chain, char *text, size_t room)
{
    const char *words[WORDS], *main_one = NULL;
    int count = 0, n = 0;

    for (int i = 0; i < chain->links; i++) {
        const struct gf_chain_link *link = &chain->link[i];
        const char *word = link->kind == GF_LINK_TEE ? NULL : link->op->word;
        int known = 0;

        while (known < count && word != NULL && strcmp(words[known], word) != 0)
            known++;
        if (word == NULL || known < count || count == WORDS)
            continue;
        words[count++] = word;
        if (main_one == NULL && link->kind != GF_LINK_POINT)
            main_one = word;
    }
    text[0] = '\0';
    for (int i = 0; i < count; i++)
        n += snprintf(text + n, room - (size_t)n, "%s%s", i == 0 ? "" : i < count - 1 ? ", " : " and ", words[i]);
    return main_one != NULL || count == 0 ? main_one : words[0];
}

int gf_bench_topic_of_stage(const char *name, const char *program, const struct gf_bench_group **found,
                            struct gf_error *err)
{
    static const struct gf_format small[] = {
        { .kind = GF_IMAGE, .type = GF_U8, .bits = 8, .maxval = 255, .channels = 3, .width = 640, .units = 480 },
        { .kind = GF_AUDIO, .type = GF_F32, .bits = 32, .channels = 2, .width = 1, .units = 480000, .rate = 48000 }
    };
    const int kind = gf_stage_find(name, GF_IMAGE) == NULL;
    struct gf_chain chain = { 0 };
    struct gf_error why = { 0 };
    const char *word = NULL;
    char text[200];

    *found = NULL;
    if (kind == 1 && gf_stage_find(name, GF_AUDIO) == NULL)
        return 0;
    if (gf_chain_parse(&chain, &name, NULL, 1, 0, &why) == 0 && gf_chain_bind(&chain, &small[kind], "it", &why) == 0)
        word = list_operations(&chain, text, sizeof text);
    gf_chain_release(&chain);
    *found = word != NULL ? gf_bench_group_find(word) : NULL;
    if (*found == NULL)
        return gf_fail(err, GF_MISUSED,
                       "the stage '%s' cannot be measured without arguments; name an operation, "
                       "as --explain lists them",
                       name);
    if (program != NULL)
        gf_terminal_print(strcmp(text, word) == 0 ? "%s: the stage %s uses %s; measuring that\n"
                                                  : "%s: the stage %s uses %s; measuring %s\n",
                          program, name, text, word);
    return 0;
}

int gf_bench_topic_unknown(const char *name, struct gf_error *err)
{
    const char *const *names = gf_bench_topics();
    const char *near = gf_nearest_word(name, names);
    char every[400] = "";

    if (near != NULL)
        return gf_fail(err, GF_MISUSED, "no operation is called '%s'; did you mean '%s'?", name, near);
    for (int i = 0; names[i] != NULL; i++)
        snprintf(every + strlen(every), sizeof every - strlen(every), "%s%s", i > 0 ? ", " : "", names[i]);
    return gf_fail(err, GF_MISUSED, "no operation is called '%s'; the names are %s", name, every);
}
