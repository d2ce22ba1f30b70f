/* Every operation on every device: known answers in double precision, and the same bits from CPU and GPU. */
#include "bench/check/check.h"

#include "bench/bench_call.h"
#include "bench/check/check_compare.h"
#include "kernels/operations.h"
#include "table/table.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SLACK 3e-6               /* of a case that names none */
#define AT 512                   /* bytes before the first sample */

/* The request, and the counts of what has been printed. */
struct progress {
    const struct gf_check_request *request;
    int checks, failures;
};

/* ---- lines ---- */

/* A failure tells the command that repeats it. */
static void put_line(struct progress *p, bool good, const char *what)
{
    p->failures += !good;
    printf("%sok %d - %s\n", good ? "" : "not ", ++p->checks, what);
    if (!good && gf_trouble[0] != '\0')
        printf("# %s\n", gf_trouble);
    if (!good)
        printf("# repeat: gpufilter-bench --check='=%s' --seed=%" PRIu64 "%s\n", what, p->request->seed,
               p->request->quick ? " --quick" : "");
    fflush(stdout);
}

/* Skips a check on a GPU where there is none, or fails it where one is needed; false: there is one. */
static bool put_missing(struct progress *p, const char *what, bool on_gpu)
{
    if (!on_gpu || gf_gpu_open)
        return false;
    p->failures += p->request->needs_gpu;
    if (p->request->needs_gpu)
        printf("not ok %d - %s # no GPU: %s\n", ++p->checks, what, gf_gpu_why);
    else
        printf("ok %d - %s # SKIP no GPU: %s\n", ++p->checks, what, gf_gpu_why);
    return true;
}

/* ---- cases ---- */

/* One call of a small picture, or of a few frames, as --peers makes it of a large one. */
static void call_case(const struct gf_bench_pick *pick, int64_t width, int64_t rows, bool on_gpu)
{
    const double slack = pick->group->slack != 0 ? pick->group->slack : SLACK;
    struct gf_bench_call m;
    struct gf_error err;
    struct gf_io io;

    if (gf_bench_call_make(pick, width, rows, NULL, &m, &err) != 0) {
        snprintf(gf_trouble, sizeof gf_trouble, "%.300s", err.text);
        return;
    }
    io = gf_bench_call_io(&m, gf_src_bytes + AT, gf_cpu_bytes + AT);
    gf_bench_fill_noise(m.fill, gf_src_bytes + AT, m.src_bytes);
    gf_beside_size = m.beside ? AT + m.src_bytes : 0;
    memcpy(gf_beside_bytes, gf_src_bytes, gf_beside_size);
    io.beside.data = gf_beside_bytes + AT;
    memset(gf_carried[0], 0, sizeof gf_carried[0]);
    gf_carried_bytes = m.carry_bytes;
    gf_rounding = pick->group->rounding;
    if (m.carry_bytes > sizeof gf_carried[0] || 2 * AT + m.src_bytes > GF_ROOM || 2 * AT + m.dst_bytes > GF_ROOM
        || gf_set_pools(m.masks, m.mask_count, m.tables, m.table_count) != 0)
        snprintf(gf_trouble, sizeof gf_trouble, "%s: no room for the call", pick->one->name);
    else
        gf_try_call(on_gpu, m.op, &io, m.params, 2 * AT + m.src_bytes, 2 * AT + m.dst_bytes, slack);
    gf_beside_size = gf_carried_bytes = 0;
    gf_rounding = 0;
    gf_bench_call_release(&m);
}

static void check_case(struct progress *p, const struct gf_bench_pick *pick, bool on_gpu)
{
    static const int64_t sizes[][2] = { { 1, 1 }, { 7, 5 }, { 19, 7 }, { 67, 29 } };
    const size_t count = sizeof sizes / sizeof *sizes - (pick->one->part > 1);           /* slowly it takes long */
    char what[200];

    snprintf(what, sizeof what, "%s, %s, %s", pick->one->name, pick->form != NULL ? pick->form->name : "no such form",
             on_gpu ? "cuda" : "cpu");
    if (!gf_bench_is_wanted(p->request->only, what) || put_missing(p, what, on_gpu))
        return;
    gf_trouble[0] = '\0';
    for (size_t i = 0; pick->form != NULL && i < count && gf_trouble[0] == '\0'; i++)
        call_case(pick, sizes[i][0], sizes[i][1], on_gpu);
    put_line(p, pick->form != NULL && gf_trouble[0] == '\0', what);
}

