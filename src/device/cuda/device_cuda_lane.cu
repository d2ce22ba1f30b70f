/* A lane of the GPU: a stream, pinned host memory, buffers, and a clock. */
#include "device/cuda/device_cuda_lane.cuh"

#include <stdlib.h>
#include <string.h>

extern "C" {
#include "base/clock.h"
#include "kernels/operations.h"
#include "kernels/statistics/scan.h"
}

struct gf_work gf_cuda_work(struct gf_device *d, cudaStream_t stream)
{
    const struct gf_cuda_state *s = gf_cuda_state_of(d);
    struct gf_work w;

    memset(&w, 0, sizeof w);
    w.masks = s->masks.data;
    w.tables = s->tables.data;
    w.host_masks = s->masks.copy;
    w.constant = s->constant;
    w.stream = stream;
    return w;
}

void gf_cuda_lane_close(struct gf_lane *lane)
{
    struct gf_cuda_lane *l = (struct gf_cuda_lane *)lane->state;
    struct gf_error none;

    cudaSetDevice(lane->device->index);
    if (l != NULL) {
        if (l->own != NULL)
            cudaStreamSynchronize(l->own);
        (void)gf_cuda_ends_settle(lane->device, &none);
        gf_cuda_release(lane->device, l->in);
        gf_cuda_release(lane->device, l->out);
        gf_cuda_release(lane->device, l->between[0]);
        gf_cuda_release(lane->device, l->side);
        gf_cuda_release(lane->device, l->region);
        gf_cuda_release(lane->device, l->result);
        for (int i = 0; i < GF_CUDA_MARKS && l->mark[i] != NULL; i++)
            cudaEventDestroy(l->mark[i]);
        if (l->zero != NULL)
            cudaEventDestroy(l->zero);
        if (l->own != NULL)
            cudaStreamDestroy(l->own);
    }
    free(l);
    lane->state = NULL;
}

static int open_buffers(struct gf_lane *lane, struct gf_cuda_lane *l, const struct gf_pass *pass, struct gf_error *err)
{
    const size_t half = (size_t)gf_round_up((int64_t)pass->lane_work_bytes / 2, 512);
    /* samples of a caller's array are copied only if they are not in rows */
    const bool copies_in = !lane->on_device || pass->from.end != GF_END_FILE;
    const bool copies_out = !lane->on_device || pass->to.end != GF_END_FILE;

    l->result_bytes = pass->measure.used ? pass->measure.result_bytes : 0;
    if (gf_cuda_check(cudaStreamCreateWithFlags(&l->own, cudaStreamNonBlocking), "stream", err) != 0)
        return -1;
    l->stream = l->own;
    if ((copies_in && gf_cuda_alloc(lane->device, pass->lane_in_bytes, (void **)&l->in, err) != 0)
        || (copies_out && gf_cuda_alloc(lane->device, pass->lane_out_bytes, (void **)&l->out, err) != 0)
        || gf_cuda_alloc(lane->device, 2 * half, (void **)&l->between[0], err) != 0
        || gf_cuda_alloc(lane->device, pass->lane_side_bytes, (void **)&l->side, err) != 0
        || gf_cuda_alloc(lane->device, pass->lane_region_bytes, (void **)&l->region, err) != 0
        || gf_cuda_alloc(lane->device, l->result_bytes, &l->result, err) != 0
        || gf_cuda_check(cudaMemsetAsync(l->result, 0, l->result_bytes, l->stream), "counts", err) != 0)
        return -1;
    if (pass->to.spooled                                     /* the gaps after rows are written to disk, too */
        && gf_cuda_check(cudaMemsetAsync(l->out, 0, pass->lane_out_bytes, l->stream), "memory", err) != 0)
        return -1;
    l->between[1] = l->between[0] + half;
    return 0;
}

