/* Tests the sizes in plans: segments, memory, data on disk, second images. */
#include <string.h>

#include "plan_common.h"

void gf_test_resize(void)
{
    struct gf_fixture f;

    gf_plan_begin(&f, &gf_picture, GF_CPU, &gf_no_gpu_here, &(struct gf_plan_here) { .segment_bytes = 24000 },
                  WORDS("resize:50%"));
    gf_is(f.plan->out.width, 500, "half of 1000 columns");
    gf_is(f.plan->out.units, 400, "half of 800 rows");
    gf_is(f.plan->passes, 1, "resizing does not wait for the whole image");
    gf_is(f.plan->pass[0]->steps, 1, "reads and writes stored samples");
    gf_is(f.plan->pass[0]->step[0].need.before, 5, "an output row needs 12 rows: 5 before the 2 at its place");
    gf_is(f.plan->pass[0]->step[0].need.after, 5, "and 5 after");
    gf_is(f.plan->pass[0]->segment_units, 4, "24000 bytes are 8 rows, which become 4");
    gf_is(f.plan->pass[0]->in_units, 18, "they need 18");
    gf_plan_end(&f);
    gf_plan_begin(&f, &gf_picture, GF_CPU, &gf_no_gpu_here, &(struct gf_plan_here) { .segment_bytes = 24000 },
                  WORDS("resize:x2400,filter=linear"));
    gf_is(f.plan->out.width, 3000, "three times as many columns as rows");
    gf_is(f.plan->pass[0]->segment_units, 2, "24000 bytes are 2 of the larger rows");
    gf_is(f.plan->pass[0]->in_units, 4, "2 of the larger rows are within 2 rows, and need one on either side");
    gf_plan_end(&f);
    gf_plan_begin(&f, &gf_picture, GF_CPU, &gf_no_gpu_here, &gf_free_limits, WORDS("resize:50x8000"));
    gf_is(f.plan->pass[0]->steps, 2, "much narrower and higher: columns first, because that is half the work");
    gf_plan_end(&f);
    gf_plan_begin(&f, &gf_picture, GF_CPU, &gf_no_gpu_here, &(struct gf_plan_here) { .memory_bytes = 3 << 20 },
                  WORDS("resize:10%", "blur:2", "resize:1000%"));
    gf_is(f.result, 0, "small and large again fits into three megabytes");
    gf_ok(f.plan->host_bytes <= 3 << 20, "the plan of small and large again has three megabytes");
    gf_plan_end(&f);
}

/*
 * Wide blurs of a large image take little memory, because their grids are kept whole. Segments with the rows that all
 * lanes would compute twice took 1900 MB on a CPU, and 930 for copies to a GPU.
 */
void gf_test_wide_blur(void)
{
    static const struct { const char *word; int step; } blurs[] = { { "blur:20", 5 }, { "blur:100", 25 } };
    const struct gf_device_facts cpu = { .present = true, .cores = 16, .memory_bytes = INT64_C(64) << 30,
                                         .work_bytes_per_second = 2e11 };
    struct gf_format large = gf_picture;
    struct gf_fixture f;

    large.width = large.units = 16384;
    for (int i = 0; i < 2; i++) {
        gf_plan_begin_on(&f, &large, GF_CPU, &cpu, &gf_no_gpu_here, &gf_free_limits, WORDS(blurs[i].word));
        gf_is(f.plan->passes, 2, "%s: the grid is blurred along its rows, then down its columns", blurs[i].word);
        gf_ok(f.plan->host_bytes < 800 << 20, "%s: less than 800 MB, not %d, for 16 lanes", blurs[i].word,
              (int)(f.plan->host_bytes >> 20));
        gf_ok(f.plan->pass[1]->strip_units >= 12 * blurs[i].step, "%s: rows of the grid are transposed together",
              blurs[i].word);
        gf_ok(f.plan->pass[1]->segment_units * 16 * 3 <= large.units + 48, "%s: each lane has three segments",
              blurs[i].word);
        gf_plan_end(&f);
        gf_plan_begin_on(&f, &large, GF_CUDA, &cpu, &gf_some_gpu, &gf_free_limits, WORDS(blurs[i].word));
        gf_is(f.plan->passes, 2, "%s on a GPU: the grid is made, and then the result", blurs[i].word);
        gf_ok(f.plan->host_bytes < 200 << 20, "less than 200 MB, not %d, are for copies",
              (int)(f.plan->host_bytes >> 20));
        gf_plan_end(&f);
    }
}

