/* Checks lanes: passes that are cut into segments, in memory and on disk, give the same bytes. */
#include "bench/check/check_compare.h"
#include "device/kept.h"
#include "kernels/base/program_run.h"
#include "kernels/geometry/move.h"
#include "kernels/geometry/sample.h"
#include "kernels/neighbourhood/conv.h"
#include "kernels/statistics/histogram.h"
#include "plan/plan_region.h"
#include "plan/plan_units.h"
#include "run/spooled.h"
#include "tests/tap.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct gf_error failure;
static const unsigned char *source;      /* the input of all passes */

static struct gf_format lane_format(const struct gf_form *f, int64_t width, int64_t units)
{
    return (struct gf_format) { .kind = GF_IMAGE, .type = f->type, .bits = f->bits, .maxval = f->maxval,
                                .channels = f->channels,
                                .width = width, .units = units };
}

static struct gf_step_draft make_step(const struct gf_operation *op, const void *params, const struct gf_format *f,
                                      struct gf_need need, bool planar)
{
    return (struct gf_step_draft) { .step = { .in = *f, .out = *f, .need = need, .planar = planar,
                                              .pitch_samples = planar ? gf_round_up(f->width, 128)
                                                               : f->width * f->channels,
                                              .window_units = f->units + 64, .segment_units = f->units + 64 },
                                    .op = op, .stage = op->word, .params = params };
}

/*
 * Runs a pass segment by segment in one lane. Results go to `out` (if they go to a file), counts to
 * `counts`.
 */
static int run_pass(struct gf_device *d, const struct gf_pass *pass, int number, const struct gf_spool *spool,
                    unsigned char *out,
                    uint64_t *counts)
{
    const size_t unit = gf_unit_bytes(&pass->from.format);
    const struct gf_spooled from = { spool, &pass->from, pass->from.format.units };
    const struct gf_spooled to = { spool, &pass->to, pass->to.format.units };
    const bool moves = !d->kind->in_host_memory;
    struct gf_lane lane = { .device = d, .pass_number = number, .fetch = gf_spooled_fetch, .spooled = &from };
    int result = d->kind->room_open(d, &lane.in, pass->lane_in_bytes, &failure) != 0
              || d->kind->room_pin(d, &lane.in, &failure) != 0
              || d->kind->room_open(d, &lane.out, pass->lane_out_bytes, &failure) != 0
              || d->kind->room_pin(d, &lane.out, &failure) != 0
              || d->kind->room_open(d, &lane.region, pass->lane_region_bytes, &failure) != 0
              || d->kind->room_pin(d, &lane.region, &failure) != 0
              || d->kind->lane_open(&lane, pass, &failure) != 0 ? -1 : 0;

    for (int64_t u = 0; result == 0 && u < pass->from.format.units; u += pass->segment_units) {
        struct gf_job job = { .pass = pass, .in_units = pass->from.format.units,
                              .host_in = !moves && pass->from.spooled ? spool->memory : lane.in.data,
                              .host_out = !moves && pass->to.spooled ? spool->memory : lane.out.data };

        job.out = (struct gf_span) { u,
                                     u + pass->segment_units < job.in_units ? u + pass->segment_units : job.in_units };
        job.in = gf_pass_span(pass, job.out, job.in_units);
        if (pass->from.end == GF_END_FILE)
            memcpy(lane.in.data, source + (size_t)job.in.start * unit, (size_t)gf_span_units(job.in) * unit);
        if (moves && pass->from.spooled && pass->lane_region_bytes == 0)
            result = gf_spooled_move(&from, &lane, job.in, false, &failure);
        result = result != 0 ? result : d->kind->lane_run(&lane, &job, &failure);
        if (result == 0 && moves && pass->to.spooled)
            result = gf_spooled_move(&to, &lane, job.out, true, &failure);
        if (result == 0 && pass->to.end == GF_END_FILE)
            memcpy(out + (size_t)u * unit, lane.out.data, (size_t)gf_span_units(job.out) * unit);
    }
    if (result == 0 && pass->measure.used)
        result = d->kind->lane_result(&lane, counts, pass->measure.result_bytes, &failure);
    d->kind->lane_close(&lane);
    d->kind->room_close(d, &lane.in);
    d->kind->room_close(d, &lane.out);
    d->kind->room_close(d, &lane.region);
    return result;
}

