/* The files that the process can open: rules of Landlock. */
#define _GNU_SOURCE
#include "base/sandbox.h"

#include "base/sandbox_calls.h"
#include "base/sanitizer.h"

#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/*
 * Some libraries are opened late: libsndfile, libtiff and others of late_library.h, libchafa,
 * nvJPEG, the driver. They are in these folders.
 */
static const char *const libraries[] = {
    "/usr", "/lib", "/lib64", "/opt/cuda", "/nix/store", "/gnu/store", "/run/opengl-driver", "/etc/ld.so.cache", NULL
};

/*
 * In /proc, Landlock denies the memory and the environment of other processes. A rule for
 * /proc/self alone would be lost when the kernel drops its entry from memory.
 */
static const char *const facts[] = { "/proc", "/sys/fs/cgroup", "/sys/devices/system", NULL };

static const char *const devices[] = { "/dev/null", "/dev/zero", NULL };

static void allow_all(struct gf_sandbox *s, const char *const *paths, enum gf_sandbox_use use)
{
    for (; *paths != NULL; paths++)
        gf_sandbox_allow(s, *paths, use);
}

/*
 * Allows each folder of a list with colons. Names that do not begin at the root mean the current
 * folder or one below it, which can have any files of the user.
 */
static void allow_list(struct gf_sandbox *s, const char *list)
{
    char folder[4096];

    while (list != NULL && *list != '\0') {
        const size_t length = strcspn(list, ":;");

        snprintf(folder, sizeof folder, "%.*s", (int)length, list);
        if (folder[0] == '/' && length < sizeof folder)
            gf_sandbox_allow(s, folder, GF_SANDBOX_READ);
        list += length + (list[length] != '\0');
    }
}

/* Returns true if a folder is "lib", "lib64" or "lib32", or is below one, and is not the user's home. */
static bool is_for_libraries(const char *folder)
{
    const char *home = getenv("HOME");

    if (home != NULL && strcmp(folder, home) == 0)
        return false;
    for (const char *at = strstr(folder, "/lib"); at != NULL; at = strstr(at + 1, "/lib")) {
        const size_t bits = strncmp(at + 4, "64", 2) == 0 || strncmp(at + 4, "32", 2) == 0 ? 2 : 0;

        if (at[4 + bits] == '\0' || at[4 + bits] == '/')
            return true;
    }
    return false;
}

/*
 * Allows the folder of a library that is loaded already, because those that are loaded later may be
 * beside it. A library elsewhere than in a folder "lib" may be in the user's home.
 */
static int allow_beside(struct dl_phdr_info *library, size_t size, void *sandbox)
{
    const char *name = library->dlpi_name, *slash = strrchr(name, '/');
    char folder[4096];

    (void)size;
    if (slash == NULL || strncmp(name, "/usr/", 5) == 0 || strncmp(name, "/lib", 4) == 0)
        return 0;
    snprintf(folder, sizeof folder, "%.*s", (int)(slash - name), name);
    if (is_for_libraries(folder))
        gf_sandbox_allow(sandbox, folder, GF_SANDBOX_READ);
    return 0;
}

static void allow_system(struct gf_sandbox *s)
{
    allow_all(s, libraries, GF_SANDBOX_LIST);
    allow_list(s, getenv("LD_LIBRARY_PATH"));
    dl_iterate_phdr(allow_beside, s);
    allow_all(s, facts, GF_SANDBOX_LIST);
    allow_all(s, devices, GF_SANDBOX_WRITE);
    gf_sandbox_allow(s, "/dev/urandom", GF_SANDBOX_READ);
}

/* The interface of the kernel, which is the same on all processors; older headers lack parts of it. */
#define CREATE_RULES    444
#define ADD_RULE        445
#define RESTRICT_SELF   446
#define ASK_VERSION     1u
#define RULE_BELOW_PATH 1

#define EXECUTE      (UINT64_C(1) << 0)
#define WRITE_FILE   (UINT64_C(1) << 1)
#define READ_FILE    (UINT64_C(1) << 2)
#define READ_FOLDER  (UINT64_C(1) << 3)
#define DELETE_FOLDER (UINT64_C(1) << 4)
#define DELETE_FILE  (UINT64_C(1) << 5)
#define MAKE_FOLDER  (UINT64_C(1) << 7)
#define MAKE_FILE    (UINT64_C(1) << 8)
#define TRUNCATE     (UINT64_C(1) << 14)
#define CONTROL      (UINT64_C(1) << 15) /* ioctl() of devices */
#define OF_FILES     (EXECUTE | WRITE_FILE | READ_FILE | TRUNCATE | CONTROL)

/* Versions add rights; a sandbox controls all that its kernel knows. */
#define RIGHTS_1 ((UINT64_C(1) << 13) - 1)
#define RIGHTS_2 (UINT64_C(1) << 13)     /* moves and links between folders, which no run needs */
#define NETWORK_4 UINT64_C(3)            /* TCP */
#define SCOPES_6 UINT64_C(3)             /* abstract sockets and signals of other processes */

struct rules {
    uint64_t files, network, scopes;
};

struct below_path {
    uint64_t rights;
    int32_t fd;
} __attribute__((packed));

static atomic_bool entered, required;

static uint64_t rights_of_version(int version)
{
    return RIGHTS_1 | (version >= 2 ? RIGHTS_2 : 0) | (version >= 3 ? TRUNCATE : 0) | (version >= 5 ? CONTROL : 0);
}

