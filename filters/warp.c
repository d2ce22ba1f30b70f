/* warp: move pixels by an affine or a perspective map. */
#include "chain/stage.h"
#include "filters/sampling.h"

#include <math.h>
#include <string.h>

enum fit { KEEP, EXPAND };

struct warp {
    struct gf_mask matrix, from, to;
    struct gf_size size;
    int fit;
    struct gf_sampling sampling;
};

static const char *const fits[] = { "keep", "expand", NULL };

static const struct gf_option options[] = {
    { .name = "matrix", .type = GF_OPTION_MASK, .offset = offsetof(struct warp, matrix),
      .text = "maps a column and row of the image to those of the result: 2 rows of 3 numbers, or 3 rows for a "
              "perspective" },
    { .name = "from", .type = GF_OPTION_MASK, .offset = offsetof(struct warp, from), .key_only = true,
      .text = "instead of a matrix: four points of the image, or three, each a row with a column and a row" },
    { .name = "to", .type = GF_OPTION_MASK, .offset = offsetof(struct warp, to), .key_only = true,
      .text = "their places in the result; by default its corners, clockwise from the top left" },
    { .name = "size", .type = GF_OPTION_SIZE, .offset = offsetof(struct warp, size), .unit = "pixels",
      .key_only = true,
      .text = "size of the result; by default that of the image" },
    { .name = "fit", .type = GF_OPTION_CHOICE, .offset = offsetof(struct warp, fit), .by_default = KEEP,
      .choices = fits, .key_only = true,
      .text = "keep: positions are those of the result; expand: move and enlarge the result so that all of the image "
              "is visible" },
    GF_SAMPLING_OPTIONS(struct warp, "black"),
    { .name = NULL }
};

/* A map of positions, with homogeneous coordinates: three rows of three. */
struct map {
    double m[9];
};

struct point {
    double x, y;
};

/* Returns the divisor at a point. */
static double divisor_at(const struct map *a, struct point p)
{
    return a->m[6] * p.x + a->m[7] * p.y + a->m[8];
}

static struct point apply(const struct map *a, struct point p)
{
    const double w = divisor_at(a, p);

    return (struct point) { (a->m[0] * p.x + a->m[1] * p.y + a->m[2]) / w,
                            (a->m[3] * p.x + a->m[4] * p.y + a->m[5]) / w };
}

/* Returns the inverse of a map, times any number. */
static struct map inverse_of(const struct map *a)
{
    const double *m = a->m;

    return (struct map) { { m[4] * m[8] - m[5] * m[7], m[2] * m[7] - m[1] * m[8], m[1] * m[5] - m[2] * m[4],
                            m[5] * m[6] - m[3] * m[8], m[0] * m[8] - m[2] * m[6], m[2] * m[3] - m[0] * m[5],
                            m[3] * m[7] - m[4] * m[6], m[1] * m[6] - m[0] * m[7], m[0] * m[4] - m[1] * m[3] } };
}

/* Solves n equations, each a row of n factors and the right side, by elimination. Returns false if it cannot. */
static bool solve(double a[8][9], int n, double *x)
{
    for (int k = 0; k < n; k++) {
        int best = k;

        for (int i = k + 1; i < n; i++)
            best = fabs(a[i][k]) > fabs(a[best][k]) ? i : best;
        if (!(fabs(a[best][k]) > 1e-9))
            return false;
        for (int j = 0; j <= n; j++) {
            const double kept = a[k][j];

            a[k][j] = a[best][j];
            a[best][j] = kept;
        }
        for (int i = 0; i < n; i++) {
            const double factor = a[i][k] / a[k][k];

            for (int j = k; i != k && j <= n; j++)
                a[i][j] -= factor * a[k][j];
        }
    }
    for (int k = 0; k < n; k++)
        x[k] = a[k][n] / a[k][k];
    return true;
}

