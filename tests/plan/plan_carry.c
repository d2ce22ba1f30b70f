/* Tests plans with carried state: taking turns, leads, and the history for stages that use neighbors. */
#include <stdio.h>

#include "plan_common.h"
#include "plan/plan_units.h"

static void is_segment(const struct gf_pass *pass, int64_t place, int steps, int64_t start, int64_t end,
                       const char *what)
{
    int found;
    const struct gf_span s = gf_pass_segment(pass, place, &found);

    gf_ok(found == steps && s.start == start && s.end == end, "%s", what);
}

/* An operation with state first computes units that no later step uses. */
static void test_lead(void)
{
    const struct gf_plan_here segments = { .segment_bytes = 100 * 4 };
    struct gf_pass_walk walk;
    struct gf_fixture f;

    gf_plan_begin(&f, &gf_recording, GF_CPU, &gf_no_gpu_here, &segments,
                  WORDS("eq:1k,1,3", "trim:250f,+300f", "bass:3", "trim:100f"));
    gf_is(f.plan->passes, 1, "an unknown length does not split a pass");
    gf_is(f.plan->pass[0]->step[1].lead_units, 250, "250 frames are dropped after the first filter");
    gf_is(f.plan->pass[0]->step[3].lead_units, 100, "and 100 after the second");
    gf_is(f.plan->pass[0]->step[2].lead_units, 0, "a step without state has no lead");
    is_segment(f.plan->pass[0], 0, 2, 0, 100, "only the first filter, 100 frames");
    is_segment(f.plan->pass[0], 2, 2, 200, 250, "up to the first frame that is needed");
    is_segment(f.plan->pass[0], 3, 4, 0, 100, "then the steps up to the second filter");
    is_segment(f.plan->pass[0], 4, f.plan->pass[0]->steps, 0, 100, "then all steps");
    is_segment(f.plan->pass[0], 5, f.plan->pass[0]->steps, 100, 200, "and the next segment");
    gf_pass_fill_walk_to(f.plan->pass[0], 4, (struct gf_span) { 0, 100 }, 1000, &walk);
    gf_ok(walk.made[1].start == 250 && walk.made[1].end == 350, "the first filter continues where its lead ends");
    gf_pass_fill_walk_to(f.plan->pass[0], f.plan->pass[0]->steps, (struct gf_span) { 0, 100 }, 1000, &walk);
    gf_ok(walk.made[3].start == 100 && walk.made[1].start == 350 && walk.made[1].end == 450, "and so do both filters");
    gf_plan_end(&f);
}

