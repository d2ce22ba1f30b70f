/* Tables of many inputs, kept until they are written as one, in the order of the inputs. */
#define _GNU_SOURCE
#include "batch/merged_table.h"

#include "base/spool.h"
#include "table/table.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* A stored table: its names, and the position of its numbers in the spool. */
struct stored_table {
    bool there;
    struct gf_table table;               /* its numbers are set when they are read back */
    void *names;
    size_t offset, bytes;                /* of its numbers */
};

struct gf_merged_table {
    char *const *inputs;
    struct stored_table *stored;
    int count;
    pthread_mutex_t lock;
    struct gf_spool numbers;
    int *present;                        /* the inputs that have a table; set for writing */
    void *room;                          /* a buffer for the numbers of the largest table */
    size_t room_bytes;
};

struct gf_merged_table *gf_merged_table_new(char *const *inputs, int count, int64_t bytes, struct gf_error *err)
{
    struct gf_merged_table *m = calloc(1, sizeof *m);

    if (m != NULL)
        m->stored = calloc((size_t)count + 1, sizeof *m->stored);
    if (m == NULL || m->stored == NULL) {
        free(m);
        gf_fail_memory(err, NULL);
        return NULL;
    }
    m->inputs = inputs;
    m->count = count;
    gf_spool_begin(&m->numbers, (size_t)bytes);
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

/*
 * Copies a table and its names, in one allocation.
 * Members that a merged table does not use are cleared.
 */
static int copy_names(struct stored_table *k, const struct gf_table *table, const char *source)
{
    const int fields = table->numbers == GF_TABLE_VALUES ? table->fields : 0;
    const char **lists = malloc(list_bytes(table->channel_names, table->channels)
                                + list_bytes(table->field_names, fields) + 1);
    char *text = lists != NULL ? (char *)(lists + table->channels + fields) : NULL;

    if (lists == NULL)
        return -1;
    k->names = lists;
    k->table = *table;
    k->table.source = source;
    k->table.beside = k->table.unmet = NULL;
    k->table.notes = NULL;
    k->table.channel_names = copy_list(table->channel_names, table->channels, lists, &text);
    k->table.field_names = copy_list(table->field_names, fields, lists + table->channels, &text);
    return 0;
}

int gf_merged_table_add(struct gf_merged_table *m, int index, const struct gf_table *table, struct gf_error *err)
{
    struct stored_table *k = &m->stored[index];
    const void *numbers = numbers_of(table, &k->bytes);
    int result;

    if (copy_names(k, table, m->inputs[index]) != 0)
        return gf_fail_memory(err, NULL);
    pthread_mutex_lock(&m->lock);
    k->offset = m->numbers.bytes;
    result = gf_spool_put(&m->numbers, k->offset, numbers, k->bytes, err);
    k->there = result == 0;
    m->room_bytes = k->bytes > m->room_bytes ? k->bytes : m->room_bytes;
    pthread_mutex_unlock(&m->lock);
    return result;
}

void gf_merged_table_drop(struct gf_merged_table *m, int index)
{
    m->stored[index].there = false;
}

int gf_merged_table_count(const struct gf_merged_table *m)
{
    int count = 0;

    for (int i = 0; i < m->count; i++)
        count += m->stored[i].there;
    return count;
}

static int get(void *context, int n, struct gf_table *table, struct gf_error *err)
{
    struct gf_merged_table *m = context;
    const struct stored_table *k = &m->stored[m->present[n]];

    *table = k->table;
    set_numbers(table, m->room);
    return gf_spool_read(&m->numbers, k->offset, m->room, k->bytes, err);
}

int gf_merged_table_write(struct gf_merged_table *m, struct gf_writer *w, struct gf_error *err)
{
    struct gf_tables tables = { .get = get, .context = m };

    free(m->present);
    free(m->room);
    m->present = malloc(((size_t)m->count + 1) * sizeof *m->present);
    m->room = malloc(m->room_bytes + 1);
    if (m->present == NULL || m->room == NULL)
        return gf_fail_memory(err, NULL);
    for (int i = 0; i < m->count; i++)
        if (m->stored[i].there)
            m->present[tables.count++] = i;
    return gf_writer_tables(w, &tables, err);
}

void gf_merged_table_free(struct gf_merged_table *m)
{
    if (m == NULL)
        return;
    for (int i = 0; i < m->count; i++)
        free(m->stored[i].names);
    gf_spool_close(&m->numbers);
    pthread_mutex_destroy(&m->lock);
    free(m->stored);
    free(m->present);
    free(m->room);
    free(m);
}
