/* Names the inputs of failures, and finds failures that all other inputs would have, too. */
#include "batch/batch_failures.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/resource.h>

#define FILES_OF_WORKER 6                /* input, output, a copy at its end, files of stages, and a temporary file */
#define FILES_OF_RUN    8                /* libraries and files of the system, which are open for a moment */
#define FILES_OF_GPU    40               /* devices and libraries of a driver */
#define MOST_COUNTED    1024

void gf_batch_name_failed(const struct gf_batch *b, int i, struct gf_error *err)
{
    const char *name = i < 0 ? NULL : strcmp(b->inputs[i], "-") == 0 ? "standard input" : b->inputs[i];

    if (b->many && name != NULL && !gf_error_is_about(err, name))
        gf_error_place(err, name, NULL);
}

const char *gf_batch_shortage(const struct gf_batch *b, const struct gf_error *err)
{
    static const struct { int code; const char *text; } rows[] = {
        { EMFILE, "too many open files; raise ulimit -n, or use a smaller -j" },
        { ENFILE, "too many files are open on this machine; close other programs, or use a smaller -j" },
        { ENOSPC, "the disk is full; make room for the other files" },
        { EDQUOT, "the disk quota is exhausted; make room for the other files" },
    };

    /* temporary data that does not fit belongs to one large input, so its error has no code */
    for (size_t k = 0; b->many && k < sizeof rows / sizeof *rows; k++)
        if (err->code == rows[k].code)
            return rows[k].text;
    return NULL;
}

/* Returns how many of the first `limit` descriptors are open. */
static int count_open(int limit)
{
    int open = 0;

    for (int fd = 0; fd < limit; fd++)
        open += fcntl(fd, F_GETFD) >= 0;
    return open;
}

int gf_batch_limit_workers(const struct gf_batch *b, int wanted, bool gpu)
{
    const int others = FILES_OF_RUN + (gpu ? FILES_OF_GPU : 0);
    struct rlimit limit;
    int workers;

    if (getrlimit(RLIMIT_NOFILE, &limit) != 0
        || limit.rlim_cur >= (rlim_t)wanted * FILES_OF_WORKER + (rlim_t)others + MOST_COUNTED)
        return wanted;
    workers = ((int)limit.rlim_cur - others - count_open((int)limit.rlim_cur)) / FILES_OF_WORKER;
    workers = workers > 1 ? workers : 1;
    if (workers >= wanted)
        return wanted;
    gf_note(b->notices, "workers", NULL, "%d input%s at once, not %d, because ulimit -n allows %d open files", workers,
            workers == 1 ? "" : "s", wanted, (int)limit.rlim_cur);
    return workers;
}
