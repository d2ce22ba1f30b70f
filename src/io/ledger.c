/* Protects the files that a run reads and has written: a hash table by device and inode. */
#include "io/ledger.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct entry {
    dev_t device;
    ino_t inode;
    char *name;                          /* NULL: the slot is free */
    bool written;
};

struct gf_ledger {
    pthread_mutex_t lock;
    struct entry *entry;
    size_t slots, used;                  /* slots is a power of two */
};

struct gf_ledger *gf_ledger_new(void)
{
    struct gf_ledger *l = calloc(1, sizeof *l);

    if (l != NULL)
        pthread_mutex_init(&l->lock, NULL);
    return l;
}

void gf_ledger_free(struct gf_ledger *l)
{
    if (l == NULL)
        return;
    for (size_t i = 0; i < l->slots; i++)
        free(l->entry[i].name);
    free(l->entry);
    pthread_mutex_destroy(&l->lock);
    free(l);
}

/* Returns the entry of a file, or the free slot for it; NULL if the table is empty. */
static struct entry *look_up(const struct gf_ledger *l, dev_t device, ino_t inode)
{
    size_t at = (size_t)inode * 0x9E3779B97F4A7C15u + (size_t)device;

    if (l->slots == 0)
        return NULL;
    for (at &= l->slots - 1; l->entry[at].name != NULL; at = (at + 1) & (l->slots - 1))
        if (l->entry[at].inode == inode && l->entry[at].device == device)
            break;
    return &l->entry[at];
}

static int grow(struct gf_ledger *l)
{
    struct gf_ledger larger = *l;

    larger.slots = l->slots > 0 ? 2 * l->slots : 64;
    larger.entry = calloc(larger.slots, sizeof *larger.entry);
    if (larger.entry == NULL)
        return -1;
    for (size_t i = 0; i < l->slots; i++)
        if (l->entry[i].name != NULL)
            *look_up(&larger, l->entry[i].device, l->entry[i].inode) = l->entry[i];
    free(l->entry);
    l->entry = larger.entry;
    l->slots = larger.slots;
    return 0;
}

/* Makes room for one more entry, and returns a copy of its name; NULL if memory is short. */
static char *reserve(struct gf_ledger *l, const char *name)
{
    return 2 * l->used >= l->slots && grow(l) != 0 ? NULL : strdup(name);
}

/*
 * Takes over a reserved name. A new file may get the
 * inode of a deleted one, so the newest entry wins.
 */
static void add_entry(struct gf_ledger *l, dev_t device, ino_t inode, char *name, bool written)
{
    struct entry *e = look_up(l, device, inode);

    l->used += e->name == NULL;
    free(e->name);
    *e = (struct entry) { device, inode, name, written };
}

int gf_ledger_add_file(struct gf_ledger *l, uint64_t device, uint64_t inode, const char *name, struct gf_error *err)
{
    const struct entry *known;
    char *copy = NULL;
    int result = 0;

    if (l == NULL)
        return 0;
    pthread_mutex_lock(&l->lock);
    known = look_up(l, (dev_t)device, (ino_t)inode);
    if (known == NULL || known->name == NULL) {
        copy = reserve(l, name);
        if (copy != NULL)
            add_entry(l, (dev_t)device, (ino_t)inode, copy, false);
        else
            result = gf_fail_memory(err, NULL);
    }
    pthread_mutex_unlock(&l->lock);
    return result;
}

static int stat_input(const char *path, struct stat *st)
{
    return strcmp(path, "-") == 0 ? fstat(STDIN_FILENO, st) : stat(path, st);
}

int gf_ledger_add_input(struct gf_ledger *l, const char *path, struct gf_error *err)
{
    struct stat st;

    if (stat_input(path, &st) != 0 || !S_ISREG(st.st_mode))
        return 0;
    return gf_ledger_add_file(l, (uint64_t)st.st_dev, (uint64_t)st.st_ino,
                              strcmp(path, "-") == 0 ? "standard input" : path, err);
}

bool gf_ledger_has_input(struct gf_ledger *l, const char *path)
{
    const struct entry *e;
    struct stat st;
    bool found;

    if (stat(path, &st) != 0)
        return false;
    pthread_mutex_lock(&l->lock);
    e = look_up(l, st.st_dev, st.st_ino);
    found = e != NULL && e->name != NULL && !e->written;
    pthread_mutex_unlock(&l->lock);
    return found;
}

/* Fails if the file must not replace the file `old`. */
static int check_replaceable(const struct gf_ledger *l, const struct stat *old, const char *input, const char *name,
                             struct gf_error *err)
{
    const struct entry *e = look_up(l, old->st_dev, old->st_ino);
    struct stat own;

    if (e == NULL || e->name == NULL)
        return 0;
    if (e->written)
        return gf_fail(err, GF_FAILED,
                       "%s: would replace %s, another output of this run; add {dir}, {stem}, {ext} or {n} to the name",
                       name, e->name);
    if (input != NULL && stat_input(input, &own) == 0 && own.st_dev == old->st_dev && own.st_ino == old->st_ino)
        return 0;
    return gf_fail(err, GF_FAILED, "%s: would replace %s, which this run reads; choose another name or folder", name,
                   e->name);
}

int gf_ledger_check(struct gf_ledger *l, const char *path, const char *input, struct gf_error *err)
{
    struct stat old;
    int result;

    if (l == NULL || stat(path, &old) != 0 || !S_ISREG(old.st_mode))
        return 0;
    pthread_mutex_lock(&l->lock);
    result = check_replaceable(l, &old, input, path, err);
    pthread_mutex_unlock(&l->lock);
    return result;
}

int gf_ledger_put(struct gf_ledger *l, struct gf_atomic_file *file, bool keep, const char *input, const char *name,
                  struct gf_error *err)
{
    struct stat old, st;
    char *copy;
    int result = 0;

    pthread_mutex_lock(&l->lock);
    copy = reserve(l, name);
    if (copy == NULL)
        result = gf_fail_memory(err, NULL);
    else if (fstat(file->fd, &st) != 0)
        result = gf_fail_system(err, errno, "%s", name);
    else if (stat(file->target, &old) == 0)
        result = check_replaceable(l, &old, input, name, err);
    if (result == 0)
        result = gf_atomic_file_commit(file, keep, name, err);
    if (result == 0)
        add_entry(l, st.st_dev, st.st_ino, copy, true);
    else
        free(copy);
    pthread_mutex_unlock(&l->lock);
    return result;
}
