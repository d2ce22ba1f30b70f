/* Prints the parts of the manual pages that come from tables and descriptors, as man(7) macros. */
#include <config.h>
#include "cli/manual.h"

#include "chain/option.h"
#include "cli/cli_options.h"
#include "cli/describe.h"
#include "cli/roff.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

/* Prints how an option is written: in bold, and the placeholder of a value in italics. */
static void print_option_usage(const struct gf_cli_option *row)
{
    const bool placeholder = row->argument != NULL && isupper((unsigned char)row->argument[0]);

    fputs("\\fB", stdout);
    if (row->letter != 0)
        printf("\\-%c\\fP, \\fB", row->letter);
    fputs("\\-\\-", stdout);
    gf_roff_text(row->name, false);
    fputs("\\fP", stdout);
    if (row->argument != NULL) {
        printf("%s%s", !row->optional ? " " : row->letter != 0 ? " [" : "[=", placeholder ? "\\fI" : "\\fB");
        gf_roff_text(row->argument, false);
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
            gf_roff_macro("SS", row->group);
        puts(".TP");
        print_option_usage(row);
        snprintf(text, sizeof text, "%s", row->text);
        text[0] = (char)toupper((unsigned char)text[0]);
        gf_roff_sentence(text);
        if (row->more != NULL)
            gf_roff_filled(row->more);
    }
}

static void print_option(const struct gf_option *row)
{
    char range[256], initial[64], text[400];

    gf_option_range(row, range, sizeof range);
    gf_describe_default(row, initial, sizeof initial);
    puts(".TP");
    fputs(".BR ", stdout);
    gf_roff_text(row->name, false);
    puts(row->key_only ? "=" : "");
    gf_roff_sentence(row->text);
    snprintf(text, sizeof text, "Takes %s%s%s.", range,
             row->required ? "; required" : initial[0] != '\0' ? "; default " : "", initial);
    gf_roff_filled(text);
}

static void print_stage(const struct gf_stage *stage)
{
    char words[256];

    gf_describe_stage(stage, words, sizeof words);
    gf_roff_macro("SS", words);
    gf_roff_sentence(stage->summary);
    if (stage->text != NULL)
        gf_roff_paragraphs(stage->text);
    for (const struct gf_option *row = stage->options; row != NULL && row->name != NULL; row++)
        print_option(row);
    for (const char *const *line = stage->examples; line != NULL && *line != NULL; line++) {
        if (line == stage->examples)
            puts(".PP\n.EX");
        gf_roff_text(*line, true);
        putchar('\n');
        if (line[1] == NULL)
            puts(".EE");
    }
}

/* Calls `print` for the stages of a group, by name. */
static int each_stage(enum gf_kind kind, enum gf_group group, void (*print)(const struct gf_stage *stage))
{
    int count = 0;

    for (int i = 0; i < gf_stage_count; i++)
        if (gf_stages[i]->kind == kind && gf_stages[i]->group == group) {
            count++;
            if (print != NULL)
                print(gf_stages[i]);
        }
    return count;
}

static void print_row(const struct gf_stage *stage)
{
    puts(".TP 13n");
    gf_roff_macro("B", stage->name);
    gf_roff_filled(stage->summary);
}

/* Prints one line for each stage, under the headings of the groups. */
static void print_overview(enum gf_kind kind, const char *title)
{
    printf(".SH %s\n", title);
    for (int group = 0; group < GF_GROUPS; group++) {
        if (each_stage(kind, (enum gf_group)group, NULL) == 0)
            continue;
        gf_roff_macro("SS", gf_describe_group((enum gf_group)group));
        puts(".PD 0");
        each_stage(kind, (enum gf_group)group, print_row);
        puts(".PD");
    }
}

/* Prints the details of all stages, in a section for each group. */
static void print_details(enum gf_kind kind, const char *title)
{
    for (int group = 0; group < GF_GROUPS; group++) {
        if (each_stage(kind, (enum gf_group)group, NULL) == 0)
            continue;
        printf(".SH \"%s: ", title);
        for (const char *c = gf_describe_group((enum gf_group)group); *c != '\0'; c++)
            putchar(toupper((unsigned char)*c));
        puts("\"");
        each_stage(kind, (enum gf_group)group, print_stage);
    }
}