/* Two blurs into memory that stays, counted on the way; then flipped into a file. */
static int run_passes(struct gf_device *d, const struct gf_format *f, bool planar, int64_t segment, unsigned char *out,
                      uint64_t *counts)
{
    static const struct gf_conv blur = { .nx = 5, .ny = 3, .cx = 2, .cy = 1, .y_at = 50, .mask_channels = 1,
                                         .border = GF_MIRROR };
    const struct gf_histogram h = { .bins = 256, .binning = GF_BIN_ROUND, .channels = f->channels };
    const struct gf_move flip = { .xx = 1, .yy = -1, .cy = f->units - 1 };
    const size_t room = (size_t)(gf_round_up(f->width, 128) * f->channels * (f->units + 64)) * sizeof(float);
    const struct gf_need halo = { .before = 1, .after = 1 }, none = { 0 };
    const struct gf_step_draft steps[] = { make_step(&gf_op_conv, &blur, f, halo, true),
                                           make_step(&gf_op_conv, &blur, f, halo, planar),
                                           make_step(&gf_op_histogram, &h, f, none, false) };
    /* a move keeps the layout; a file takes packed samples */
    const struct gf_step_draft last = planar ? make_step(&gf_op_point, NULL, f, none, false)
                                             : make_step(&gf_op_move, &flip, f,
                                                         (struct gf_need) { .whole = true }, false);
    struct gf_pass *p = calloc(1, sizeof *p);
    int result = gf_kept_open_result(d, 0, room, &failure);

    p->from = (struct gf_pass_end) { .end = GF_END_FILE, .format = *f };
    p->to = (struct gf_pass_end) { .end = GF_END_RESIDENT, .format = *f, .planar = planar,
                                   .pitch_samples = gf_round_up(f->width, 128) };
    p->steps = 2;
    p->measure.used = true;
    p->measure.result_bytes = (size_t)f->channels * 256 * sizeof(uint64_t);
    p->segment_units = segment;
    p->strip_units = segment > 3 ? 3 : segment;
    p->lanes = 1;
    p->lane_in_bytes = p->lane_out_bytes = p->lane_scratch_bytes = room;
    p->lane_work_bytes = 2 * room;
    if (result == 0)
        result = gf_pass_close(&p, steps, &failure) != 0 ? -1 : run_pass(d, p, 0, NULL, NULL, counts);
    p->from = p->to;
    p->to = (struct gf_pass_end) { .end = GF_END_FILE, .format = *f };
    p->measure.used = false;
    p->steps = 1;
    if (result == 0)
        result = gf_pass_close(&p, &last, &failure) != 0 ? -1 : run_pass(d, p, 1, NULL, out, NULL);
    gf_kept_close_result(d, 0);
    free(p);
    return result;
}

static void try_lanes(struct gf_check *check, const struct gf_form *f)
{
    const struct gf_form *form = &gf_forms[gf_draw(check, 3)];
    const int64_t *size = gf_draw_sizes[3 + gf_draw(check, 7)];
    const struct gf_format format = lane_format(form, size[0], size[1]);
    const bool planar = gf_draw(check, 2);
    const size_t bytes = (size_t)format.units * gf_unit_bytes(&format);
    const struct gf_pools pools = { check->masks, check->tables, GF_CHECK_MASKS, GF_CHECK_TABLES };
    struct gf_device cpu = { .kind = &gf_device_cpu };
    static uint64_t here[4 * 256], there[4 * 256];

    (void)f;
    for (size_t i = 0; i < bytes; i++)
        check->src[i] = (unsigned char)gf_draw(check, 256);
    if (cpu.kind->open(&cpu, 0, &failure) != 0 || cpu.kind->set_pools(&cpu, &pools, &failure) != 0
        || run_passes(&cpu, &format, planar, format.units, check->cpu, here) != 0
        || run_passes(check->on_gpu ? &check->device : &cpu, &format, planar,
                      1 + gf_draw(check, (uint32_t)format.units), check->gpu, there) != 0)
        snprintf(check->problem, sizeof check->problem, "lanes: %.300s", failure.text);
    else if (memcmp(check->cpu, check->gpu, bytes) != 0)
        snprintf(check->problem, sizeof check->problem, "lanes: the result depends on the cut or the device");
    else if (memcmp(here, there, (size_t)format.channels * 256 * sizeof *here) != 0)
        snprintf(check->problem, sizeof check->problem, "lanes: the counts depend on the cut or the device");
    cpu.kind->close(&cpu);
}

