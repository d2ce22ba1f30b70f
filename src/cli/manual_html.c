/* Prints the stages for the web page: a gallery, and each stage before and after. man/web/make-site frames the text. */
#include "chain/option.h"
#include "chain/stage.h"
#include "cli/describe.h"
#include "cli/manual.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

static const char intro[] =
    "<p>A stage is written <code>NAME</code> or <code>NAME:VALUE,KEY=VALUE</code>. Values are given in the order "
    "shown, "
    "or by name, as in <code>blur:sigma=2</code>. Parts in brackets are optional, and names that end in <code>=</code> "
    "must be written. A matrix is written in brackets, with blanks between columns and semicolons between rows. "
    "Numbers may end in <code>k</code> for thousands, <code>%</code> or <code>dB</code>.</p>\n"
    "<p>Samples are floating-point numbers, 0 to 1 for images and -1 to 1 for audio. They are rounded only when the "
    "result is stored. gpufilter(1) describes everything else, gpufilter-workflows(7) has whole tasks.</p>\n";

static void print_escaped(const char *text, size_t bytes)
{
    for (; bytes > 0 && *text != '\0'; text++, bytes--) {
        switch (*text) {
        case '&': fputs("&amp;", stdout); break;
        case '<': fputs("&lt;", stdout); break;
        case '>': fputs("&gt;", stdout); break;
        case '"': fputs("&quot;", stdout); break;
        default: putchar(*text); break;
        }
    }
}

static void print_element(const char *open, const char *text, const char *close)
{
    fputs(open, stdout);
    print_escaped(text, strlen(text));
    puts(close);
}

/*
 * Returns true if a word is written as it is typed: an option, KEY=VALUE, or a stage with its
 * value.
 */
static bool is_code(const char *word, size_t bytes)
{
    const char *mark = memchr(word, '=', bytes), *colon = memchr(word, ':', bytes);

    if (bytes > 2 && word[0] == '-' && word[1] == '-' && isalpha((unsigned char)word[2]))
        return true;
    if (mark != NULL && mark > word && islower((unsigned char)word[0]))
        return true;
    if (colon == NULL || colon + 1 == word + bytes)
        return false;
    for (int i = 0; i < gf_stage_count; i++)
        if (strlen(gf_stages[i]->name) == (size_t)(colon - word) &&
            strncmp(gf_stages[i]->name, word, (size_t)(colon - word)) == 0)
            return true;
    return false;
}

/* Prints prose, with words of the language marked as code. Punctuation after a word is not a part of it. */
static void print_prose(const char *text, size_t bytes)
{
    while (bytes > 0) {
        size_t gap = 0, word = 0, end;

        while (gap < bytes && strchr(" \n(", text[gap]) != NULL)
            gap++;
        print_escaped(text, gap);
        text += gap;
        bytes -= gap;
        while (word < bytes && strchr(" \n", text[word]) == NULL)
            word++;
        for (end = word; end > 0 && strchr(",.;:)", text[end - 1]) != NULL; end--)
            ;
        if (end > 0 && is_code(text, end)) {
            fputs("<code>", stdout);
            print_escaped(text, end);
            fputs("</code>", stdout);
        } else {
            print_escaped(text, end);
        }
        print_escaped(text + end, word - end);
        text += word;
        bytes -= word;
    }
}

/* Empty lines separate paragraphs; one that begins with a blank is shown line by line. */
static void print_paragraphs(const char *text)
{
    while (*text != '\0') {
        const char *end = strstr(text, "\n\n");
        const size_t bytes = end != NULL ? (size_t)(end - text) : strlen(text);

        if (text[0] == ' ') {
            fputs("<pre>", stdout);
            print_escaped(text, bytes);
            puts("</pre>");
        } else {
            fputs("<p>", stdout);
            print_prose(text, bytes);
            puts("</p>");
        }
        text += bytes + (end != NULL ? 2 : 0);
    }
}

/* The name of a stage in links and in file names; stages for images and for audio may share a name. */
static void stage_id(const struct gf_stage *stage, char *text, size_t bytes)
{
    snprintf(text, bytes, "%s%s", stage->name, stage->kind == GF_AUDIO ? "-sound" : "");
}

static void print_option(const struct gf_option *row, const char *id)
{
    char range[256], initial[64];

    gf_option_range(row, range, sizeof range);
    gf_describe_default(row, initial, sizeof initial);
    printf("<dt id=\"%s-%s\"><code>%s%s</code></dt>\n<dd>", id, row->name, row->name, row->key_only ? "=" : "");
    print_prose(row->text, strlen(row->text));
    fputs("<small>takes ", stdout);
    print_escaped(range, strlen(range));
    if (initial[0] != '\0' && !row->required)
        fputs("; default ", stdout);
    print_escaped(row->required ? "; required" : initial, strlen(row->required ? "; required" : initial));
    puts("</small></dd>");
}

