/* Files that appear under their name only when they are complete, and leave no trace otherwise. */
#define _GNU_SOURCE
#include "io/atomic_file.h"

#include "base/path.h"
#include "io/placing_failure.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/magic.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <time.h>
#include <unistd.h>

#define MOST_WAITS 25000         /* of 0.2 ms: a file system that hangs must not stop a signal forever */

/*
 * Names that a signal handler may have to unlink. A slot is free, being filled, or armed. The list
 * only grows, because a handler may be reading it.
 */
enum slot_state { SLOT_FREE, SLOT_FILLING, SLOT_ARMED };
struct gf_atomic_slot {
    struct gf_atomic_slot *next;
    atomic_int state;
    char name[PATH_MAX];
};
static _Atomic(struct gf_atomic_slot *) slots;

/* Returns a slot that nobody else uses, or NULL if memory is short. */
static struct gf_atomic_slot *claim_slot(void)
{
    struct gf_atomic_slot *slot;

    for (slot = atomic_load(&slots); slot != NULL; slot = slot->next) {
        int expected = SLOT_FREE;

        if (atomic_compare_exchange_strong(&slot->state, &expected, SLOT_FILLING))
            return slot;
    }
    slot = malloc(sizeof *slot);
    if (slot == NULL)
        return NULL;
    atomic_init(&slot->state, SLOT_FILLING);
    slot->next = atomic_load(&slots);
    while (!atomic_compare_exchange_weak(&slots, &slot->next, slot))
        ;
    return slot;
}

static void free_slot(struct gf_atomic_slot *slot)
{
    if (slot != NULL)
        atomic_store(&slot->state, SLOT_FREE);
}

/*
 * Threads that are giving a file a name. A signal handler waits for them, because otherwise such a
 * thread could create a file after the handler has unlinked its name. They block signals, so the
 * handler never waits for the thread that it interrupted.
 */
static atomic_int naming;
static atomic_bool closing;

static void begin_naming(sigset_t *before)
{
    sigset_t all;

    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, before);
    atomic_fetch_add(&naming, 1);
    if (!atomic_load(&closing))
        return;
    atomic_fetch_sub(&naming, 1);
    for (;;)                             /* the handler is about to end the process */
        pause();
}

/* Keeps errno, which the caller has yet to report. */
static void end_naming(const sigset_t *before)
{
    const int saved = errno;

    atomic_fetch_sub(&naming, 1);
    pthread_sigmask(SIG_SETMASK, before, NULL);
    errno = saved;
}

void gf_atomic_file_cleanup_all(void)
{
    const struct timespec moment = { .tv_nsec = 200000 };
    const int saved = errno;

    atomic_store(&closing, true);
    for (int i = 0; i < MOST_WAITS && atomic_load(&naming) > 0; i++)
        nanosleep(&moment, NULL);
    for (const struct gf_atomic_slot *slot = atomic_load(&slots); slot != NULL; slot = slot->next)
        if (atomic_load(&slot->state) == SLOT_ARMED)
            unlink(slot->name);
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

static void forget_temporary(struct gf_atomic_file *file)
{
    free_slot(file->slot);
    free(file->temporary);
    file->temporary = NULL;
    file->slot = NULL;
}

/*
 * Gives the file a new temporary name, and arms it. The name is armed before a file has it, so
 * that no signal can leave that file.
 */
static int choose_temporary(struct gf_atomic_file *file)
{
    forget_temporary(file);
    file->temporary = hidden_name(file->target);
    if (file->temporary != NULL && strlen(file->temporary) >= PATH_MAX) {
        forget_temporary(file);
        errno = ENAMETOOLONG;
        return -1;
    }
    if (file->temporary == NULL || (file->slot = claim_slot()) == NULL) {
        forget_temporary(file);
        errno = ENOMEM;
        return -1;
    }
    strcpy(file->slot->name, file->temporary);
    atomic_store(&file->slot->state, SLOT_ARMED);
    return 0;
}

/* Fallback without O_TMPFILE: a file with a hidden name. */
static int create_named(struct gf_atomic_file *file, mode_t mode)
{
    for (int tries = 0; tries < 100; tries++) {
        if (choose_temporary(file) != 0)
            return -1;
        file->fd = open(file->temporary, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, mode);
        if (file->fd >= 0)
            return 0;
        forget_temporary(file);
        if (errno != EEXIST)
            return -1;
    }
    return -1;
}

/* Needs /proc, because only through it a file without a name can get one later. */
static int create_nameless(struct gf_atomic_file *file, mode_t mode)
{
    char *folder = gf_path_beside(file->target, ".");
    char link[64];

    if (folder == NULL)
        return -1;
    file->fd = open(folder, O_RDWR | O_TMPFILE | O_CLOEXEC, mode);
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

/* The bits that the umask may take from a mode. All of them, until it is known. */
static mode_t usual_mask = 0777;

void gf_atomic_file_read_umask(void)
{
    usual_mask = umask(077);
    umask(usual_mask);
}

/*
 * fchmod() would set the mode later, but the sandbox refuses it, because an attacker's code could
 * use it on other files. So the umask changes while the file is created, if it takes bits of the
 * mode. It belongs to all threads, and files that libraries create in that moment get these bits, too.
 */
int gf_atomic_file_open(struct gf_atomic_file *file, int replaced)
{
    const mode_t mode = replaced >= 0 ? (mode_t)replaced : 0666;
    const bool masked = replaced >= 0 && (mode & usual_mask) != 0;
    const mode_t mask = masked ? umask(usual_mask & ~mode) : 0;
    sigset_t before;
    int result = create_nameless(file, mode);

    if (result != 0) {
        begin_naming(&before);
        result = create_named(file, mode);
        end_naming(&before);
    }
    if (masked)
        umask(mask);
    return result == 0 ? file->fd : -1;
}

void gf_atomic_file_discard(struct gf_atomic_file *file)
{
    sigset_t before;

    begin_naming(&before);
    if (file->temporary != NULL)
        unlink(file->temporary);
    forget_temporary(file);
    end_naming(&before);
    close(file->fd);
    file->fd = -1;
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
        if (choose_temporary(file) != 0)
            return -1;
        if (link_nameless(file, file->temporary) == 0)
            return 0;
        forget_temporary(file);
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
static int put(struct gf_atomic_file *file, bool keep)
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
    forget_temporary(file);
    return 0;
}

int gf_atomic_file_put(struct gf_atomic_file *file, bool keep)
{
    sigset_t before;
    int result;

    begin_naming(&before);
    result = put(file, keep);
    end_naming(&before);
    return result;
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
    return gf_placing_failure(file->target, file->temporary, "", name, err);
}

void gf_atomic_file_drop(struct gf_atomic_file *file)
{
    if (file->temporary != NULL)
        unlink(file->temporary);
    forget_temporary(file);
    free(file->target);
    file->target = NULL;
}
