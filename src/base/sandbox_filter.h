/* Writes the instructions of a filter of system calls, which the kernel runs for each call. */
#ifndef GF_BASE_SANDBOX_FILTER_H
#define GF_BASE_SANDBOX_FILTER_H

#include <linux/filter.h>
#include <stdbool.h>
#include <stddef.h>

#define GF_FILTER_MOST 1024              /* instructions */

/* Begins as { 0 }. */
struct gf_filter_code {
    struct sock_filter code[GF_FILTER_MOST];
    unsigned short used;
    bool broken;                         /* it does not fit, or a jump is too long: it must not be used */
};

/* Instructions. A comparison skips `yes` instructions if it is true, else `no`. */
#define GF_FILTER_LOAD     (BPF_LD | BPF_W | BPF_ABS)
#define GF_FILTER_AND      (BPF_ALU | BPF_AND | BPF_K)
#define GF_FILTER_JUMP     (BPF_JMP | BPF_JA)
#define GF_FILTER_EQUAL    (BPF_JMP | BPF_JEQ | BPF_K)
#define GF_FILTER_AT_LEAST (BPF_JMP | BPF_JGE | BPF_K)
#define GF_FILTER_HAS_BITS (BPF_JMP | BPF_JSET | BPF_K)

void gf_filter_put(struct gf_filter_code *f, unsigned code, unsigned value, int yes, int no);
/* Ends with an error for the caller, or allows the call if that is 0. */
void gf_filter_put_result(struct gf_filter_code *f, int error);
/* Ends like this if what is loaded is one of the values; else the next instruction runs. */
void gf_filter_put_list(struct gf_filter_code *f, const unsigned *value, size_t count, int error);
/* Makes the jump at `at`, or the comparison there if it is false, lead to the next instruction to be put. */
void gf_filter_aim(struct gf_filter_code *f, unsigned short at);

#endif
