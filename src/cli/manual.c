/* The parts of the manual pages that tables and descriptors know, as man(7) macros. */
#include <config.h>
#include "cli/manual.h"

#include "chain/option.h"
#include "chain/stage.h"
#include "cli/cli_options.h"
#include "cli/describe.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

/* One character of UTF-8 as roff names it; returns its last byte. */
static const char *print_character(const char *text)
{
    static const unsigned char masks[] = { 0x1f, 0x0f, 0x07 };
    const int more = (*text & 0xe0) == 0xc0 ? 1 : (*text & 0xf0) == 0xe0 ? 2 : 3;
    unsigned int code = (unsigned char)*text & masks[more - 1];

    for (int i = 0; i < more && text[1] != '\0'; i++)
        code = code << 6 | ((unsigned char)*++text & 0x3f);
    printf("\\[u%04X]", code);
    return text;
}

/* Text that means itself to roff; `start` of a line, where dots and quotes are commands. */
static void print_escaped(const char *text, bool start)
{
    for (; *text != '\0'; text++) {
        if (start && (*text == '.' || *text == '\''))
            fputs("\\&", stdout);
        start = *text == '\n';
        if ((unsigned char)*text >= 0xc0) {
            text = print_character(text);
            continue;
        }
        switch (*text) {
        case '\\': fputs("\\e", stdout); break;
        case '-': fputs("\\-", stdout); break;
        case '\'': fputs("\\(aq", stdout); break;
        case '`': fputs("\\(ga", stdout); break;
        case '^': fputs("\\(ha", stdout); break;
        case '~': fputs("\\(ti", stdout); break;
        default: putchar(*text); break;
        }
    }
}

/* Paragraphs: an empty line between them becomes a macro. */
static void print_paragraphs(const char *text)
{
    const char *end;

    while ((end = strstr(text, "\n\n")) != NULL) {
        char part[4096];

        snprintf(part, sizeof part, "%.*s", (int)(end - text), text);
        print_escaped(part, true);
        puts("\n.PP");
        text = end + 2;
    }
    print_escaped(text, true);
    putchar('\n');
}

/* A word in bold or italics on a line of its own. */
static void print_macro(const char *macro, const char *text)
{
    printf(".%s \"", macro);
    print_escaped(text, false);
    puts("\"");
}

#define LINE_BYTES 62                  /* before escapes, so that lines of roff stay under 80 */

/* Prints `text` in short lines of roff; a sentence begins a line, so that roff sets the space after the one before. */
static void print_folded(const char *text)
{
    while (*text != '\0') {
        size_t length = 0, next;
        char line[LINE_BYTES + 64];

        do {
            next = length + strcspn(text + length, " ");
            if (length > 0 && next > LINE_BYTES)
                break;
            length = next + (text[next] == ' ');
        } while (text[next] == ' ' && (next == 0 || text[next - 1] != '.'));
        snprintf(line, sizeof line, "%.*s", (int)(length - (length > 0 && text[length - 1] == ' ')), text);
        print_escaped(line, true);
        putchar('\n');
        text += length;
    }
}

/* Prints how an option is written: in bold, and the placeholder of a value in italics. */
static void print_option_usage(const struct gf_cli_option *row)
{
    const bool placeholder = row->argument != NULL && isupper((unsigned char)row->argument[0]);

    fputs("\\fB", stdout);
    if (row->letter != 0)
        printf("\\-%c\\fP, \\fB", row->letter);
    fputs("\\-\\-", stdout);
    print_escaped(row->name, false);
    fputs("\\fP", stdout);
    if (row->argument != NULL) {
        printf("%s%s", !row->optional ? " " : row->letter != 0 ? " [" : "[=", placeholder ? "\\fI" : "\\fB");
        print_escaped(row->argument, false);
        fputs(row->optional ? "\\fP]" : "\\fP", stdout);
    }
    putchar('\n');
}

void gf_manual_options(const struct gf_cli_option *row)
{
    for (; row->name != NULL; row++) {
        char text[256];

        if (row->text == NULL)
            continue;
        if (row->group != NULL)
            print_macro("SS", row->group);
        puts(".TP");
        print_option_usage(row);
        snprintf(text, sizeof text, "%s.", row->text);
        text[0] = (char)toupper((unsigned char)text[0]);
        print_folded(text);
        if (row->more != NULL)
            print_folded(row->more);
    }
}

