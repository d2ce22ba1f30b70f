/* The stages as one HTML page, with the pictures that samples/make-pictures makes beside it. */
#include <config.h>
#include "chain/option.h"
#include "chain/stage.h"
#include "cli/describe.h"
#include "cli/manual.h"

#include <stdio.h>
#include <string.h>

static const char head[] =
    "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
    "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
    "<title>gpufilter " PACKAGE_VERSION ": the stages</title>\n<style>\n"
    "body { font: 16px/1.5 sans-serif; max-width: 60em; margin: 2em auto; padding: 0 1em; color: #222; background: #fff }\n"
    "h2 { margin-top: 2.5em } h3 { margin: 2.5em 0 0; padding-top: .6em; border-top: 1px solid #ccc }\n"
    "h3 small { font-weight: normal; color: #666 } h3 a { color: inherit; text-decoration: none }\n"
    "code, pre { font: 14px/1.5 monospace; background: #f3f3f3; border-radius: 3px } code { padding: 1px 4px }\n"
    "pre { padding: .6em 1em; overflow-x: auto } nav { columns: 14em } nav div { break-inside: avoid }\n"
    "nav span { color: #666 } dd { margin: 0 0 .5em 2em } dd small { color: #666; display: block }\n"
    "figure { margin: 1em 0 } figure div { display: flex; flex-wrap: wrap; gap: 12px; align-items: flex-start }\n"
    "figure img { max-width: 100%; background: repeating-conic-gradient(#ddd 0 25%, #fff 0 50%) 0 0 / 16px 16px }\n"
    "figure.sound a { width: calc(50% - 6px) }\n"
    "figcaption { color: #666; font-size: 14px }\n</style>\n</head>\n<body>\n";

static const char intro[] =
    "<p>A stage is written <code>NAME</code> or <code>NAME:VALUE,KEY=VALUE</code>. A value stands in the place shown "
    "below, or behind its name, as in <code>blur:sigma=2</code>; what is shown in brackets may be left out, and names "
    "that end in <code>=</code> are always written out. A matrix stands in brackets, blanks between its columns and "
    "semicolons between its rows. Numbers take <code>k</code> for thousands, <code>%</code> and <code>dB</code>.</p>\n"
    "<p>The arithmetic is done on floating-point samples, 0 to 1 for images and -1 to 1 for sound, and rounded only "
    "when the result is stored. gpufilter(1) is about everything else, gpufilter-workflows(7) about whole tasks.</p>\n";

static void print_bytes(const char *text, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        switch (text[i]) {
        case '&': fputs("&amp;", stdout); break;
        case '<': fputs("&lt;", stdout); break;
        case '>': fputs("&gt;", stdout); break;
        case '"': fputs("&quot;", stdout); break;
        default: putchar(text[i]); break;
        }
    }
}

static void print_escaped(const char *text)
{
    print_bytes(text, strlen(text));
}

/* Prints paragraphs, which empty lines separate. One that begins with blanks is shown line by line as it is. */
static void print_paragraphs(const char *text)
{
    while (*text != '\0') {
        const char *gap = strstr(text, "\n\n");
        const size_t length = gap != NULL ? (size_t)(gap - text) : strlen(text);
        const bool as_is = *text == ' ';

        fputs(as_is ? "<pre>" : "<p>", stdout);
        print_bytes(text, length);
        puts(as_is ? "</pre>" : "</p>");
        text += length + strspn(text + length, "\n");
    }
}

/* Text in an element of its own. */
static void print_element(const char *open, const char *text, const char *close)
{
    fputs(open, stdout);
    print_escaped(text);
    puts(close);
}

/* What a stage is called among both kinds: in links, and as the file of its picture. */
static void stage_id(const struct gf_stage *stage, char *text, size_t bytes)
{
    snprintf(text, bytes, "%s%s", stage->name, stage->kind == GF_AUDIO ? "-sound" : "");
}

static void print_option(const struct gf_option *row)
{
    char range[256], initial[64];

    gf_option_range(row, range, sizeof range);
    gf_describe_default(row, initial, sizeof initial);
    printf("<dt><code>%s%s</code></dt>\n<dd>", row->name, row->key_only ? "=" : "");
    print_escaped(row->text);
    print_element("<small>takes ", range, "");
    if (row->required)
        fputs("; required", stdout);
    else if (initial[0] != '\0')
        print_element("; default ", initial, "");
    puts("</small></dd>");
}

