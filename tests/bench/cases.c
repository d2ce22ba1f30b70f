/* The calls that --bench and --devices -v make: each is whole, in every form and of small sizes, as far as a CPU can tell. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/bench_cases.h"
#include "kernels/operations.h"
#include "kernels/pixel/blend.h"
#include "kernels/pixel/table_grid.h"
#include "tests/tap.h"

static const struct gf_bench_form forms[] = {
    { .channels = 1 }, { .channels = 2 }, { .channels = 3 }, { .channels = 1, .floats = true }, { .channels = 3, .floats = true },
};
static const int64_t sizes[][2] = { { 1, 1 }, { 7, 5 }, { 64, 48 }, { 1000, 1 } };

/* In memory of exactly as many bytes as are said to be needed. */
static int call(const struct gf_bench_case *c, const struct gf_bench_form *form, int64_t width, int64_t rows, struct gf_error *err)
{
    struct gf_bench_call m;
    struct gf_work work = { .masks = NULL };
    struct gf_io io;
    int result;

    if (gf_bench_call_make(c, width, rows, form, &m, err) != 0)
        return -1;
    io = gf_bench_call_io(&m, malloc(m.src_bytes + 1), calloc(1, m.dst_bytes + 1));
    gf_bench_fill_noise(c->fill, io.src.data, m.src_bytes);
    work.masks = work.host_masks = m.masks;
    work.tables = m.tables;
    work.scratch_bytes = gf_op_scratch_bytes(&m.op->cpu, m.params, &io);
    work.scratch = aligned_alloc(64, (work.scratch_bytes + 127) / 64 * 64);
    work.carry = calloc(1, m.carry_bytes + 1);
    result = m.op->cpu.body(&work, &io, m.params, err);
    if (m.moved <= 0)
        result = gf_fail(err, GF_FAILED, "it moves nothing");
    free(io.src.data), free(io.dst.data), free(work.scratch), free(work.carry);
    gf_bench_call_release(&m);
    return result;
}

static void try_case(const struct gf_bench_case *c)
{
    struct gf_error err = { 0 };
    char trouble[200] = "";

    for (size_t f = 0; f < sizeof forms / sizeof *forms; f++)
        for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
            if (((c->op == &gf_op_table_grid || c->op == &gf_op_blend) && forms[f].channels == 2) || (c->sound && forms[f].channels > 2))
                continue;                                    /* there are none of those */
            if (call(c, &forms[f], sizes[i][0], sizes[i][1], &err) != 0)
                snprintf(trouble, sizeof trouble, "%d channels%s, %d by %d: %.100s", forms[f].channels, forms[f].floats ? " of floats" : "",
                         (int)sizes[i][0], (int)sizes[i][1], err.text);
        }
    gf_ok(trouble[0] == '\0', "%s%s%s", c->name, c->what != NULL ? ": " : "", c->what != NULL ? c->what : "");
    if (trouble[0] != '\0')
        printf("# %s\n", trouble);
}

/* Every operation has a case. */
static void try_all_there(void)
{
    int missing = 0;

    for (int op = 0; op < gf_operation_count; op++) {
        const struct gf_bench_case *c = gf_bench_case_find(gf_operations[op]->word);

        if (c == NULL || c->op != gf_operations[op])
            missing += printf("# there is no case of %s\n", gf_operations[op]->word) > 0;
    }
    gf_ok(missing == 0, "every operation has a case");
}

int main(void)
{
    for (int i = 0; i <= GF_BENCH_LISTS; i++)
        for (const struct gf_bench_case *c = gf_bench_cases(i); c->name != NULL; c++)
            try_case(c);
    try_all_there();
    return gf_tap_end();
}
