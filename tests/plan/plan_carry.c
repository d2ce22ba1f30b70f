/* Tests plans with carried state: taking turns, leads, and the history for stages that use neighbors. */
#include <stdio.h>

#include "plan_common.h"
#include "plan/plan_units.h"

static void is_segment(const struct gf_pass *pass, int64_t place, int steps, int64_t start, int64_t end, const char *what)
{
    int found;
    const struct gf_span s = gf_pass_segment(pass, place, &found);

    gf_ok(found == steps && s.start == start && s.end == end, "%s", what);
}

/* An operation with state first computes units that no later step uses. */
static void test_lead(void)
{
    const struct gf_limits segments = { .segment_bytes = 100 * 4 };
    struct gf_pass_walk walk;
    struct gf_fixture f;

    gf_plan_begin(&f, &gf_recording, GF_CPU, &gf_no_gpu_here, &segments, WORDS("eq:1k,1,3", "trim:250f,+300f", "bass:3", "trim:100f"));
    gf_is(f.plan->passes, 1, "a length that nobody knows parts nothing");
    gf_is(f.plan->pass[0]->step[1].lead_units, 250, "250 frames are left out behind the first filter");
    gf_is(f.plan->pass[0]->step[3].lead_units, 100, "and 100 behind the second");
    gf_is(f.plan->pass[0]->step[2].lead_units, 0, "what carries no state makes none");
    is_segment(f.plan->pass[0], 0, 2, 0, 100, "the first filter alone, 100 frames");
    is_segment(f.plan->pass[0], 2, 2, 200, 250, "up to those that are looked at");
    is_segment(f.plan->pass[0], 3, 4, 0, 100, "then up to the second filter");
    is_segment(f.plan->pass[0], 4, f.plan->pass[0]->steps, 0, 100, "then through");
    is_segment(f.plan->pass[0], 5, f.plan->pass[0]->steps, 100, 200, "and on");
    gf_pass_fill_walk_to(f.plan->pass[0], 4, (struct gf_span) { 0, 100 }, 1000, &walk);
    gf_ok(walk.made[1].start == 250 && walk.made[1].end == 350, "the first filter goes on where its lead ends");
    gf_pass_fill_walk_to(f.plan->pass[0], f.plan->pass[0]->steps, (struct gf_span) { 0, 100 }, 1000, &walk);
    gf_ok(walk.made[3].start == 100 && walk.made[1].start == 350 && walk.made[1].end == 450, "and so do both");
    gf_plan_end(&f);
}

void gf_test_carry(void)
{
    const struct gf_limits segments = { .segment_bytes = 900000 }, shared = { .segment_bytes = 9000, .lanes = 3, .devices = 4 };
    struct gf_fixture f;

    gf_plan_begin(&f, &gf_picture, GF_CPU, &gf_no_gpu_here, &gf_free_limits, WORDS("integral"));
    gf_ok(f.plan->passes == 1 && f.plan->pass[0]->steps == 1, "an integral image is made as it is read");
    gf_is((int64_t)f.plan->pass[0]->carry_bytes, 24064, "and hands on a double for each of 1000 columns of 3 colours, rounded up to 512");
    gf_plan_end(&f);
    gf_plan_begin(&f, &gf_picture, GF_CPU, &gf_no_gpu_here, &gf_free_limits, WORDS("cumsum"));
    gf_is((int64_t)f.plan->pass[0]->carry_bytes, 0, "sums along rows hand on nothing");
    gf_plan_end(&f);
    gf_plan_begin(&f, &gf_picture, GF_CPU, &gf_no_gpu_here, &segments, WORDS("blur:2", "integral"));
    gf_ok(f.plan->passes == 1 && f.plan->pass[0]->carry_first == 3, "what stands before it is in the same pass");
    gf_is(f.plan->pass[0]->strip_units, 28, "28 rows of 1152 by 3 floats at a time");
    gf_is(f.plan->pass[0]->work_ahead, 2, "the blur ahead of the turn");
    gf_is(f.plan->pass[0]->step[2].strip_units, 28, "as many at a time");
    gf_is(f.plan->pass[0]->step[2].window_units, 300, "where the whole segment is made");
    gf_is(f.plan->pass[0]->step[1].window_units, 40, "from 6 rows more on either side");
    gf_plan_end(&f);
    gf_plan_begin(&f, &gf_picture, GF_CPU, &gf_no_gpu_here, &gf_free_limits, WORDS("integral", "invert", "flop", "cumsum:axis=y"));
    gf_is(f.plan->passes, 1, "what takes row by row follows in the same pass");
    gf_is((int64_t)f.plan->pass[0]->carry_bytes, 2 * 24064, "also if it hands something on itself");
    gf_is(f.plan->pass[0]->step[f.plan->pass[0]->steps - 1].carry_at, 24064, "in a place of its own");
    gf_is(f.plan->pass[0]->carry_first, 0, "the first one waits");
    gf_is(f.plan->pass[0]->carry_last, f.plan->pass[0]->steps - 1, "and the last one passes the turn on");
    gf_plan_end(&f);
    gf_plan_begin(&f, &gf_picture, GF_CPU, &gf_no_gpu_here, &gf_free_limits, WORDS("integral", "crop:100x50+10+20"));
    gf_is(f.plan->passes, 1, "so does what begins further down");
    gf_is(f.plan->pass[0]->step[0].lead_units, 20, "though all rows before are summed up, too");
    gf_plan_end(&f);
    test_lead();
    gf_plan_begin(&f, &gf_picture, GF_CUDA, &gf_some_gpu, &shared, WORDS("blur:2"));
    gf_is(f.plan->pass[0]->lanes, 12, "several GPUs have lanes each");
    gf_plan_end(&f);
    gf_plan_begin(&f, &gf_picture, GF_CUDA, &gf_some_gpu, &shared, WORDS("integral"));
    gf_is(f.plan->pass[0]->lanes, 3, "but state stays on one");
    gf_plan_end(&f);
}

