/* Tests the sizes in plans: segments, memory, data on disk, second images. */
#include <string.h>

#include "plan_common.h"

void gf_test_resize(void)
{
    struct gf_fixture f;

    gf_plan_begin(&f, &gf_picture, GF_CPU, &gf_no_gpu_here, &(struct gf_limits) { .segment_bytes = 24000 }, WORDS("resize:50%"));
    gf_is(f.plan->out.width, 500, "half of 1000 columns");
    gf_is(f.plan->out.units, 400, "half of 800 rows");
    gf_is(f.plan->passes, 1, "a change of size does not wait for all of the picture");
    gf_is(f.plan->pass[0]->steps, 1, "takes what is stored and stores it");
    gf_is(f.plan->pass[0]->step[0].need.before, 5, "of 12 rows for one, 5 lie before the 2 under it");
    gf_is(f.plan->pass[0]->step[0].need.after, 5, "and 5 after");
    gf_is(f.plan->pass[0]->segment_units, 4, "24000 bytes are 8 rows, which become 4");
    gf_is(f.plan->pass[0]->in_units, 18, "they need 18");
    gf_plan_end(&f);
    gf_plan_begin(&f, &gf_picture, GF_CPU, &gf_no_gpu_here, &(struct gf_limits) { .segment_bytes = 24000 }, WORDS("resize:x2400,filter=linear"));
    gf_is(f.plan->out.width, 3000, "three times as many columns as rows");
    gf_is(f.plan->pass[0]->segment_units, 2, "24000 bytes are 2 of the larger rows");
    gf_is(f.plan->pass[0]->in_units, 4, "which lie within 2, and take one on either side");
    gf_plan_end(&f);
    gf_plan_begin(&f, &gf_picture, GF_CPU, &gf_no_gpu_here, &gf_free_limits, WORDS("resize:50x8000"));
    gf_is(f.plan->pass[0]->steps, 2, "much narrower and higher: columns first, where that is half the work");
    gf_plan_end(&f);
    gf_plan_begin(&f, &gf_picture, GF_CPU, &gf_no_gpu_here, &(struct gf_limits) { .memory_bytes = 3 << 20 },
                  WORDS("resize:10%", "blur:2", "resize:1000%"));
    gf_is(f.result, 0, "small and large again fits into three megabytes");
    gf_ok(f.plan->host_bytes <= 3 << 20, "and its plan says so");
    gf_plan_end(&f);
}

void gf_test_segments(void)
{
    struct gf_fixture f;

    gf_plan_begin(&f, &gf_picture, GF_CPU, &gf_no_gpu_here, &(struct gf_limits) { .segment_bytes = 9000, .lanes = 3 }, WORDS("blur:2"));
    gf_is(f.plan->pass[0]->segment_units, 3, "9000 bytes are 3 rows");
    gf_is(f.plan->pass[0]->in_units, 15, "which need 15");
    gf_is(f.plan->pass[0]->lanes, 3, "in the lanes asked for");
    gf_is((int64_t)f.plan->pass[0]->lane_in_bytes, 45000, "15 rows of 3000 bytes come in");
    gf_is((int64_t)f.plan->pass[0]->lane_out_bytes, 9000, "3 go out");
    gf_plan_end(&f);
    gf_plan_begin(&f, &gf_recording, GF_CPU, &gf_no_gpu_here, &(struct gf_limits) { .segment_bytes = 4000 }, WORDS("fir:[1 2 3 4]"));
    gf_is(f.plan->pass[0]->segment_units, 1000, "4000 bytes are 1000 frames of 2 channels");
    gf_is(f.plan->pass[0]->in_units, 1003, "and 3 before them");
    gf_plan_end(&f);
    gf_plan_begin(&f, &gf_picture, GF_CPU, &gf_no_gpu_here, &(struct gf_limits) { .memory_bytes = 2 << 20 }, WORDS("blur:5"));
    gf_is(f.result, 0, "a blur of any picture this wide fits into two megabytes");
    gf_ok(f.plan->host_bytes <= 2 << 20, "and its plan says so");
    gf_plan_end(&f);
    gf_plan_begin(&f, &gf_picture, GF_CPU, &gf_no_gpu_here, &(struct gf_limits) { .memory_bytes = 100 << 10 }, WORDS("blur:5"));
    gf_is(f.result, -1, "a blur that can't be done in so little memory is refused");
    gf_ok(strstr(f.err.text, "--memory") != NULL, "and told how to go on");
    gf_plan_end(&f);
}

