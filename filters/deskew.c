/* deskew: turn a scanned page so that its lines are level. */
#include "base/elementary.h"
#include "filters/rotate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MOST_SIDE 2048                   /* pixels of the reduced page along its longer side */
#define COARSE 4                         /* the first search reduces it again */
#define WHITE 4095                       /* the whitest gray of the reduced page */
#define BINS 4                           /* of a profile to a pixel */
#define ANGLE_BITS 18                    /* of the fractions of sines and cosines */

struct deskew {
    struct gf_rotate rotate;             /* comes first: rows of options count from its beginning; degrees are found */
    double limit;
};

static const struct gf_option options[] = {
    { .name = "limit", .type = GF_OPTION_NUMBER, .offset = offsetof(struct deskew, limit), .least = 0.1, .most = 45,
      .by_default = 45, .unit = "degrees", .text = "the largest angle, in both directions" },
    GF_ROTATE_FIT_OPTION,
    GF_SAMPLING_OPTIONS(struct gf_rotate, "white"),
    { .name = NULL }
};

/* ---- the reduced page ---- */

struct gray {
    int64_t width, height;
    uint16_t *at;                        /* 0 to WHITE */
};

/* Converts n pixels to gray over white. */
static void read_gray(const struct gf_format *f, const struct gf_look_rows *rows, int64_t n, uint32_t *gray)
{
    const int colours = gf_colours(f);

    for (int64_t i = 0; i < n; i++) {
        float v = rows->row[0][i];

        if (colours == 3)
            v = 0.299f * v + 0.587f * rows->row[1][i] + 0.114f * rows->row[2][i];
        if (f->alpha)
            v = 1 - rows->row[colours][i] * (1 - v);
        v = v > 0 ? v : 0;
        gray[i] = (uint32_t)((v < 1 ? v : 1) * WHITE + 0.5f);
    }
}

/* Adds a row of the page to the sums of squares of `by` pixels. */
static void add_row(const struct gf_look *page, const struct gf_look_rows *rows, int64_t y, int64_t by, int64_t width,
                    uint64_t *sums)
{
    uint32_t gray[GF_LOOK_PIXELS];

    for (int64_t x = 0, n; x < width * by; x += n) {
        n = width * by - x < GF_LOOK_PIXELS ? width * by - x : GF_LOOK_PIXELS;
        gf_look_read(page, x, y, n, rows);
        read_gray(page->format, rows, n, gray);
        for (int64_t i = 0, square = x / by, left = by - x % by; i < n; square++, left = by)
            for (; left > 0 && i < n; left--)
                sums[square] += gray[i++];
    }
}

/* Makes the mean of squares of pixels. A rest at the right side and below is left out. */
static int reduce_page(const struct gf_look *page, struct gray *g, struct gf_error *err)
{
    const struct gf_format *const f = page->format;
    const int64_t longer = f->width > f->units ? f->width : f->units, by = gf_ceil_div(longer, MOST_SIDE);
    struct gf_look_rows rows = { { NULL } };
    uint64_t *sums;
    int result = -1;

    *g = (struct gray) { f->width / by, f->units / by, NULL };
    g->at = calloc((size_t)(g->width * g->height) + 1, sizeof *g->at);
    sums = calloc((size_t)g->width + 1, sizeof *sums);
    if (g->at == NULL || sums == NULL) {
        gf_fail_memory(err, "deskew");
        goto out;
    }
    if (gf_look_rows_open(&rows, page, err) != 0)
        goto out;
    for (int64_t y = 0; y < g->height; y++) {
        memset(sums, 0, (size_t)g->width * sizeof *sums);
        for (int64_t k = 0; k < by; k++)
            add_row(page, &rows, y * by + k, by, g->width, sums);
        for (int64_t x = 0; x < g->width; x++)
            g->at[y * g->width + x] = (uint16_t)(sums[x] / (uint64_t)(by * by));
    }
    result = 0;
out:
    free(rows.row[0]);
    free(sums);
    return result;
}

