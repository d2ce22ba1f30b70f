/* Draws tables as PNG images. */
#include "io/formats/png/png.h"
#include "table/plot.h"

/* Writes the drawing as a PNG image to the same file. */
static int write_png(struct gf_writer *w, const struct gf_plot *p, struct gf_error *err)
{
    struct gf_writer png = *w;
    int result;

    png.ops = &gf_write_png;
    png.state = NULL;
    png.meta = NULL;
    png.format = (struct gf_format) { .kind = GF_IMAGE, .type = GF_U8, .bits = 8, .maxval = 255, .channels = 3,
                                      .width = p->width, .units = p->height };
    result = png.ops->begin(&png, err) == 0 && png.ops->write(&png, p->rgb, p->height, err) == 0
        && png.ops->end(&png, err) == 0 ? 0 : -1;
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

const struct gf_writer_ops gf_draw_png = { .name = "png", .table = png_table };
