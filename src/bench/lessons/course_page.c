/* Collects sections about lessons, and writes them as one page of HTML, as text, or as JSON. */
#include "bench/lessons/course_page.h"

#include "base/notice.h"
#include "base/path.h"
#include "bench/lessons/course_page_html.h"
#include "io/text_output.h"
#include "table/json.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define COLUMNS 96                       /* of a note in text */

enum form { TEXT, HTML, JSON };

struct gf_course {
    enum form form;
    char device[300];
    const char *name;                    /* of the output, for messages */
    struct gf_output *out;
    struct gf_text_output direct;        /* text and JSON go to the output at once */
    struct gf_text_output contents_text, body_text;     /* HTML is kept until the contents are complete */
    FILE *to, *contents, *body;
    int sections, lessons;
    char title[80];                      /* the first section */
};

bool gf_course_is_page(const char *path, const char *to)
{
    const char *word = to != NULL ? to : gf_path_is_standard(path) ? "" : gf_path_extension(path);

    return strcasecmp(word, "html") == 0 || strcasecmp(word, "htm") == 0;
}

/* Chooses the form by --to or by the extension; standard output gets text. */
static int choose_form(struct gf_course *c, const char *path, const char *to, struct gf_error *err)
{
    const bool standard = gf_path_is_standard(path);
    const char *word = to != NULL ? to : standard ? "txt" : gf_path_extension(path);

    c->name = standard ? "standard output" : path;
    if (gf_course_is_page(path, to))
        c->form = HTML;
    else if (strcasecmp(word, "json") == 0)
        c->form = JSON;
    else if (strcasecmp(word, "txt") == 0)
        c->form = TEXT;
    else
        return gf_fail(err, GF_MISUSED, "%s: several lessons are written as .html, .json or .txt; measure one lesson, "
                       "as in 'reduce -o reduce.svg', for other formats", c->name);
    return 0;
}

static int open_streams(struct gf_course *c, struct gf_error *err)
{
    if (c->form != HTML)
        c->to = gf_text_output_open(&c->direct, c->out, c->name, err);
    else if ((c->contents = gf_text_output_open(&c->contents_text, NULL, c->name, err)) != NULL)
        c->body = gf_text_output_open(&c->body_text, NULL, c->name, err);
    if (c->form == JSON && c->to != NULL)
        fputs("[\n", c->to);
    return c->to != NULL || c->body != NULL ? 0 : -1;
}

struct gf_course *gf_course_open(const char *path, const struct gf_write_options *write, const char *device,
                                 struct gf_error *err)
{
    const struct gf_output_rules rules = { .keep = write->keep, .no_sync = write->no_sync, .root = write->root,
                                           .ledger = write->ledger, .notices = write->notices, .in_order = true };
    struct gf_course *c = calloc(1, sizeof *c);

    if (c == NULL) {
        gf_fail_memory(err, NULL);
        return NULL;
    }
    snprintf(c->device, sizeof c->device, "%s", device);
    if (choose_form(c, path, write->to, err) == 0 && gf_output_check(path, write->keep, err) == 0
        && gf_output_open(&c->out, path, &rules, err) == 0 && open_streams(c, err) == 0) {
        gf_notices_print(write->notices);
        return c;
    }
    gf_course_close(c);
    return NULL;
}

/* ---- sections ---- */

/* Writes a note as an item of a list, wrapped. */
static void put_note(FILE *to, const char *note)
{
    size_t column = 0;

    fputc('-', to);
    for (const char *at = note; *at != '\0'; at += strspn(at, " ")) {
        const size_t word = strcspn(at, " ");

        if (column > 0 && column + 1 + word > COLUMNS) {
            fputs("\n ", to);
            column = 0;
        }
        fprintf(to, " %.*s", (int)word, at);
        column += 1 + word;
        at += word;
    }
    fputc('\n', to);
}

