/* Explains a lesson in words: its steps, and promises of textbooks beside measured ratios. */
#ifndef GF_BENCH_LESSONS_LESSON_NOTES_H
#define GF_BENCH_LESSONS_LESSON_NOTES_H

#include "bench/bench_results.h"
#include "kernels/lessons/lesson.h"

/* The numbers of series in the results; -1: not there. */
struct gf_lesson_series {
    int steps;                           /* the first one */
    int one_core, all_cores, ours;
};

/* Adds a note for each step that explains itself, and for gpufilter's operation. */
void gf_lesson_note_steps(struct gf_bench_results *r, const struct gf_lesson *lesson);
/* Adds notes that compare promises with the measured rates. */
void gf_lesson_note_promises(struct gf_bench_results *r, const struct gf_lesson *lesson,
                             const struct gf_lesson_series *at);

#endif