/* Tells users of other libraries what they would not expect; tests/stages/peers.py holds the figures. */
static const struct { const char *what, *text; } differences[] = {
    { "Borders",
      "The default is edge=clamp: the last pixel is repeated beyond the border. OpenCV's default is "
      "edge=mirror. The default of SciPy, and of most filters of scikit-image, is edge=reflect." },
    { "blur, sharpen, dog",
      "The Gaussian is cut off at 3 sigmas, as in OpenCV for bytes. scikit-image cuts it off at 4. The "
      "results differ by 1 step of 8 bits, at most by 2." },
    { "bilateral",
      "The window is a square, and colors are compared by the root of the sum of squares. OpenCV's "
      "window is a disc, and it compares colors by the sum of absolute differences. scikit-image computes "
      "the distances with an error of up to a pixel." },
    { "canny",
      "canny:0,LOW,HIGH finds the same pixels as OpenCV's Canny with L2gradient and thresholds 255 "
      "times as large. OpenCV's Canny does not blur. scikit-image interpolates between neighbors along "
      "the gradient, and leaves out the outermost pixels." },
    { "conv",
      "The mask is applied as written (correlation), as in OpenCV's filter2D and in vips. SciPy's "
      "convolve turns it by 180 degrees first. Results are clipped to black and white when they are "
      "stored as integers; to see negative values, use offset=0.5 or write .pfm." },
    { "sobel, conv:scharr-x, conv:prewitt-x",
      "The masks are integers, as in OpenCV. scikit-image divides them by 4, 16 and 3, and the "
      "magnitude also by the square root of 2." },
    { "laplacian",
      "The center is -4, as in OpenCV. scikit-image's is 4." },
    { "rotate",
      "Degrees are clockwise, as in ImageMagick and vips. OpenCV and scikit-image turn the other way. "
      "OpenCV 4 rounds positions to 1/32 of a pixel, which can change a result by 9 steps of 8 bits "
      "next to a sharp edge. With edge=clamp, rotate agrees with mode='edge' of scikit-image. Otherwise "
      "the last pixel is blended with the background." },
    { "resize",
      "The filter is widened when the image shrinks, as in Pillow and vips. OpenCV does so only with "
      "INTER_AREA, which is filter=area here. scikit-image blurs first. filter=cubic has a = -0.5, as "
      "in Pillow. OpenCV's has a = -0.75, which sharpens more: results differ by up to 28 steps of 8 bits "
      "if sides are doubled or tripled. scikit-image's order=3 is a spline. filter=area uses exact shares "
      "of pixels; Pillow's BOX uses whole pixels." },
    { "gamma",
      "gamma:G is the power 1/G, as in ImageMagick: 2.2 makes an image lighter. scikit-image's "
      "adjust_gamma takes the power." },
    { "threshold",
      "A value equal to the threshold becomes white. In OpenCV it becomes black. threshold:otsu finds "
      "the same pixels as OpenCV and scikit-image." },
    { "posterize",
      "Each value goes to the nearest of N levels from black to white. Pillow's posterize takes a "
      "number of bits and truncates." },
    { "equalize",
      "Color images are equalized by brightness. equalize:rgb agrees with OpenCV's equalizeHist of each "
      "channel within 1 step. The lowest value becomes black. In scikit-image's equalize_hist and vips's "
      "hist_equal it keeps its share of the pixels." },
    { "clahe",
      "With the same number of tiles, results agree with OpenCV's to 2 steps of 8 bits nearly "
      "everywhere, if the sides are multiples of that number. If they are not, OpenCV enlarges the "
      "image; gpufilter uses tiles that differ by a pixel." },
    { "noise",
      "AMOUNT is the standard deviation. scikit-image's random_noise takes the variance. Other programs "
      "make different noise each time." },
    { "over, blend",
      "over is Pillow's alpha_composite and vips composite. The modes of blend are those of Pillow and "
      "vips if the lower image is opaque. If it is not, they are those of the W3C, and vips's result "
      "differs. softlight is that of the W3C and vips; Pillow's soft_light is another function. dodge "
      "keeps black black and burn keeps white white; vips divides by 0 there." },
    { "integral",
      "The sum includes the pixel itself, and white is 1. OpenCV adds a row and a column of zeros in "
      "front." },
};