/* Writes the fields of a roofline in aligned columns. */
static int put_aligned(FILE *to, const struct gf_table *t, struct gf_error *err)
{
    struct gf_text_output text;
    FILE *at = gf_text_output_open(&text, NULL, NULL, err);
    int result;

    if (at == NULL)
        return -1;
    gf_table_put_fields(at, t, '\t');
    result = gf_text_output_close(&text, at, 0, err);
    if (result == 0)
        result = gf_table_align(to, text.text, err);
    free(text.text);
    return result;
}

static int put_text(FILE *to, const struct gf_course_section *s, struct gf_error *err)
{
    int result = 0;

    fprintf(to, "%s%s%s\n", s->name, s->summary != NULL ? ": " : "", s->summary != NULL ? s->summary : "");
    if (s->table == NULL)
        fprintf(to, "  not measured: %s\n", s->missing);
    else {
        fputc('\n', to);
        if (s->table->sizes > 0)
            gf_table_put_speed(to, s->table, 0);
        else
            result = put_aligned(to, s->table, err);
        fputc('\n', to);
        for (int i = 0; s->table->notes != NULL && s->table->notes[i] != NULL; i++)
            put_note(to, s->table->notes[i]);
    }
    return result;
}

static void put_missing(FILE *to, const struct gf_course_section *s)
{
    struct gf_json j = { .to = to };

    gf_json_begin(&j, NULL, '{');
    gf_json_text(&j, "of", s->name);
    gf_json_text(&j, "missing", s->missing);
    gf_json_finish(&j);
}

int gf_course_add(struct gf_course *c, const struct gf_course_section *s, struct gf_error *err)
{
    const bool first = c->sections++ == 0;

    c->lessons += s->lesson;
    if (first)
        snprintf(c->title, sizeof c->title, "%s", s->name);
    if (c->form == HTML) {
        gf_course_html_link(c->contents, s);
        return gf_course_html_section(c->body, s, err);
    }
    if (c->form == TEXT) {
        fputs(first ? "" : "\n\n", c->to);
        if (put_text(c->to, s, err) != 0)
            return -1;
        fflush(c->to);
        return 0;
    }
    fputs(first ? "" : ",\n", c->to);
    if (s->table == NULL)
        put_missing(c->to, s);
    else
        (s->table->sizes > 0 ? gf_table_put_json_speed : gf_table_put_json)(c->to, s->table);
    return 0;
}

/* ---- the end ---- */

/* Closes a stream, and reports whether its text was lost. */
static int close_stream(struct gf_text_output *o, FILE **stream, int result, struct gf_error *err)
{
    FILE *open = *stream;

    *stream = NULL;
    return open != NULL ? gf_text_output_close(o, open, result, err) : result;
}

static int write_html(struct gf_course *c, struct gf_error *err)
{
    int result = close_stream(&c->contents_text, &c->contents, 0, err);

    result = close_stream(&c->body_text, &c->body, result, err);
    if (result != 0)
        return -1;
    c->to = gf_text_output_open(&c->direct, c->out, c->name, err);
    if (c->to == NULL)
        return -1;
    gf_course_html_begin(c->to, c->sections > 1 ? "Lessons of CUDA" : c->title, c->device,
                         c->sections > 1 ? c->contents_text.text : NULL, c->lessons > 0);
    fputs(c->body_text.text, c->to);
    gf_course_html_end(c->to);
    return 0;
}

int gf_course_commit(struct gf_course *c, struct gf_error *err)
{
    struct gf_output *out = c->out;
    int result = c->form == HTML ? write_html(c, err) : 0;

    if (c->form == JSON)
        fputs("]\n", c->to);
    if (close_stream(&c->direct, &c->to, result, err) != 0)
        return -1;
    c->out = NULL;
    return gf_output_commit(out, err);
}

void gf_course_close(struct gf_course *c)
{
    struct gf_error none;

    if (c == NULL)
        return;
    (void)!close_stream(&c->direct, &c->to, -1, &none);
    (void)!close_stream(&c->contents_text, &c->contents, -1, &none);
    (void)!close_stream(&c->body_text, &c->body, -1, &none);
    free(c->contents_text.text);
    free(c->body_text.text);
    gf_output_close(c->out);
    free(c);
}
