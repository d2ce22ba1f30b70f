/* Tables of many inputs and their images, kept until they are written as one, in the order of the inputs. */
#define _GNU_SOURCE
#include "batch/merged_table.h"

#include "base/spool.h"
#include "table/table.h"

#include <pthread.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* The names of the columns of one or several tables. */
struct names {
    struct names *before;
    int channels, fields;
    const char *const *channel, *const *field;
};

/* A table in the spool, before its numbers. */
struct stored_table {
    size_t next;                         /* the offset of the table of the next image */
    size_t bytes;                        /* of its numbers */
    struct gf_table table;               /* its numbers are set when they are read back */
};

/* The tables of one input. */
struct input_tables {
    int64_t count;
    size_t first, last;                  /* offsets of tables */
    struct names *names;                 /* of the last table */
};

struct gf_merged_table {
    char *const *inputs;
    struct input_tables *of;
    int count;
    pthread_mutex_t lock;
    struct gf_spool spool;
    int reading;                         /* the input whose tables get() returns, */
    int64_t left;                        /* how many of them are left, */
    size_t at;                           /* and the offset of the next one */
    void *room;                          /* a buffer for the numbers of the largest table */
    size_t room_bytes;
};

struct gf_merged_table *gf_merged_table_new(char *const *inputs, int count, int64_t bytes, struct gf_error *err)
{
    struct gf_merged_table *m = calloc(1, sizeof *m);

    if (m != NULL)
        m->of = calloc((size_t)count + 1, sizeof *m->of);
    if (m == NULL || m->of == NULL) {
        free(m);
        gf_fail_memory(err, NULL);
        return NULL;
    }
    m->inputs = inputs;
    m->count = count;
    gf_spool_begin(&m->spool, (size_t)bytes);
    pthread_mutex_init(&m->lock, NULL);
    return m;
}

/* Returns the numbers of a table of any kind, and their size in bytes. */
static const void *numbers_of(const struct gf_table *t, size_t *bytes)
{
    const size_t channels = (size_t)t->channels;

    if (t->numbers == GF_TABLE_TIMELINE) {
        *bytes = (size_t)t->columns * channels * (size_t)t->cells * sizeof *t->timeline;
        return t->timeline;
    }
    *bytes = t->numbers == GF_TABLE_COUNTS ? channels * (size_t)t->bins * sizeof *t->counts
                         : channels * (size_t)t->fields * sizeof *t->values;
    return t->numbers == GF_TABLE_COUNTS ? (const void *)t->counts : t->values;
}

static void set_numbers(struct gf_table *t, const void *numbers)
{
    t->timeline = t->numbers == GF_TABLE_TIMELINE ? numbers : NULL;
    t->counts = t->numbers == GF_TABLE_COUNTS ? numbers : NULL;
    t->values = t->numbers == GF_TABLE_VALUES ? numbers : NULL;
}

/* Copies names: the pointers to `list`, the characters to *text, which advances. */
static const char *const *copy_list(const char *const *names, int count, const char **list, char **text)
{
    for (int i = 0; i < count; i++) {
        list[i] = *text;
        *text = stpcpy(*text, names[i]) + 1;
    }
    return list;
}

static size_t list_bytes(const char *const *names, int count)
{
    size_t bytes = 0;

    for (int i = 0; i < count; i++)
        bytes += strlen(names[i]) + 1 + sizeof *names;
    return bytes;
}

static bool same_names(const char *const *a, const char *const *b, int count)
{
    for (int i = 0; i < count; i++)
        if (strcmp(a[i], b[i]) != 0)
            return false;
    return true;
}

/* Keeps the names of a table, in one allocation, unless they are those of the table before. */
static int keep_names(struct input_tables *of, const struct gf_table *table)
{
    const int fields = table->numbers == GF_TABLE_VALUES ? table->fields : 0;
    const struct names *before = of->names;
    struct names *names;
    const char **lists;
    char *text;

    if (before != NULL && before->channels == table->channels && before->fields == fields
        && same_names(before->channel, table->channel_names, table->channels)
        && same_names(before->field, table->field_names, fields))
        return 0;
    names = malloc(sizeof *names + list_bytes(table->channel_names, table->channels)
                   + list_bytes(table->field_names, fields));
    if (names == NULL)
        return -1;
    lists = (const char **)(names + 1);
    text = (char *)(lists + table->channels + fields);
    *names = (struct names) { .before = of->names, .channels = table->channels, .fields = fields };
    names->channel = copy_list(table->channel_names, table->channels, lists, &text);
    names->field = copy_list(table->field_names, fields, lists + table->channels, &text);
    of->names = names;
    return 0;
}

