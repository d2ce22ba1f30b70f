/* Tests plans by value: passes, spans, segments and memory of chains on signals of known size. */
#include <stdlib.h>
#include <string.h>

#include "kernels/base/program_run.h"
#include "kernels/geometry/move.h"
#include "kernels/geometry/yuv.h"
#include "kernels/operations.h"
#include "plan_common.h"
#include "plan/plan_units.h"

static void test_spans(void)
{
    const struct gf_need same = { 0 }, halo = { .before = 3, .after = 2 }, shift = { .shift = 10 },
                                whole = { .whole = true };
    const struct gf_need blocks = { .before = 3, .after = 1, .grain = 10 };
    const struct gf_need less = { .times = 5, .per = 3, .before = 1 }, more = { .times = 2, .per = 5 };
    struct gf_span s = gf_need_span(&same, (struct gf_span) { 4, 9 }, 100);

    gf_ok(s.start == 4 && s.end == 9, "a point stage needs the same units");
    s = gf_need_span(&halo, (struct gf_span) { 4, 9 }, 100);
    gf_ok(s.start == 1 && s.end == 11, "a halo reaches before and after");
    s = gf_need_span(&halo, (struct gf_span) { 0, 100 }, 100);
    gf_ok(s.start == 0 && s.end == 100, "a halo ends where the signal ends");
    s = gf_need_span(&shift, (struct gf_span) { 4, 9 }, 100);
    gf_ok(s.start == 14 && s.end == 19, "a crop reads further down");
    s = gf_need_span(&whole, (struct gf_span) { 4, 9 }, 100);
    gf_ok(s.start == 0 && s.end == 100, "whole is the whole signal");
    s = gf_need_span(&blocks, (struct gf_span) { 14, 39 }, 100);
    gf_ok(s.start == 7 && s.end == 41, "three blocks of 10 are touched, and their neighbors are needed");
    s = gf_need_span(&blocks, (struct gf_span) { 20, 40 }, 100);
    gf_ok(s.start == 17 && s.end == 41, "a span that ends with a block needs no further block");
    s = gf_need_span(&blocks, (struct gf_span) { 88, 95 }, 95);
    gf_ok(s.start == 77 && s.end == 95, "the last block ends with the signal");
    s = gf_need_span(&less, (struct gf_span) { 2, 5 }, 100);
    gf_ok(s.start == 2 && s.end == 9,
          "3 output rows of 5 input rows: rows 2 to 5 need 3⅓ rounded down to 8⅓ rounded up, and one before");
    s = gf_need_span(&more, (struct gf_span) { 3, 4 }, 100);
    gf_ok(s.start == 1 && s.end == 2, "2 input rows become 5: output row 4 needs the second input row");
    s = gf_need_span(&more, (struct gf_span) { 245, 250 }, 100);
    gf_ok(s.start == 98 && s.end == 100, "the last five output rows need the last two input rows");
    s = gf_need_span(&shift, (struct gf_span) { 4, 9 }, 0);
    gf_ok(s.start == 0 && s.end == 0, "an empty signal gives an empty span at its start");
}

static void test_passes_cpu(void)
{
    struct gf_fixture f;

    gf_plan_begin(&f, &gf_picture, GF_CPU, &gf_no_gpu_here, &gf_free_limits, WORDS("gray", "blur:2", "rotate:30"));
    gf_is(f.result, 0, "gray blur:2 rotate:30 can be planned");
    gf_is(f.plan->passes, 2, "rotate takes two passes, because it needs its whole input");
    gf_is(f.plan->pass[0]->steps, 3, "first: unpacking with gray, blur along rows, blur down columns");
    gf_is(f.plan->pass[0]->to.end, GF_END_RESIDENT, "the input of rotate stays in memory");
    gf_is(f.plan->pass[0]->step[2].need.before, 6, "blur:2 needs 6 rows before");
    gf_is(f.plan->pass[0]->step[2].need.after, 6, "blur:2 needs 6 rows after");
    gf_is(f.plan->pass[1]->steps, 2, "then: sampling, packing");
    gf_is(f.plan->out.width, 1267, "1000·cos 30 + 800·sin 30 columns");
    gf_is(f.plan->out.units, 1193, "1000·sin 30 + 800·cos 30 rows");
    gf_is(f.plan->out.channels, 1, "gray has one channel");
    gf_is((int64_t)f.plan->pass[0]->resident_bytes, 1152 * 4 * 800,
          "800 rows of floats: 1000 columns are padded, but not to a power of two");
    gf_plan_end(&f);
}

