/* Finds forms and groups of cases by their names. */
#include "bench/bench_case.h"

#include "base/words.h"

#include <string.h>

const struct gf_form gf_forms[GF_FORMS] = {
    { "u8", GF_U8, 8, 255, 1, false }, { "u8 rgb", GF_U8, 8, 255, 3, false }, { "u8 rgba", GF_U8, 8, 255, 4, false },
    { "u16", GF_U16, 16, 65535, 1, false }, { "u16 rgb", GF_U16, 10, 1023, 3, false },
        { "s16", GF_S16, 16, 1, 2, false },
    { "s24", GF_S32, 24, 1, 1, false }, { "s32", GF_S32, 32, 1, 3, false }, { "f32", GF_F32, 32, 1, 1, false },
    { "f32 rgb", GF_F32, 32, 1, 3, false }, { "f32 rgba", GF_F32, 32, 1, 4, false }, { "f64", GF_F64, 64, 1, 1, false },
    { "plane", GF_F32, 32, 1, 1, true }, { "planes", GF_F32, 32, 1, 3, true },
        { "four planes", GF_F32, 32, 1, 4, true },
    { "six channels", GF_S16, 16, 1, 6, false },
    { "u8 gray and alpha", GF_U8, 8, 255, 2, false }, { "f32 stereo", GF_F32, 32, 1, 2, false },
};

const struct gf_form *gf_bench_form_at(const char *list)
{
    const size_t length = strcspn(list, ",");

    for (int i = 0; i < GF_FORMS; i++)
        if (strlen(gf_forms[i].name) == length && memcmp(gf_forms[i].name, list, length) == 0)
            return &gf_forms[i];
    return NULL;
}

const char *gf_bench_form_next(const char *list)
{
    list += strcspn(list, ",");
    return *list == ',' ? list + 1 + strspn(list + 1, " ") : NULL;
}

const struct gf_bench_group *gf_bench_group_find(const char *name)
{
    for (int i = 0; i < gf_bench_group_count; i++)
        if (gf_bench_groups[i]->cases != NULL && strcmp(gf_bench_groups[i]->name, name) == 0)
            return gf_bench_groups[i];
    return NULL;
}

const struct gf_bench_group *gf_bench_group_of(const struct gf_operation *op)
{
    const struct gf_bench_group *any = NULL;

    for (int i = 0; i < gf_bench_group_count; i++) {
        const struct gf_bench_group *g = gf_bench_groups[i];

        if (g->op == op && (g->slow != NULL || g->compare != NULL))
            return g;
        any = any == NULL && g->op == op ? g : any;
    }
    return any;
}

static bool is_called(const struct gf_bench_group *g, const char *name)
{
    return strcmp(g->name, name) == 0 || (g->op != NULL && strcmp(g->op->word, name) == 0);
}

bool gf_bench_is_selected(const char *only, const struct gf_bench_group *group, const char *name)
{
    for (int i = 0; only != NULL && i < gf_bench_group_count; i++)
        if (is_called(gf_bench_groups[i], only))
            return is_called(group, only);
    return gf_is_selected(only, name);
}
