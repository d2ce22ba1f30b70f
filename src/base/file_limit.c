/* Limits the size of files that the process writes, through the kernel's own limit. */
#include "base/file_limit.h"

#include "base/words.h"

#include <errno.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#define MESSAGE_BYTES 65536              /* room for messages in the file that standard error is */

static char limit[40];                   /* the limit as text; empty: there is none, or the user's is lower */

/* The kernel would drop messages without a trace. */
static int check_messages(int64_t bytes, const char *size, struct gf_error *err)
{
    struct stat st;

    if (fstat(STDERR_FILENO, &st) != 0 || !S_ISREG(st.st_mode) || st.st_size <= bytes - MESSAGE_BYTES)
        return 0;
    return gf_fail(err, GF_FAILED, "--max-output %s: standard error is a file that has no room for messages below this "
                                   "limit; redirect it to another file, or raise the limit", size);
}

int gf_file_limit_set(int64_t bytes, struct gf_error *err)
{
    const rlim_t most = (rlim_t)bytes;
    struct rlimit l;
    bool lower;
    char size[40];

    gf_bytes_text(bytes, size);
    if (getrlimit(RLIMIT_FSIZE, &l) != 0)
        return gf_fail_system(err, errno, "--max-output: the limit of the kernel is unknown");
    lower = l.rlim_cur <= most;
    if (!lower && check_messages(bytes, size, err) != 0)
        return -1;
    l.rlim_cur = lower ? l.rlim_cur : most;
    l.rlim_max = l.rlim_max < most ? l.rlim_max : most;
    if (setrlimit(RLIMIT_FSIZE, &l) != 0)
        return gf_fail_system(err, errno, "--max-output: the kernel refuses the limit");
    if (!lower)
        memcpy(limit, size, sizeof limit);
    return 0;
}

bool gf_file_limit_is_reason(int number)
{
    return number == EFBIG && limit[0] != '\0';
}

int gf_file_limit_fail_temporary(struct gf_error *err, const char *folder)
{
    return gf_fail(err, GF_FAILED, "%s: temporary data is larger than --max-output %s;; raise it, or raise --memory",
                   folder, limit);
}

int gf_file_limit_fail(struct gf_error *err, const char *name)
{
    return gf_fail(err, GF_FAILED, "%s: larger than --max-output %s; raise it to write more", name, limit);
}
