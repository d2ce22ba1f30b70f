/* Writes filters of system calls. The fields of the instructions are narrow, so everything is checked. */
#if defined(__linux__) && (defined(__x86_64__) || defined(__aarch64__))

#include "base/sandbox_filter.h"

#include <limits.h>
#include <linux/seccomp.h>

static unsigned char jump(struct gf_filter_code *f, int count)
{
    f->broken |= count < 0 || count > UCHAR_MAX;
    return (unsigned char)count;
}

void gf_filter_put(struct gf_filter_code *f, unsigned code, unsigned value, int yes, int no)
{
    const struct sock_filter next = { (unsigned short)code, jump(f, yes), jump(f, no), value };

    if (f->used < GF_FILTER_MOST)
        f->code[f->used++] = next;
    else
        f->broken = true;
}

void gf_filter_put_result(struct gf_filter_code *f, int error)
{
    gf_filter_put(f, BPF_RET | BPF_K, error != 0 ? SECCOMP_RET_ERRNO | (unsigned)error : SECCOMP_RET_ALLOW, 0, 0);
}

void gf_filter_put_list(struct gf_filter_code *f, const unsigned *value, size_t count, int error)
{
    for (size_t i = 0; i < count; i++)
        gf_filter_put(f, GF_FILTER_EQUAL, value[i], (int)(count - 1 - i), i + 1 == count);
    gf_filter_put_result(f, error);
}

void gf_filter_aim(struct gf_filter_code *f, unsigned short at)
{
    const int count = f->used - at - 1;

    if (at >= f->used)
        f->broken = true;
    else if (f->code[at].code == GF_FILTER_JUMP)
        f->code[at].k = (unsigned)count;
    else
        f->code[at].jf = jump(f, count);
}

#else
typedef int gf_not_empty;                /* C has no empty files */
#endif
