/* Every operation on every device: known answers in double precision, and the same bits from CPU and GPU. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ops_trials.h"
#include "tap.h"
#include "table/table.h"

/* In the order of the lines; `once`: the trial chooses its forms itself. */
static const struct trials {
    const char *name;
    gf_try *try;
    bool once;
} trials[] = {
    { "point", gf_try_point, false },
    { "conv", gf_try_conv, false },
    { "box", gf_try_box, false },
    { "bilateral", gf_try_bilateral, false },
    { "thin", gf_try_nonmax, false },
    { "seams", gf_try_seams, false },
    { "connect", gf_try_hysteresis, false },
    { "sample", gf_try_sample, false },
    { "move", gf_try_move, false },
    { "pad", gf_try_pad, false },
    { "rank", gf_try_rank, false },
    { "strips", gf_try_strips, true },
    { "similar", gf_try_ssim, false },
    { "histogram", gf_try_histogram, false },
    { "reduce", gf_try_reduce, false },
    { "loudness", gf_try_loudness, false },
    { "scan", gf_try_scan, true },
    { "lanes", gf_try_lanes, true },
    { "spools", gf_try_spools, true },
    { "resize", gf_try_resize, false },
    { "ratios", gf_try_ratios, false },
    { "weights", gf_try_weights, true },
    { "lattice", gf_try_table_grid, false },
    { "blend", gf_try_blend, false },
    { "prefix", gf_try_prefix, false },
    { "recur", gf_try_recur, false },
    { "resample", gf_try_resample, false },
    { "spectrum", gf_try_spectrum, true },
    { "tiles", gf_try_tiles, false },
    { "select", gf_try_select, false },
    { "place", gf_try_shift, false },
    { "echo", gf_try_echo, false },
    { "fade", gf_try_fade, false },
    { "limit", gf_try_limit, false },
    { "noise", gf_try_noise, false },
    { "vignette", gf_try_vignette, false },
    { "from yuv", gf_try_from_yuv, true },
    { "to yuv", gf_try_to_yuv, true },
};

static void group(const struct trials *g, const struct gf_form *f, bool on_gpu, int times, uint64_t seed)
{
    static const char *const device[] = { "cpu", "cuda" };
    char what[100];

    snprintf(what, sizeof what, "%s, %s, %s", g->name, f->name, device[on_gpu]);
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
    for (size_t g = 0; g < sizeof trials / sizeof *trials; g++)
        for (int device = only != NULL && strcmp(only, trials[g].name) != 0 ? 2 : 0; device < 2; device++)
            for (int f = 0; f < (trials[g].once ? 1 : GF_FORMS); f++)
                group(&trials[g], &gf_forms[f], device == 1, quick ? 4 : device == 1 && gf_gpu_open ? 60 : 20, seed);
    gf_close_gpu();
    free(gf_src_bytes), free(gf_cpu_bytes), free(gf_gpu_bytes), free(gf_beside_bytes), free(gf_masks), free(gf_tables);
    return gf_tap_end();
}
