/* The progress line, redrawn while the run goes on: share, rate, time left. */
#ifndef GF_REPORT_PROGRESS_H
#define GF_REPORT_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

struct gf_progress;

/* Starts the line on standard error; `at_once`: even for a short run. Returns NULL if it cannot. */
struct gf_progress *gf_progress_new(bool at_once);
/* Erases the line. Here and below NULL is allowed and does nothing. */
void gf_progress_free(struct gf_progress *p);

/* Sets the number of files. */
void gf_progress_files(struct gf_progress *p, int count);
/*
 * Counts a finished part of a signal: its bytes, and its share of the signal (0 if the length is
 * unknown).
 */
void gf_progress_part(struct gf_progress *p, int64_t bytes, double share);
/* Counts a finished signal, after which `bytes` of its input (-1: unknown) have been read. */
void gf_progress_signal(struct gf_progress *p, int64_t position, int64_t size);
void gf_progress_file(struct gf_progress *p);

#endif