static void test_merging(void)
{
    struct gf_fixture f;

    gf_plan_begin(&f, &gf_picture, GF_CPU, &gf_no_gpu_here, &gf_free_limits,
                  WORDS("invert", "gamma:2", "invert", "gray", "invert"));
    gf_is(f.plan->passes, 1, "point stages need one pass");
    gf_is(f.plan->pass[0]->steps, 1, "point stages need one step");
    gf_is(gf_point_count(gf_step_load(&f.plan->pass[0]->step[0]))
          + gf_point_count(gf_step_store(&f.plan->pass[0]->step[0])), 3, "invert, gamma, and one matrix for the rest");
    gf_plan_end(&f);
    gf_plan_begin(&f, &gf_picture, GF_CUDA, &gf_some_gpu, &gf_free_limits, WORDS("gray", "blur:2", "invert"));
    gf_is(f.plan->pass[0]->steps, 1, "on a GPU point stages run inside the convolution");
    gf_is(gf_point_count(gf_step_load(&f.plan->pass[0]->step[0])), 1, "gray is in the load program");
    gf_is(gf_point_count(gf_step_store(&f.plan->pass[0]->step[0])), 1, "invert is in the store program");
    gf_plan_end(&f);
}

static void test_moves(void)
{
    struct gf_fixture f;

    gf_plan_begin(&f, &gf_picture, GF_CPU, &gf_no_gpu_here, &gf_free_limits, WORDS("crop:100x50+10+20"));
    gf_is(f.plan->pass[0]->steps, 1, "a crop moves samples");
    gf_is(f.plan->pass[0]->step[0].planar, false, "a crop moves stored samples");
    gf_is(f.plan->pass[0]->in_units, f.plan->pass[0]->segment_units, "a crop reads no more rows than it writes");
    gf_plan_end(&f);
    gf_plan_begin(&f, &gf_picture, GF_CPU, &gf_no_gpu_here, &gf_free_limits, WORDS("gamma:1"));
    gf_is(f.plan->pass[0]->steps, 0, "a stage that changes nothing costs nothing");
    gf_plan_end(&f);
}

/* Tests the pixels of `abc` over `def`, row by row, after each EXIF orientation. */
static void test_orientations(void)
{
    static const char *const upright[] = { "abcdef", "abcdef", "cbafed", "fedcba", "defabc", "adbecf", "daebfc",
                                           "fcebda", "cfbead" };
    struct gf_format in = gf_picture;
    struct gf_fixture f;

    in.width = 3;
    in.units = 2;
    for (int o = 2; o <= 8; o++) {
        const struct gf_pass *last;
        const struct gf_move *m;
        char got[7] = "";

        in.orientation = o;
        gf_plan_begin(&f, &in, GF_CPU, &gf_no_gpu_here, &gf_free_limits, (const char *const[]) { NULL });
        m = f.binding.link[0].params;
        for (int i = 0; i < 6; i++) {
            const int64_t x = i % f.binding.out.width, y = i / f.binding.out.width;

            got[i] = "abcdef"[m->cx + x * m->xx + y * m->xy + 3 * (m->cy + x * m->yx + y * m->yy)];
        }
        gf_ok(f.result == 0 && strcmp(got, upright[o]) == 0, "orientation %d is rotated upright", o);
        gf_ok(f.binding.out.width == (o < 5 ? 3 : 2) && f.binding.out.units == (o < 5 ? 2 : 3)
              && f.binding.out.orientation == 0, "orientation %d: the right width and height", o);
        last = f.plan->pass[f.plan->passes - 1];
        gf_ok(last->steps == 1 && !last->step[0].planar && last->to.format.type == GF_U8,
              "orientation %d: only stored samples move", o);
        gf_plan_end(&f);
    }
    in.orientation = 2;
    gf_plan_begin(&f, &in, GF_CPU, &gf_no_gpu_here, &gf_free_limits, WORDS("crop:1x1+1+1"));
    gf_ok(f.plan->pass[0]->steps == 2 && !f.plan->pass[0]->step[1].planar,
          "orientation 2: only stored samples move before a crop");
    gf_plan_end(&f);
}