/* Prints a picture with a caption of audio and, if it can be played, a player. */
static void print_sound(const char *picture, const char *sound, const char *alt)
{
    printf("<div><a href=\"pictures/%s.png\"><img loading=\"lazy\" src=\"pictures/%s.png\" alt=\"%s\"></a>", picture,
           picture, alt);
    printf("<audio controls preload=\"none\" src=\"pictures/%s.flac\"></audio></div>", sound);
}

/* Audio before and after, drawn by the stages after the bar; the name of the last of them is a part of the file's. */
static void print_sounds(const char *picture, const char *bar, const char *id)
{
    const int sample = (int)strcspn(picture, " "), stem = (int)strcspn(picture, ".");
    const char *view = strrchr(bar, ' ') + 1;
    char before[160], name[64], stages[256];

    snprintf(name, sizeof name, "%.*s", stem, picture);
    snprintf(before, sizeof before, "%s-%.*s", name, (int)(strcspn(view, ":") % 64), view);
    snprintf(stages, sizeof stages, "%.*s", (int)(bar - picture) - sample - 1, picture + sample + 1);
    fputs("<figure class=\"sound\"><div class=\"pair\">", stdout);
    print_sound(before, name, "before");
    print_sound(id, id, "after");
    printf("</div>\n<figcaption><code>%.*s</code> before and after <code>", sample, picture);
    print_element("", stages, "</code>,");
    print_element("drawn by <code>", bar + 3, "</code></figcaption></figure>");
}

/* The sample and the result side by side. */
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
    fputs("<figure><div class=\"pair\">", stdout);
    if (strncmp(stage->picture + stem, ".wav ", 5) != 0)
        printf("<img loading=\"lazy\" src=\"pictures/%.*s.png\" alt=\"before\">", (int)stem, stage->picture);
    printf("<img loading=\"lazy\" src=\"pictures/%s.png\" alt=\"after\"></div>\n"
           "<figcaption><code>%.*s</code> before and after <code>", id, (int)sample, stage->picture);
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
            print_option(row, id);
        puts("</dl>");
    }
    for (const char *const *line = stage->examples; line != NULL && *line != NULL; line++)
        print_element(line == stage->examples ? "<pre><code>" : "", *line, line[1] == NULL ? "</code></pre>" : "");
}

/* Calls print() for each stage of a kind and group, after the group's heading. */
static void print_group(enum gf_kind kind, int group, const char *heading, const char *open, const char *close,
                        void (*print)(const struct gf_stage *))
{
    bool any = false;

    for (int i = 0; i < gf_stage_count; i++) {
        if (gf_stages[i]->kind != kind || (int)gf_stages[i]->group != group)
            continue;
        if (!any) {
            printf("<%s>%s: ", heading, kind == GF_AUDIO ? "Audio" : "Images");
            print_escaped(gf_describe_group(gf_stages[i]->group), 100);
            printf("</%s>\n%s", heading, open);
        }
        any = true;
        print(gf_stages[i]);
    }
    if (any)
        puts(close);
}

static void print_groups(const char *heading, const char *open, const char *close,
                         void (*print)(const struct gf_stage *))
{
    for (int group = 0; group < GF_GROUPS; group++)
        print_group(GF_IMAGE, group, heading, open, close, print);
    for (int group = 0; group < GF_GROUPS; group++)
        print_group(GF_AUDIO, group, heading, open, close, print);
}

static void print_link(const struct gf_stage *stage)
{
    char id[64];

    stage_id(stage, id, sizeof id);
    printf("<a href=\"#%s\">%s</a>\n", id, stage->name);
}

static void print_card(const struct gf_stage *stage)
{
    char id[64];

    stage_id(stage, id, sizeof id);
    printf("<a href=\"stages.html#%s\">", id);
    if (stage->picture != NULL)
        printf("<img loading=\"lazy\" src=\"pictures/%s.png\" alt=\"\">", id);
    else
        fputs("<div class=\"no\"></div>", stdout);
    printf("<b>%s</b> <small>", stage->name);
    print_element("", stage->summary, "</small></a>");
}

void gf_manual_html(void)
{
    puts("<h1>Stages</h1>");
    fputs(intro, stdout);
    print_groups("h4", "<p class=\"links\">\n", "</p>", print_link);
    print_groups("h2", "", "", print_stage);
}

void gf_manual_gallery(void)
{
    print_groups("h2", "<div class=\"grid\">\n", "</div>", print_card);
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
