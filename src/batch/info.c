/* Lists what files are, for --info. Threads open them, and the list is written in their order meanwhile. */
#define _GNU_SOURCE
#include "batch/info.h"

#include "base/job_ring.h"
#include "base/terminal.h"
#include "batch/info_facts.h"
#include "io/format.h"
#include "io/ledger.h"
#include "io/text_output.h"

#include <sched.h>
#include <stdlib.h>
#include <string.h>

#define SLOTS 256                        /* files that are opened before the oldest is written */

enum form { FOR_PEOPLE, ROW, JSON };

/* A file that a thread opens. */
struct entry {
    int input;
    char *text;                          /* what is written about it; NULL: it failed */
    struct gf_error error;
};

struct listing {
    const struct gf_batch *b;
    const struct gf_info_options *options;
    enum form form;
    char separator;
    bool shown;                          /* the table goes to a terminal */
    int next;                            /* the next input */
    int taken, written, failed;
    bool broken;                         /* memory was short */
    struct gf_error error;               /* of the last failure */
    struct entry entries[SLOTS];
};

static void put(const struct listing *l, const struct gf_info_facts *f, FILE *to)
{
    if (l->form == JSON)
        gf_info_put_json(to, f);
    else if (l->form == ROW)
        gf_info_put_row(to, f, l->separator, l->shown);
    else
        gf_info_put_line(to, f, l->b->count == 1 || l->options->verbose);
}

/* Opens the file of an entry, and writes about it to memory. */
static void describe(void *argument, int slot)
{
    struct listing *l = argument;
    struct entry *e = &l->entries[slot];
    struct gf_info_facts facts;
    struct gf_text_output text = { .text = NULL };
    FILE *to;

    e->text = NULL;
    e->error = (struct gf_error) { 0 };
    if (gf_info_facts_find(&facts, l->b->inputs[e->input], l->options->read, &e->error) == 0) {
        to = gf_text_output_open(&text, NULL, facts.name, &e->error);
        if (to != NULL)
            put(l, &facts, to);
        if (to != NULL && gf_text_output_close(&text, to, 0, &e->error) == 0)
            e->text = text.text;
        else
            free(text.text);
    }
    gf_info_facts_release(&facts);
}

/* Returns the next input of this shard, or -1. */
static int take_input(struct listing *l)
{
    const struct gf_batch *b = l->b;

    while (b->shards > 0 && l->next < b->count && l->next % b->shards != b->shard - 1)
        l->next++;
    if (l->next >= b->count || (b->fail_fast && l->failed > 0))
        return -1;
    l->taken++;
    return l->next++;
}

/* Writes an entry. A file that cannot be read has none, and its failure is printed. */
static void deliver(struct listing *l, const struct entry *e, FILE *to)
{
    if (e->text == NULL) {
        l->failed++;
        l->error = e->error;
        if (l->b->many)
            gf_terminal_print("gpufilter: %s\n", e->error.text);
        return;
    }
    if (l->form == JSON && l->written > 0)
        fputs(",\n", to);
    fputs(e->text, to);
    free(e->text);
    l->written++;
}

/* Lists all inputs. After a failure to write, the rest is not opened. */
static void put_entries(struct listing *l, FILE *to)
{
    cpu_set_t set;
    const int cores = sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 1;
    const int threads = l->b->count == 1 ? 0 : l->options->threads > 0 ? l->options->threads : cores;
    struct gf_job_ring ring;
    int slot;

    l->broken = gf_job_ring_open(&ring, threads, SLOTS, describe, l) != 0;
    while (!l->broken) {
        while ((slot = gf_job_ring_next(&ring)) >= 0 && !ferror(to) && (l->entries[slot].input = take_input(l)) >= 0)
            gf_job_ring_submit(&ring);
        slot = gf_job_ring_oldest(&ring);
        if (slot < 0)
            break;
        deliver(l, &l->entries[slot], to);
        gf_job_ring_release(&ring);
    }
    gf_job_ring_close(&ring);
}

/* ---- as a table ---- */

/* The table has no numbers, so it refers to the list, which is written while its files are opened. */
struct reference {
    struct listing *listing;
};

static void put_rows(FILE *to, const struct gf_table *t, char separator)
{
    struct listing *l = ((const struct reference *)t->own)->listing;

    l->form = ROW;
    l->separator = separator != 0 ? separator : '\t';
    gf_info_put_header(to, l->separator);
    put_entries(l, to);
}

static void put_objects(FILE *to, const struct gf_table *t)
{
    struct listing *l = ((const struct reference *)t->own)->listing;

    l->form = JSON;
    fputc('[', to);
    put_entries(l, to);
    fputs("]\n", to);
}

/* Protects all inputs from the table. */
static int protect_inputs(const struct gf_batch *b, struct gf_ledger *ledger, struct gf_error *err)
{
    for (int i = 0; i < b->count; i++)
        if (gf_ledger_add_input(ledger, b->inputs[i], err) != 0)
            return -1;
    return 0;
}

static int write_table(struct listing *l, struct gf_error *err)
{
    static const struct gf_table_kind kind = { .row = "file", .rows = "files", .put = put_rows,
                                               .put_json = put_objects };
    static const struct gf_format any_signal = { .kind = GF_IMAGE };
    const struct reference reference = { l };
    const struct gf_table table = { .kind = &kind, .own = &reference };
    const char *path = l->b->names.text;
    struct gf_writer *w;
    int result = -1;

    if (protect_inputs(l->b, l->options->write->ledger, err) != 0)
        return -1;
    w = gf_writer_open(path, l->options->write, &any_signal, true, err);
    if (w == NULL)
        return -1;
    l->shown = w->on_terminal;
    if (w->ops->tables == NULL)
        gf_fail(err, GF_MISUSED, "--info: writes text, TSV, CSV or JSON, as with -t json, not %s", w->ops->name);
    else if (gf_writer_table(w, &table, err) == 0)
        result = gf_writer_commit(w, err);
    gf_writer_close(w);
    return result;
}

int gf_info_list(const struct gf_batch *b, const struct gf_info_options *o, struct gf_error *err)
{
    struct listing *l = calloc(1, sizeof *l);
    int result = 0;

    if (l == NULL)
        return gf_fail_memory(err, NULL);
    l->b = b;
    l->options = o;
    if (o->write->to == NULL && strcmp(b->names.text, "-") == 0)
        put_entries(l, stdout);
    else
        result = write_table(l, err);
    if (result == 0 && l->broken)
        result = gf_fail_memory(err, NULL);
    else if (result == 0 && l->failed > 0 && b->many)
        result = gf_fail(err, GF_FAILED, "%d of %d inputs failed", l->failed, l->taken);
    else if (result == 0 && l->failed > 0) {
        *err = l->error;
        result = -1;
    }
    free(l);
    return result;
}
