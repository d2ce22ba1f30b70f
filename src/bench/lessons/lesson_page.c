/* Collects sections about lessons, and writes them as one page of HTML, as text, or as JSON. */
#include "bench/lessons/lesson_page.h"

#include "base/notice.h"
#include "base/path.h"
#include "bench/lessons/lesson_page_html.h"
#include "bench/speed_table.h"
#include "io/text_output.h"
#include "table/json.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define COLUMNS 96                       /* of a note in text */

enum form { TEXT, HTML, JSON };

struct gf_lesson_page {
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

bool gf_lesson_page_is_chosen(const char *path, const char *to)
{
    const char *word = to != NULL ? to : gf_path_is_standard(path) ? "" : gf_path_extension(path);

    return strcasecmp(word, "html") == 0 || strcasecmp(word, "htm") == 0;
}

/* Chooses the form by --to or by the extension; standard output gets text. */
static int choose_form(struct gf_lesson_page *p, const char *path, const char *to, struct gf_error *err)
{
    const bool standard = gf_path_is_standard(path);
    const char *word = to != NULL ? to : standard ? "txt" : gf_path_extension(path);

    p->name = standard ? "standard output" : path;
    if (gf_lesson_page_is_chosen(path, to))
        p->form = HTML;
    else if (strcasecmp(word, "json") == 0)
        p->form = JSON;
    else if (strcasecmp(word, "txt") == 0)
        p->form = TEXT;
    else
        return gf_fail(err, GF_MISUSED, "%s: several lessons are written as .html, .json or .txt;; measure one lesson, "
                       "as in 'reduce -o reduce.svg', for other formats", p->name);
    return 0;
}

static int open_streams(struct gf_lesson_page *p, struct gf_error *err)
{
    if (p->form != HTML)
        p->to = gf_text_output_open(&p->direct, p->out, p->name, err);
    else if ((p->contents = gf_text_output_open(&p->contents_text, NULL, p->name, err)) != NULL)
        p->body = gf_text_output_open(&p->body_text, NULL, p->name, err);
    if (p->form == JSON && p->to != NULL)
        fputs("[\n", p->to);
    if (p->contents != NULL)
        fputs("<h3>Contents</h3>\n<ol>\n", p->contents);
    return p->to != NULL || p->body != NULL ? 0 : -1;
}

struct gf_lesson_page *gf_lesson_page_open(const char *path, const struct gf_write_options *write, const char *device,
                                           struct gf_error *err)
{
    const struct gf_output_rules rules = { .keep = write->keep, .no_sync = write->no_sync, .root = write->root,
                                           .ledger = write->ledger, .notices = write->notices, .in_order = true };
    struct gf_lesson_page *p = calloc(1, sizeof *p);

    if (p == NULL) {
        gf_fail_memory(err, NULL);
        return NULL;
    }
    snprintf(p->device, sizeof p->device, "%s", device);
    if (choose_form(p, path, write->to, err) == 0 && gf_output_check(path, write->keep, err) == 0
        && gf_output_open(&p->out, path, &rules, err) == 0 && open_streams(p, err) == 0) {
        gf_notices_print(write->notices);
        return p;
    }
    gf_lesson_page_close(p);
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
    struct gf_table_widths widths = { 0 };
    struct gf_text_output text;
    FILE *at = gf_text_output_open(&text, NULL, NULL, err);
    int result;

    if (at == NULL)
        return -1;
    gf_table_put_fields(at, t, '\t');
    result = gf_text_output_close(&text, at, 0, err);
    if (result == 0)
        result = gf_table_align(to, text.text, &widths, err);
    gf_table_widths_release(&widths);
    free(text.text);
    return result;
}

static int put_text(FILE *to, const struct gf_lesson_section *s, struct gf_error *err)
{
    int result = 0;

    fprintf(to, "%s%s%s\n", s->name, s->summary != NULL ? ": " : "", s->summary != NULL ? s->summary : "");
    if (s->table == NULL)
        fprintf(to, "  not measured: %s\n", s->missing);
    else {
        fputc('\n', to);
        if (s->table->kind == &gf_speed_table_kind)
            gf_speed_table_put(to, s->table, 0);
        else
            result = put_aligned(to, s->table, err);
        fputc('\n', to);
        for (int i = 0; s->table->notes != NULL && s->table->notes[i] != NULL; i++)
            put_note(to, s->table->notes[i]);
    }
    return result;
}

static void put_missing(FILE *to, const struct gf_lesson_section *s)
{
    struct gf_json j = { .to = to };

    gf_json_begin(&j, NULL, '{');
    gf_json_text(&j, "of", s->name);
    gf_json_text(&j, "missing", s->missing);
    gf_json_finish(&j);
}

/* Writes the text so far. An output that fails ends the measurements, which may take minutes. */
static int flush_text(struct gf_lesson_page *p, struct gf_error *err)
{
    fflush(p->to);
    if (p->direct.broken)
        *err = p->direct.error;
    return p->direct.broken ? -1 : 0;
}

int gf_lesson_page_add(struct gf_lesson_page *p, const struct gf_lesson_section *s, struct gf_error *err)
{
    const bool first = p->sections++ == 0;

    p->lessons += s->lesson;
    if (first)
        snprintf(p->title, sizeof p->title, "%s", s->name);
    if (p->form == HTML) {
        gf_lesson_page_html_link(p->contents, s);
        return gf_lesson_page_html_section(p->body, s, err);
    }
    if (p->form == TEXT) {
        fputs(first ? "" : "\n\n", p->to);
        if (put_text(p->to, s, err) != 0)
            return -1;
        return flush_text(p, err);
    }
    fputs(first ? "" : ",\n", p->to);
    if (s->table == NULL)
        put_missing(p->to, s);
    else
        gf_table_put_json(p->to, s->table);
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

static int write_html(struct gf_lesson_page *p, struct gf_error *err)
{
    int result;

    fputs("</ol>\n", p->contents);
    result = close_stream(&p->contents_text, &p->contents, 0, err);

    result = close_stream(&p->body_text, &p->body, result, err);
    if (result != 0)
        return -1;
    p->to = gf_text_output_open(&p->direct, p->out, p->name, err);
    if (p->to == NULL)
        return -1;
    gf_lesson_page_html(p->to, &(struct gf_lesson_page_parts) {
        .title = p->sections > 1 ? "Lessons of CUDA" : p->title, .device = p->device,
        .contents = p->sections > 1 ? p->contents_text.text : "", .body = p->body_text.text,
        .lessons = p->lessons > 0 });
    return 0;
}

int gf_lesson_page_commit(struct gf_lesson_page *p, struct gf_error *err)
{
    struct gf_output *out = p->out;
    int result = p->form == HTML ? write_html(p, err) : 0;

    if (p->form == JSON)
        fputs("]\n", p->to);
    if (close_stream(&p->direct, &p->to, result, err) != 0)
        return -1;
    p->out = NULL;
    return gf_output_commit(out, err);
}

void gf_lesson_page_close(struct gf_lesson_page *p)
{
    struct gf_error none;

    if (p == NULL)
        return;
    (void)!close_stream(&p->direct, &p->to, -1, &none);
    (void)!close_stream(&p->contents_text, &p->contents, -1, &none);
    (void)!close_stream(&p->body_text, &p->body, -1, &none);
    free(p->contents_text.text);
    free(p->body_text.text);
    gf_output_close(p->out);
    free(p);
}
