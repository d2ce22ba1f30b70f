/*
 * Finds what a name means: an operation, a lesson, or a stage, which stands for an operation that
 * it uses.
 */
#include "bench/bench_topics.h"

#include "base/terminal.h"
#include "base/words.h"
#include "bench/bench_results.h"
#include "chain/binding.h"
#include "chain/option.h"
#include "kernels/lessons/lesson.h"

#include <stdio.h>
#include <string.h>

#define TOPICS 256                       /* most operations and lessons */
#define WORDS 8                          /* different operations of a stage that a note names */

const char *const *gf_bench_topics(void)
{
    static const char *names[TOPICS];
    int count = 0;

    for (int i = 0; i < gf_bench_group_count && count < TOPICS - 5; i++)
        if (gf_bench_groups[i]->cases != NULL)
            names[count++] = gf_bench_groups[i]->name;
    for (const struct gf_lesson *const *l = gf_lessons; *l != NULL && count < TOPICS - 4; l++)
        if (gf_bench_group_find((*l)->name) == NULL)
            names[count++] = (*l)->name;
    names[count++] = "lessons";
    names[count++] = "roofline";
    names[count++] = "all";
    names[count] = NULL;
    return names;
}

bool gf_bench_topic_is_special(const char *name)
{
    static const char *const special[] = { "all", "lessons", "roofline" };

    for (size_t i = 0; i < sizeof special / sizeof special[0]; i++)
        if (strcmp(name, special[i]) == 0)
            return true;
    return false;
}

/*
 * Lists the operations of a bound chain, as "histogram, scan and point". Returns the first that is
 * no point step.
 */