/* True if three of the points lie on a line. */
static bool any_on_line(const struct point *p, int count)
{
    for (int skip = 0; skip < (count == 4 ? 4 : 1); skip++) {
        const struct point a = p[(skip + 1) % count], b = p[(skip + 2) % count], c = p[(skip + 3) % count];

        if (fabs((b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x)) < 1e-9)
            return true;
    }
    return false;
}

/* Finds the map that takes points `a` to points `b`: affine for three, a perspective for four. */
static bool map_of_points(const struct point *a, const struct point *b, int count, struct map *map)
{
    double e[8][9] = { { 0 } }, x[8] = { 0 };

    for (int i = 0; i < count; i++) {
        const double row[] = { a[i].x, a[i].y, 1 };

        memcpy(e[2 * i], row, sizeof row);
        memcpy(e[2 * i + 1] + 3, row, sizeof row);
        for (int k = 0; k < 2; k++) {
            const double to = k == 0 ? b[i].x : b[i].y;

            if (count == 4) {
                e[2 * i + k][6] = -to * a[i].x;
                e[2 * i + k][7] = -to * a[i].y;
            }
            e[2 * i + k][2 * count] = to;
        }
    }
    if (!solve(e, 2 * count, x))
        return false;
    memcpy(map->m, x, sizeof x);
    map->m[8] = 1;
    return true;
}

/* Makes the divisor 1 at a point that is seen, so that it is positive at all others that are. */
static bool make_seen(struct map *map, struct point p)
{
    const bool affine = map->m[6] == 0 && map->m[7] == 0;
    const double w = affine ? map->m[8] : divisor_at(map, p);

    for (int i = 0; i < 9; i++) {
        map->m[i] /= w;
        if (!isfinite(map->m[i]))
            return false;
    }
    return true;
}

static int size_of_result(const struct warp *w, const struct gf_format *in, struct gf_format *out,
                          struct gf_error *err)
{
    const struct gf_size *s = &w->size;
    const double across = (double)in->width, down = (double)in->units;

    if (s->share > 0) {
        out->width = (int64_t)fmin(fmax(floor(across * s->share + .5), 1), 1e9);
        out->units = (int64_t)fmin(fmax(floor(down * s->share + .5), 1), 1e9);
    } else if (s->width > 0 || s->height > 0) {
        out->width = s->width > 0 ? s->width : (int64_t)fmax(floor(across * (double)s->height / down + .5), 1);
        out->units = s->height > 0 ? s->height : (int64_t)fmax(floor(down * (double)s->width / across + .5), 1);
    }
    if ((s->share > 0 || s->width > 0 || s->height > 0) && w->fit == EXPAND)
        return gf_fail(err, GF_MISUSED, "warp: size= and fit=expand exclude each other; give one of them");
    return 0;
}

/* True if the lines from each of four points to the next cross, so that they are no quadrangle. */
static bool is_crossed(const double *p)
{
    double area[4];
    int left = 0;

    for (int i = 0; i < 4; i++) {
        const double *a = p + 2 * i, *b = p + 2 * ((i + 1) % 4), *c = p + 2 * ((i + 2) % 4);

        area[i] = (b[0] - a[0]) * (c[1] - b[1]) - (b[1] - a[1]) * (c[0] - b[0]);
        left += area[i] > 0;
    }
    return left == 2 && area[0] != 0 && area[1] != 0 && area[2] != 0 && area[3] != 0;
}