/* A rule that is missing because something is scarce would be reported as a file that has changed. */
static void note_failure(struct gf_sandbox *s, int error)
{
    if (s->failed == 0 && (error == EMFILE || error == ENFILE || error == ENOMEM))
        s->failed = error;
}

void gf_sandbox_begin(struct gf_sandbox *s)
{
    struct rules rules = { 0 };

    *s = (struct gf_sandbox) { .rules = -1, .refused = ENOSYS };
#ifdef GF_SANITIZER
    return;                              /* a sanitizer starts programs and writes reports */
#endif
    s->version = (int)syscall(CREATE_RULES, NULL, (size_t)0, ASK_VERSION);
    if (s->version < 0)
        s->refused = errno;
    if (s->version < 1)
        return;
    s->rights = rules.files = rights_of_version(s->version);
    rules.network = s->version >= 4 ? NETWORK_4 : 0;
    rules.scopes = s->version >= 6 ? SCOPES_6 : 0;
    s->rules = (int)syscall(CREATE_RULES, &rules, sizeof rules, 0u);
    if (s->rules < 0) {
        s->refused = errno;
        note_failure(s, errno);
    } else {
        allow_system(s);
    }
}

static uint64_t rights_for(enum gf_sandbox_use use)
{
    switch (use) {
    case GF_SANDBOX_READ: return READ_FILE;
    case GF_SANDBOX_LIST: return READ_FILE | READ_FOLDER;
    case GF_SANDBOX_WRITE: return READ_FILE | WRITE_FILE | TRUNCATE | CONTROL;
    case GF_SANDBOX_TIDY: return DELETE_FOLDER;
    case GF_SANDBOX_TEMPORARY: return READ_FILE | WRITE_FILE | TRUNCATE | MAKE_FILE | DELETE_FILE;
    default: return READ_FILE | READ_FOLDER | WRITE_FILE | TRUNCATE | MAKE_FILE | MAKE_FOLDER | DELETE_FILE
                    | DELETE_FOLDER;
    }
}

void gf_sandbox_allow(struct gf_sandbox *s, const char *path, enum gf_sandbox_use use)
{
    struct below_path rule = { .rights = rights_for(use) & s->rights };
    struct stat st;

    if (s->rules < 0)
        return;
    rule.fd = open(path, O_PATH | O_CLOEXEC);
    if (rule.fd < 0) {
        note_failure(s, errno);
        return;
    }
    if (fstat(rule.fd, &st) == 0 && !S_ISDIR(st.st_mode))
        rule.rights &= OF_FILES;
    if (syscall(ADD_RULE, s->rules, RULE_BELOW_PATH, &rule, 0u) != 0)
        note_failure(s, errno);          /* others are of pipes, which need no rule */
    close(rule.fd);
}

void gf_sandbox_release(struct gf_sandbox *s)
{
    if (s->rules >= 0)
        close(s->rules);
    s->rules = -1;
}

/* Returns 0 only if the kernel limits files from now on, else the reason as an errno. */
static int restrict_files(struct gf_sandbox *s)
{
    const bool there = s->rules >= 0, restricted = there && syscall(RESTRICT_SELF, s->rules, 0u) == 0;
    const int error = restricted ? 0 : there ? errno : s->refused;

    gf_sandbox_release(s);
    return error;
}

static const char *reason_of(int error)
{
    switch (error) {
    case ENOSYS:
    case EINVAL: return "not in this kernel";
    case EOPNOTSUPP: return "off on this machine (kernel option lsm=)";
    case E2BIG: return "16 sandboxes are around this one already";
    case EOVERFLOW: return "the filter is too long";
    case ESRCH: return "a thread has another filter";
    default: return strerror(error);
    }
}

/* `files` and `calls` are 0, or the reasons why they are not limited. */
static void describe(int files, int calls, int version, char *text, size_t room)
{
    int used;

    if (files == 0)
        used = snprintf(text, room, "files (Landlock %d)%s", version, calls == 0 ? " and system calls" : "");
    else
        used = snprintf(text, room, "%s; Landlock does not limit files: %s", calls == 0 ? "system calls" : "none",
                        reason_of(files));
    if (calls != 0 && used >= 0 && (size_t)used < room)
        snprintf(text + used, room - (size_t)used, "; seccomp does not limit system calls: %s", reason_of(calls));
}

bool gf_sandbox_enter(struct gf_sandbox *s, const struct gf_sandbox_needs *needs, char *text, size_t room)
{
    int files, calls;

#ifdef GF_SANITIZER
    snprintf(text, room, "none; this build has a sanitizer");
    return false;
#endif
    /* both parts need this; it also keeps programs with more rights from being started */
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) {
        files = calls = errno;
    } else {
        files = restrict_files(s);
        calls = gf_sandbox_restrict_calls(needs);
    }
    atomic_store(&entered, files == 0);
    atomic_store(&required, needs->required);
    describe(files, calls, s->version, text, room);
    return files == 0 && calls == 0;
}

/* The sandbox does not affect faccessat(), so that shows what the file itself permits. */
bool gf_sandbox_hides(const char *path, int mode)
{
    return atomic_load(&entered) && access(path, mode) == 0;
}

const char *gf_sandbox_advice(void)
{
    return atomic_load(&required) ? "run it again" : "run it again, or use --no-sandbox";
}