static void print_option(const struct gf_option *row)
{
    char range[256], initial[64];

    gf_option_range(row, range, sizeof range);
    gf_describe_default(row, initial, sizeof initial);
    puts(".TP");
    fputs(".BR ", stdout);
    print_escaped(row->name, false);
    puts(row->key_only ? "=" : "");
    print_escaped(row->text, true);
    fputs(".\nTakes ", stdout);
    print_escaped(range, false);
    if (row->required)
        fputs("; required", stdout);
    else if (initial[0] != '\0') {
        fputs("; default ", stdout);
        print_escaped(initial, false);
    }
    puts(".");
}

static void print_stage(const struct gf_stage *stage)
{
    char words[256];

    gf_describe_stage(stage, words, sizeof words);
    print_macro("SS", words);
    print_escaped(stage->summary, true);
    puts(".");
    if (stage->text != NULL) {
        puts(".PP");
        print_paragraphs(stage->text);
    }
    for (const struct gf_option *row = stage->options; row != NULL && row->name != NULL; row++)
        print_option(row);
    for (const char *const *line = stage->examples; line != NULL && *line != NULL; line++) {
        if (line == stage->examples)
            puts(".PP\n.EX");
        print_escaped(*line, true);
        putchar('\n');
        if (line[1] == NULL)
            puts(".EE");
    }
}

static void print_stages(enum gf_kind kind)
{
    for (int i = 0; i < gf_stage_count; i++)
        if (gf_stages[i]->kind == kind)
            print_stage(gf_stages[i]);
}

/* What those who come from elsewhere would not expect; tests/stages/peers.py holds the figures. */
static const struct { const char *what, *text; } differences[] = {
    { "Borders", "Beyond the border stands the last pixel, edge=clamp. OpenCV's default is edge=mirror; SciPy's and, for most "
                 "filters, scikit-image's is edge=reflect." },
    { "blur, sharpen, dog", "The Gaussian is cut at 3 sigmas, as OpenCV does for bytes; scikit-image goes on to 4. That changes a result by 1 step "
                       "of 8 bits, 2 at most." },
    { "bilateral", "All of a square counts, and colours are compared by the root of the sum of squares; OpenCV's takes a disc, and the sum of "
                   "what the channels differ by. scikit-image's places its weights by distance up to a pixel off." },
    { "canny", "canny:0,LOW,HIGH finds the same pixels as OpenCV's Canny with L2gradient and thresholds of 255 times as much, which blurs nothing "
               "by itself. scikit-image weighs the neighbours on both sides of the slope's direction, and leaves out the outermost pixels." },
    { "conv", "The mask is laid on as it is written, as by OpenCV's filter2D and vips; SciPy's convolve "
              "turns it by 180 degrees first. Results are clamped to black and white when they are stored in integers: "
              "offset=0.5, or .pfm, keeps what is negative." },
    { "sobel, conv:scharr-x, conv:prewitt-x", "Masks of whole numbers, as in OpenCV. scikit-image divides them by 4, 16 and 3, and "
                                             "the magnitude by the root of 2 as well." },
    { "laplacian", "The middle is -4, as in OpenCV; scikit-image's is 4." },
    { "rotate", "Degrees turn clockwise, as in ImageMagick and vips; OpenCV and scikit-image turn the other way. OpenCV 4 places pixels "
                "on a grid of 1/32 and may be 9 steps of 8 bits off where neighbours are black and white. rotate beside "
                "scikit-image agrees with mode='edge' and edge=clamp; without it, our last pixel is blended with the background." },
    { "resize", "Shrinking widens the filter, as Pillow and vips do; OpenCV does so with INTER_AREA alone, which is filter=area here, and "
                "scikit-image blurs first. filter=cubic has a = -0.5, as in Pillow; OpenCV's has -0.75, up to 28 steps of 8 bits sharper "
                "when sides are doubled and trebled. scikit-image's order=3 is a spline. filter=area is exact shares of "
                "pixels; Pillow's BOX takes whole ones." },
    { "gamma", "gamma:G is the power 1/G, as in ImageMagick: 2.2 makes lighter. scikit-image's adjust_gamma takes the power itself." },
    { "threshold", "What is at the threshold turns white; in OpenCV, what is above it. threshold:otsu finds the same pixels as OpenCV "
                   "and scikit-image." },
    { "posterize", "N levels from black to white, to the nearest; Pillow's takes a number of bits and cuts off the rest." },
    { "equalize", "By brightness, in colour pictures; equalize:rgb is OpenCV's equalizeHist of each channel, to 1 step. The lowest value "
                  "becomes black; scikit-image's equalize_hist gives it its own share of the pixels, vips's hist_equal does likewise." },
    { "clahe", "OpenCV's with as many tiles, to 2 steps of 8 bits nearly everywhere where the sides are multiples of the tiles; where they "
               "are not, OpenCV enlarges the picture, and we take tiles that differ by a pixel." },
    { "noise", "AMOUNT is the standard deviation; random_noise of scikit-image takes its square. Others make another noise each time." },
    { "over, blend", "over is Pillow's alpha_composite and vips composite. The modes of blend are Pillow's and vips's where the picture "
                     "below is opaque, and the W3C's where it is not, which vips mixes in another way. softlight is the W3C's too, and "
                     "vips's; Pillow's soft_light is another function. dodge leaves black and burn leaves white what it is, even where "
                     "vips divides by 0." },
    { "integral", "The sum up to and with the pixel, white being 1; OpenCV has a row and a column of zeros before it." },
};

