/* Writes tables as drawings: SVG as text, PNG through the writer of pictures. */
#define _GNU_SOURCE
#include "io/format.h"
#include "io/format_list.h"
#include "io/text_output.h"
#include "table/plot.h"
#include "table/svg.h"
#include "table/table.h"

#include <stdlib.h>

static int no_picture(struct gf_writer *w, struct gf_format *f, struct gf_error *err)
{
    (void)f;
    return gf_fail(err, GF_MISUSED, "%s: %s draws a table; end the chain with histogram, stats or compare", w->name, w->ops->name);
}

static int svg_table(struct gf_writer *w, const struct gf_table *t, struct gf_error *err)
{
    struct gf_text_output text;
    FILE *to = gf_text_output_open(&text, w->out, w->name, err);
    struct gf_plot p;
    int width, height, result;

    if (to == NULL)
        return -1;
    gf_plot_size(t, &width, &height);
    gf_plot_svg(&p, width, height, to);
    result = gf_plot_table(&p, t, err);
    gf_svg_end(to);
    return gf_text_output_close(&text, to, result, err);
}

/* The sheet as a picture of its own in the same file. */
static int write_png(struct gf_writer *w, const struct gf_plot *p, struct gf_error *err)
{
    struct gf_writer png = *w;
    int result;

    png.ops = &gf_write_png;
    png.state = NULL;
    png.meta = NULL;
    png.format = (struct gf_format) { .kind = GF_IMAGE, .type = GF_U8, .bits = 8, .maxval = 255, .channels = 3, .width = p->width,
                                      .units = p->height };
    result = png.ops->begin(&png, err) == 0 && png.ops->write(&png, p->rgb, p->height, err) == 0 && png.ops->end(&png, err) == 0 ? 0 : -1;
    png.ops->release(&png);
    return result;
}

static int png_table(struct gf_writer *w, const struct gf_table *t, struct gf_error *err)
{
    struct gf_plot p;
    int width, height, result;

    gf_plot_size(t, &width, &height);
    if (gf_plot_pixels(&p, width, height, err) != 0)
        return -1;
    result = gf_plot_table(&p, t, err) == 0 ? write_png(w, &p, err) : -1;
    gf_plot_pixels_end(&p);
    return result;
}

const struct gf_writer_ops gf_write_svg = { .name = "svg", .fit = no_picture, .table = svg_table };
const struct gf_writer_ops gf_draw_png = { .name = "png", .fit = no_picture, .table = png_table };
