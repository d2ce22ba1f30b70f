/* Rooflines: the ceilings, the operations that cases count, and where the drawing puts them. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/bench_call.h"
#include "bench/bench_case.h"
#include "bench/roofline/cpu_arithmetic.h"
#include "bench/roofline/roofline.h"
#include "table/plot.h"
#include "table/svg.h"
#include "tests/tap.h"

static char text[100000];

static bool is_near(double got, double wanted)
{
    if (fabs(got - wanted) <= 1e-9 * fabs(wanted))
        return true;
    printf("# got %.12g, not %.12g\n", got, wanted);
    return false;
}

/* A device of 100 GB/s and 2000 GFLOP/s, whose ceilings meet at 20 FLOP per byte. */
static struct gf_roofline make(void)
{
    return (struct gf_roofline) {
        .device = "a <device>", .samples = 1 << 20, .bytes_per_second = 100e9, .flop_per_second = 2000e9,
        .point = { { "light", .flop = 2 << 20, .samples = 1 << 20, .bytes = 8 << 20, .seconds = 1e-4 },
                   { "heavy", .flop = 800 << 20, .samples = 1 << 20, .bytes = 8 << 20, .seconds = 1e-3 } },
        .points = 2
    };
}

static void test_arithmetic(void)
{
    const struct gf_roofline r = make(), none = { .points = 0 };
    struct gf_roofline_table t;
    const double *v;

    gf_ok(is_near(gf_roofline_ridge(&r), 20), "the ridge is where memory and arithmetic limit alike");
    gf_ok(is_near(gf_roofline_ridge(&none), 0), "no ridge of an unknown device");
    gf_ok(is_near(gf_roofline_limit(&r, 0.25), 25e9), "memory limits light operations");
    gf_ok(is_near(gf_roofline_limit(&r, 100), 2000e9), "arithmetic limits heavy ones");
    gf_roofline_tabulate(&r, &t);
    v = t.table.values;
    gf_ok(is_near(v[GF_ROOF_SAMPLE], 2) && is_near(v[GF_ROOF_BYTE], 0.25) && is_near(v[GF_ROOF_RATE], 20.97152)
          && is_near(v[GF_ROOF_LIMIT], 25) && is_near(v[GF_ROOF_SHARE], 0.8388608), "fields of the light one");
    v += GF_ROOF_FIELDS;
    gf_ok(is_near(v[GF_ROOF_SAMPLE], 800) && is_near(v[GF_ROOF_BYTE], 100) && is_near(v[GF_ROOF_RATE], 838.8608)
          && is_near(v[GF_ROOF_LIMIT], 2000) && is_near(v[GF_ROOF_SHARE], 0.4194304), "fields of the heavy one");
}

/* Finds the coordinates in the first element that contains `near`, after `mark`. */
static bool find_place(const char *near, const char *mark, double *x, double *y)
{
    const char *end = strstr(text, near), *at = end;

    while (at != NULL && at > text && *at != '\n')
        at--;
    at = at != NULL ? strstr(at, mark) : NULL;
    return at != NULL && sscanf(at + strlen(mark), "%lf %lf", x, y) == 2;
}

static int drawings;                     /* so far */

static void draw(const struct gf_table *t)
{
    FILE *to = tmpfile();
    struct gf_plot p;
    int width, height;
    struct gf_error err;

    if (to == NULL)
        exit(99);
    gf_plot_size(t, &width, &height);
    gf_plot_svg(&p, width, height, to);
    gf_ok(gf_plot_table(&p, t, &err) == 0, "roofline %d is drawn", ++drawings);
    gf_svg_end(to);
    rewind(to);
    text[fread(text, 1, sizeof text - 1, to)] = '\0';
    fclose(to);
}

/* The axes are 0.1 to 1000 FLOP per byte over 860 pixels, and 10 to 10000 GFLOP/s over 420. */
static void test_drawing(void)
{
    const struct gf_roofline r = make();
    struct gf_roofline_table t;
    double x, y, roof_x, roof_y;

    gf_roofline_tabulate(&r, &t);
    draw(&t.table);
    gf_ok(find_place("<title>light</title>", "d=\"M", &x, &y)
          && fabs(x + 4 - (96 + 215 * (log10(0.25) + 1))) < 0.02
          && fabs(y + 4 - (96 + 140 * (4 - log10(20.97152)))) < 0.02, "the light operation is at its place");
    gf_ok(find_place("<title>heavy</title>", "d=\"M", &x, &y) && fabs(x + 4 - (96 + 215 * 3)) < 0.02
          && fabs(y + 4 - (96 + 140 * (4 - log10(838.8608)))) < 0.02, "the heavy one, too");
    gf_ok(find_place("stroke=\"#9aa2ac\" stroke-width=\"3\"", "d=\"M", &roof_x, &roof_y)
          && fabs(roof_x - 96) < 0.02 && fabs(roof_y - (96 + 140 * 3)) < 0.02, "the roof begins at 10 GFLOP/s");
    gf_ok(strstr(text, ">memory: 100 GB/s<") != NULL && strstr(text, ">arithmetic: 2000 GFLOP/s<") != NULL,
          "the ceilings have numbers");
    gf_ok(strstr(text, "roofline of a &lt;device&gt;") != NULL, "the title is escaped");
    t.table.draw_width = 640;
    draw(&t.table);
    gf_ok(strstr(text, "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"640\"") != NULL,
          "a roofline can be drawn narrow");
}

