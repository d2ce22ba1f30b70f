/* gpufilter-bench --check: runs the named cases and the random calls, and prints TAP. */
#include "bench/check/check.h"

#include "base/words.h"
#include "bench/bench_call.h"
#include "bench/check/check_compare.h"
#include "kernels/operations.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SLACK 3e-6               /* default of a group's slack */
#define AT 512                   /* bytes before the first sample */

/* A run: the request, the state of calls, and the counts of lines and of skipped checks. */
struct run {
    const struct gf_check_request *request;
    struct gf_check check;
    int checks, failures, skipped;
    bool begun;                  /* the first line has been printed */
};

/* ---- lines ---- */

/* Prints the result of a check. A failure comes with the command that repeats it. */
static void put_line(struct run *run, const char *what)
{
    const bool good = run->check.problem[0] == '\0';

    run->failures += !good;
    printf("%sok %d - %s\n", good ? "" : "not ", ++run->checks, what);
    if (!good)
        printf("# %s\n# repeat: %s --check='=%s' --seed=%" PRIu64 "%s\n", run->check.problem,
               run->request->program, what, run->request->seed, run->request->quick ? " --quick" : "");
    fflush(stdout);
}

/* Prints the seed before the first check; a run that selects nothing prints nothing. */
static void begin(struct run *run)
{
    if (!run->begun)
        printf("# seed %" PRIu64 "%s\n", run->request->seed, run->request->quick ? ", quick" : "");
    run->begun = true;
}

/* Prints one line for all checks that need a GPU. It is a failure if a GPU is required. */
static void put_skipped(struct run *run)
{
    const bool required = run->request->needs_gpu;

    run->failures += required;
    printf("%sok %d - %d check%s on cuda:%d %s %s\n", required ? "not " : "", ++run->checks, run->skipped,
           run->skipped == 1 ? "" : "s", run->request->gpu, required ? "needs a GPU:" : "# SKIP no GPU:",
           run->check.gpu_why);
}

static void put_summary(const struct run *run)
{
    const int lines = run->checks - (run->skipped > 0);
    const int failed = run->failures - (run->skipped > 0 && run->request->needs_gpu);

    printf("1..%d\n# %d passed, ", run->checks, lines - failed);
    if (failed > 0)
        printf("%d failed, ", failed);
    printf("%d skipped\n", run->skipped);
}

/* Returns true if a check of a group is to run: the request selects it, and its device is there. */
static bool is_wanted(struct run *run, const struct gf_bench_group *g, const char *what, bool on_gpu)
{
    if (run->request->where == (on_gpu ? GF_CPU : GF_CUDA) || !gf_bench_is_selected(run->request->only, g, what))
        return false;
    begin(run);
    if (!on_gpu || run->check.gpu_open)
        return true;
    run->skipped++;
    return false;
}

/* Starts a check on a device. */
static void start(struct gf_check *check, bool on_gpu)
{
    check->on_gpu = on_gpu;
    check->compared = 0;
    check->problem[0] = '\0';
}

/* ---- cases ---- */

/* Makes one call of a small image, or of a few frames; --peers makes it of a large one. */
static void call_case(struct gf_check *check, const struct gf_bench_pick *pick, int64_t width, int64_t rows)
{
    const struct gf_bench_group *reference = gf_bench_group_of(pick->group->op);
    struct gf_bench_call m;
    struct gf_error err;
    struct gf_io io;

    if (gf_bench_call_make(pick, width, rows, NULL, &m, &err) != 0) {
        snprintf(check->problem, sizeof check->problem, "%.300s", err.text);
        return;
    }
    io = gf_bench_call_io(&m, check->src + AT, check->cpu + AT);
    gf_bench_fill_noise(m.fill, check->src + AT, m.src_bytes);
    check->second_bytes = m.beside || m.frames > 0 ? AT + m.src_bytes : 0;
    memcpy(check->second, check->src, check->second_bytes);
    io.beside.data = check->second + AT;
    for (int i = 0; i < m.frames; i++)
        m.frame[i].data = check->second + AT;
    memset(check->carried, 0, sizeof check->carried);
    check->carried_bytes = m.carry_bytes;
    if (m.carry_bytes > sizeof check->carried[0] || 2 * AT + m.src_bytes > GF_CHECK_ROOM
        || 2 * AT + m.dst_bytes > GF_CHECK_ROOM
        || gf_check_set_pools(check, m.masks, m.mask_count, m.tables, m.table_count) != 0)
        snprintf(check->problem, sizeof check->problem, "%s: no room for the call", pick->one->name);
    else
        gf_check_call(check, m.op, &io, m.params, 2 * AT + m.src_bytes, 2 * AT + m.dst_bytes,
                      reference->slack > 0 ? reference->slack : SLACK);
    check->second_bytes = check->carried_bytes = 0;
    gf_bench_call_release(&m);
}

