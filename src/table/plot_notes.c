/* Draws notes below a drawing: sentences, wrapped into lines. */
#include "table/plot.h"

#include <stdio.h>
#include <string.h>

#define SIZE 12                          /* of letters */
#define LINE 16
#define GAP 5                            /* between notes */
#define INDENT 14                        /* of all lines of a note except its first */
#define LONGEST 300                      /* bytes of a line; more never fit */

/* Returns the bytes of the first line of `text`, which end before a space or at the end. At least one word is on it. */
static size_t line_bytes(const char *text, double width)
{
    size_t fits = 0;

    for (size_t end = 0; text[end] != '\0' || end == 0;) {
        end += strspn(text + end, " ");
        end += strcspn(text + end, " ");
        if (fits > 0 && (end > LONGEST || gf_plot_letters_width(SIZE, text, end) > width))
            break;
        fits = end;
        if (text[end] == '\0')
            break;
    }
    return fits < LONGEST ? fits : LONGEST;
}

/* Draws all notes, or only computes their height if there is no plot. */
static double place_notes(struct gf_plot *p, const char *const *notes, double left, double top, double width)
{
    char line[LONGEST + 1];
    double y = top;

    for (int i = 0; notes != NULL && notes[i] != NULL; i++, y += GAP)
        for (const char *at = notes[i]; *at != '\0'; y += LINE) {
            const double indent = at == notes[i] ? 0 : INDENT;
            const size_t bytes = line_bytes(at, width - indent);

            snprintf(line, sizeof line, "%.*s", (int)bytes, at);
            if (p != NULL)
                gf_plot_write(p, left + indent, y + SIZE, SIZE, GF_ANCHOR_START, GF_PLOT_INK, line);
            at += bytes + strspn(at + bytes, " ");
        }
    return y - top;
}

double gf_plot_notes_height(const char *const *notes, double width)
{
    return place_notes(NULL, notes, 0, 0, width);
}

double gf_plot_notes_draw(struct gf_plot *p, const char *const *notes, double left, double top, double width)
{
    return place_notes(p, notes, left, top, width);
}
