/* Errors: one line for people and an exit status, passed up to the only exit(). */
#ifndef GF_BASE_ERROR_H
#define GF_BASE_ERROR_H

#include <stdbool.h>
#include <stdio.h>

#define GF_MUST_CHECK __attribute__((warn_unused_result))
#define GF_PRINTF(f, a) __attribute__((format(printf, f, a)))

#ifdef __cplusplus
extern "C" {
#endif

#define GF_FAILED 1             /* exit status: something failed while running */
#define GF_MISUSED 2            /* exit status: usage error */

/* One line for people, and the exit status it stands for. */
struct gf_error {
    int status;
    bool cut;               /* the input ends too early */
    bool damaged;           /* the input is damaged; what was read before is sound */
    bool room;              /* it is memory that there is too little of by --memory, or by a share of it */
    char text[1000];
};

/* Writes the line, keeps `status`, and returns -1 so that callers can return it. */
int gf_fail(struct gf_error *err, int status, const char *format, ...) GF_PRINTF(3, 4);
/* gf_fail() for an input that ends too early: --salvage may go on without what is missing. */
int gf_fail_cut(struct gf_error *err, const char *format, ...) GF_PRINTF(2, 3);
/* gf_fail() for damage after which a reader may end with what it has. */
int gf_fail_damaged(struct gf_error *err, const char *format, ...) GF_PRINTF(2, 3);
/* gf_fail() if memory has run out. The message begins with `who`, a file or a stage, unless it is NULL. */
int gf_fail_memory(struct gf_error *err, const char *who);
/* Like gf_fail_memory(), with a hint what to do. */
int gf_fail_memory_hint(struct gf_error *err, const char *who, const char *hint);
/* Like gf_fail_memory() for `bytes` of working memory, which options can reduce. `where`: "on GPU 0", say, or NULL. */
int gf_fail_memory_bytes(struct gf_error *err, size_t bytes, const char *where);
/* Forgets an error that the caller got over. */
void gf_forget_error(struct gf_error *err);
/* Puts where it is wrong before the line, "FILE:LINE", and behind it what called that; `from` may be NULL. */
void gf_error_place(struct gf_error *err, const char *place, const char *from);

#ifdef __cplusplus
}
#endif
#endif