static int check_options(const struct warp *w, struct gf_error *err)
{
    const struct gf_mask *m = &w->matrix, *from = &w->from, *to = &w->to;

    if ((m->rows > 0) == (from->rows > 0))
        return gf_fail(err, GF_MISUSED, "warp: needs either a matrix like [1 0.2 0; 0 1 0] or four points like "
                                        "from=[10 5; 90 8; 95 70; 5 65]");
    if (m->rows > 0 && (m->columns != 3 || m->rows < 2 || m->rows > 3))
        return gf_fail(err, GF_MISUSED, "warp: the matrix has %d rows of %d numbers; must be 2 or 3 rows of 3%s",
                       m->rows, m->columns, m->columns == 2 ? ", or write from= before points" : "");
    if (to->rows > 0 && from->rows == 0)
        return gf_fail(err, GF_MISUSED, "warp: to= needs from=, the points of the image that go there");
    if (from->rows > 0 && (from->columns != 2 || from->rows < 3 || from->rows > 4))
        return gf_fail(err, GF_MISUSED, "warp: from= has %d rows of %d numbers; must be 3 or 4 rows of 2", from->rows,
                       from->columns);
    if ((from->rows == 4 && is_crossed(from->weights)) || (to->rows == 4 && to->columns == 2 && from->rows == 4
                                                           && is_crossed(to->weights)))
        return gf_fail(err, GF_MISUSED, "warp: lines between the points of from= or to= cross; give them in turn, "
                                        "clockwise from the top left");
    if (to->rows > 0 && (to->columns != 2 || to->rows != from->rows))
        return gf_fail(err, GF_MISUSED, "warp: to= has %d rows of %d numbers; must be %d rows of 2, as from=", to->rows,
                       to->columns, from->rows);
    return 0;
}

/* Finds the map from the result to the image; or returns false. */
static bool find_map(const struct warp *w, const struct gf_format *in, const struct gf_format *out, struct map *map)
{
    const double right = (double)(out->width - 1), bottom = (double)(out->units - 1);
    const struct point corners[4] = { { 0, 0 }, { right, 0 }, { right, bottom }, { 0, bottom } };
    struct point from[4], to[4], middle = { 0, 0 };
    const int count = w->from.rows;

    if (w->matrix.rows > 0) {
        struct map there = { { [8] = 1 } };

        memcpy(there.m, w->matrix.weights, (size_t)w->matrix.rows * 3 * sizeof(double));
        middle = (struct point) { (double)(in->width - 1) / 2, (double)(in->units - 1) / 2 };
        *map = inverse_of(&there);
        return make_seen(map, apply(&there, middle));
    }
    for (int i = 0; i < count; i++) {
        from[i] = (struct point) { w->from.weights[2 * i], w->from.weights[2 * i + 1] };
        to[i] = w->to.rows == 0 ? corners[i] : (struct point) { w->to.weights[2 * i], w->to.weights[2 * i + 1] };
        middle.x += to[i].x / count;
        middle.y += to[i].y / count;
    }
    return !any_on_line(from, count) && !any_on_line(to, count) && map_of_points(to, from, count, map)
        && make_seen(map, middle);
}

/* Moves and enlarges the result so that it has all of the image; false if it has no end. */
static bool expand(struct map *map, const struct gf_format *in, struct gf_format *out)
{
    const double right = (double)in->width - .5, bottom = (double)in->units - .5;
    const struct point corners[4] = { { -.5, -.5 }, { right, -.5 }, { right, bottom }, { -.5, bottom } };
    const struct map there = inverse_of(map);
    struct point low = { INFINITY, INFINITY }, high = { -INFINITY, -INFINITY }, move;
    double *m = map->m;

    for (int i = 0; i < 4; i++) {
        const struct point p = apply(&there, corners[i]);

        if (!isfinite(p.x) || !isfinite(p.y) || divisor_at(&there, corners[i]) * divisor_at(&there, corners[0]) <= 0)
            return false;
        low = (struct point) { fmin(low.x, p.x), fmin(low.y, p.y) };
        high = (struct point) { fmax(high.x, p.x), fmax(high.y, p.y) };
    }
    out->width = (int64_t)fmin(fmax(ceil(high.x - low.x - 1e-4), 1), 1e9);
    out->units = (int64_t)fmin(fmax(ceil(high.y - low.y - 1e-4), 1), 1e9);
    move.x = (low.x + high.x - (double)(out->width - 1)) / 2;
    move.y = (low.y + high.y - (double)(out->units - 1)) / 2;
    for (int i = 2; i < 9; i += 3)
        m[i] += m[i - 2] * move.x + m[i - 1] * move.y;
    return gf_warp_is_affine(m) || make_seen(map, (struct point) { (double)(out->width - 1) / 2,
                                                                   (double)(out->units - 1) / 2 });
}