static void check_cases(struct progress *p, const struct gf_bench_group *g)
{
    for (const struct gf_bench_case *one = g->cases; one != NULL && one->name != NULL; one++)
        for (const char *at = one->forms; at != NULL; at = gf_bench_form_next(at)) {
            const struct gf_bench_pick pick = { g, one, gf_bench_form_at(at) };

            check_case(p, &pick, false);
            check_case(p, &pick, true);
        }
}

/* ---- random calls ---- */

static void try_form(struct progress *p, const struct gf_bench_group *g, const struct gf_form *f, bool on_gpu)
{
    const bool quick = p->request->quick;
    const int times = quick ? 4 : on_gpu && gf_gpu_open ? 60 : 20;
    char what[200];

    snprintf(what, sizeof what, "random %s, %s, %s", g->name, f->name, on_gpu ? "cuda" : "cpu");
    if (!gf_bench_is_wanted(p->request->only, what) || put_missing(p, what, on_gpu))
        return;
    gf_seed(p->request->seed * UINT64_C(0x9E3779B97F4A7C15) + (uint64_t)(unsigned char)g->name[0] * 1000003
            + (uint64_t)(unsigned char)g->name[1] * 10007 + (uint64_t)(f - gf_forms) + 1);
    gf_trouble[0] = '\0';
    for (int i = 0; i < times && gf_trouble[0] == '\0'; i++)
        g->try(f, on_gpu);
    put_line(p, gf_trouble[0] == '\0', what);
}

static int make_pools(uint64_t seed, float *masks, float *tables)
{
    gf_seed(seed + 77);
    for (int i = 0; i < GF_MASKS; i++)
        masks[i] = (float)(gf_unit_random() - 0.3) / 8;
    for (int i = 0; i < GF_TABLES; i++)
        tables[i] = i < GF_NOISE_TABLES ? (float)gf_unit_random() : 0.0f;
    gf_masks = masks;
    gf_tables = tables;
    for (int i = 0; i < gf_bench_group_count; i++)
        if (gf_bench_groups[i]->make_pools != NULL)
            gf_bench_groups[i]->make_pools();
    return gf_set_pools(masks, GF_MASKS, tables, GF_TABLES);
}

static void try_all(struct progress *p)
{
    float *masks = malloc(GF_MASKS * sizeof *masks), *tables = malloc(GF_TABLES * sizeof *tables);

    if (masks == NULL || tables == NULL || make_pools(p->request->seed, masks, tables) != 0)
        put_line(p, false, "memory for random calls");
    else
        for (int g = 0; g < gf_bench_group_count; g++)
            for (int device = 0; gf_bench_groups[g]->try != NULL && device < 2; device++)
                for (int f = 0; f < (gf_bench_groups[g]->once ? 1 : GF_FORMS); f++)
                    try_form(p, gf_bench_groups[g], &gf_forms[f], device == 1);
    free(masks);
    free(tables);
}

/* ---- the whole ---- */

/* An operation that nothing tries. */
static void find_untried(struct progress *p)
{
    for (int i = 0; i < gf_operation_count; i++) {
        bool tried = false;

        for (int g = 0; g < gf_bench_group_count; g++)
            tried = tried || gf_bench_groups[g]->op == gf_operations[i];
        gf_trouble[0] = '\0';
        if (!tried) {
            snprintf(gf_trouble, sizeof gf_trouble, "%s: no gf_bench_group in src/bench/cases is about this operation",
                     gf_operations[i]->word);
            put_line(p, false, gf_operations[i]->word);
        }
    }
}

int gf_check_run(const struct gf_check_request *r)
{
    struct progress p = { .request = r };

    gf_src_bytes = aligned_alloc(512, GF_ROOM);
    gf_cpu_bytes = aligned_alloc(512, GF_ROOM);
    gf_gpu_bytes = aligned_alloc(512, GF_ROOM);
    gf_beside_bytes = aligned_alloc(512, GF_ROOM);
    if (gf_src_bytes == NULL || gf_cpu_bytes == NULL || gf_gpu_bytes == NULL || gf_beside_bytes == NULL) {
        put_line(&p, false, "memory for calls");
    } else {
        gf_open_gpu();
        printf("# seed %" PRIu64 "%s\n", r->seed, r->quick ? ", quick" : "");
        find_untried(&p);
        for (int g = 0; g < gf_bench_group_count; g++)
            check_cases(&p, gf_bench_groups[g]);
        try_all(&p);
        gf_close_gpu();
    }
    printf(p.checks > 0 ? "1..%d\n" : "1..%d # SKIP no check matches\n", p.checks);
    free(gf_src_bytes);
    free(gf_cpu_bytes);
    free(gf_gpu_bytes);
    free(gf_beside_bytes);
    return p.checks > 0 ? p.failures : -1;
}
