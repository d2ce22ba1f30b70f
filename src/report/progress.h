/* The line that tells how far it is, rewritten as it goes: share, rate, time left. */
#ifndef GF_REPORT_PROGRESS_H
#define GF_REPORT_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

struct gf_progress;

/* Starts to tell on standard error; `at_once`: without waiting whether it takes long. NULL where that can't be. */
struct gf_progress *gf_progress_new(bool at_once);
/* Erases the line. NULL is fine, here and below: nobody asks. */
void gf_progress_free(struct gf_progress *p);

/* So many files there are. */
void gf_progress_files(struct gf_progress *p, int count);
/* A part of a signal is done: its bytes, and its share of the signal (0 where the length is not known). */
void gf_progress_part(struct gf_progress *p, int64_t bytes, double share);
/* A signal is done, and so many bytes of all those of its input (-1: not known) are read. */
void gf_progress_signal(struct gf_progress *p, int64_t position, int64_t size);
void gf_progress_file(struct gf_progress *p);

#endif