static int reduce_again(const struct gray *from, struct gray *g, struct gf_error *err)
{
    *g = (struct gray) { from->width / COARSE, from->height / COARSE, NULL };
    g->at = calloc((size_t)(g->width * g->height) + 1, sizeof *g->at);
    if (g->at == NULL)
        return gf_fail_memory(err, "deskew");
    for (int64_t y = 0; y < g->height; y++)
        for (int64_t x = 0; x < g->width; x++) {
            uint32_t sum = 0;

            for (int64_t k = 0; k < COARSE * COARSE; k++)
                sum += from->at[(y * COARSE + k / COARSE) * from->width + x * COARSE + k % COARSE];
            g->at[y * g->width + x] = (uint16_t)(sum / (COARSE * COARSE));
        }
    return 0;
}

/* ---- the edges of its lines ---- */

struct edge {
    int32_t x, y, step;                  /* step: how much lighter the pixel below is, limited */
};

struct edges {
    struct edge *at;
    int64_t count;
    int64_t width, height;
    int32_t *bins;                       /* of a profile; as many as any angle needs */
    int64_t room;
};

static void close_edges(struct edges *e)
{
    free(e->at);
    free(e->bins);
}

/* Returns the step from a pixel to the one below. */
static int32_t step_at(const struct gray *g, int64_t x, int64_t y)
{
    return (int32_t)g->at[(y + 1) * g->width + x] - (int32_t)g->at[y * g->width + x];
}

/*
 * Collects the steps above the mean, limited to four times the mean, so that neither grain nor a dark border weighs as
 * much as the lines. A strip at each side is left out, because scanners have shadows there.
 */
static int find_edges(const struct gray *g, struct edges *e, struct gf_error *err)
{
    const int64_t left = g->width / 64, top = g->height / 64;
    int64_t sum = 0, pixels = 1;
    int32_t mean;

    e->width = g->width;
    e->height = g->height;
    e->room = (g->width + g->height + 4) * BINS;
    e->at = malloc((size_t)(g->width * g->height + 1) * sizeof *e->at);
    e->bins = malloc((size_t)e->room * sizeof *e->bins);
    if (e->at == NULL || e->bins == NULL)
        return gf_fail_memory(err, "deskew");
    for (int64_t y = top; y < g->height - top - 1; y++)
        for (int64_t x = left; x < g->width - left; x++, pixels++)
            sum += abs(step_at(g, x, y));
    mean = (int32_t)(sum / pixels) + 1;
    for (int64_t y = top; y < g->height - top - 1; y++)
        for (int64_t x = left; x < g->width - left; x++) {
            const int32_t step = step_at(g, x, y), most = 4 * mean;

            if (abs(step) > mean)
                e->at[e->count++] = (struct edge) { (int32_t)x, (int32_t)y,
                                                    step > most ? most : step < -most ? -most : step };
        }
    return 0;
}

/*
 * Returns how much the edges gather on lines that fall by so many degrees to the right: the energy of their profile
 * across such lines. Bins are finer than pixels and are smoothed, so that an angle of 0 has no advantage. All of it are
 * whole numbers, in one order.
 */
static double weigh(struct edges *e, double degrees)
{
    const int64_t cosine = llround(ldexp(BINS * gf_cos_pi(degrees / 180), ANGLE_BITS));
    const int64_t sine = llround(ldexp(BINS * gf_sin_pi(degrees / 180), ANGLE_BITS));
    const int64_t offset = (sine > 0 ? e->width * sine : 0) + ((int64_t)BINS << ANGLE_BITS);
    int64_t box = 0, boxes[BINS] = { 0 }, smooth = 0;
    double energy = 0;

    memset(e->bins, 0, (size_t)e->room * sizeof *e->bins);
    for (int64_t i = 0; i < e->count; i++)
        e->bins[(e->at[i].y * cosine - e->at[i].x * sine + offset) >> ANGLE_BITS] += e->at[i].step;
    for (int64_t i = 0; i < e->room; i++) {
        box += e->bins[i] - (i >= BINS ? e->bins[i - BINS] : 0);
        smooth += box - boxes[i % BINS];
        boxes[i % BINS] = box;
        energy += (double)smooth * (double)smooth;
    }
    return energy;
}

/* Returns the best of the angles at `step` around a middle, up to `steps` of them in both directions. */
static double find_best(struct edges *e, double middle, double step, int steps, double limit)
{
    double best = middle, energy = -1;

    for (int i = -steps; i <= steps; i++) {
        const double degrees = middle + i * step, now = fabs(degrees) <= limit + 1e-9 ? weigh(e, degrees) : -1;

        if (now > energy || (now == energy && fabs(degrees) < fabs(best))) {
            energy = now;
            best = degrees;
        }
    }
    return best;
}

