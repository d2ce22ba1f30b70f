/* Warnings and notes, collected by input and printed by run. */
#define _GNU_SOURCE
#include "base/notice.h"

#include "base/terminal.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

struct notice {
    enum gf_notice_level level;
    char *kind;
    char *name;                          /* the file or stage it is about; NULL: the text names it */
    char *text;
    char *last;                          /* the last name that was counted; NULL: `name` */
    int first;                           /* the number of the first input */
    int files;
    bool printed;
};

struct gf_notices {
    struct gf_notice_options options;
    struct gf_notices *run;              /* NULL: this is a run */
    pthread_mutex_t lock;
    int number;
    bool at_once;
    bool several;                        /* the input consists of several files */
    bool incomplete;                     /* memory ran out: a warning may be missing */
    struct notice *notice;
    int count, room;
};

struct gf_notices *gf_notices_new(const struct gf_notice_options *options)
{
    struct gf_notices *n = calloc(1, sizeof *n);

    if (n == NULL)
        return NULL;
    n->options = *options;
    pthread_mutex_init(&n->lock, NULL);
    return n;
}

struct gf_notices *gf_notices_new_file(struct gf_notices *run, int number, bool at_once)
{
    struct gf_notices *n = gf_notices_new(&run->options);

    if (n == NULL)
        return NULL;
    n->run = run;
    n->number = number;
    n->at_once = at_once;
    n->several = run->several;
    return n;
}

void gf_notices_count_files(struct gf_notices *file)
{
    file->several = true;
}

struct gf_notices *gf_notices_new_part(struct gf_notices *file)
{
    return file != NULL ? gf_notices_new_file(file, file->number, false) : NULL;
}

static void release(struct notice *notice)
{
    free(notice->kind);
    free(notice->name);
    free(notice->text);
    free(notice->last);
}

void gf_notices_free(struct gf_notices *n)
{
    if (n == NULL)
        return;
    for (int i = 0; i < n->count; i++)
        release(&n->notice[i]);
    free(n->notice);
    pthread_mutex_destroy(&n->lock);
    free(n);
}

/* Writes the number of further files for after a name, or for after a text that has names. */
static void count_others(const struct notice *notice, char text[40])
{
    const int others = notice->files - 1;

    text[0] = '\0';
    if (others > 0 && notice->name != NULL)
        snprintf(text, 40, " and %d other file%s", others, others == 1 ? "" : "s");
    else if (others > 0)
        snprintf(text, 40, ", and %d more", others);
}

static void print_one(const struct gf_notices *n, struct notice *notice)
{
    const char *level = notice->level == GF_NOTE ? "note" : "warning";
    const char *program = n->options.program != NULL ? n->options.program : "gpufilter";
    char others[40];

    notice->printed = true;
    /* --strict reports an error instead */
    if (n->options.quiet || (notice->level != GF_NOTE && n->options.strict))
        return;
    if (n->options.take != NULL) {
        n->options.take(n->options.context, notice->level, notice->name, notice->text);
        return;
    }
    count_others(notice, others);
    if (notice->name != NULL)
        gf_terminal_print("%s: %s: %s%s: %s\n", program, level, notice->name, others, notice->text);
    else
        gf_terminal_print("%s: %s: %s%s\n", program, level, notice->text, others);
}

/* Notices without a kind are the same if their texts are. */
static bool is_same(const struct notice *notice, const char *kind, const char *text)
{
    if (kind == NULL)
        return notice->kind == NULL && strcmp(notice->text, text) == 0;
    return notice->kind != NULL && strcmp(notice->kind, kind) == 0;
}

/*
 * Finds the notice of a kind. A notice that a run has
 * printed is complete, so the next one of its kind is new.
 */
static struct notice *find(struct gf_notices *n, const char *kind, const char *text)
{
    for (int i = 0; i < n->count; i++)
        if (is_same(&n->notice[i], kind, text) && !(n->run == NULL && n->notice[i].printed))
            return &n->notice[i];
    return NULL;
}