/* Segments of a GPU: a single image of 805 MB, of 8 GB, and one of many. */
void gf_test_gpu_segments(void)
{
    const struct gf_plan_here many = { .signals = 100 };
    struct gf_format large = gf_picture;
    struct gf_fixture f;

    large.width = large.units = 16384;
    gf_plan_begin(&f, &large, GF_CUDA, &gf_some_gpu, &gf_free_limits, WORDS("invert"));
    gf_is(f.plan->pass[0]->segment_units, (4 << 20) / (3 * 16384), "4 MB of a single image");
    gf_plan_end(&f);
    gf_plan_begin(&f, &large, GF_CUDA, &gf_some_gpu, &many, WORDS("invert"));
    gf_is(f.plan->pass[0]->segment_units, (8 << 20) / (3 * 16384), "8 MB of one of many");
    gf_plan_end(&f);
    gf_plan_begin(&f, &large, GF_CUDA, &gf_some_gpu, &gf_free_limits, WORDS("unsharp:0x20"));
    gf_is(f.plan->pass[0]->segment_units, 150, "as many rows as the mask reads beside them");
    gf_plan_end(&f);
    gf_plan_begin(&f, &large, GF_CUDA, &gf_some_gpu, &many, WORDS("unsharp:0x20"));
    gf_is(f.plan->pass[0]->segment_units, 600, "four times as many if there are many images");
    gf_plan_end(&f);
    large.units *= 10;
    gf_plan_begin(&f, &large, GF_CUDA, &gf_some_gpu, &gf_free_limits, WORDS("invert"));
    gf_is(f.plan->pass[0]->segment_units, (8 << 20) / (3 * 16384), "8 MB of a very large one");
    gf_plan_end(&f);
}

/* Operations of a CPU get many rows together only if that is worth the memory. */
void gf_test_together(void)
{
    struct gf_format narrow = gf_picture;
    struct gf_fixture f;

    narrow.width = 30;
    narrow.units = 40000;
    gf_plan_begin(&f, &narrow, GF_CPU, &gf_no_gpu_here, &gf_free_limits, WORDS("unsharp:400x99"));
    gf_ok(f.plan->pass[0]->lane_scratch_bytes < 64 << 10, "a narrow image needs no tiles for a long mask");
    gf_plan_end(&f);
    gf_plan_begin(&f, &gf_picture, GF_CPU, &gf_no_gpu_here, &gf_free_limits, WORDS("rotate:10", "resize:4000%"));
    gf_ok(f.plan->pass[1]->strip_units * 3 * 40000 <= 16 << 20, "16 MB of a result that is much larger");
    gf_plan_end(&f);
    gf_plan_begin(&f, &gf_picture, GF_CPU, &gf_no_gpu_here, &gf_free_limits, WORDS("rotate:10", "gamma:2"));
    gf_is(f.plan->pass[1]->strip_units % 64, 0, "tiles of a rotation are whole");
    gf_plan_end(&f);
    gf_plan_begin(&f, &gf_picture, GF_CPU, &gf_no_gpu_here, &gf_free_limits, WORDS("rotate:2", "gamma:2"));
    gf_ok(f.plan->pass[1]->strip_units < 64, "a small angle needs none");
    gf_plan_end(&f);
}