/* A blur into memory or to disk; from there rotated, flipped or blurred into a file. */
struct kept_trial {
    struct gf_format format;
    bool planar, spooled;
    int second;                          /* 0: sampled, 1: moved, 2: blurred again, 3: only unpacked */
    struct gf_sample sample;
    struct gf_move move;
};

static int second_pass(struct gf_pass **pass, const struct kept_trial *t, const struct gf_conv *blur)
{
    const struct gf_need whole = { .whole = true }, halo = { .before = 1, .after = 1 }, none = { 0 };
    struct gf_pass *p = *pass;
    struct gf_step_draft s;

    p->from = p->to;
    p->to = (struct gf_pass_end) { .end = GF_END_FILE, .format = t->format };
    p->steps = 1;
    if (t->second == 0)
        s = make_step(&gf_op_sample, &t->sample, &t->format, whole, false);
    else if (t->second == 1 && !t->planar)
        s = make_step(&gf_op_move, &t->move, &t->format, whole, false);
    else if (t->second == 2)
        s = make_step(&gf_op_conv, blur, &t->format, halo, false);
    else if (t->planar)
        s = make_step(&gf_op_point, NULL, &t->format, none, false);
    else
        p->steps = 0;
    if (gf_pass_close(pass, &s, &failure) != 0)
        return -1;
    p = *pass;
    if (t->spooled && p->steps > 0 && p->step[0].need.whole)
        p->lane_region_bytes = (size_t)gf_region_samples(&p->step[0], p->segment_units, t->planar)
                             * gf_type_bytes(t->planar ? GF_F32 : t->format.type);
    return 0;
}

static int run_kept(struct gf_device *d, const struct kept_trial *t, int64_t segment, unsigned char *out)
{
    static const struct gf_conv blur = { .nx = 5, .ny = 3, .cx = 2, .cy = 1, .y_at = 50, .mask_channels = 1,
                                         .border = GF_MIRROR };
    const struct gf_format *f = &t->format;
    const int64_t pitch = gf_round_up(f->width, 128);
    const size_t room = (size_t)(pitch * f->channels * (f->units + 64)) * sizeof(float);
    const struct gf_step_draft first = make_step(&gf_op_conv, &blur, f, (struct gf_need) { .before = 1, .after = 1 },
                                                 t->planar);
    struct gf_pass *p = calloc(1, sizeof *p);
    struct gf_spool spool = { 0 };
    int result = t->spooled ? gf_spool_open(&spool, room, &failure) : gf_kept_open_result(d, 0, room, &failure);

    p->from = (struct gf_pass_end) { .end = GF_END_FILE, .format = *f };
    p->to = (struct gf_pass_end) { .end = GF_END_RESIDENT, .format = *f, .planar = t->planar, .spooled = t->spooled,
                                   .pitch_samples = t->planar ? pitch : f->width * f->channels };
    p->steps = 1;
    p->segment_units = segment;
    p->strip_units = segment > 3 ? 3 : segment;
    p->lanes = 1;
    p->lane_in_bytes = p->lane_out_bytes = p->lane_scratch_bytes = room;
    p->lane_work_bytes = 2 * room;
    if (result == 0)
        result = gf_pass_close(&p, &first, &failure) != 0
               || run_pass(d, p, 0, &spool, NULL, NULL) != 0 ? -1 : second_pass(&p, t, &blur);
    if (result == 0)
        result = run_pass(d, p, 1, &spool, out, NULL);
    if (t->spooled)
        gf_spool_close(&spool);
    else
        gf_kept_close_result(d, 0);
    free(p);
    return result;
}

