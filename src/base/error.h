/* Errors: what went wrong, as data for callers and as one line for people, passed up to the only exit(). */
#ifndef GF_BASE_ERROR_H
#define GF_BASE_ERROR_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#define GF_MUST_CHECK __attribute__((warn_unused_result))
#define GF_PRINTF(f, a) __attribute__((format(printf, f, a)))

#ifdef __cplusplus
extern "C" {
#endif

#define GF_FAILED 1             /* exit status: something failed while running */
#define GF_MISUSED 2            /* exit status: usage error */

/* For callers that do more with an error than pass it on. They never read its text. */
enum gf_cause {
    GF_CAUSE_OTHER,
    GF_CAUSE_CUT,           /* the input ends too early */
    GF_CAUSE_DAMAGED,       /* the input is damaged; the data read before is usable */
    GF_CAUSE_MEMORY_LIMIT,  /* the memory limit, --memory or a share of it, is too low */
    GF_CAUSE_RANGE,         /* a value of an option is outside its range, which begins at `range` in the text */
    GF_CAUSE_MASK,          /* a file of numbers for a stage cannot be read */
    GF_CAUSE_STAGE,         /* a word of the chain is wrong; chain_advice.h may know what was meant */
    GF_CAUSE_DEVICE,        /* the process that keeps a device ready has ended */
    GF_CAUSE_FOREIGN        /* the command is written for another program; the advice says how it is written here */
};

struct gf_error {
    int status;             /* exit status of the program */
    enum gf_cause cause;
    int code;               /* errno of the system call that failed, or 0 */
    uint64_t subject;       /* a hash of the name that the error is about, of a file or a stage; 0: none */
    size_t range, advice;   /* where these parts of the text begin; the advice with its semicolon. 0: there is none */
    bool for_shell;         /* the advice is for the command line, not for callers of the library */
    char text[1000];        /* one line: what is wrong; what to do */
};

/*
 * Sets message and status, and returns -1 so that callers can return it. What comes after the first semicolon of the
 * format is advice. After two semicolons, of which one is printed, it is advice for the command line.
 */
int gf_fail(struct gf_error *err, int status, const char *format, ...) GF_PRINTF(3, 4);
/* Like gf_fail(), for a system call that failed. The reason comes after the problem. */
int gf_fail_system(struct gf_error *err, int code, const char *format, ...) GF_PRINTF(3, 4);
/* Replaces the advice of a message, by advice for callers of the library, too. */
void gf_error_advise(struct gf_error *err, const char *format, ...) GF_PRINTF(2, 3);
/* Replaces the advice of a message by advice for the command line. */
void gf_error_advise_shell(struct gf_error *err, const char *format, ...) GF_PRINTF(2, 3);
/* Removes the advice of a message. */
void gf_error_drop_advice(struct gf_error *err);
/* Adds one more piece of advice. */
void gf_error_add_advice(struct gf_error *err, const char *format, ...) GF_PRINTF(2, 3);
/*
 * Like gf_fail(), for an input that ends too early:
 * --salvage may continue without the missing part.
 */
int gf_fail_cut(struct gf_error *err, const char *format, ...) GF_PRINTF(2, 3);
/* Like gf_fail(), for damage after which a reader may keep the data it has. */
int gf_fail_damaged(struct gf_error *err, const char *format, ...) GF_PRINTF(2, 3);
/*
 * Like gf_fail(), when memory has run out. The message
 * begins with `who`, a file or a stage, unless it is NULL.
 */
int gf_fail_memory(struct gf_error *err, const char *who);
/* Like gf_fail_memory(), with advice for the user. */
int gf_fail_memory_hint(struct gf_error *err, const char *who, const char *hint);
/*
 * Like gf_fail_memory(), for `bytes` of working memory,
 * which options can reduce. `where` is "on GPU 0" or NULL.
 */
int gf_fail_memory_bytes(struct gf_error *err, size_t bytes, const char *where);
/* Returns true if the message begins with this name. */
bool gf_error_is_about(const struct gf_error *err, const char *name);
/* Clears an error that the caller has handled. */
void gf_forget_error(struct gf_error *err);
/*
 * Puts the place of the error, "FILE:LINE", before the
 * message, and the caller `from` after it; `from` may be NULL.
 */
void gf_error_place(struct gf_error *err, const char *place, const char *from);

#ifdef __cplusplus
}
#endif
#endif