/* Tests segment `index`: the units that are read from the result of step k, and those that it computes. */
static void is_walk(const struct gf_pass *pass, int64_t index, int k, struct gf_span seen, struct gf_span made, const char *what)
{
    const int64_t rows = pass->segment_units, start = index * rows, end = start + rows;
    struct gf_pass_walk w;

    gf_pass_fill_walk_to(pass, pass->steps, (struct gf_span) { start, end < 800 ? end : 800 }, 800, &w);
    gf_ok(w.span[k + 1].start == seen.start && w.span[k + 1].end == seen.end && w.made[k].start == made.start && w.made[k].end == made.end, "%s",
          what);
    if (w.made[k].start != made.start || w.made[k].end != made.end)
        printf("# made %lld to %lld\n", (long long)w.made[k].start, (long long)w.made[k].end);
}

void gf_test_histories(void)
{
    const struct gf_limits segments = { .segment_bytes = 900000 }, one = { .segment_bytes = 1 };
    const struct gf_pass *pass;
    struct gf_fixture f;

    gf_plan_begin(&f, &gf_picture, GF_CPU, &gf_no_gpu_here, &segments, WORDS("integral", "blur:2"));
    pass = f.plan->pass[0];
    gf_is(f.plan->passes, 1, "what looks around follows in the same pass");
    gf_is(pass->step[0].history_units, 12, "6 rows before and 6 after: 12 of those that one segment made are looked at by the next");
    gf_is((int64_t)pass->carry_bytes, 24064 + 12 * 1152 * 3 * 4, "they stand behind the state, as rows of floats");
    gf_is(pass->work_in_turn, 0, "the turn goes on before the blur");
    is_walk(pass, 0, 0, (struct gf_span) { 0, 306 }, (struct gf_span) { 0, 306 }, "first 300 rows and 6 more");
    is_walk(pass, 1, 0, (struct gf_span) { 294, 606 }, (struct gf_span) { 306, 606 }, "then what is new");
    is_walk(pass, 2, 0, (struct gf_span) { 594, 800 }, (struct gf_span) { 606, 800 }, "up to the end");
    is_walk(pass, 1, 1, (struct gf_span) { 294, 606 }, (struct gf_span) { 294, 606 }, "what carries nothing is made again");
    gf_plan_end(&f);
    gf_plan_begin(&f, &gf_picture, GF_CPU, &gf_no_gpu_here, &one, WORDS("integral", "blur:2"));
    is_walk(f.plan->pass[0], 797, 0, (struct gf_span) { 791, 800 }, (struct gf_span) { 800, 800 }, "at the end nothing is new");
    gf_ok(gf_pass_span(f.plan->pass[0], (struct gf_span) { 797, 798 }, 800).start == 800, "and nothing is read");
    gf_plan_end(&f);
    gf_plan_begin(&f, &gf_picture, GF_CUDA, &gf_some_gpu, &segments, WORDS("integral", "blur:2"));
    gf_ok(f.plan->passes == 1 && f.plan->pass[0]->step[0].history_units == 12, "likewise on a GPU");
    gf_plan_end(&f);
    gf_plan_begin(&f, &gf_picture, GF_CPU, &gf_no_gpu_here, &gf_free_limits, WORDS("integral", "blur:2", "cumsum:axis=y", "blur:3"));
    gf_is(f.plan->passes, 1, "several that carry");
    gf_is(f.plan->pass[0]->step[0].history_units, 12, "each keeps what is looked at up to the next");
    gf_is(f.plan->pass[0]->step[3].history_units, 18, "or the end");
    gf_is(f.plan->pass[0]->work_in_turn, 3, "the turn is over behind the last");
    gf_plan_end(&f);
    gf_plan_begin(&f, &gf_picture, GF_CPU, &gf_no_gpu_here, &gf_free_limits, WORDS("integral", "resize:50%"));
    gf_is(f.plan->pass[0]->step[0].history_units, 10, "of 12 rows for one, 2 are new");
    gf_plan_end(&f);
    gf_plan_begin(&f, &gf_picture, GF_CPU, &gf_no_gpu_here, &segments, WORDS("integral", "resize:x2400,filter=linear"));
    gf_is(f.plan->pass[0]->step[0].history_units, 3, "one on either side, and one that lies under rows of both segments");
    gf_plan_end(&f);
    gf_plan_begin(&f, &gf_picture, GF_CPU, &gf_no_gpu_here, &gf_free_limits, WORDS("integral", "invert"));
    gf_ok(f.plan->pass[0]->step[0].history_units == 0 && f.plan->pass[0]->work_in_turn == -1, "a point looks at nothing else");
    gf_plan_end(&f);
    gf_plan_begin(&f, &gf_picture, GF_CPU, &gf_no_gpu_here, &(struct gf_limits) { .memory_bytes = 2 << 20 }, WORDS("integral", "blur:2"));
    gf_ok(f.result == 0 && f.plan->passes == 1 && f.plan->host_bytes <= 2 << 20, "it all fits into two megabytes");
    gf_plan_end(&f);
}
