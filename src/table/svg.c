/* Writes SVG documents without external files, scripts or embedded fonts. */
#include "table/svg.h"

#include "base/utf8.h"

#include <stdarg.h>
#include <string.h>

void gf_svg_begin(FILE *to, int width, int height, const char *style, const char *colour)
{
    fprintf(to, "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\" "
            "font-family=\"Helvetica, Arial, sans-serif\"%s>\n", width, height, width, height, style);
    gf_svg_put(to, "rect", NULL, "width=\"100%%\" height=\"100%%\" fill=\"%s\"", colour);
}

void gf_svg_end(FILE *to)
{
    fputs("</svg>\n", to);
}

void gf_svg_put(FILE *to, const char *element, const char *text, const char *attributes, ...)
{
    va_list args;

    fprintf(to, "<%s ", element);
    va_start(args, attributes);
    vfprintf(to, attributes, args);
    va_end(args);
    gf_svg_put_end(to, element, text);
}

void gf_svg_put_end(FILE *to, const char *element, const char *text)
{
    const bool is_text = strcmp(element, "text") == 0;

    if (text == NULL) {
        fputs("/>\n", to);
        return;
    }
    fputs(is_text ? ">" : "><title>", to);
    gf_utf8_put_xml(to, text);
    fprintf(to, is_text ? "</%s>\n" : "</title></%s>\n", element);
}
