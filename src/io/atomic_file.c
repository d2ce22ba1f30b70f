/* Files that appear under their name only when they are complete, and leave no trace otherwise. */
#define _GNU_SOURCE
#include "io/atomic_file.h"

#include "base/path.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/magic.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

/* Names that a signal handler may have to unlink. A slot is free, being filled, or armed. */
enum slot_state { SLOT_FREE, SLOT_FILLING, SLOT_ARMED };
#define SLOTS 256
static char slot_names[SLOTS][PATH_MAX];
static atomic_int slot_states[SLOTS];

static int arm_slot(const char *name)
{
    for (int i = 0; i < SLOTS && strlen(name) < PATH_MAX; i++) {
        int expected = SLOT_FREE;

        if (!atomic_compare_exchange_strong(&slot_states[i], &expected, SLOT_FILLING))
            continue;
        strcpy(slot_names[i], name);
        atomic_store(&slot_states[i], SLOT_ARMED);
        return 1 + i;
    }
    return 0;
}

static void free_slot(int slot)
{
    if (slot > 0)
        atomic_store(&slot_states[slot - 1], SLOT_FREE);
}

void gf_atomic_file_cleanup_all(void)
{
    int saved = errno;

    for (int i = 0; i < SLOTS; i++) {
        if (atomic_load(&slot_states[i]) == SLOT_ARMED)
            unlink(slot_names[i]);
    }
    errno = saved;
}

/* Returns a random hidden name in the folder of the target. */
static char *hidden_name(const char *target)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyz234567";
    unsigned char random[10] = { 0 };
    char leaf[32] = ".gpufilter-";
    size_t at = strlen(leaf);

    if (getrandom(random, sizeof random, 0) < 0)
        memcpy(random, &(int) { getpid() }, sizeof(int));
    for (size_t i = 0; i < sizeof random; i++)
        leaf[at++] = letters[random[i] & 31];
    leaf[at] = '\0';
    return gf_path_beside(target, leaf);
}

static void set_temporary(struct gf_atomic_file *file, char *name)
{
    free_slot(file->slot);
    free(file->temporary);
    file->temporary = name;
    file->slot = name == NULL ? 0 : arm_slot(name);
}

/*
 * Fallback without O_TMPFILE: a file with a hidden name,
 * armed before it exists so that no signal can leave it.
 */
static int create_named(struct gf_atomic_file *file)
{
    for (int tries = 0; tries < 100; tries++) {
        char *name = hidden_name(file->target);

        if (name == NULL)
            return -1;
        set_temporary(file, name);
        file->fd = open(name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (file->fd >= 0)
            return 0;
        if (errno != EEXIST)
            break;
    }
    set_temporary(file, NULL);
    return -1;
}

/* Needs /proc, because only through it a file without a name can get one later. */
static int create_nameless(struct gf_atomic_file *file)
{
    char *folder = gf_path_beside(file->target, ".");
    char link[64];

    if (folder == NULL)
        return -1;
    file->fd = open(folder, O_RDWR | O_TMPFILE | O_CLOEXEC, 0666);
    free(folder);
    if (file->fd < 0)
        return -1;
    snprintf(link, sizeof link, "/proc/self/fd/%d", file->fd);
    if (access(link, F_OK) == 0)
        return 0;
    close(file->fd);
    file->fd = -1;
    return -1;
}

int gf_atomic_file_open(struct gf_atomic_file *file)
{
    return create_nameless(file) == 0 || create_named(file) == 0 ? file->fd : -1;
}

/* Gives a nameless file the name `to`. */
static int link_nameless(const struct gf_atomic_file *file, const char *to)
{
    char link[64];

    snprintf(link, sizeof link, "/proc/self/fd/%d", file->fd);
    return linkat(AT_FDCWD, link, AT_FDCWD, to, AT_SYMLINK_FOLLOW);
}

/* Gives a nameless file a hidden name. */
static int link_hidden(struct gf_atomic_file *file)
{
    for (int tries = 0; tries < 100; tries++) {
        set_temporary(file, hidden_name(file->target));
        if (file->temporary == NULL)
            return -1;
        if (link_nameless(file, file->temporary) == 0)
            return 0;
        set_temporary(file, NULL);
        if (errno != EEXIST)
            return -1;
    }
    return -1;
}

/*
 * Renames without replacing a file; falls back to link
 * and unlink on file systems that do not support it.
 */
static int rename_new(const char *from, const char *to)
{
    if (renameat2(AT_FDCWD, from, AT_FDCWD, to, RENAME_NOREPLACE) == 0)
        return 0;
    if (errno != EINVAL && errno != ENOSYS)
        return -1;
    return link(from, to) == 0 ? unlink(from) : -1;
}

static atomic_bool keeps_replaced;

void gf_atomic_file_keep_replaced(void)
{
    atomic_store(&keeps_replaced, true);
}

/* Keeps a file in memory (tmpfs) open that is about to be replaced. Others may be on a disk that is nearly full. */
static void keep_replaced(const char *target)
{
    const int fd = open(target, O_PATH | O_CLOEXEC | O_NOFOLLOW);
    struct statfs fs;

    if (fd >= 0 && (fstatfs(fd, &fs) != 0 || fs.f_type != TMPFS_MAGIC))
        close(fd);
}

/*
 * linkat() cannot replace a file, so a nameless file
 * first gets a hidden name if the target exists.
 */
int gf_atomic_file_put(struct gf_atomic_file *file, bool keep)
{
    struct stat st;

    if (file->temporary == NULL) {
        if (keep || lstat(file->target, &st) != 0) {
            if (link_nameless(file, file->target) == 0)
                return 0;
            if (keep || errno != EEXIST)
                return -1;
        }
        if (link_hidden(file) != 0)
            return -1;
    }
    if (!keep && atomic_load(&keeps_replaced))
        keep_replaced(file->target);
    if ((keep ? rename_new(file->temporary, file->target) : rename(file->temporary, file->target)) != 0)
        return -1;
    set_temporary(file, NULL);
    return 0;
}

int gf_atomic_file_fail_exists(const char *name, struct gf_error *err)
{
    return gf_fail(err, GF_FAILED, "%s: already exists, and --no-clobber is given", name);
}

int gf_atomic_file_commit(struct gf_atomic_file *file, bool keep, const char *name, struct gf_error *err)
{
    if (gf_atomic_file_put(file, keep) == 0)
        return 0;
    if (errno == EEXIST && keep)
        return gf_atomic_file_fail_exists(name, err);
    return gf_fail(err, GF_FAILED, "%s: %s", name, strerror(errno));
}

void gf_atomic_file_drop(struct gf_atomic_file *file)
{
    if (file->temporary != NULL)
        unlink(file->temporary);
    set_temporary(file, NULL);
    free(file->target);
    file->target = NULL;
}