/* Checks a case in the first form of a list. */
static void check_case(struct run *run, const struct gf_bench_pick *pick, const char *forms, bool on_gpu)
{
    static const int64_t sizes[][2] = { { 1, 1 }, { 7, 5 }, { 19, 7 }, { 67, 29 } };
    const size_t count = sizeof sizes / sizeof *sizes - (pick->one->part > 1);   /* these references are very slow */
    struct gf_check *check = &run->check;
    char what[200];

    snprintf(what, sizeof what, "%s, %.*s, %s", pick->one->name, (int)strcspn(forms, ","), forms,
             on_gpu ? "cuda" : "cpu");
    if (!is_wanted(run, pick->group, what, on_gpu))
        return;
    start(check, on_gpu);
    check->thorough = true;
    if (pick->form == NULL)
        snprintf(check->problem, sizeof check->problem, "%s: unknown sample format '%.*s'; gf_forms has the names",
                 pick->one->name, (int)strcspn(forms, ","), forms);
    for (size_t i = 0; i < count && check->problem[0] == '\0'; i++)
        call_case(check, pick, sizes[i][0], sizes[i][1]);
    if (pick->one->check_frames > 0 && check->problem[0] == '\0')
        call_case(check, pick, 1, pick->one->check_frames);
    check->thorough = false;
    if (check->compared == 0 && check->problem[0] == '\0')
        snprintf(check->problem, sizeof check->problem, "%s: no value was compared with a reference",
                 pick->group->name);
    put_line(run, what);
}

/* Fails for a case that has the name of an earlier case of its group. */
static void find_second(struct run *run, const struct gf_bench_group *g, const struct gf_bench_case *one)
{
    const struct gf_bench_case *first = g->cases;

    while (strcmp(first->name, one->name) != 0)
        first++;
    if (first == one || !gf_bench_is_selected(run->request->only, g, one->name))
        return;
    begin(run);
    snprintf(run->check.problem, sizeof run->check.problem, "%s: two cases are called '%s'; rename one", g->name,
             one->name);
    put_line(run, one->name);
}

static void check_cases(struct run *run, const struct gf_bench_group *g)
{
    for (const struct gf_bench_case *one = g->cases; one != NULL && one->name != NULL; one++) {
        find_second(run, g, one);
        for (const char *at = one->forms; at != NULL; at = gf_bench_form_next(at)) {
            const struct gf_bench_pick pick = { g, one, gf_bench_form_at(at) };

            check_case(run, &pick, at, false);
            check_case(run, &pick, at, true);
        }
    }
}

/* ---- random calls ---- */

/*
 * Makes random calls of a form. Returns the values that were compared with a reference; -1 if the
 * check was not selected.
 */
static int64_t try_form(struct run *run, const struct gf_bench_group *g, const struct gf_form *f, bool on_gpu)
{
    const bool quick = run->request->quick;
    const int times = quick ? 4 : on_gpu ? 60 : 20;
    struct gf_check *check = &run->check;
    char what[200];

    snprintf(what, sizeof what, "random %s, %s, %s", g->name, f->name, on_gpu ? "cuda" : "cpu");
    if (!is_wanted(run, g, what, on_gpu))
        return -1;
    gf_draw_seed(check, run->request->seed * UINT64_C(0x9E3779B97F4A7C15)
                 + (uint64_t)(unsigned char)g->name[0] * 1000003
                 + (uint64_t)(unsigned char)g->name[1] * 10007 + (uint64_t)(f - gf_forms) + 1);
    start(check, on_gpu);
    for (int i = 0; i < times && check->problem[0] == '\0'; i++)
        g->try(check, f);
    put_line(run, what);
    return check->compared;
}

/*
 * Makes random calls of all forms on a CPU, which must compare something, and on a GPU, which must
 * give what the CPU gives.
 */