static void print_differences(void)
{
    puts(".SH WHERE OTHERS DIFFER\n"
         "Stages that OpenCV, scikit\\-image or Pillow have too agree with them to 1 step of 8 bits, and exactly where values are\n"
         "only moved, counted or ranked, except for this.");
    for (size_t i = 0; i < sizeof differences / sizeof *differences; i++) {
        puts(".TP");
        print_macro("B", differences[i].what);
        print_escaped(differences[i].text, true);
        putchar('\n');
    }
}

void gf_manual_stages(void)
{
    puts(".\\\" Generated by gpufilter --manual stages.\n"
         ".TH GPUFILTER\\-STAGES 7 \"\" \"gpufilter " PACKAGE_VERSION "\" \"gpufilter manual\"\n"
         ".SH NAME\n"
         "gpufilter\\-stages \\- the stages of gpufilter, one by one\n"
         ".SH DESCRIPTION\n"
         "A stage is written\n"
         ".I NAME\n"
         "or\n"
         ".IR NAME : VALUE , VALUE ...\n"
         "A value stands in the place shown below, or behind its name, as in\n"
         ".BR blur:sigma=2 .\n"
         "What is shown in brackets may be left out.\n"
         "Names that end in\n"
         ".B =\n"
         "are always written out; where they are on or off, the name alone is on.\n"
         "A matrix stands in brackets, blanks between its columns and semicolons between its rows;\n"
         ".B \\e,\n"
         "is a comma that separates nothing.\n"
         "Numbers take\n"
         ".B k\n"
         "for thousands,\n"
         ".B %\n"
         "and\n"
         ".BR dB ;\n"
         "levels and loudness their units,\n"
         ".B \\-1dBFS\n"
         "and\n"
         ".BR \\-23LUFS .\n"
         ".PP\n"
         "The arithmetic is done on floating\\-point samples, 0 to 1 for images and \\-1 to 1 for sound,\n"
         "and rounded only when the result is stored.\n"
         ".SH STAGES FOR IMAGES");
    print_stages(GF_IMAGE);
    puts(".SH STAGES FOR SOUND");
    print_stages(GF_AUDIO);
    print_differences();
    puts(".SH SEE ALSO\n.BR gpufilter (1),\n.BR gpufilter\\-workflows (7)");
}

void gf_manual_examples(void)
{
    for (int i = 0; i < gf_stage_count; i++)
        for (const char *const *line = gf_stages[i]->examples; line != NULL && *line != NULL; line++)
            puts(*line);
}
