/* Descriptors that the program got from its caller, as outputs: /dev/fd/5. */
#define _GNU_SOURCE
#include "io/inherited.h"

#include "io/ledger.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

int gf_inherited_open(int number, const char *path, struct gf_ledger *ledger, struct gf_error *err)
{
    const int flags = fcntl(number, F_GETFD);
    int fd;

    if (flags < 0 || (flags & FD_CLOEXEC) != 0)      /* closed, or opened by this program */
        return gf_fail_system(err, EBADF, "%s", path);
    if ((fcntl(number, F_GETFL) & O_ACCMODE) == O_RDONLY)
        return gf_fail(err, GF_FAILED, "%s: is open only for reading", path);
    if (ledger != NULL && gf_ledger_has_input(ledger, path))
        return gf_fail(err, GF_FAILED, "%s: is a file that this run reads; name the file itself to replace it", path);
    fd = fcntl(number, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    return fd >= 0 ? fd : gf_fail_system(err, errno, "%s", path);
}