/* Both on disk and in memory, in segments and whole, the bytes must be the same. */
static void try_spools(struct gf_check *check, const struct gf_form *f)
{
    static const int64_t shapes[][2] = { { 700, 90 }, { 301, 300 }, { 1100, 20 }, { 64, 64 }, { 129, 34 }, { 5, 200 },
                                         { 33, 1 } };
    const int64_t *size = shapes[gf_draw(check, sizeof shapes / sizeof *shapes)];
    const double one = (double)(INT64_C(1) << GF_SAMPLE_ONE_BITS), a = gf_draw_unit(check) * 6.3;
    const struct gf_pools pools = { check->masks, check->tables, GF_CHECK_MASKS, GF_CHECK_TABLES };
    struct gf_device cpu = { .kind = &gf_device_cpu };
    struct kept_trial t = { .format = lane_format(&gf_forms[gf_draw(check, 3)], size[0], size[1]),
                            .planar = gf_draw(check, 2),
                            .second = (int)gf_draw(check, 4) };
    const size_t bytes = (size_t)t.format.units * gf_unit_bytes(&t.format);

    (void)f;
    t.move = (struct gf_move) { .xx = 1, .yy = -1, .cy = size[1] - 1 };
    t.sample = (struct gf_sample) { .xx = (int64_t)(cos(a) * one), .xy = (int64_t)(sin(a) * one),
                                    .yx = (int64_t)(-sin(a) * one),
                                    .yy = (int64_t)(cos(a) * one),
                                    .interpolation = (enum gf_interpolation)gf_draw(check, 3),
                                    .use_background = gf_draw(check, 2), .border = GF_CLAMP,
                                    .background = { .2f, .4f, .6f, 1.0f } };
    t.sample.cx = (int64_t)(((double)size[0] * (1 - cos(a)) - (double)size[1] * sin(a)) / 2 * one);
    t.sample.cy = (int64_t)(((double)size[1] * (1 - cos(a)) + (double)size[0] * sin(a)) / 2 * one);
    for (size_t i = 0; i < bytes; i++)
        check->src[i] = (unsigned char)gf_draw(check, 256);
    if (cpu.kind->open(&cpu, 0, &failure) != 0 || cpu.kind->set_pools(&cpu, &pools, &failure) != 0
        || run_kept(&cpu, &t, t.format.units, check->cpu) != 0
        || (t.spooled = true,
            run_kept(check->on_gpu ? &check->device : &cpu, &t, 1 + gf_draw(check, (uint32_t)t.format.units),
                     check->gpu)) != 0)
        snprintf(check->problem, sizeof check->problem, "spools: %.300s", failure.text);
    for (size_t i = 0; i < bytes && check->problem[0] == '\0'; i++)
        if (check->cpu[i] != check->gpu[i])
            snprintf(check->problem, sizeof check->problem,
                     "spools: byte %zu is %d, not %d (%d by %d, %d channels%s, second pass %d)",
                     i, check->gpu[i],
                     check->cpu[i], (int)size[0], (int)size[1], t.format.channels,
                         t.planar ? ", planar" : "", t.second);
    cpu.kind->close(&cpu);
}

/* Runs random passes on a device; more of them on a GPU, whose lanes have more special cases. */
static void try_device(struct gf_check *check, const char *name, gf_bench_try *try, bool on_gpu)
{
    char what[60];

    snprintf(what, sizeof what, "%s, %s", name, on_gpu ? "cuda" : "cpu");
    if (!gf_is_chosen(what))
        return;
    if (on_gpu && !check->gpu_open) {
        gf_no_gpu(what, check->gpu_why);
        return;
    }
    gf_draw_seed(check, 20 * UINT64_C(0x9E3779B97F4A7C15) + (uint64_t)(unsigned char)name[0]);
    check->on_gpu = on_gpu;
    check->problem[0] = '\0';
    for (int i = 0; i < (on_gpu ? 60 : 20) && check->problem[0] == '\0'; i++)
        try(check, &gf_forms[0]);
    gf_ok(check->problem[0] == '\0', "%s", what);
    if (check->problem[0] != '\0')
        printf("# %s\n", check->problem);
}

int main(void)
{
    static float masks[GF_CHECK_MASKS], tables[GF_CHECK_TABLES];
    static struct gf_check state;
    struct gf_check *check = &state;

    check->src = aligned_alloc(512, GF_CHECK_ROOM);
    check->cpu = aligned_alloc(512, GF_CHECK_ROOM);
    check->gpu = aligned_alloc(512, GF_CHECK_ROOM);
    if (check->src == NULL || check->cpu == NULL || check->gpu == NULL)
        return 1;
    source = check->src;
    gf_draw_seed(check, 97);
    for (int i = 0; i < GF_CHECK_MASKS; i++)
        masks[i] = (float)(gf_draw_unit(check) - 0.3) / 8;
    for (int i = 0; i < GF_CHECK_TABLES; i++)
        tables[i] = i < GF_CHECK_NOISE ? (float)gf_draw_unit(check) : 0.0f;
    gf_check_open_gpu(check, 0);
    gf_ok(gf_check_set_pools(check, masks, GF_CHECK_MASKS, tables, GF_CHECK_TABLES) == 0, "the pools");
    for (int device = 0; device < 2; device++) {
        try_device(check, "lanes", try_lanes, device == 1);
        try_device(check, "spools", try_spools, device == 1);
    }
    gf_check_close_gpu(check);
    free(check->src);
    free(check->cpu);
    free(check->gpu);
    return gf_tap_end();
}
