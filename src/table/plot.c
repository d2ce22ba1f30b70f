/* What all sheets share: boxes, round steps, numbers as people write them, letters of UTF-8. */
#include "table/plot.h"

#include <math.h>

void gf_plot_box(struct gf_plot *p, double x, double y, double width, double height, struct gf_plot_ink ink, const char *title)
{
    const struct gf_plot_spot corners[] = { { x, y }, { x + width, y }, { x + width, y + height }, { x, y + height } };

    p->ops->area(p, corners, 4, ink, title);
}

void gf_plot_write(struct gf_plot *p, double x, double y, double size, enum gf_plot_anchor anchor, uint32_t rgb, const char *text)
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
    step = pow(10, floor(log10(least)));
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

/* What XML lets stand in a text, and people can see. */
static bool may_stand(uint32_t letter)
{
    return letter >= 0x20 && letter != 0x7F && (letter < 0x80 || letter > 0x9F) && (letter < 0xD800 || letter > 0xDFFF)
        && letter != 0xFFFE && letter != 0xFFFF && letter <= 0x10FFFF;
}

uint32_t gf_plot_letter(const char **text)
{
    static const uint32_t least[] = { 0, 0x80, 0x800, 0x10000 };
    const unsigned char first = (unsigned char)*(*text)++;
    const int more = first < 0xC0 ? 0 : first < 0xE0 ? 1 : first < 0xF0 ? 2 : 3;
    uint32_t letter = more > 0 ? first & (0x3Fu >> more) : first;

    if (first == 0)
        return 0;
    if ((first >= 0x80 && first < 0xC0) || first >= 0xF8)
        return '?';
    for (int i = 0; i < more; i++) {
        const unsigned char next = (unsigned char)(*text)[i];

        if ((next & 0xC0) != 0x80)
            return '?';                          /* what follows is looked at for itself */
        letter = letter << 6 | (next & 0x3F);
    }
    *text += more;
    return letter >= least[more] && may_stand(letter) ? letter : '?';
}

void gf_plot_put(FILE *to, const char *text)
{
    const char *at = text, *from = text;

    for (uint32_t letter = gf_plot_letter(&at); letter != 0; from = at, letter = gf_plot_letter(&at))
        if (letter == '?')
            fputc('?', to);
        else
            fwrite(from, 1, (size_t)(at - from), to);
}
