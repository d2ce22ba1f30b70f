/* Writes SVG: the background, and elements with their attributes and texts. */
#ifndef GF_TABLE_SVG_H
#define GF_TABLE_SVG_H

#include "base/error.h"

#include <stdio.h>

/*
 * Begins a document with a background color; `style`
 * has more attributes of <svg>, each after a space.
 */
void gf_svg_begin(FILE *to, int width, int height, const char *style, const char *colour);
void gf_svg_end(FILE *to);

/*
 * Writes an element with these attributes. `text` is the
 * content of <text>, the title of others; NULL: none.
 */
void gf_svg_put(FILE *to, const char *element, const char *text, const char *attributes, ...) GF_PRINTF(4, 5);
/* Ends an element whose attributes the caller has written. */
void gf_svg_put_end(FILE *to, const char *element, const char *text);

#endif