static void try_forms(struct run *run, const struct gf_bench_group *g)
{
    const int forms = g->once ? 1 : GF_FORMS;
    int64_t compared = 0;
    int tried = 0;
    char what[200];

    for (int f = 0; f < forms; f++) {
        const int64_t now = try_form(run, g, &gf_forms[f], false);

        tried += now >= 0;
        compared += now > 0 ? now : 0;
    }
    for (int f = 0; f < forms; f++)
        (void)try_form(run, g, &gf_forms[f], true);
    if (tried < forms || compared > 0)
        return;
    snprintf(what, sizeof what, "random %s", g->name);
    snprintf(run->check.problem, sizeof run->check.problem, "%s: no value was compared with a reference", g->name);
    put_line(run, what);
}

static int make_pools(struct gf_check *check, uint64_t seed, float *masks, float *tables)
{
    gf_draw_seed(check, seed + 77);
    for (int i = 0; i < GF_CHECK_MASKS; i++)
        masks[i] = (float)(gf_draw_unit(check) - 0.3) / 8;
    for (int i = 0; i < GF_CHECK_TABLES; i++)
        tables[i] = i < GF_CHECK_NOISE ? (float)gf_draw_unit(check) : 0.0f;
    check->masks = masks;
    check->tables = tables;
    for (int i = 0; i < gf_bench_group_count; i++)
        if (gf_bench_groups[i]->make_pools != NULL)
            gf_bench_groups[i]->make_pools(check);
    return gf_check_set_pools(check, masks, GF_CHECK_MASKS, tables, GF_CHECK_TABLES);
}

static void put_no_memory(struct run *run, const char *what)
{
    snprintf(run->check.problem, sizeof run->check.problem, "out of memory");
    put_line(run, what);
}

static void try_all(struct run *run)
{
    float *masks = malloc(GF_CHECK_MASKS * sizeof *masks), *tables = malloc(GF_CHECK_TABLES * sizeof *tables);

    if (masks == NULL || tables == NULL || make_pools(&run->check, run->request->seed, masks, tables) != 0)
        put_no_memory(run, "memory for random calls");
    else
        for (int g = 0; g < gf_bench_group_count; g++)
            if (gf_bench_groups[g]->try != NULL)
                try_forms(run, gf_bench_groups[g]);
    free(masks);
    free(tables);
}

/* ---- the whole ---- */

/*
 * Fails for each operation that no group has a reference for. Each group also fails if it
 * compares nothing.
 */
static void find_untried(struct run *run)
{
    for (int i = 0; i < gf_operation_count; i++) {
        const struct gf_bench_group *g = gf_bench_group_of(gf_operations[i]);

        if ((g != NULL && (g->slow != NULL || g->compare != NULL))
            || !gf_is_selected(run->request->only, gf_operations[i]->word))
            continue;
        begin(run);
        snprintf(run->check.problem, sizeof run->check.problem,
                 "%s: no group in src/bench/cases has a reference for this operation",
                 gf_operations[i]->word);
        put_line(run, gf_operations[i]->word);
    }
}

/* Makes all checks that the request selects. */
static int run_checks(struct run *run, struct gf_error *err)
{
    const struct gf_check_request *r = run->request;
    struct gf_check *check = &run->check;

    if (r->where != GF_CPU)
        gf_check_open_gpu(check, r->gpu);
    if (r->where == GF_CUDA && !check->gpu_open)
        return gf_fail(err, GF_FAILED, "--device cuda:%d: %s;; --device cpu checks the CPU only", r->gpu,
                       check->gpu_why);
    find_untried(run);
    for (int g = 0; g < gf_bench_group_count; g++)
        check_cases(run, gf_bench_groups[g]);
    try_all(run);
    if (run->skipped > 0)
        put_skipped(run);
    gf_check_close_gpu(check);
    return 0;
}

int gf_check_run(const struct gf_check_request *r, int *failures, struct gf_error *err)
{
    struct run *run = calloc(1, sizeof *run);
    struct gf_check *check = &run->check;
    int result;

    if (run == NULL)
        return gf_fail_memory(err, NULL);
    run->request = r;
    check->src = aligned_alloc(512, GF_CHECK_ROOM);
    check->cpu = aligned_alloc(512, GF_CHECK_ROOM);
    check->gpu = aligned_alloc(512, GF_CHECK_ROOM);
    check->second = aligned_alloc(512, GF_CHECK_ROOM);
    if (check->src == NULL || check->cpu == NULL || check->gpu == NULL || check->second == NULL)
        result = gf_fail_memory(err, NULL);
    else
        result = run_checks(run, err);
    if (run->checks > 0)
        put_summary(run);
    *failures = run->checks > 0 ? run->failures : -1;
    free(check->src);
    free(check->cpu);
    free(check->gpu);
    free(check->second);
    free(run);
    return result;
}