static void test_measures(void)
{
    struct gf_fixture f;

    gf_plan_begin(&f, &gf_picture, GF_CPU, &gf_no_gpu_here, &gf_free_limits, WORDS("equalize"));
    gf_is(f.plan->passes, 2, "equalize reads the whole image first");
    gf_ok(f.plan->pass[0]->measure.used && f.plan->pass[0]->steps == 0, "counting reads stored samples");
    gf_is((int64_t)f.plan->pass[0]->resident_bytes, 1000 * 800 * 3, "the image is kept as stored");
    gf_plan_end(&f);
    gf_plan_begin(&f, &gf_picture, GF_CPU, &gf_no_gpu_here, &gf_free_limits, WORDS("blur", "histogram"));
    gf_is(f.plan->passes, 1, "a histogram ends the chain");
    gf_is(f.plan->pass[0]->to.end, GF_END_NOWHERE, "a histogram keeps no image");
    gf_plan_end(&f);
    gf_plan_begin(&f, &gf_recording, GF_CPU, &gf_no_gpu_here, &(struct gf_plan_here) { .segment_bytes = 1 },
                  WORDS("stats"));
    gf_is(f.plan->pass[0]->segment_units % (gf_recording.rate / 10), 0,
          "records of loudness start at multiples of a tenth "
                                                                 "of a second, for any segment size");
    gf_plan_end(&f);
    gf_plan_begin(&f, &gf_recording, GF_CPU, &gf_no_gpu_here, &(struct gf_plan_here) { .segment_bytes = 1 },
                  WORDS("normalize"));
    gf_is(f.plan->passes, 2, "normalize reads the whole recording first");
    gf_is(f.plan->pass[0]->segment_units % 4096, 0, "records of levels start at multiples of 4096 frames");
    gf_plan_end(&f);
}

/*
 * Steps that work in blocks of 1000 units. No stage has such an operation, because only the plan is
 * tested.
 */
static void test_grain(void)
{
    const struct gf_step_draft steps[] = { { .op = &gf_op_point, .stage = "blocks",
                                             .step = { .in = gf_recording, .need = { .grain = 1000, .before = 10 } } },
                                           { .op = &gf_op_point, .stage = "blocks",
                                             .step = { .in = gf_recording, .need = { .before = 5 } } } };
    struct gf_pass *pass = calloc(1, sizeof *pass);
    struct gf_error err;
    struct gf_span s;

    pass->steps = 2;
    gf_is(gf_pass_close(&pass, steps, &err), 0, "two steps in one block");
    s = gf_pass_span(pass, (struct gf_span) { 1500, 1501 }, 10000);
    gf_ok(s.start == 990 && s.end == 2000, "the input of a filter after it comes from one block");
    s = gf_pass_span(pass, (struct gf_span) { 2002, 2003 }, 10000);
    gf_ok(s.start == 990 && s.end == 3000, "or from two blocks");
    gf_is(gf_plan_most_input_units(&pass->step[0], 1), 1010, "a unit touches one block");
    gf_is(gf_plan_most_input_units(&pass->step[0], 2), 2010, "two units may touch two blocks");
    gf_is(gf_plan_most_input_units(&pass->step[0], 1001), 2010, "1001 units touch the same number");
    gf_is(gf_plan_most_input_units(&pass->step[0], 1002), 3010, "1002 units may touch three");
    free(pass);
}

/* An operation that is not in the registry. */
static void test_unlisted(void)
{
    const struct gf_operation unlisted = { .word = "unlisted" };
    const struct gf_step_draft step = { .op = &unlisted, .stage = "none" };
    struct gf_pass *pass = calloc(1, sizeof *pass);
    struct gf_error err;

    pass->steps = 1;
    gf_is(gf_pass_close(&pass, &step, &err), -1, "an operation outside the registry is an error");
    free(pass);
}