static void print_differences(void)
{
    puts(".SH DIFFERENCES FROM OTHER LIBRARIES\n"
         "Stages that OpenCV, scikit\\-image or Pillow also have\n"
         "give the same result within 1 step of 8 bits.\n"
         "They agree exactly if values are only moved, counted or ranked.\n"
         "The exceptions are:");
    for (size_t i = 0; i < sizeof differences / sizeof *differences; i++) {
        puts(".TP");
        gf_roff_macro("B", differences[i].what);
        gf_roff_filled(differences[i].text);
    }
}

static const char introduction[] =
    ".SH DESCRIPTION\n"
    "A stage is one step of a filter chain.\n"
    "This page first lists all stages with one line each, grouped by purpose.\n"
    "The details follow in the same groups.\n"
    ".B gpufilter \\-\\-help\n"
    ".I STAGE\n"
    "shows the details of one stage.\n"
    ".SS How a stage is written\n"
    "A stage is written\n"
    ".I NAME\n"
    "or\n"
    ".IR NAME : VALUE , VALUE ...\n"
    "Values are given in the order shown, or by name:\n"
    ".B blur:2\n"
    "is\n"
    ".BR blur:sigma=2 .\n"
    "Brackets mark optional values.\n"
    ".PP\n"
    "An option whose name ends in\n"
    ".B =\n"
    "is always given by name.\n"
    "The name of an on/off option turns it on.\n"
    ".TP 12n\n"
    ".B Numbers\n"
    "may end in\n"
    ".B k\n"
    "(thousands),\n"
    ".B %\n"
    "or\n"
    ".BR dB .\n"
    "Levels and loudness may have their units:\n"
    ".BR \\-1dBFS ,\n"
    ".BR \\-23LUFS .\n"
    ".TP\n"
    ".B Times\n"
    "are seconds\n"
    ".RB ( 1.5 ,\n"
    ".BR 250ms ),\n"
    ".IR m : s ,\n"
    ".IR h : m : s ,\n"
    "or a number of sample frames\n"
    ".RB ( 1000f ).\n"
    ".TP\n"
    ".B Colors\n"
    "are a name or hexadecimal digits:\n"
    ".BR white ,\n"
    ".BR #369 ,\n"
    ".BR #336699 ;\n"
    "two more digits are alpha:\n"
    ".BR #33669980 .\n"
    ".TP\n"
    ".B Matrices\n"
    "are written in brackets, with blanks between columns\n"
    "and semicolons between rows.\n"
    "Quote them for the shell:\n"
    ".BR \\(aqconv:[1\\ 2\\ 1;\\ 2\\ 4\\ 2;\\ 1\\ 2\\ 1]\\(aq .\n"
    ".TP\n"
    ".B Commas\n"
    "that do not separate values, as in a file name, are written\n"
    ".BR \\e, .\n"
    ".SS How values are computed\n"
    "Stages compute with floating\\-point samples:\n"
    "0 (black) to 1 (white) for images, \\-1 to 1 (full scale) for audio.\n"
    "Values are rounded once, when the result is stored.\n"
    "Values outside the range are kept until then,\n"
    "so a later stage can bring them back.";

void gf_manual_stages(void)
{
    puts(".\\\" Generated by gpufilter --manual stages.\n"
         ".TH GPUFILTER\\-STAGES 7 2026-11-23 \"gpufilter " PACKAGE_VERSION "\" \"gpufilter manual\"\n"
         ".SH NAME\n"
         "gpufilter\\-stages \\- the stages of gpufilter");
    puts(introduction);
    print_overview(GF_IMAGE, "STAGES FOR IMAGES");
    print_overview(GF_AUDIO, "STAGES FOR AUDIO");
    print_details(GF_IMAGE, "IMAGES");
    print_details(GF_AUDIO, "AUDIO");
    print_differences();
    puts(".SH SEE ALSO\n.BR gpufilter (1),\n.BR gpufilter\\-workflows (7)");
}

void gf_manual_examples(void)
{
    for (int i = 0; i < gf_stage_count; i++)
        for (const char *const *line = gf_stages[i]->examples; line != NULL && *line != NULL; line++)
            puts(*line);
}