#define CLEAR 3                          /* energy of the lines of a page, in means over all angles, at least */

/* Returns true if lines of an angle stand out. Grain and photos of nature have 2 to 2.5 times the mean. */
static bool stand_out(struct edges *e, double degrees)
{
    double sum = 0;
    int angles = 0;

    for (double other = -45; other <= 45; other++, angles++)
        sum += weigh(e, other);
    return sum > 0 && weigh(e, degrees) >= CLEAR * sum / angles;
}

/* Finds whether there was a page, whether it has lines, and their angle. */
static int search(const struct gray *page, double limit, double found[GF_FOUND], struct gf_error *err)
{
    struct gray small = { 0 };
    struct edges edges = { 0 }, coarse = { 0 };
    double degrees;
    int result = -1;

    if (reduce_again(page, &small, err) != 0 || find_edges(&small, &coarse, err) != 0
        || find_edges(page, &edges, err) != 0)
        goto out;
    degrees = find_best(&coarse, 0, 0.25, (int)(limit * 4), limit);
    found[0] = 1;
    found[1] = stand_out(&coarse, degrees);
    if (found[1] > 0)
        found[2] = find_best(&edges, find_best(&edges, degrees, 0.05, 10, limit), 0.01, 5, limit);
    result = 0;
out:
    free(small.at);
    close_edges(&coarse);
    close_edges(&edges);
    return result;
}

static int look(const void *config, const struct gf_look *image, double found[GF_FOUND], struct gf_error *err)
{
    const struct deskew *const d = config;
    struct gray page;
    int result = reduce_page(image, &page, err);

    memset(found, 0, GF_FOUND * sizeof *found);
    if (result == 0)
        result = search(&page, d->limit, found, err);
    free(page.at);
    return result;
}

static int bind(const void *config, const struct gf_format *in, struct gf_build *build, struct gf_error *err)
{
    struct gf_rotate rotate = ((const struct deskew *)config)->rotate;

    rotate.degrees = -in->found[2];
    if (in->found[0] > 0 && in->found[1] == 0)
        gf_build_note(build, "deskew finds no lines, so the image is not turned");
    if (!rotate.sampling.background.given && rotate.sampling.edge == GF_EDGE_BACKGROUND && !in->alpha
        && rotate.fit != GF_ROTATE_INNER)
        rotate.sampling.background = (struct gf_colour) { true, { 1, 1, 1, 1 } };
    return gf_rotate_bind("deskew", &rotate, in, build, err);
}

static const char *const examples[] = {
    "gpufilter -i tilted.ppm deskew -o level.png",
    "gpufilter -i tilted.ppm deskew:10,fit=keep,edge=clamp -o level.png",
    "gpufilter -i tilted.ppm deskew:fit=inner gray autolevel:1% -o clean.png",
    NULL
};

const struct gf_stage gf_stage_deskew = {
    .name = "deskew",
    .kind = GF_IMAGE,
    .group = GF_GROUP_GEOMETRY,
    .keeps_values = true,
    .summary = "turn a scanned page so that its lines are level",
    .text = "The angle is the one at which edges gather on lines: those of text, tables or the border of the page. It "
            "is searched between -LIMIT and LIMIT degrees, in steps of 0.01. The image is then turned as by rotate, "
            "with the same options. Lines must lie across the page, so turn a page that stands on its side by "
            "rotate:90 before.\n\n"
            "The search uses the brightness of the page, reduced to at most 2048 pixels a side. An image without "
            "lines, such as an empty page, is not turned, and a note says so for the first one. Frames of a video or "
            "an animation are turned like the first one; each page of a TIFF has an angle of its own.\n\n"
            "The whole image is kept in memory or in a temporary file before this stage. --explain does not read "
            "it, and shows the plan for a page that is level.",
    .examples = examples,
    .picture = "tilted.ppm deskew:bg=#b4a88c",
    .options = options,
    .config_bytes = sizeof(struct deskew),
    .look = look,
    .bind = bind,
};