void gf_test_segments(void)
{
    struct gf_fixture f;

    gf_plan_begin(&f, &gf_picture, GF_CPU, &gf_no_gpu_here, &(struct gf_plan_here) { .segment_bytes = 9000,
                                                                                     .lanes = 3 },
                  WORDS("blur:2"));
    gf_is(f.plan->pass[0]->segment_units, 3, "9000 bytes are 3 rows");
    gf_is(f.plan->pass[0]->in_units, 15, "3 rows of a blur need 15 rows");
    gf_is(f.plan->pass[0]->lanes, 3, "a plan has the requested number of lanes");
    gf_is((int64_t)f.plan->pass[0]->lane_in_bytes, 45000, "15 rows of 3000 bytes are read");
    gf_is((int64_t)f.plan->pass[0]->lane_out_bytes, 9000, "3 rows of 3000 bytes are written");
    gf_plan_end(&f);
    gf_plan_begin(&f, &gf_recording, GF_CPU, &gf_no_gpu_here, &(struct gf_plan_here) { .segment_bytes = 4000 },
                  WORDS("fir:[1 2 3 4]"));
    gf_is(f.plan->pass[0]->segment_units, 1000, "4000 bytes are 1000 frames of 2 channels");
    gf_is(f.plan->pass[0]->in_units, 1003, "1000 frames of a filter need 3 before them");
    gf_plan_end(&f);
    gf_plan_begin(&f, &gf_picture, GF_CPU, &gf_no_gpu_here, &(struct gf_plan_here) { .memory_bytes = 2 << 20 },
                  WORDS("blur:5"));
    gf_is(f.result, 0, "a blur of any image of this width fits into two megabytes");
    gf_ok(f.plan->host_bytes <= 2 << 20, "the plan of a blur in two megabytes has two megabytes");
    gf_plan_end(&f);
    gf_plan_begin(&f, &gf_picture, GF_CPU, &gf_no_gpu_here, &(struct gf_plan_here) { .memory_bytes = 100 << 10 },
                  WORDS("blur:5"));
    gf_is(f.result, -1, "a blur that needs more memory is an error");
    gf_ok(strstr(f.err.text, "--memory") != NULL, "the message for a blur that needs more memory says how to continue");
    gf_plan_end(&f);
}

void gf_test_spools(void)
{
    const struct gf_plan_here little = { .memory_bytes = 2 << 20 },
                                    little_again = { .memory_bytes = 2 << 20, .again = true };
    struct gf_fixture f;

    gf_plan_begin(&f, &gf_picture, GF_CPU, &gf_no_gpu_here, &little, WORDS("blur:5", "rotate:1"));
    gf_is(f.result, 0, "a rotation that does not fit in memory can be planned");
    gf_ok(f.plan->pass[0]->to.spooled && f.plan->pass[1]->from.spooled,
          "a rotation that does not fit in memory is on disk");
    gf_plan_end(&f);
    gf_plan_begin(&f, &gf_picture, GF_CPU, &gf_no_gpu_here, &little, WORDS("equalize"));
    gf_ok(f.plan->pass[0]->to.spooled, "a pipe is stored on disk while its samples are counted");
    gf_plan_end(&f);
    gf_plan_begin(&f, &gf_picture, GF_CPU, &gf_no_gpu_here, &little_again, WORDS("equalize"));
    gf_ok(f.plan->pass[0]->to.end == GF_END_NOWHERE && f.plan->pass[1]->from.end == GF_END_FILE,
          "a file is read a second time");
    gf_plan_end(&f);
}