/* Every operation has a descriptor, and a word of its own. */
static void test_facts(void)
{
    int missing = 0, twice = 0;

    for (int op = 0; op < gf_operation_count; op++) {
        missing += gf_operations[op]->word == NULL || gf_operations[op]->word[0] == '\0';
        for (int k = 0; k < op && missing == 0; k++)
            twice += strcmp(gf_operations[op]->word, gf_operations[k]->word) == 0;
    }
    gf_is(missing, 0, "every operation has a descriptor");
    gf_is(twice, 0, "and no two have the same word");
}

static void test_yuv(void)
{
    struct gf_format frame = gf_picture;
    struct gf_fixture f;

    frame.units = 801;
    frame.yuv = (struct gf_yuv) { .used = 1, .sub_x = 1, .sub_y = 1, .bits = 8, .matrix = 601 };
    gf_plan_begin(&f, &frame, GF_CPU, &gf_no_gpu_here, &(struct gf_plan_here) { .segment_bytes = 4000 },
                  WORDS("blur:2"));
    gf_is(f.plan->passes, 1, "a frame of luma and chroma takes one pass");
    gf_is(f.plan->pass[0]->steps, 4, "split into planes, two blur passes, joined");
    gf_is((int64_t)f.plan->pass[0]->in_units, 1000 * 801 + 2 * 500 * 401, "all of its samples are read");
    gf_is(f.plan->pass[0]->to.format.units, 401, "it is made in bands of two rows");
    gf_is(f.plan->pass[0]->segment_units, 401, "all in one segment, with any --segment");
    gf_is(f.plan->pass[0]->to.file_units, 1000 * 801 + 2 * 500 * 401, "and is written as planes of samples");
    gf_plan_end(&f);
    gf_plan_begin(&f, &frame, GF_CPU, &gf_no_gpu_here, &gf_free_limits, WORDS("gray", "equalize"));
    gf_is(f.plan->passes, 2, "equalize measures it first");
    gf_ok(gf_step_op(&f.plan->pass[0]->step[0]) == &gf_op_yuv, "split into planes");
    gf_plan_end(&f);
    gf_plan_begin(&f, &frame, GF_CPU, &gf_no_gpu_here, &gf_free_limits, (const char *const[]) { NULL });
    gf_is(f.plan->pass[0]->steps, 0, "without a stage nothing is done");
    gf_is(f.plan->pass[0]->to.format.units, 1000 * 801 + 2 * 500 * 401, "its samples are unchanged");
    gf_plan_end(&f);
}

/* The length of the output, computed once the length of the input is known. */
static void test_lengths(void)
{
    struct gf_step step = { .in.units = GF_UNKNOWN, .need = { .longer = 100 } };

    gf_is(gf_step_output_units(&step, 50), 150, "a pad makes a signal 100 units longer");
    step.need.longer = -60;
    gf_is(gf_step_output_units(&step, 100), 40, "a crop makes a signal 60 units shorter");
    gf_is(gf_step_output_units(&step, 50), 0, "a crop makes no signal shorter than 0");
    step.need.most = 30;
    gf_is(gf_step_output_units(&step, 100), 30, "a length is no more than the limit");
    gf_is(gf_step_output_units(&step, 80), 20, "a length below the limit is kept");
    step.need = (struct gf_need) { .times = 2, .per = 3, .longer = 1 };
    gf_is(gf_step_output_units(&step, 100), 151, "two units become three, with one more at the end");
}

int main(void)
{
    test_spans();
    test_lengths();
    test_passes_cpu();
    test_merging();
    test_moves();
    test_orientations();
    test_measures();
    gf_test_carry();
    gf_test_histories();
    gf_test_segments();
    test_grain();
    test_unlisted();
    gf_test_resize();
    gf_test_wide_blur();
    gf_test_gpu_segments();
    gf_test_together();
    gf_test_spools();
    gf_test_reads_again();
    test_yuv();
    gf_test_sides();
    gf_test_textures();
    gf_test_choice();
    gf_test_machines();
    gf_test_estimates();
    gf_test_sound_estimates();
    test_facts();
    gf_test_rates();
    return gf_tap_end();
}
