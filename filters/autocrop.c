/* autocrop: cut off borders of one color. */
#include "filters/rectangle.h"

#include <stdlib.h>
#include <string.h>

struct autocrop {
    double tolerance;
    struct gf_colour color;
    int64_t margin;
};

static const struct gf_option options[] = {
    { .name = "tolerance", .type = GF_OPTION_NUMBER, .offset = offsetof(struct autocrop, tolerance), .least = 0,
      .most = 1, .by_default = 1.0 / 512, .levels = 1,
      .text = "difference up to which a pixel has the color of the border; by default half a level of 8 bits" },
    { .name = "color", .type = GF_OPTION_COLOUR, .offset = offsetof(struct autocrop, color), .key_only = true,
      .text = "color of the borders, instead of that of the corners" },
    { .name = "margin", .type = GF_OPTION_INT, .offset = offsetof(struct autocrop, margin), .least = 0, .most = 1e6,
      .key_only = true, .unit = "pixels", .text = "width of the border that stays" },
    { .name = NULL }
};

/* A search for what differs from the border. */
struct search {
    const struct gf_look *image;
    struct gf_look_rows rows;
    double most;                         /* the square of the tolerance */
    float border[3][GF_MAX_CHANNELS];    /* its color at the left and above, at the right, and below */
};

/* Returns true if a pixel of the rows differs from a color. Colors count as much as alpha makes them visible. */
static bool differs(const struct search *s, int64_t i, const float *color)
{
    const struct gf_format *const f = s->image->format;
    const int colours = gf_colours(f);
    const double alpha = f->alpha ? (double)s->rows.row[colours][i] : 1, other = f->alpha ? (double)color[colours] : 1;
    double sum = 0;

    for (int c = 0; c < colours; c++) {
        const double d = (double)s->rows.row[c][i] - (double)color[c];

        sum += d * d;
    }
    return !((alpha - other) * (alpha - other) + alpha * other * sum / colours <= s->most);
}

/* Returns the first column from `start` on whose pixel in row y differs from a color, or `end`. */
static int64_t find_first(const struct search *s, int64_t y, int64_t start, int64_t end, const float *color)
{
    for (int64_t x = start, n; x < end; x += n) {
        n = end - x < GF_LOOK_PIXELS ? end - x : GF_LOOK_PIXELS;
        gf_look_read(s->image, x, y, n, &s->rows);
        for (int64_t i = 0; i < n; i++)
            if (differs(s, i, color))
                return x + i;
    }
    return end;
}

/* Returns the column after the last such pixel, or `start`. */
static int64_t find_last(const struct search *s, int64_t y, int64_t start, int64_t end, const float *color)
{
    for (int64_t x = end, n; x > start; x -= n) {
        n = x - start < GF_LOOK_PIXELS ? x - start : GF_LOOK_PIXELS;
        gf_look_read(s->image, x - n, y, n, &s->rows);
        for (int64_t i = n; i > 0; i--)
            if (differs(s, i - 1, color))
                return x - n + i;
    }
    return start;
}

/* Takes the colors of three corners, or the one that is given. */
static void set_borders(struct search *s, const struct gf_colour *color)
{
    const struct gf_format *const f = s->image->format;
    const int64_t x[] = { 0, f->width - 1, 0 }, y[] = { 0, 0, f->units - 1 };
    const int colours = gf_colours(f);

    for (int k = 0; k < 3; k++) {
        gf_look_read(s->image, x[k], y[k], 1, &s->rows);
        for (int c = 0; c < f->channels; c++)
            s->border[k][c] = !color->given ? s->rows.row[c][0]
                : (float)(c < colours ? gf_colour_sample(color, colours, c) : color->rgba[3]);
    }
}

/* Finds the rectangle of all pixels that differ. A side that has none is empty. */
static struct gf_rectangle find_inside(const struct search *s)
{
    const int64_t w = s->image->format->width, h = s->image->format->units;
    int64_t top = 0, bottom = h, left = w, right = 0;

    while (top < h && find_first(s, top, 0, w, s->border[0]) == w)
        top++;
    while (bottom > top && find_first(s, bottom - 1, 0, w, s->border[2]) == w)
        bottom--;
    for (int64_t y = 0; y < h && bottom > top; y++) {
        left = find_first(s, y, 0, left, s->border[0]);
        right = find_last(s, y, right, w, s->border[1]);
    }
    return (struct gf_rectangle) { left, top, right - left, bottom - top };
}

/* Adds the margin, and in video what is needed to begin and end at samples of chroma. */
static void widen(int64_t *start, int64_t *length, int64_t margin, int64_t grid, int64_t room)
{
    const int64_t end = *start + *length + margin;

    *start = *start > margin ? (*start - margin) / grid * grid : 0;
    *length = (gf_round_up(end, grid) < room ? gf_round_up(end, grid) : room) - *start;
}

