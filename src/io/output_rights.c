/* Gives a file that replaces another one the same owner, group and mode, or a narrower mode. */
#define _GNU_SOURCE
#include "io/output_rights.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>
#include <sys/xattr.h>
#include <unistd.h>

/*
 * An access control list (ACL) as Linux stores it: a version, then entries. Its numbers are little-endian. With
 * a list, the group bits of the mode are its mask, and not the rights of the group.
 */
#define LIST_NAME   "system.posix_acl_access"
#define LIST_ROOM   4096
#define LIST_HEADER 4
#define LIST_ENTRY  8
enum entry_tag { ENTRY_USER = 2, ENTRY_GROUP = 4, ENTRY_OTHER_GROUP = 8 };

struct list {
    ssize_t bytes;                       /* 0: the file has none */
    unsigned char data[LIST_ROOM];
};

/* A list that cannot be read, because it is too long, say, becomes one that grants nothing. */
static void note_list(struct list *l, ssize_t bytes)
{
    l->bytes = bytes >= LIST_HEADER ? bytes : bytes < 0 && errno == ERANGE ? LIST_HEADER : 0;
}

/* Returns the rights that the file gives to each user and group of its list. Without a list, those of its group. */
static mode_t least_rights(const struct stat *old, const struct list *l)
{
    mode_t least = old->st_mode >> 3 & 7;

    if (l->bytes == LIST_HEADER)
        return 0;
    for (ssize_t at = LIST_HEADER; at + LIST_ENTRY <= l->bytes; at += LIST_ENTRY) {
        const int tag = l->data[at];

        if (tag == ENTRY_USER || tag == ENTRY_GROUP || tag == ENTRY_OTHER_GROUP)
            least &= l->data[at + 2];
    }
    return least;
}

/* Keeps the owner of the old file if we may; otherwise the file becomes ours. Returns true if it has the group. */
static bool keep_owner(int fd, const struct stat *old)
{
    struct stat st;

    if (fstat(fd, &st) != 0)
        return false;
    if (st.st_uid != old->st_uid && fchown(fd, old->st_uid, old->st_gid) == 0)
        return true;
    return st.st_gid == old->st_gid || fchown(fd, (uid_t)-1, old->st_gid) == 0;
}

static int open_again(struct gf_atomic_file *file, mode_t mode, const struct stat *old, struct list *l)
{
    gf_atomic_file_discard(file);
    if (gf_atomic_file_open(file, (int)mode) < 0)
        return -1;
    if (!keep_owner(file->fd, old)) {
        gf_atomic_file_discard(file);
        errno = EPERM;
        return -1;
    }
    note_list(l, fgetxattr(file->fd, LIST_NAME, l->data, sizeof l->data));
    return 0;
}

static bool same_list(const struct list *a, const struct list *b)
{
    return a->bytes == b->bytes && a->bytes > LIST_HEADER && memcmp(a->data, b->data, (size_t)a->bytes) == 0;
}

/*
 * Opens the file with the least mode first, and with a wider one if it got the group, because a file with a hidden
 * name could be opened by the wrong group at once. Sets *mode to that of the file. A file with a list gets another
 * one only from its folder; it is the same one if the folder has not changed.
 */
static int open_widest(struct gf_atomic_file *file, const struct stat *old, mode_t *mode)
{
    const mode_t full = old->st_mode & 0777, owner = full & 0700;
    struct list before, now;
    mode_t least, narrow, wide;

    note_list(&before, getxattr(file->target, LIST_NAME, before.data, sizeof before.data));
    least = least_rights(old, &before);
    narrow = owner | (least & full) * 011;
    *mode = narrow;
    if (gf_atomic_file_open(file, (int)narrow) < 0)
        return -1;
    if (!keep_owner(file->fd, old))
        return 0;
    note_list(&now, fgetxattr(file->fd, LIST_NAME, now.data, sizeof now.data));
    if (now.bytes > 0 && before.bytes == 0)
        return 0;
    wide = now.bytes > 0 || before.bytes == 0 ? full : owner | least << 3 | (least & full & 7);
    if (wide == narrow)
        return 0;
    *mode = wide;
    if (open_again(file, wide, old, &now) != 0)
        return -1;
    if (now.bytes == 0 || same_list(&before, &now))
        return 0;
    *mode = narrow;
    return open_again(file, narrow, old, &now);
}

static bool is_member(gid_t group)
{
    gid_t groups[1024];
    const int count = getgroups(sizeof groups / sizeof *groups, groups);

    for (int i = 0; i < count; i++)
        if (groups[i] == group)
            return true;
    return false;
}

/*
 * Warns about rights that the new file cannot have. The sandbox forbids changing the group, because an attacker's
 * code could give files away, so a member of the group can keep it only without the sandbox.
 */
static void warn_rights(const struct gf_atomic_file *file, const struct stat *old, mode_t mode, const char *name,
                        struct gf_notices *notices)
{
    struct stat st;
    const bool group = fstat(file->fd, &st) == 0 && st.st_gid != old->st_gid;

    gf_warn(notices, "rights", name, "the new file cannot have the %s of the file that it replaces, so its mode is "
                                     "%03o, not %03o%s",
            group ? "group" : "access control list", (unsigned)mode, (unsigned)old->st_mode & 0777,
            group && is_member(old->st_gid) ? "; --no-sandbox keeps both" : "");
}

int gf_output_open_like(struct gf_atomic_file *file, const struct stat *old, const char *name,
                        struct gf_notices *notices)
{
    mode_t mode;

    if (open_widest(file, old, &mode) != 0)
        return -1;
    if (mode != (old->st_mode & 0777))
        warn_rights(file, old, mode, name, notices);
    return file->fd;
}