/* Sound as it is drawn by the stages behind the bar; the name of the last of them is a part of the file's. */
static void print_sounds(const char *picture, const char *bar, const char *id)
{
    const int sample = (int)strcspn(picture, " "), stem = (int)strcspn(picture, ".");
    const char *view = strrchr(bar, ' ') + 1;
    char before[128], stages[256];

    snprintf(before, sizeof before, "%.*s-%.*s", stem, picture, (int)strcspn(view, ":"), view);
    snprintf(stages, sizeof stages, "%.*s", (int)(bar - picture) - sample - 1, picture + sample + 1);
    printf("<figure class=\"sound\"><div><a href=\"pictures/%s.png\"><img src=\"pictures/%s.png\" alt=\"before\"></a>"
           "<a href=\"pictures/%s.png\"><img src=\"pictures/%s.png\" alt=\"after\"></a></div>\n", before, before, id, id);
    printf("<figcaption>%.*s, and what comes of it through <code>", sample, picture);
    print_element("", stages, "</code>,");
    print_element("both drawn by <code>", bar + 3, "</code></figcaption></figure>");
}

/* The sample and what has become of it, side by side. */
static void print_picture(const struct gf_stage *stage)
{
    const size_t sample = strcspn(stage->picture, " "), stem = strcspn(stage->picture, ".");
    const char *bar = strstr(stage->picture, " | ");
    char id[64];

    stage_id(stage, id, sizeof id);
    if (bar != NULL) {
        print_sounds(stage->picture, bar, id);
        return;
    }
    fputs("<figure><div>", stdout);
    if (strncmp(stage->picture + stem, ".wav ", 5) != 0)
        printf("<img src=\"pictures/%.*s.png\" alt=\"before\">", (int)stem, stage->picture);
    printf("<img src=\"pictures/%s.png\" alt=\"after\"></div>\n<figcaption>%.*s, and what comes of it through <code>", id,
           (int)sample, stage->picture);
    print_element("", stage->picture + sample + 1, "</code></figcaption></figure>");
}

static void print_stage(const struct gf_stage *stage)
{
    char words[256], id[64];

    gf_describe_stage(stage, words, sizeof words);
    stage_id(stage, id, sizeof id);
    printf("<h3 id=\"%s\"><a href=\"#%s\">%s</a> <small>", id, id, stage->name);
    print_element("", stage->summary, "</small></h3>");
    print_element("<p><code>", words, "</code></p>");
    if (stage->picture != NULL)
        print_picture(stage);
    if (stage->text != NULL)
        print_paragraphs(stage->text);
    if (stage->options != NULL && stage->options->name != NULL) {
        puts("<dl>");
        for (const struct gf_option *row = stage->options; row->name != NULL; row++)
            print_option(row);
        puts("</dl>");
    }
    for (const char *const *line = stage->examples; line != NULL && *line != NULL; line++)
        print_element(line == stage->examples ? "<pre>" : "", *line, line[1] == NULL ? "</pre>" : "");
}

static void print_kind(enum gf_kind kind, const char *title)
{
    char id[64];

    printf("<h2>%s</h2>\n<nav>\n", title);
    for (int i = 0; i < gf_stage_count; i++)
        if (gf_stages[i]->kind == kind) {
            stage_id(gf_stages[i], id, sizeof id);
            printf("<div><a href=\"#%s\">%s</a> <span>", id, gf_stages[i]->name);
            print_element("", gf_stages[i]->summary, "</span></div>");
        }
    puts("</nav>");
    for (int i = 0; i < gf_stage_count; i++)
        if (gf_stages[i]->kind == kind)
            print_stage(gf_stages[i]);
}

void gf_manual_html(void)
{
    fputs(head, stdout);
    puts("<h1>The stages of gpufilter</h1>");
    fputs(intro, stdout);
    print_kind(GF_IMAGE, "Stages for images");
    print_kind(GF_AUDIO, "Stages for sound");
    puts("</body>\n</html>");
}

void gf_manual_pictures(void)
{
    for (int i = 0; i < gf_stage_count; i++) {
        char id[64];

        if (gf_stages[i]->picture == NULL)
            continue;
        stage_id(gf_stages[i], id, sizeof id);
        printf("%s %s\n", id, gf_stages[i]->picture);
    }
}