static const char *list_operations(const struct gf_binding *binding, char *text, size_t room)
{
    const char *words[WORDS], *main_one = NULL;
    int count = 0, n = 0;

    for (int i = 0; i < binding->links; i++) {
        const struct gf_link *link = &binding->link[i];
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

/* ---- stages ---- */

/* Samples of each kind. No samples are read, so files that a stage names as second image need not exist. */
static const struct gf_format small[] = {
    { .kind = GF_IMAGE, .type = GF_U8, .bits = 8, .maxval = 255, .channels = 3, .width = 640, .units = 480 },
    { .kind = GF_AUDIO, .type = GF_F32, .bits = 32, .channels = 2, .width = 1, .units = 480000, .rate = 48000 }
};

/*
 * Binds one stage to a small signal, and lists its operations. Returns the main one; NULL if the stage has none, or if
 * it cannot be bound, and then `text` stays as it is.
 */
static const char *bind_stage(const char *stage, enum gf_kind kind, char *text, size_t room)
{
    struct gf_chain chain;
    struct gf_binding binding = { 0 };
    struct gf_bind_options options = { 0 };
    struct gf_error why = { 0 };
    const char *word = NULL;

    if (gf_chain_parse(&chain, &stage, NULL, 1, 0, &why) == 0 && gf_chain_load(&chain, NULL, &why) == 0) {
        if (gf_chain_list_sides(&chain, kind, options.side, &options.sides, &why) == 0) {
            for (int i = 0; i < options.sides; i++)          /* any second image has the size of the first */
                options.side[i].format = small[GF_IMAGE];
            if (gf_bind(&binding, &chain, &small[kind], &options, "it", &why) == 0)
                word = list_operations(&binding, text, room);
        }
    }
    gf_binding_release(&binding);
    gf_chain_release(&chain);
    return word;
}

/* Copies the next argument of a command line without its quotes. Returns the text after it; NULL at the end. */
static const char *next_argument(const char *line, char *argument, size_t room)
{
    size_t n = 0;
    bool quoted = false;

    line += strspn(line, " ");
    if (*line == '\0')
        return NULL;
    for (; *line != '\0' && (quoted || *line != ' '); line++) {
        if (*line == '\'')
            quoted = !quoted;
        else if (n < room - 1)
            argument[n++] = *line;
    }
    argument[n] = '\0';
    return line;
}

/* Binds a stage with the values that it has in a command line. */
static const char *bind_as_in(const char *line, const char *name, enum gf_kind kind, char *text, size_t room)
{
    const size_t length = strlen(name);
    const char *word = NULL;
    char argument[500];

    while (word == NULL && line != NULL && (line = next_argument(line, argument, sizeof argument)) != NULL)
        if (strncmp(argument, name, length) == 0 && argument[length] == ':')
            word = bind_stage(argument, kind, text, room);
    return word;
}

int gf_bench_topic_of_stage(const char *name, const char *program, const struct gf_bench_group **found,
                            struct gf_error *err)
{
    const enum gf_kind kind = gf_stage_find(name, GF_IMAGE) != NULL ? GF_IMAGE : GF_AUDIO;
    const struct gf_stage *stage = gf_stage_find(name, kind);
    const char *word;
    char text[200] = "not bound";

    *found = NULL;
    if (stage == NULL)
        return 0;
    word = bind_stage(name, kind, text, sizeof text);
    for (const char *const *example = stage->examples; word == NULL && example != NULL && *example != NULL;
         example++)
        word = bind_as_in(*example, name, kind, text, sizeof text);
    if (word == NULL)
        word = bind_as_in(stage->picture, name, kind, text, sizeof text);
    *found = word != NULL ? gf_bench_group_find(word) : NULL;
    if (*found == NULL && text[0] == '\0')
        return gf_fail(err, GF_MISUSED, "the stage '%s' has no operation of its own;; --list shows the operations",
                       name);
    if (*found == NULL)
        return gf_fail(err, GF_MISUSED, "the stage '%s' needs a file;; name an operation instead, as gpufilter "
                       "--explain lists them", name);
    if (program != NULL)
        gf_terminal_print(strcmp(text, word) == 0 ? "%s: the stage %s uses %s; measuring that\n"
                                                  : "%s: the stage %s uses %s; measuring %s\n",
                          program, name, text, word);
    return 0;
}

/* ---- unknown names ---- */

/* Returns the most similar name of an operation, or else of a lesson or a stage; NULL if none is similar. */
static const char *find_near(const char *name)
{
    const char *near = gf_nearest_word(name, gf_bench_topics());
    const char *names[512];
    int count = 0;

    if (near != NULL)
        return near;
    for (int i = 0; i < gf_stage_count && count < 511; i++)
        names[count++] = gf_stages[i]->name;
    names[count] = NULL;
    return gf_nearest_word(name, names);
}

int gf_bench_topic_unknown(const char *name, struct gf_error *err)
{
    const char *const *names = gf_bench_topics();
    const char *near = find_near(name);
    char every[900] = "";

    if (near != NULL)
        return gf_fail(err, GF_MISUSED, "no operation is called '%s'; did you mean '%s'?", name, near);
    for (int i = 0; names[i] != NULL; i++)
        snprintf(every + strlen(every), sizeof every - strlen(every), "%s%s", i > 0 ? ", " : "", names[i]);
    return gf_fail(err, GF_MISUSED, "no operation is called '%s'; the names are %s", name, every);
}

int gf_bench_topic_no_case(const char *name, const char *option, struct gf_error *err)
{
    const struct gf_bench_group *group = NULL;
    const char *near = find_near(name);
    struct gf_error none;

    if (gf_bench_topic_of_stage(name, NULL, &group, &none) == 0 && group != NULL)
        return gf_fail(err, GF_MISUSED, "no case matches '%s'; the stage %s uses %s, so try %s %s", name, name,
                       group->name, option, group->name);
    if (near != NULL && strcmp(near, name) != 0)
        return gf_fail(err, GF_MISUSED, "no case matches '%s'; did you mean '%s'?", name, near);
    return gf_fail(err, GF_MISUSED, "no case matches '%s'; %s without a name runs all", name, option);
}