/* Puts a table and its numbers at the end of the spool, and links it to the one before. */
static int put_table(struct gf_merged_table *m, struct input_tables *of, const struct stored_table *k,
                     const void *numbers, struct gf_error *err)
{
    const size_t at = m->spool.bytes;

    if (gf_spool_put(&m->spool, at, k, sizeof *k, err) != 0
        || gf_spool_put(&m->spool, at + sizeof *k, numbers, k->bytes, err) != 0
        || (of->count > 0 && gf_spool_write(&m->spool, of->last + offsetof(struct stored_table, next), &at, sizeof at,
                                            err) != 0))
        return -1;
    of->first = of->count == 0 ? at : of->first;
    of->last = at;
    of->count++;
    m->room_bytes = k->bytes > m->room_bytes ? k->bytes : m->room_bytes;
    return 0;
}

int gf_merged_table_add(struct gf_merged_table *m, int index, const struct gf_table *table, struct gf_error *err)
{
    struct input_tables *of = &m->of[index];
    struct stored_table k;
    const void *numbers;
    int result;

    if (keep_names(of, table) != 0)
        return gf_fail_memory(err, NULL);
    memset(&k, 0, sizeof k);                 /* padding is written, too */
    numbers = numbers_of(table, &k.bytes);
    k.table = *table;
    k.table.source = m->inputs[index];
    k.table.beside = k.table.unmet = NULL;
    k.table.notes = NULL;
    k.table.channel_names = of->names->channel;
    k.table.field_names = of->names->field;
    pthread_mutex_lock(&m->lock);
    result = put_table(m, of, &k, numbers, err);
    pthread_mutex_unlock(&m->lock);
    return result;
}

void gf_merged_table_drop(struct gf_merged_table *m, int index)
{
    m->of[index].count = 0;
}

int gf_merged_table_count(const struct gf_merged_table *m)
{
    int count = 0;

    for (int i = 0; i < m->count; i++)
        count += m->of[i].count > 0;
    return count;
}

static int get(void *context, int64_t n, struct gf_table *table, struct gf_error *err)
{
    struct gf_merged_table *m = context;
    struct stored_table k;

    if (n == 0) {
        m->reading = -1;
        m->left = 0;
    }
    while (m->left == 0) {
        m->left = m->of[++m->reading].count;
        m->at = m->of[m->reading].first;
    }
    if (gf_spool_read(&m->spool, m->at, &k, sizeof k, err) != 0
        || gf_spool_read(&m->spool, m->at + sizeof k, m->room, k.bytes, err) != 0)
        return -1;
    m->left--;
    m->at = k.next;
    *table = k.table;
    set_numbers(table, m->room);
    return 0;
}

int gf_merged_table_write(struct gf_merged_table *m, struct gf_writer *w, struct gf_error *err)
{
    struct gf_tables tables = { .get = get, .context = m };

    free(m->room);
    m->room = malloc(m->room_bytes + 1);
    if (m->room == NULL)
        return gf_fail_memory(err, NULL);
    for (int i = 0; i < m->count; i++)
        tables.count += m->of[i].count;
    return gf_writer_tables(w, &tables, err);
}

static void free_names(struct names *names)
{
    while (names != NULL) {
        struct names *before = names->before;

        free(names);
        names = before;
    }
}

void gf_merged_table_free(struct gf_merged_table *m)
{
    if (m == NULL)
        return;
    for (int i = 0; i < m->count; i++)
        free_names(m->of[i].names);
    gf_spool_close(&m->spool);
    pthread_mutex_destroy(&m->lock);
    free(m->of);
    free(m->room);
    free(m);
}