static bool have_same_name(const char *a, const char *b)
{
    return a == b || (a != NULL && b != NULL && strcmp(a, b) == 0);
}

/* Finds the notice that another one repeats. Losses are kept for each file. */
static struct notice *find_repeated(struct gf_notices *n, const struct notice *notice)
{
    struct notice *same = find(n, notice->kind, notice->text);

    for (int i = 0; same != NULL && n->several && notice->level == GF_LOSS; i++) {
        if (i == n->count)
            return NULL;
        if (is_same(&n->notice[i], notice->kind, notice->text) && have_same_name(n->notice[i].name, notice->name))
            return &n->notice[i];
    }
    return same;
}

/* Counts a notice that repeats `same`: an input counts only once, and so does one of its files. */
static void count_repeated(const struct gf_notices *n, struct notice *same, struct notice *notice)
{
    const bool other = n->several && !have_same_name(same->last != NULL ? same->last : same->name, notice->name);

    same->files += n->run == NULL || other;
    if (other) {
        free(same->last);
        same->last = notice->name;
        notice->name = NULL;
    }
}

/* Appends a notice and takes over its strings. Call it with the lock held. */
static bool append(struct gf_notices *n, const struct notice *notice)
{
    if (n->count == n->room) {
        const int room = 2 * n->room + 8;
        struct notice *more = realloc(n->notice, (size_t)room * sizeof *more);

        if (more == NULL)
            return false;
        n->notice = more;
        n->room = room;
    }
    n->notice[n->count++] = *notice;
    return true;
}

/* Adds a notice, or counts one that repeats another, and takes over its strings. Call it with the lock held. */
static void add(struct gf_notices *n, struct notice *notice)
{
    struct notice *const same = find_repeated(n, notice);

    if (same != NULL)
        count_repeated(n, same, notice);
    else if (append(n, notice))
        return;
    else
        n->incomplete = true;
    release(notice);
}

void gf_notice(struct gf_notices *n, enum gf_notice_level level, const char *kind, const char *name,
               const char *format, ...)
{
    struct notice notice = { .level = level, .files = 1 };
    bool complete;
    va_list args;

    if (n == NULL || (n->options.quiet && !n->options.strict))
        return;
    va_start(args, format);
    if (vasprintf(&notice.text, format, args) < 0)
        notice.text = NULL;
    va_end(args);
    notice.kind = kind != NULL ? strdup(kind) : NULL;
    notice.name = name != NULL ? strdup(name) : NULL;
    pthread_mutex_lock(&n->lock);
    notice.first = n->number;
    complete = notice.text != NULL && (kind == NULL || notice.kind != NULL) && (name == NULL || notice.name != NULL);
    if (complete)
        add(n, &notice);
    n->incomplete = n->incomplete || !complete;
    pthread_mutex_unlock(&n->lock);
    if (!complete)
        release(&notice);
}

void gf_notices_move(struct gf_notices *part)
{
    struct gf_notices *const file = part->run;

    pthread_mutex_lock(&part->lock);
    pthread_mutex_lock(&file->lock);
    for (int i = 0; i < part->count; i++)
        add(file, &part->notice[i]);
    file->incomplete = file->incomplete || part->incomplete;
    part->count = 0;
    pthread_mutex_unlock(&file->lock);
    pthread_mutex_unlock(&part->lock);
}

void gf_note_folder(struct gf_notices *n, const char *folder)
{
    static const char begin[] = "created folder ";
    bool above = false;

    if (n == NULL)
        return;
    pthread_mutex_lock(&n->lock);
    for (int i = 0; i < n->count && !above; i++) {
        const char *text = n->notice[i].text;
        const size_t length = strncmp(text, begin, strlen(begin)) == 0 ? strlen(text) - strlen(begin) : 0;

        above = length > 0 && strncmp(text + strlen(begin), folder, length) == 0 && folder[length] == '/';
    }
    pthread_mutex_unlock(&n->lock);
    if (!above)
        gf_note(n, "created-folder", NULL, "%s%s", begin, folder);
}

