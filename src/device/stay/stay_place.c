/* Finds the socket of a process that stays. A socket is for one user, build, device and environment; see the key. */
#define _GNU_SOURCE
#include <config.h>
#include "device/stay/stay_place.h"

#include "base/md5.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

#define PATIENCE_SECONDS 5               /* for a process that has stopped, and answers nothing */
#define LOCK_TRIES       500
#define LOCK_PAUSE       10000           /* microseconds */
#define WAITING          64              /* runs that have connected and are not accepted yet */

/* ---- the key ---- */

static void add_text(struct gf_md5 *m, const char *text)
{
    gf_md5_add(m, text, strlen(text) + 1);
}

static void add_file(struct gf_md5 *m, const char *path)
{
    const int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    char text[4096];
    ssize_t got;

    while (file >= 0 && (got = read(file, text, sizeof text)) > 0)
        gf_md5_add(m, text, (size_t)got);
    add_text(m, "");
    if (file >= 0)
        close(file);
}

/* The program is the same if its file is: a new build has another file. */
static void add_program(struct gf_md5 *m)
{
    struct stat st = { 0 };

    add_text(m, PACKAGE_VERSION);
    if (stat("/proc/self/exe", &st) != 0)
        return;
    gf_md5_add(m, &st.st_dev, sizeof st.st_dev);
    gf_md5_add(m, &st.st_ino, sizeof st.st_ino);
    gf_md5_add(m, &st.st_size, sizeof st.st_size);
    gf_md5_add(m, &st.st_mtim, sizeof st.st_mtim);
}

/* The files of the driver have the UUID of each GPU; CUDA_VISIBLE_DEVICES, which chooses among them, is added, too. */
static void add_gpus(struct gf_md5 *m)
{
    struct dirent **gpus = NULL;
    const int count = scandir("/proc/driver/nvidia/gpus", &gpus, NULL, alphasort);
    char path[PATH_MAX];

    add_file(m, "/proc/driver/nvidia/version");
    for (int i = 0; i < count; i++) {
        snprintf(path, sizeof path, "/proc/driver/nvidia/gpus/%s/information", gpus[i]->d_name);
        add_file(m, path);
        free(gpus[i]);
    }
    free(gpus);
}

/* Adds variables that change what a driver or a library does, in any order. */
static void add_environment(struct gf_md5 *m)
{
    unsigned char all[GF_MD5_BYTES] = { 0 }, one[GF_MD5_BYTES];

    for (char **at = environ; at != NULL && *at != NULL; at++) {
        struct gf_md5 variable;

        if (!gf_stay_place_keeps(*at, true))
            continue;
        gf_md5_begin(&variable);
        add_text(&variable, *at);
        gf_md5_end(&variable, one);
        for (size_t i = 0; i < sizeof all; i++)
            all[i] ^= one[i];
    }
    gf_md5_add(m, all, sizeof all);
}

static void add_namespaces(struct gf_md5 *m)
{
    static const char *const names[] = { "user", "mnt", "pid", "net", "ipc", "uts", "cgroup" };
    char path[40], target[80];

    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        ssize_t length;

        snprintf(path, sizeof path, "/proc/self/ns/%s", names[i]);
        length = readlink(path, target, sizeof target - 1);
        target[length > 0 ? length : 0] = '\0';
        add_text(m, target);
    }
}

void gf_stay_place_key(bool cuda, int index, struct gf_stay_key *key)
{
    const uid_t user = geteuid();
    struct gf_md5 m;

    memset(key, 0, sizeof *key);
    gf_md5_begin(&m);
    add_program(&m);
    gf_md5_add(&m, &user, sizeof user);
    gf_md5_add(&m, &index, sizeof index);
    add_text(&m, cuda ? "cuda" : "cpu");
    if (cuda)
        add_gpus(&m);
    add_environment(&m);
    add_namespaces(&m);
    gf_md5_end(&m, key->same);
    gf_md5_begin(&m);
    add_file(&m, "/proc/self/cgroup");
    gf_md5_end(&m, key->group);
}

bool gf_stay_place_keeps(const char *variable, bool for_key)
{
    /* the first ones change results or speed; the others only say where things are */
    static const char *const keys[] = { "CUDA_", "NVIDIA_", "LD_LIBRARY_PATH=", "LD_PRELOAD=", NULL };
    static const char *const others[] = { "HOME=", "PATH=", "XDG_RUNTIME_DIR=", "XDG_CACHE_HOME=", "ASAN_OPTIONS=",
                                          "LSAN_OPTIONS=", "TSAN_OPTIONS=", "UBSAN_OPTIONS=", NULL };

    for (const char *const *at = keys; *at != NULL; at++)
        if (strncmp(variable, *at, strlen(*at)) == 0)
            return true;
    for (const char *const *at = others; !for_key && *at != NULL; at++)
        if (strncmp(variable, *at, strlen(*at)) == 0)
            return true;
    return false;
}

