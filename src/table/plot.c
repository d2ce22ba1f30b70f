/* Parts of all drawings: boxes, lines, labels, round steps of scales, short numbers. */
#include "table/plot.h"

#include "base/elementary.h"

#include <math.h>

void gf_plot_box(struct gf_plot *p, double x, double y, double width, double height, struct gf_plot_ink ink,
                 const char *title)
{
    const struct gf_plot_spot corners[] = { { x, y }, { x + width, y }, { x + width, y + height }, { x, y + height } };

    p->ops->area(p, corners, 4, ink, title);
}

void gf_plot_write(struct gf_plot *p, double x, double y, double size, enum gf_plot_anchor anchor, uint32_t rgb,
                   const char *text)
{
    const struct gf_plot_label w = { x, y, size, anchor, false, rgb };

    p->ops->label(p, &w, text);
}

void gf_plot_straight(struct gf_plot *p, double x0, double y0, double x1, double y1, uint32_t rgb)
{
    const struct gf_plot_spot ends[] = { { x0, y0 }, { x1, y1 } };

    p->ops->line(p, ends, 2, 1, (struct gf_plot_ink) { rgb, 1 });
}

double gf_plot_step(double end, int most)
{
    const double least = end / most;
    double step;

    if (!(end > 0) || !isfinite(end))
        return 1;
    step = gf_pow(10, floor(gf_log10(least)));
    return step * (least > 5 * step ? 10 : least > 2 * step ? 5 : least > step ? 2 : 1);
}

void gf_plot_number(double value, char *text)
{
    static const char *const marks[] = { "", "k", "M", "G", "T" };
    int i = 0;

    while (fabs(value) >= 1000 && i < 4) {
        value /= 1000;
        i++;
    }
    snprintf(text, 40, "%.4g%s", value, marks[i]);
}

void gf_plot_share(double part, double whole, char *text)
{
    const double percent = whole > 0 ? 100 * part / whole : 0;

    if (part > 0 && percent < 0.1)
        snprintf(text, 40, "<0.1 %%");
    else
        snprintf(text, 40, "%.3g %%", percent);
}
