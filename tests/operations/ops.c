/* Every operation on every device: known answers in double precision, and the same bits from CPU and GPU. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/neighbourhood/fftconv.h"
#include "kernels/operations.h"
#include "kernels/statistics/collect.h"
#include "ops_trials.h"
#include "table/table.h"
#include "tests/tap.h"

/* Operations that other tests try: tests/operations/fftconv; cut_sound.sh and parity.sh, by spectrogram. */
static const struct gf_operation *const elsewhere[] = { &gf_op_fftconv, &gf_op_collect };

static bool is_tried(const struct gf_operation *op)
{
    for (size_t i = 0; i < sizeof elsewhere / sizeof *elsewhere; i++)
        if (elsewhere[i] == op)
            return true;
    for (int i = 0; i < gf_op_test_count; i++)
        if (gf_op_tests[i]->op == op)
            return true;
    return false;
}

/* By the trial's name or the operation's word. */
static bool is_wanted(const struct gf_op_test *t, const char *only)
{
    return only == NULL || strcmp(only, t->name) == 0 || (t->op != NULL && strcmp(only, t->op->word) == 0);
}

static void group(const struct gf_op_test *g, const struct gf_form *f, bool on_gpu, int times, uint64_t seed)
{
    static const char *const device[] = { "cpu", "cuda" };
    char what[100];

    snprintf(what, sizeof what, "%s, %s, %s", g->name, f->name, device[on_gpu]);
    if (!gf_is_chosen(what))
        return;
    if (on_gpu && !gf_gpu_open) {
        gf_no_gpu(what, gf_gpu_why);
        return;
    }
    gf_seed(seed * UINT64_C(0x9E3779B97F4A7C15) + (uint64_t)(unsigned char)g->name[0] * 1000003
            + (uint64_t)(unsigned char)g->name[1] * 10007 + (uint64_t)(f - gf_forms) + 1);
    gf_trouble[0] = '\0';
    for (int i = 0; i < times && gf_trouble[0] == '\0'; i++)
        g->try(f, on_gpu);
    gf_ok(gf_trouble[0] == '\0', "%s", what);
    if (gf_trouble[0] != '\0')
        printf("# %s\n", gf_trouble);
}

static void make_pools(uint64_t seed)
{
    gf_seed(seed + 77);
    gf_masks = malloc(GF_MASKS * sizeof *gf_masks), gf_tables = malloc(GF_TABLES * sizeof *gf_tables);
    for (int i = 0; i < GF_MASKS; i++)
        gf_masks[i] = (float)(gf_unit_random() - 0.3) / 8;
    for (int i = 0; i < GF_TABLES; i++)
        gf_tables[i] = i < GF_NOISE_TABLES ? (float)gf_unit_random() : 0.0f;
    gf_make_whole_masks();
    gf_make_axes();
    gf_make_spectra();
    gf_make_pairs();
    gf_make_rings();
}

int main(int argc, char **argv)
{
    const char *word = getenv("GPUFILTER_TEST_SEED"), *only = NULL;
    bool quick = false;
    int wanted = 0;

    for (int i = 1; i < argc; i++)
        if (strcmp(argv[i], "--quick") == 0)
            quick = true;
        else if (strcmp(argv[i], "--only") == 0 && i + 1 < argc)
            only = argv[++i];
        else
            word = argv[i];
    const uint64_t seed = word ? strtoull(word, NULL, 0) : 20;

    gf_src_bytes = aligned_alloc(512, GF_ROOM), gf_cpu_bytes = aligned_alloc(512, GF_ROOM),
        gf_gpu_bytes = aligned_alloc(512, GF_ROOM), gf_beside_bytes = aligned_alloc(512, GF_ROOM);
    make_pools(seed);
    gf_open_gpu();
    printf("# seed %" PRIu64 "%s\n", seed, quick ? ", quick" : "");
    for (int i = 0; i < gf_operation_count; i++)
        if (!is_tried(gf_operations[i]))
            gf_ok(false, "%s: no gf_op_test in the sources of tests/operations/ops tries this operation", gf_operations[i]->word);
    for (int g = 0; g < gf_op_test_count; g++)
        wanted += is_wanted(gf_op_tests[g], only);
    if (wanted == 0)
        gf_ok(false, "--only %s: neither a trial nor an operation that has one", only);
    for (int g = 0; g < gf_op_test_count; g++)
        for (int device = is_wanted(gf_op_tests[g], only) ? 0 : 2; device < 2; device++)
            for (int f = 0; f < (gf_op_tests[g]->once ? 1 : GF_FORMS); f++)
                group(gf_op_tests[g], &gf_forms[f], device == 1, quick ? 4 : device == 1 && gf_gpu_open ? 60 : 20, seed);
    gf_close_gpu();
    free(gf_src_bytes), free(gf_cpu_bytes), free(gf_gpu_bytes), free(gf_beside_bytes), free(gf_masks), free(gf_tables);
    return gf_tap_end();
}