static int look(const void *config, const struct gf_look *image, double found[GF_FOUND], struct gf_error *err)
{
    const struct autocrop *const a = config;
    const struct gf_format *const f = image->format;
    struct search s = { .image = image, .most = a->tolerance * a->tolerance };
    struct gf_rectangle r;
    int columns = 1, rows = 1;

    if (gf_look_rows_open(&s.rows, image, err) != 0)
        return -1;
    set_borders(&s, &a->color);
    r = find_inside(&s);
    free(s.rows.row[0]);
    if (r.width <= 0 || r.height <= 0)
        return gf_fail(err, GF_FAILED, "autocrop: all of the image has the color of the border, so nothing would be "
                       "left;; use a smaller tolerance, or crop:WIDTHxHEIGHT+X+Y");
    if (f->yuv.used)
        gf_planes_grid(f, &columns, &rows);
    widen(&r.x, &r.width, a->margin, columns, f->width);
    widen(&r.y, &r.height, a->margin, rows, f->units);
    found[0] = (double)r.x;
    found[1] = (double)r.y;
    found[2] = (double)r.width;
    found[3] = (double)r.height;
    return 0;
}

/* Returns what was found; all of the image if it was not looked at. */
static struct gf_rectangle found_in(const struct gf_format *f)
{
    const double *const v = f->found;

    return v[2] > 0 ? (struct gf_rectangle) { (int64_t)v[0], (int64_t)v[1], (int64_t)v[2], (int64_t)v[3] }
        : (struct gf_rectangle) { 0, 0, f->width, f->units };
}

static int bind(const void *config, const struct gf_format *in, struct gf_build *build, struct gf_error *err)
{
    const struct gf_rectangle r = found_in(in);

    (void)config;
    if (r.x + r.width > in->width || r.y + r.height > in->units)
        return gf_fail(err, GF_FAILED, "autocrop: the first frame has a border around %lldx%lld+%lld+%lld, but this "
                       "frame is %lldx%lld", (long long)r.width, (long long)r.height, (long long)r.x, (long long)r.y,
                       (long long)in->width, (long long)in->units);
    return gf_rectangle_cut(&r, in, build, err);
}

static enum gf_planes planes(const void *config, const struct gf_format *frame)
{
    const struct gf_rectangle r = found_in(frame);

    (void)config;
    return gf_rectangle_planes(&r, frame);
}

static int bind_plane(const void *config, const struct gf_plane *plane, const struct gf_format *in,
                      struct gf_build *build, struct gf_error *err)
{
    const struct gf_rectangle r = found_in(plane->frame);

    (void)config;
    return gf_rectangle_cut_plane(&r, plane, in, build, err);
}

static const char *const examples[] = {
    "gpufilter -i photo.ppm pad:20,bg=white -o framed.png && gpufilter -i framed.png autocrop -o photo.png",
    "gpufilter -i chart.pgm autocrop:10%,margin=8 -o cut.png",
    "gpufilter -i photo.ppm pad:0,40,bg=black -o letterbox.png && "
    "gpufilter -i letterbox.png autocrop:5%,color=black -o wide.png",
    NULL
};

const struct gf_stage gf_stage_autocrop = {
    .name = "autocrop",
    .kind = GF_IMAGE,
    .group = GF_GROUP_GEOMETRY,
    .keeps_values = true,
    .summary = "cut off borders of one color",
    .text = "Rows and columns at the sides are cut off if all of their pixels have the color of the border, within the "
            "tolerance. The color is that of the corners: at the left side and above that of the upper left pixel, at "
            "the right side that of the upper right one, and below that of the lower left one. With color= it is the "
            "same for all sides. Samples are copied without change.\n\n"
            "The difference of two colors is the root of the mean square of the differences of their channels, as "
            "stored, from 0 to 1. With alpha it is √(d² + a·b·m), where a and b are both alphas, d is "
            "their difference, and m is that mean square: colors of transparent pixels do not matter. For scans and "
            "JPEG, try autocrop:10%.\n\n"
            "An image that has one color everywhere is an error. Frames of a video or an animation are cut like the "
            "first one; in video, the rectangle grows to whole samples of chroma. Each page of a TIFF is cut by "
            "itself, so their sizes differ afterwards.\n\n"
            "The whole image is kept in memory or in a temporary file before this stage. --explain does not read "
            "it, and shows the plan for an image without a border.",
    .examples = examples,
    .picture = "cutout.pam autocrop",
    .options = options,
    .config_bytes = sizeof(struct autocrop),
    .look = look,
    .bind = bind,
    .planes = planes,
    .bind_plane = bind_plane,
};
