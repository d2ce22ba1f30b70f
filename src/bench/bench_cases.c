/* Finds a case among those of all operations. */
#include "bench/bench_cases.h"

#include "kernels/operations.h"

#include <string.h>

#define EXAMPLES 32

static const struct gf_bench_case *find(const struct gf_bench_case *list, const char *name)
{
    while (list->name != NULL && strcmp(list->name, name) != 0)
        list++;
    return list->name != NULL ? list : NULL;
}

static void set_example(struct gf_bench_call *m)
{
    m->op->example(m->params, &m->src);
}

/* Makes a case for each operation whose descriptor has an example. */
static const struct gf_bench_case *examples(void)
{
    static struct gf_bench_case list[EXAMPLES + 1];
    int count = 0;

    for (int i = 0; i < gf_operation_count && count < EXAMPLES; i++)
        if (gf_operations[i]->example != NULL)
            list[count++] = (struct gf_bench_case) { .name = gf_operations[i]->word, .what = "its example, bytes",
                                                     .op = gf_operations[i], .set = set_example };
    return list;
}

const struct gf_bench_case *gf_bench_cases(int list)
{
    return list == 0 ? gf_bench_image_cases : list == 1 ? gf_bench_audio_cases : list == 2 ? examples() : gf_bench_variant_cases;
}

const struct gf_bench_case *gf_bench_case_find(const char *name)
{
    const struct gf_bench_case *found = NULL;

    for (int i = 0; i < GF_BENCH_LISTS && found == NULL; i++)
        found = find(gf_bench_cases(i), name);
    return found;
}