bool gf_notices_lost(struct gf_notices *n)
{
    bool lost = false;

    pthread_mutex_lock(&n->lock);
    for (int i = 0; i < n->count; i++)
        lost = lost || n->notice[i].level == GF_LOSS;
    pthread_mutex_unlock(&n->lock);
    return lost;
}

static void print_all(struct gf_notices *n)
{
    for (int i = 0; i < n->count; i++)
        if (!n->notice[i].printed)
            print_one(n, &n->notice[i]);
}

void gf_notices_print(struct gf_notices *n)
{
    if (n == NULL)
        return;
    pthread_mutex_lock(&n->lock);
    print_all(n);
    for (int i = 0; i < n->count && n->options.take != NULL; i++)
        release(&n->notice[i]);              /* a caller that takes them may run for long */
    n->count = n->options.take != NULL ? 0 : n->count;
    pthread_mutex_unlock(&n->lock);
}

bool gf_notices_strict(const struct gf_notices *n)
{
    return n != NULL && n->options.strict;
}

int gf_notices_check(struct gf_notices *n, struct gf_error *err)
{
    int result = 0;

    if (n == NULL)
        return 0;
    pthread_mutex_lock(&n->lock);
    for (int i = 0; result == 0 && i < n->count; i++) {
        const struct notice *w = &n->notice[i];
        char others[40];

        count_others(w, others);
        if (w->level != GF_NOTE && n->options.strict && w->name != NULL)
            result = gf_fail(err, GF_FAILED, "%s%s: %s (an error because of --strict)", w->name, others, w->text);
        else if (w->level != GF_NOTE && n->options.strict)
            result = gf_fail(err, GF_FAILED, "%s%s (an error because of --strict)", w->text, others);
    }
    if (result == 0 && n->incomplete && n->options.strict)
        result = gf_fail_memory(err, NULL);
    if (result == 0 && n->at_once)
        print_all(n);
    pthread_mutex_unlock(&n->lock);
    return result;
}

/* Puts the last notice, if it is a loss, into the order of inputs among the losses. */
static void order_loss(struct gf_notices *run)
{
    for (int last = run->count - 1, i = last - 1; run->notice[last].level == GF_LOSS && i >= 0; i--) {
        const struct notice moved = run->notice[i];

        if (moved.level != GF_LOSS || moved.first <= run->notice[last].first)
            continue;
        run->notice[i] = run->notice[last];
        run->notice[last] = moved;
        last = i;
    }
}

/*
 * Adds the notice of an input to its run. Name and text
 * come from the first input of the batch that has it.
 */
static void merge(struct gf_notices *run, struct notice *from)
{
    struct notice *same = from->level == GF_LOSS ? NULL : find(run, from->kind, from->text);

    if (from->printed)
        return;
    if (same == NULL) {
        if (append(run, from)) {
            *from = (struct notice) { 0 };
            order_loss(run);
        }
        return;
    }
    /* an input counts only once, and a file that several inputs need is no other one */
    same->files += run->run == NULL && (from->name == NULL || !have_same_name(same->name, from->name));
    if (from->first < same->first) {
        release(same);
        same->first = from->first;
        same->kind = from->kind;
        same->name = from->name;
        same->text = from->text;
        from->kind = from->name = from->text = NULL;
    }
}

void gf_notices_end_file(struct gf_notices *file, bool keep)
{
    if (file == NULL)
        return;
    pthread_mutex_lock(&file->run->lock);
    for (int i = 0; keep && i < file->count; i++)
        merge(file->run, &file->notice[i]);
    pthread_mutex_unlock(&file->run->lock);
    gf_notices_free(file);
}