void gf_test_spools(void)
{
    const struct gf_limits little = { .memory_bytes = 2 << 20 }, little_again = { .memory_bytes = 2 << 20, .again = true };
    struct gf_fixture f;

    gf_plan_begin(&f, &gf_picture, GF_CPU, &gf_no_gpu_here, &little, WORDS("blur:5", "rotate:1"));
    gf_is(f.result, 0, "a rotation that does not fit in memory can be planned");
    gf_ok(f.plan->pass[0]->to.spooled && f.plan->pass[1]->from.spooled, "on disk");
    gf_plan_end(&f);
    gf_plan_begin(&f, &gf_picture, GF_CPU, &gf_no_gpu_here, &little, WORDS("equalize"));
    gf_ok(f.plan->pass[0]->to.spooled, "what comes from a pipe is kept on disk while it is counted");
    gf_plan_end(&f);
    gf_plan_begin(&f, &gf_picture, GF_CPU, &gf_no_gpu_here, &little_again, WORDS("equalize"));
    gf_ok(f.plan->pass[0]->to.end == GF_END_NOWHERE && f.plan->pass[1]->from.end == GF_END_FILE, "a file is read a second time");
    gf_plan_end(&f);
}

/* Second images: which rows match a span, and how much memory they need. */
void gf_test_sides(void)
{
    const struct gf_limits rows_10 = { .segment_bytes = 30000 }, rows_100 = { .segment_bytes = 300000 };
    const struct gf_span all = { 0, 50 };
    struct gf_span s = gf_side_picture_rows(all, 30, (struct gf_span) { 0, 40 });
    struct gf_fixture f;
    int64_t in_memory;

    gf_ok(s.start == 0 && s.end == 10, "30 rows down, ten of 40 rows have some beside them");
    s = gf_side_picture_rows(all, -30, (struct gf_span) { 10, 40 });
    gf_ok(s.start == 40 && s.end == 50, "30 up, the last ten");
    s = gf_side_picture_rows(all, 30, (struct gf_span) { 90, 100 });
    gf_ok(s.start == s.end, "further down, none");
    gf_plan_begin(&f, &gf_picture, GF_CPU, &gf_no_gpu_here, &rows_10, WORDS("over:mark,9,30"));
    gf_is(f.plan->pass[0]->steps, 1, "reads and stores what is packed");
    gf_is(f.plan->pass[0]->step[0].side.shift, 30, "as far down as the words say");
    gf_is((int64_t)f.plan->pass[0]->lane_side_bytes, 0, "a CPU reads it in its place");
    in_memory = f.plan->host_bytes;
    gf_plan_end(&f);
    gf_plan_begin(&f, &gf_picture, GF_CPU, &gf_no_gpu_here, &rows_10, WORDS("over:disk,9,30"));
    gf_is(in_memory - f.plan->host_bytes, 200 * 50 * 4, "which takes memory, if it is not on disk");
    gf_plan_end(&f);
    gf_plan_begin(&f, &gf_picture, GF_CUDA, &gf_some_gpu, &rows_10, WORDS("over:mark"));
    gf_is((int64_t)f.plan->pass[0]->lane_side_bytes, 8192, "a GPU is brought ten rows of 800 bytes, in whole lines of 512");
    gf_plan_end(&f);
    gf_plan_begin(&f, &gf_picture, GF_CUDA, &gf_some_gpu, &rows_100, WORDS("over:mark", "blur:1", "over:disk"));
    gf_is((int64_t)f.plan->pass[0]->lane_side_bytes, 2 * 40448, "and of two all 50 at most");
    gf_is(f.plan->pass[0]->step[2].side_at, 40448, "one behind the other");
    gf_plan_end(&f);
    gf_plan_begin(&f, &gf_picture, GF_CPU, &gf_no_gpu_here, &rows_10, WORDS("over:one", "over:two", "over:one"));
    gf_is(f.chain.sides, 2, "two stages may name one file");
    gf_plan_end(&f);
}