void gf_test_carry(void)
{
    const struct gf_plan_here segments = { .segment_bytes = 900000 },
                                      shared = { .segment_bytes = 9000, .lanes = 3, .devices = 4 };
    struct gf_fixture f;

    gf_plan_begin(&f, &gf_picture, GF_CPU, &gf_no_gpu_here, &gf_free_limits, WORDS("integral"));
    gf_ok(f.plan->passes == 1 && f.plan->pass[0]->steps == 1, "an integral image is computed while reading");
    gf_is((int64_t)f.plan->pass[0]->carry_bytes, 24064,
          "it carries a double for each of 1000 columns of 3 colors, rounded up to 512");
    gf_plan_end(&f);
    gf_plan_begin(&f, &gf_picture, GF_CPU, &gf_no_gpu_here, &gf_free_limits, WORDS("cumsum"));
    gf_is((int64_t)f.plan->pass[0]->carry_bytes, 0, "sums along rows carry no state");
    gf_plan_end(&f);
    gf_plan_begin(&f, &gf_picture, GF_CPU, &gf_no_gpu_here, &segments, WORDS("blur:2", "integral"));
    gf_ok(f.plan->passes == 1 && f.plan->pass[0]->carry_first == 3, "stages before it are in the same pass");
    gf_is(f.plan->pass[0]->strip_units, 28, "28 rows of 1152 by 3 floats at a time");
    gf_is(f.plan->pass[0]->work_ahead, 2, "the blur is done before the turn");
    gf_is(f.plan->pass[0]->step[2].strip_units, 28, "and as many at a time in step 2");
    gf_is(f.plan->pass[0]->step[2].window_units, 300, "when the whole segment is computed");
    gf_is(f.plan->pass[0]->step[1].window_units, 40, "from 6 more rows on either side");
    gf_plan_end(&f);
    gf_plan_begin(&f, &gf_picture, GF_CPU, &gf_no_gpu_here, &gf_free_limits,
                  WORDS("integral", "invert", "flop", "cumsum:axis=y"));
    gf_is(f.plan->passes, 1, "stages that work row by row follow in the same pass");
    gf_is((int64_t)f.plan->pass[0]->carry_bytes, 2 * 24064, "also if it carries state itself");
    gf_is(f.plan->pass[0]->step[f.plan->pass[0]->steps - 1].carry_at, 24064, "at its own offset");
    gf_is(f.plan->pass[0]->carry_first, 0, "the first one waits for its turn");
    gf_is(f.plan->pass[0]->carry_last, f.plan->pass[0]->steps - 1, "the last one ends the turn");
    gf_plan_end(&f);
    gf_plan_begin(&f, &gf_picture, GF_CPU, &gf_no_gpu_here, &gf_free_limits, WORDS("integral", "crop:100x50+10+20"));
    gf_is(f.plan->passes, 1, "so does a crop that begins further down");
    gf_is(f.plan->pass[0]->step[0].lead_units, 20, "and the rows before it are added up, too");
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
static void is_walk(const struct gf_pass *pass, int64_t index, int k, struct gf_span seen, struct gf_span made,
                    const char *what)
{
    const int64_t rows = pass->segment_units, start = index * rows, end = start + rows;
    struct gf_pass_walk w;

    gf_pass_fill_walk_to(pass, pass->steps, (struct gf_span) { start, end < 800 ? end : 800 }, 800, &w);
    gf_ok(w.span[k + 1].start == seen.start && w.span[k + 1].end == seen.end && w.made[k].start == made.start
          && w.made[k].end == made.end, "%s",
          what);
    if (w.made[k].start != made.start || w.made[k].end != made.end)
        printf("# made %lld to %lld\n", (long long)w.made[k].start, (long long)w.made[k].end);
}

void gf_test_histories(void)
{
    const struct gf_plan_here segments = { .segment_bytes = 900000 }, one = { .segment_bytes = 1 };
    const struct gf_pass *pass;
    struct gf_fixture f;

    gf_plan_begin(&f, &gf_picture, GF_CPU, &gf_no_gpu_here, &segments, WORDS("integral", "blur:2"));
    pass = f.plan->pass[0];
    gf_is(f.plan->passes, 1, "a stage with neighbors follows in the same pass");
    gf_is(pass->step[0].history_units, 12,
          "6 rows before and 6 after: the next segment reads the last 12 rows of one segment");
    gf_is((int64_t)pass->carry_bytes, 24064 + 12 * 1152 * 3 * 4, "they are stored after the state, as rows of floats");
    gf_is(pass->work_in_turn, 0, "the turn ends before the blur");
    is_walk(pass, 0, 0, (struct gf_span) { 0, 306 }, (struct gf_span) { 0, 306 }, "first 300 rows and 6 more");
    is_walk(pass, 1, 0, (struct gf_span) { 294, 606 }, (struct gf_span) { 306, 606 }, "then only new rows");
    is_walk(pass, 2, 0, (struct gf_span) { 594, 800 }, (struct gf_span) { 606, 800 }, "up to the end");
    is_walk(pass, 1, 1, (struct gf_span) { 294, 606 }, (struct gf_span) { 294, 606 },
            "steps without state compute rows again");
    gf_plan_end(&f);
    gf_plan_begin(&f, &gf_picture, GF_CPU, &gf_no_gpu_here, &one, WORDS("integral", "blur:2"));
    is_walk(f.plan->pass[0], 797, 0, (struct gf_span) { 791, 800 }, (struct gf_span) { 800, 800 },
            "at the end no new rows are computed");
    gf_ok(gf_pass_span(f.plan->pass[0], (struct gf_span) { 797, 798 }, 800).start == 800, "and no rows are read");
    gf_plan_end(&f);
    gf_plan_begin(&f, &gf_picture, GF_CUDA, &gf_some_gpu, &segments, WORDS("integral", "blur:2"));
    gf_ok(f.plan->passes == 1 && f.plan->pass[0]->step[0].history_units == 12, "the same on a GPU");
    gf_plan_end(&f);
    gf_plan_begin(&f, &gf_picture, GF_CPU, &gf_no_gpu_here, &gf_free_limits,
                  WORDS("integral", "blur:2", "cumsum:axis=y", "blur:3"));
    gf_is(f.plan->passes, 1, "several steps with state");
    gf_is(f.plan->pass[0]->step[0].history_units, 12, "each keeps the rows that the steps before the next one read");
    gf_is(f.plan->pass[0]->step[3].history_units, 18, "or the steps before the end");
    gf_is(f.plan->pass[0]->work_in_turn, 3, "the turn ends after the last step with state");
    gf_plan_end(&f);
    gf_plan_begin(&f, &gf_picture, GF_CPU, &gf_no_gpu_here, &gf_free_limits, WORDS("integral", "resize:50%"));
    gf_is(f.plan->pass[0]->step[0].history_units, 10, "an output row needs 12 rows, of which the next one needs 10");
    gf_plan_end(&f);
    gf_plan_begin(&f, &gf_picture, GF_CPU, &gf_no_gpu_here, &segments, WORDS("integral", "resize:x2400,filter=linear"));
    gf_is(f.plan->pass[0]->step[0].history_units, 3, "one on either side, and one that rows of both segments need");
    gf_plan_end(&f);
    gf_plan_begin(&f, &gf_picture, GF_CPU, &gf_no_gpu_here, &gf_free_limits, WORDS("integral", "invert"));
    gf_ok(f.plan->pass[0]->step[0].history_units == 0 && f.plan->pass[0]->work_in_turn == -1,
          "a point stage reads no neighbors");
    gf_plan_end(&f);
    gf_plan_begin(&f, &gf_picture, GF_CPU, &gf_no_gpu_here, &(struct gf_plan_here) { .memory_bytes = 2 << 20 },
                  WORDS("integral", "blur:2"));
    gf_ok(f.result == 0 && f.plan->passes == 1 && f.plan->host_bytes <= 2 << 20, "it all fits into two megabytes");
    gf_plan_end(&f);
}