/* A point as far outside of the image as the image is large is rather a wrong digit. */
static void note_far_points(const struct warp *w, const struct gf_format *in, struct gf_build *build)
{
    const double across = (double)in->width, down = (double)in->units;

    for (int i = 0; i < w->from.rows; i++) {
        const double *p = w->from.weights + 2 * i;

        if (fabs(p[0] - across / 2) > 1.5 * across || fabs(p[1] - down / 2) > 1.5 * down)
            gf_build_note(build, "warp: the point %g,%g of from= is far outside of the image, which is %gx%g here",
                          p[0], p[1], across, down);
    }
}

static int bind(const void *config, const struct gf_format *in, struct gf_build *build, struct gf_error *err)
{
    const struct warp *w = config;
    struct gf_warp op = { .kind = GF_WARP_MATRIX };
    struct gf_format out = *in;
    struct map map;

    if (check_options(w, err) != 0 || size_of_result(w, in, &out, err) != 0)
        return -1;
    if (!find_map(w, in, &out, &map))
        return gf_fail(err, GF_MISUSED, w->matrix.rows > 0
                       ? "warp: the matrix has no inverse, so that it does not fill an area"
                       : "warp: points of from= or to= lie on a line, so that they do not define a map");
    note_far_points(w, in, build);
    if (w->fit == EXPAND && !expand(&map, in, &out))
        return gf_fail(err, GF_FAILED, "warp: the image reaches the horizon of the perspective, so that fit=expand has "
                                       "no end; use size=");
    memcpy(op.m, map.m, sizeof op.m);
    return gf_sampling_add_warp("warp", &w->sampling, &op, -1, &out, build, err);
}

static const char *const examples[] = {
    "gpufilter -i photo.ppm 'warp:from=[90 60; 540 100; 560 400; 60 430]' -o straight.png",
    "gpufilter -i photo.ppm 'warp:from=[90 60; 540 100; 560 400; 60 430],size=400x300,filter=cubic' -o page.png",
    "gpufilter -i photo.ppm 'warp:[1 0.2 0; 0 1 0],fit=expand,bg=white' -o sheared.png",
    "gpufilter -i photo.ppm 'warp:from=[0 0; 639 0; 639 479; 0 479],to=[120 40; 600 0; 639 479; 0 400]' -o tilted.png",
    NULL
};

const struct gf_stage gf_stage_warp = {
    .name = "warp",
    .kind = GF_IMAGE,
    .group = GF_GROUP_GEOMETRY,
    .keeps_values = true,
    .summary = "move pixels by an affine or perspective map",
    .text = "Four points of the image and their places in the result define a perspective: with from= alone, the "
            "quadrangle becomes the whole result. It straightens a photographed page, screen or facade. "
            "Three points define an affine map.\n\n"
            "A matrix maps a position (x, y) of the image to a position of the result:\n\n"
            "    X = (a x + b y + c) / w     Y = (d x + e y + f) / w     w = g x + h y + i\n\n"
            "In [a b c; d e f], w is 1. Positions count from the center of the first pixel, which is 0 0; the last "
            "one of 640 columns is 639. This is the matrix of cv2.warpAffine() and cv2.warpPerspective().\n\n"
            "With edge=bg, pixels beyond the horizon of a perspective are background; with another edge, they are "
            "positions far outside. If the result is much smaller than the image, resize or blur the image "
            "first, because warp reads only the nearest pixels. "
            "If filter=linear is used and the result is stored in 8 bits directly after warp, positions are rounded "
            "to 1/256 of a pixel.",
    .examples = examples,
    .picture = "page.ppm 'warp:[1 0.15 -20; 0.08 1 -10; 0.0004 0.0006 1]'",
    .options = options,
    .config_bytes = sizeof(struct warp),
    .bind = bind,
};