/* ---- the folder ---- */

/* Returns true if a folder is this user's, and others cannot use it. */
static bool is_private(const char *folder)
{
    struct stat st;

    return lstat(folder, &st) == 0 && S_ISDIR(st.st_mode) && st.st_uid == geteuid() && (st.st_mode & 077) == 0;
}

/* Uses FOLDER/gpufilter, if FOLDER is private. */
static bool use_below(const char *above, char folder[GF_STAY_PATH], bool make)
{
    const int length = snprintf(folder, GF_STAY_PATH, "%s/gpufilter", above);

    if (above[0] != '/' || length >= GF_STAY_PATH || !is_private(above))
        return false;
    if (make)
        (void)mkdir(folder, 0700);
    return is_private(folder);
}

bool gf_stay_place_folder(char folder[GF_STAY_PATH], bool make)
{
    const char *set = getenv("XDG_RUNTIME_DIR");
    char usual[40];

    if (set != NULL && set[0] != '\0')
        return use_below(set, folder, make);
    snprintf(usual, sizeof usual, "/run/user/%lu", (unsigned long)geteuid());
    if (use_below(usual, folder, make))
        return true;
    snprintf(folder, GF_STAY_PATH, "/tmp/gpufilter-%lu", (unsigned long)geteuid());
    if (make)
        (void)mkdir(folder, 0700);
    return is_private(folder);
}

bool gf_stay_place_path(const struct gf_stay_key *key, char path[GF_STAY_PATH])
{
    char folder[GF_STAY_PATH], name[2 * GF_MD5_BYTES + 1];
    struct gf_md5 m;
    unsigned char sum[GF_MD5_BYTES];

    gf_md5_begin(&m);
    gf_md5_add(&m, key, sizeof *key);
    gf_md5_end(&m, sum);
    for (int i = 0; i < GF_MD5_BYTES; i++)
        snprintf(name + 2 * i, 3, "%02x", sum[i]);
    return gf_stay_place_folder(folder, true)
        && snprintf(path, GF_STAY_PATH, "%s/stay-%.16s", folder, name) < GF_STAY_PATH;
}

int gf_stay_place_lock(void)
{
    char folder[GF_STAY_PATH], path[GF_STAY_PATH + 8];
    int lock;

    if (!gf_stay_place_folder(folder, true))
        return -1;
    snprintf(path, sizeof path, "%s/lock", folder);
    lock = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
    for (int i = 0; lock >= 0 && i < LOCK_TRIES; i++) {  /* its owner may have been stopped */
        if (flock(lock, LOCK_EX | LOCK_NB) == 0)
            return lock;
        usleep(LOCK_PAUSE);
    }
    if (lock >= 0)
        close(lock);
    return -1;
}

/* ---- sockets ---- */

static bool set_address(const char *path, struct sockaddr_un *address)
{
    *address = (struct sockaddr_un) { .sun_family = AF_UNIX };
    return snprintf(address->sun_path, sizeof address->sun_path, "%s", path) < (int)sizeof address->sun_path;
}

bool gf_stay_place_is_own(int socket)
{
    struct ucred peer;
    socklen_t bytes = sizeof peer;

    return getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &peer, &bytes) == 0 && bytes == sizeof peer
        && peer.uid == geteuid();
}

int gf_stay_place_connect(const char *path)
{
    const struct timeval patience = { .tv_sec = PATIENCE_SECONDS };
    const int s = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    struct sockaddr_un address;
    int failed;

    if (s >= 0 && set_address(path, &address) && setsockopt(s, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience) == 0
        && connect(s, (const struct sockaddr *)&address, sizeof address) == 0 && gf_stay_place_is_own(s))
        return s;
    failed = errno;
    if (s >= 0)
        close(s);
    errno = failed;
    return -1;
}

int gf_stay_place_listen(const char *path)
{
    const int s = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    struct sockaddr_un address;
    int result = -1;

    if (s >= 0 && set_address(path, &address)) {
        const mode_t before = umask(0077);

        result = bind(s, (const struct sockaddr *)&address, sizeof address);
        umask(before);
    }
    if (result == 0 && listen(s, WAITING) == 0)
        return s;
    if (s >= 0)
        close(s);
    return -1;
}

/* ---- the socket of this process ---- */

static struct sockaddr_un own;
static atomic_bool listens;

void gf_stay_place_remember(int socket)
{
    socklen_t bytes = sizeof own;

    if (getsockname(socket, (struct sockaddr *)&own, &bytes) == 0 && own.sun_family == AF_UNIX
        && own.sun_path[0] == '/' && bytes <= sizeof own)
        atomic_store(&listens, true);
}

/* A signal handler calls this. */
void gf_stay_place_remove(void)
{
    if (atomic_exchange(&listens, false))
        unlink(own.sun_path);
}