/* An input that is only measured at first: what can be read again quickly is not kept. */
void gf_test_reads_again(void)
{
    static const struct gf_plan_here stored = { .again = true }, decoded = { .again = true, .decodes = true };
    static const struct gf_plan_here pipe = { 0 };
    static const struct {
        const struct gf_plan_here *limits;
        enum gf_device_choice where;
        bool again;
        const char *name;
    } cases[] = {
        { &stored, GF_CPU, true, "a CPU reads stored samples again" },
        { &decoded, GF_CPU, false, "what must be decoded is kept" },
        { &pipe, GF_CPU, false, "a pipe is kept" },
        { &stored, GF_CUDA, false, "a GPU keeps what it has" },
    };
    struct gf_fixture f;

    for (int i = 0; i < (int)(sizeof cases / sizeof *cases); i++) {
        gf_plan_begin(&f, &gf_picture, cases[i].where, cases[i].where == GF_CPU ? &gf_no_gpu_here : &gf_some_gpu,
                      cases[i].limits, WORDS("equalize"));
        gf_is(f.plan->pass[0]->to.end, cases[i].again ? GF_END_NOWHERE : GF_END_RESIDENT, "%s", cases[i].name);
        gf_is(f.plan->pass[1]->from.end, cases[i].again ? GF_END_FILE : GF_END_RESIDENT,
              "%s: the next pass begins there", cases[i].name);
        gf_plan_end(&f);
    }
    gf_plan_begin(&f, &gf_picture, GF_CPU, &gf_no_gpu_here, &stored, WORDS("blur:5", "equalize"));
    gf_is(f.plan->pass[0]->to.end, GF_END_RESIDENT, "a result that was computed is kept");
    gf_plan_end(&f);
}

/* Second images: which rows match a span, and how much memory they need. */
void gf_test_sides(void)
{
    const struct gf_plan_here rows_10 = { .segment_bytes = 30000 }, rows_100 = { .segment_bytes = 300000 };
    const struct gf_span all = { 0, 50 };
    struct gf_span s = gf_side_rows(all, 30, (struct gf_span) { 0, 40 });
    struct gf_fixture f;
    int64_t in_memory;

    gf_ok(s.start == 0 && s.end == 10, "shifted 30 rows down, it covers ten of 40 rows");
    s = gf_side_rows(all, -30, (struct gf_span) { 10, 40 });
    gf_ok(s.start == 40 && s.end == 50, "shifted 30 rows up, it covers the last ten");
    s = gf_side_rows(all, 30, (struct gf_span) { 90, 100 });
    gf_ok(s.start == s.end, "below it, it covers no rows");
    gf_plan_begin(&f, &gf_picture, GF_CPU, &gf_no_gpu_here, &rows_10, WORDS("over:mark,9,30"));
    gf_is(f.plan->pass[0]->steps, 1, "it reads and stores packed samples");
    gf_is(f.plan->pass[0]->step[0].side.shift, 30, "shifted down as the arguments say");
    gf_is((int64_t)f.plan->pass[0]->lane_side_bytes, 0, "a CPU reads the second image in place");
    in_memory = f.plan->host_bytes;
    gf_plan_end(&f);
    gf_plan_begin(&f, &gf_picture, GF_CPU, &gf_no_gpu_here, &rows_10, WORDS("over:disk,9,30"));
    gf_is(in_memory - f.plan->host_bytes, 200 * 50 * 4, "a second image needs memory, unless it is on disk");
    gf_plan_end(&f);
    gf_plan_begin(&f, &gf_picture, GF_CUDA, &gf_some_gpu, &rows_10, WORDS("over:mark"));
    gf_is((int64_t)f.plan->pass[0]->lane_side_bytes, 8192, "a GPU receives ten rows of 800 bytes, rounded up to 512");
    gf_plan_end(&f);
    gf_plan_begin(&f, &gf_picture, GF_CUDA, &gf_some_gpu, &rows_100, WORDS("over:mark", "blur:1", "over:disk"));
    gf_is((int64_t)f.plan->pass[0]->lane_side_bytes, 2 * 40448, "two second images: all 50 rows of each at most");
    gf_is(f.plan->pass[0]->step[2].side_at, 40448, "one after the other in memory");
    gf_plan_end(&f);
    gf_plan_begin(&f, &gf_picture, GF_CPU, &gf_no_gpu_here, &rows_10, WORDS("over:one", "over:two", "over:one"));
    gf_is(f.binding.options.sides, 2, "two stages may name one file");
    gf_plan_end(&f);
}
