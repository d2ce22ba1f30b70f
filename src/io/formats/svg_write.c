/* Writes tables as SVG drawings. */
#include "io/format.h"
#include "io/text_output.h"
#include "table/plot.h"
#include "table/svg.h"

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

static const struct gf_writer_ops svg_writer = { .name = "svg", .table = svg_table };

const struct gf_file_format gf_file_format_svg = { .name = "svg", .title = "SVG", .table = &svg_writer };
