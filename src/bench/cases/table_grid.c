/* Cases of a grid of tables; each pixel interpolates between the nearest four. */
#include "bench/bench_call.h"
#include "bench/check/check_compare.h"
#include "bench/check/check_slow.h"
#include "kernels/pixel/table_grid.h"

#include <math.h>

/* Returns an entry of the table at (i, j), or of the nearest table. */
static double table_grid_at(const struct gf_check *check, const struct gf_table_grid *l, int64_t i, int64_t j, int bin)
{
    i = i < 0 ? 0 : i >= l->across ? l->across - 1 : i;
    j = j < 0 ? 0 : j >= l->down ? l->down - 1 : j;
    return check->tables[l->table + (j * l->across + i) * l->bins + bin];
}

static void slow_table_grid(const struct gf_check *check, const struct gf_io *io, const void *params, int64_t x,
                            int64_t y, double *v)
{
    const struct gf_table_grid *l = params;
    const double fx = ((double)x + .5) * l->per_column - .5, fy = ((double)y + .5) * l->per_row - .5;
    const int64_t i = (int64_t)floor(fx), j = (int64_t)floor(fy);
    const double dx = fx - floor(fx), dy = fy - floor(fy);
    double luma, top, bottom;
    int bin;

    gf_slow_load(check, io, x, y, v);
    luma = l->colours == 3 ? .299 * v[0] + .587 * v[1] + .114 * v[2] : v[0];
    bin = (int)nearbyint(gf_slow_clamp(luma, 0, 1) * (l->bins - 1));
    top = table_grid_at(check, l, i, j, bin) * (1 - dx) + table_grid_at(check, l, i + 1, j, bin) * dx;
    bottom = table_grid_at(check, l, i, j + 1, bin) * (1 - dx) + table_grid_at(check, l, i + 1, j + 1, bin) * dx;
    for (int c = 0; c < l->colours; c++)
        v[c] += top * (1 - dy) + bottom * dy;
}

static void try_table_grid(struct gf_check *check, const struct gf_form *f)
{
    struct gf_table_grid l = { .table = gf_draw(check, 100), .bins = 1 + (int)gf_draw(check, 16),
                               .across = 1 + (int)gf_draw(check, 5),
                            .down = 1 + (int)gf_draw(check, 5) };
    struct gf_trial t;

    if (f->channels > 4 || f->type == GF_S16)
        f = &gf_forms[0];
    gf_draw_trial(check, &t, f, gf_draw(check, 2));
    t.smooth = t.smooth && t.fill != GF_FILL_WILD
        && (l.bins == 1 || (f->type == GF_U8 && f->channels == 1 && t.load.count == 0));
    l.per_column = (float)l.across / (float)t.width, l.per_row = (float)l.down / (float)t.units;
    l.colours = t.load.out >= 3 && gf_draw(check, 4) > 0 ? 3 : 1;
    gf_check_trial(check, &t, &gf_op_table_grid, &l, (struct gf_span) { 0, t.units }, gf_draw_span(check, t.units),
                   t.width, f, 3e-6);
}

static void set_table_grid(struct gf_bench_call *m)
{
    (void)gf_bench_call_tables(m, 8 * 8 * 256);
    *(struct gf_table_grid *)m->params = (struct gf_table_grid) { .bins = 256, .across = 8, .down = 8,
                                                                  .per_column = 8.0f / (float)m->src.width,
                                                     .per_row = 8.0f / (float)m->src_units,
                                                                  .colours = m->src.channels };
}

static const struct gf_bench_case cases[] = {
    { .name = "clahe's tables", .what = "8x8 grid of tables, bytes", .forms = "u8, u8 rgb", .set = set_table_grid,
      .stages = "clahe", .opencv = "cv2.createCLAHE(2, (8, 8)).apply(a, b)" },
    { .name = NULL },
};

const struct gf_bench_group gf_bench_group_table_grid = { .name = "lattice", .op = &gf_op_table_grid, .cases = cases,
                                                          .slow = slow_table_grid, .try = try_table_grid };
