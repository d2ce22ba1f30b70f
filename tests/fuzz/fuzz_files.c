/* Files for fuzz targets: inputs in memory and pipes, outputs in memory or in a temporary folder. */
#define _GNU_SOURCE
#include "fuzz.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static int start_folder = -1, output_folder = -1;
static char folder_path[4096];

static void stop(const char *what)
{
    perror(what);
    exit(1);
}

void gf_fuzz_file_put(struct gf_fuzz_file *file, const void *bytes, size_t size)
{
    if (file->fd == 0) {
        file->fd = memfd_create("input", MFD_CLOEXEC);
        if (file->fd < 0)
            stop("memfd_create");
        snprintf(file->path, sizeof file->path, "/proc/self/fd/%d", file->fd);
    }
    if (ftruncate(file->fd, 0) != 0 || pwrite(file->fd, bytes, size, 0) != (ssize_t)size)
        stop("input in memory");
}

bool gf_fuzz_pipe_put(struct gf_fuzz_file *file, const void *bytes, size_t size)
{
    int ends[2];

    if (pipe2(ends, O_CLOEXEC) != 0)
        stop("pipe");
    snprintf(file->path, sizeof file->path, "/dev/fd/%d", ends[0]);
    file->fd = ends[0];
    if (size > 65536 || write(ends[1], bytes, size) != (ssize_t)size) {
        close(ends[1]);
        gf_fuzz_pipe_close(file);
        return false;
    }
    close(ends[1]);
    return true;
}

void gf_fuzz_pipe_close(struct gf_fuzz_file *file)
{
    close(file->fd);
    file->fd = 0;
}

/* Deletes what is in the folder, and closes it. A {dir} in a name makes folders in folders. */
static void empty_folder(int folder)
{
    DIR *d = folder >= 0 ? fdopendir(folder) : NULL;

    if (d == NULL)
        stop("folder for outputs");
    for (struct dirent *e; (e = readdir(d)) != NULL;) {
        if (strcmp(e->d_name, ".") == 0 || strcmp(e->d_name, "..") == 0 || unlinkat(folder, e->d_name, 0) == 0)
            continue;
        if (errno != EISDIR && errno != EPERM)
            stop(e->d_name);
        empty_folder(openat(folder, e->d_name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
        if (unlinkat(folder, e->d_name, AT_REMOVEDIR) != 0)
            stop(e->d_name);
    }
    closedir(d);
}

static void empty_outputs(void)
{
    empty_folder(openat(output_folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
}

void gf_fuzz_folder_enter(void)
{
    if (fchdir(output_folder) != 0)
        stop("folder for outputs");
}

void gf_fuzz_folder_leave(void)
{
    empty_outputs();
    if (fchdir(start_folder) != 0)
        stop("working folder");
}

static void remove_folder(void)
{
    empty_outputs();
    rmdir(folder_path);
}

void gf_fuzz_output_empty(void)
{
    if (ftruncate(STDOUT_FILENO, 0) != 0 || lseek(STDOUT_FILENO, 0, SEEK_SET) != 0)
        stop("standard output");
}

uint8_t *gf_fuzz_output_take(size_t *size)
{
    struct stat st;
    uint8_t *bytes;

    if (fstat(STDOUT_FILENO, &st) != 0)
        stop("standard output");
    *size = (size_t)st.st_size;
    bytes = malloc(*size + 1);
    if (bytes == NULL || pread(STDOUT_FILENO, bytes, *size, 0) != (ssize_t)*size)
        stop("standard output");
    gf_fuzz_output_empty();
    return bytes;
}

void gf_fuzz_prepare(void)
{
    const char *temporary = getenv("TMPDIR");
    const int nothing = open("/dev/null", O_RDONLY), output = memfd_create("output", 0);

    if (nothing < 0 || output < 0 || dup2(nothing, STDIN_FILENO) < 0 || dup2(output, STDOUT_FILENO) < 0)
        stop("standard input and output");
    close(nothing);
    close(output);
    snprintf(folder_path, sizeof folder_path, "%s/gpufilter-fuzz-XXXXXX", temporary != NULL ? temporary : "/tmp");
    start_folder = open(".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (start_folder < 0 || mkdtemp(folder_path) == NULL)
        stop(folder_path);
    output_folder = open(folder_path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (output_folder < 0)
        stop(folder_path);
    atexit(remove_folder);
    /* the user's chains and the speeds that were measured here must not change results */
    setenv("XDG_CONFIG_HOME", "/dev/null/none", 1);
    setenv("XDG_CONFIG_DIRS", "/dev/null/none", 1);
    setenv("XDG_CACHE_HOME", "/dev/null/none", 1);
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN);
}