int gf_cuda_lane_open(struct gf_lane *lane, const struct gf_pass *pass, struct gf_error *err)
{
    struct gf_cuda_lane *l = (struct gf_cuda_lane *)calloc(1, sizeof *l);

    lane->state = l;
    if (l == NULL)
        return gf_fail_memory(err, NULL);
    if (gf_cuda_bind(lane->device, err) != 0 || open_buffers(lane, l, pass, err) != 0
        || gf_cuda_finish(l->stream, err) != 0) {
        gf_cuda_lane_close(lane);
        return -1;
    }
    return 0;
}

int gf_cuda_lane_result(struct gf_lane *lane, void *result, size_t bytes, struct gf_error *err)
{
    struct gf_cuda_lane *l = (struct gf_cuda_lane *)lane->state;

    return gf_cuda_bind(lane->device, err) != 0
        || gf_cuda_check(cudaMemcpyAsync(result, l->result, bytes, cudaMemcpyDeviceToHost, l->stream), "counts", err)
            != 0
        || gf_cuda_check(cudaMemsetAsync(l->result, 0, l->result_bytes, l->stream), "counts", err) != 0
        || gf_cuda_finish(l->stream, err) != 0 ? -1 : 0;
}

/* Clears the memory of the lane's counts, which have been downloaded. */
int gf_cuda_lane_sums(struct gf_lane *lane, uint64_t *counts, int rows, int bins, struct gf_error *err)
{
    struct gf_cuda_lane *l = (struct gf_cuda_lane *)lane->state;
    const struct gf_work work = gf_cuda_work(lane->device, l->stream);
    const struct gf_scan scan = { bins };

    if (gf_cuda_bind(lane->device, err) != 0
        || gf_cuda_check(cudaMemcpyAsync(l->result, counts, l->result_bytes, cudaMemcpyHostToDevice, l->stream),
                         "counts", err) != 0)
        return -1;
    for (int row = 0; row < rows; row++) {
        struct gf_io io;

        memset(&io, 0, sizeof io);
        io.src.data = io.dst.data = (uint64_t *)l->result + (int64_t)row * bins;
        if (gf_op_scan.cuda.body(&work, &io, &scan, err) != 0)
            return -1;
    }
    return gf_cuda_lane_result(lane, counts, l->result_bytes, err);
}

/* ---- the clock ---- */

int gf_cuda_open_clock(struct gf_cuda_lane *l, struct gf_error *err)
{
    for (int i = 0; i < GF_CUDA_MARKS; i++)
        if (gf_cuda_check(cudaEventCreate(&l->mark[i]), "clock", err) != 0)
            return -1;
    if (gf_cuda_check(cudaEventCreate(&l->zero), "clock", err) != 0
        || gf_cuda_check(cudaEventRecord(l->zero, l->stream), "clock", err) != 0 || gf_cuda_finish(l->stream, err) != 0)
        return -1;
    l->zero_seconds = gf_clock_seconds();
    return 0;
}

int gf_cuda_mark(struct gf_lane *lane, enum gf_activity activity, int step, int64_t bytes, struct gf_error *err)
{
    struct gf_cuda_lane *l = (struct gf_cuda_lane *)lane->state;

    if (lane->record == NULL || l->marks >= GF_CUDA_MARKS)
        return 0;
    l->what[l->marks].activity = activity;
    l->what[l->marks].step = step;
    l->what[l->marks].bytes = bytes;
    return gf_cuda_check(cudaEventRecord(l->mark[l->marks++], l->stream), "clock", err);
}

void gf_cuda_report_marks(struct gf_lane *lane)
{
    struct gf_cuda_lane *l = (struct gf_cuda_lane *)lane->state;
    float start = 0, end = 0;

    for (int i = 0; i < l->marks; i++) {
        struct gf_interval *w = &l->what[i];

        if (cudaEventElapsedTime(&end, l->zero, l->mark[i]) != cudaSuccess)
            break;
        w->lane = lane->number;
        w->pass = lane->pass_number;
        w->start = l->zero_seconds + 1e-3 * start;
        w->end = l->zero_seconds + 1e-3 * end;
        if (i > 0)
            lane->record(lane->report, w);
        start = end;
    }
    (void)cudaGetLastError();
    l->marks = 0;
}