/* Operations per sample of cases, counted by hand. */
static void test_cases(void)
{
    static const struct { const char *group, *name; double flop; } counted[] = {
        { "point", "half", 2 }, { "stencil", "stencil", 34 }, { "stencil", "fir 255", 510 }, { "echo", "echo", 2 },
        { "conv", "blur 5x5", 20 }, { "conv", "blur 15x15", 60 }, { "conv", "mask 15x15", 450 },
    };
    int found = 0, wrong = 0;

    for (int i = 0; i < gf_bench_group_count; i++)
        for (const struct gf_bench_case *one = gf_bench_groups[i]->cases; one != NULL && one->name != NULL; one++)
            for (size_t k = 0; k < sizeof counted / sizeof counted[0] && one->flop != NULL; k++) {
                const struct gf_bench_group *g = gf_bench_groups[i];
                const struct gf_bench_pick pick = { g, one, gf_bench_form_at(g->sound ? "f32" : "plane") };
                struct gf_bench_call m;
                struct gf_error err;

                if (strcmp(g->name, counted[k].group) != 0 || strcmp(one->name, counted[k].name) != 0
                    || gf_bench_call_make(&pick, 320, 200, &g->op->cpu, &m, &err) != 0)
                    continue;
                found++;
                wrong += !is_near(one->flop(&m), counted[k].flop * 320 * 200);
                gf_bench_call_release(&m);
            }
    gf_is(found, sizeof counted / sizeof counted[0], "these cases count their operations");
    gf_is(wrong, 0, "these cases count as many operations as by hand");
}

/* Threads that share cores do no more together. Other programs may disturb a measurement, so there are five. */
static void test_shared_cores(void)
{
    struct gf_device_facts facts = { 0 };
    double cores = 0, more = 0;

    gf_device_cpu.facts(0, &facts, NULL, 0);
    for (int i = 0; i < 5 && !(more > 0 && more < 1.3 * cores); i++) {
        cores = gf_cpu_arithmetic_rate(facts.cores);
        more = gf_cpu_arithmetic_rate(4 * facts.cores);
    }
    printf("# %d threads: %.4g GFLOP/s, %d threads: %.4g GFLOP/s\n", facts.cores, cores * 1e-9, 4 * facts.cores,
           more * 1e-9);
    gf_ok(more > 0 && more < 1.3 * cores, "more threads than cores do no more arithmetic");
}

static void test_samples(void)
{
    gf_is(gf_roofline_samples(false, 0, INT64_C(1) << 40), 16 << 20, "the number of samples on a CPU");
    gf_is(gf_roofline_samples(true, 0, INT64_C(1) << 40), 64 << 20, "the number of samples on a GPU");
    gf_is(gf_roofline_samples(false, 0, 64 << 20), 4 << 20, "the number of samples if memory is short");
    gf_is(gf_roofline_samples(true, 65536, INT64_C(1) << 40), 65536, "the number of samples if few are requested");
    gf_is(gf_roofline_samples(true, 0, 1), 1024, "the number of samples is 1024 or more");
}

static void test_measuring(void)
{
    struct gf_device d = { .kind = &gf_device_cpu };
    struct gf_roofline *r = calloc(1, sizeof *r);
    struct gf_error err;
    double most = 0;
    int below = 0;

    if (r == NULL)
        exit(99);
    gf_ok(gf_cpu_arithmetic_rate(1) > 1e8, "a core multiplies and adds");
    gf_ok(gf_roofline_measure(&d, 1, 65536, false, r, &err) == 0, "a core has a roofline");
    most = r->flop_per_second;
    for (int i = 0; i < 5; i++)                  /* other processes may have slowed the first measurement */
        most = fmax(most, gf_cpu_arithmetic_rate(1));
    for (int i = 0; i < r->points; i++)
        below += r->point[i].flop / r->point[i].seconds < 1.5 * most;
    gf_ok(r->points >= 10 && below == r->points, "no operation does more arithmetic than the core can");
    free(r);
}

int main(void)
{
    test_arithmetic();
    test_drawing();
    test_cases();
    test_samples();
    test_shared_cores();
    test_measuring();
    return gf_tap_end();
}
