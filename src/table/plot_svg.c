/* The SVG surface: writes areas, lines, labels and images as SVG elements. */
#include "base/stb.h"
#include "table/plot.h"
#include "table/svg.h"

static void put_path(FILE *to, const struct gf_plot_spot *spots, int count)
{
    fprintf(to, "<path d=\"M%.2f %.2f", spots[0].x, spots[0].y);
    for (int i = 1; i < count; i++) {
        if (spots[i].y == spots[i - 1].y)
            fprintf(to, "H%.2f", spots[i].x);
        else if (spots[i].x == spots[i - 1].x)
            fprintf(to, "V%.2f", spots[i].y);
        else
            fprintf(to, "L%.2f %.2f", spots[i].x, spots[i].y);
    }
}

static void put_opacity(FILE *to, const char *what, double opacity)
{
    if (opacity < 1)
        fprintf(to, " %s-opacity=\"%.2f\"", what, opacity);
}

static void svg_area(struct gf_plot *p, const struct gf_plot_spot *spots, int count, struct gf_plot_ink ink,
                     const char *title)
{
    put_path(p->to, spots, count);
    fprintf(p->to, "z\" fill=\"#%06x\"", ink.rgb);
    put_opacity(p->to, "fill", ink.opacity);
    gf_svg_put_end(p->to, "path", title);
}

static void svg_line(struct gf_plot *p, const struct gf_plot_spot *spots, int count, double width,
                     struct gf_plot_ink ink)
{
    put_path(p->to, spots, count);
    fprintf(p->to, "\" fill=\"none\" stroke=\"#%06x\" stroke-width=\"%.4g\"", ink.rgb, width);
    put_opacity(p->to, "stroke", ink.opacity);
    gf_svg_put_end(p->to, "path", NULL);
}

static void svg_label(struct gf_plot *p, const struct gf_plot_label *w, const char *text)
{
    static const char *const anchors[] = { "", " text-anchor=\"middle\"", " text-anchor=\"end\"" };

    gf_svg_put(p->to, "text", text, "x=\"%.2f\" y=\"%.2f\" font-size=\"%.4g\"%s%s fill=\"#%06x\"", w->x, w->y, w->size,
               anchors[w->anchor], w->bold ? " font-weight=\"bold\"" : "", w->rgb);
}

/* Writes bytes as base64. Padding is right because the encoder calls this once with the whole PNG. */
static void put_base64(void *to, void *data, int size)
{
    static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const unsigned char *bytes = data;

    for (int i = 0; i < size; i += 3) {
        const uint32_t three = (uint32_t)bytes[i] << 16 | (i + 1 < size ? (uint32_t)bytes[i + 1] : 0) << 8
                             | (i + 2 < size ? (uint32_t)bytes[i + 2] : 0);

        for (int k = 0; k < 4; k++)
            fputc(i + k <= size ? letters[three >> (18 - 6 * k) & 63] : '=', to);
    }
}

static void svg_picture(struct gf_plot *p, struct gf_plot_frame f, const unsigned char *rgb)
{
    fprintf(p->to, "<image x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%.2f\" "
            "preserveAspectRatio=\"none\" href=\"data:image/png;base64,", f.left, f.top, f.width, f.height);
    if (!stbi_write_png_to_func(put_base64, p->to, (int)f.width, (int)f.height, 3, rgb, 0))
        p->failed = true;
    fputc('"', p->to);
    gf_svg_put_end(p->to, "image", NULL);
}

void gf_plot_svg(struct gf_plot *p, int width, int height, FILE *to)
{
    static const struct gf_plot_ops ops = { svg_area, svg_line, svg_label, svg_picture };

    *p = (struct gf_plot) { .ops = &ops, .width = width, .height = height, .to = to };
    gf_svg_begin(to, width, height, "", "#ffffff");
}
