/* A GPU as a device: its copies, the pools that its kernels read, and its table of functions. */
#include "device/cuda/device_cuda.cuh"
#include "kernels/base/borrow.cuh"

#include <stdlib.h>
#include <string.h>

static void cuda_close(struct gf_device *d)
{
    struct gf_cuda_state *s = gf_cuda_state_of(d);
    struct gf_error none;

    if (s == NULL)
        return;
    cudaSetDevice(d->index);
    (void)gf_cuda_ends_settle(d, &none);
    gf_cuda_constants_leave(d);
    gf_cuda_frames_close(d);
    gf_cuda_release(d, s->masks.data);
    gf_cuda_release(d, s->tables.data);
    free(s->masks.copy);
    free(s->tables.copy);
    if (s->queued != NULL)
        cudaEventDestroy(s->queued);
    gf_cuda_batch_close(s);
    for (int p = 0; p < GF_PASSES; p++)
        if (s->kept.carry[p].left != NULL)
            cudaEventDestroy((cudaEvent_t)s->kept.carry[p].left);
    if (s->stream != NULL)
        cudaStreamDestroy(s->stream);
    free(s);
    d->state = NULL;
}

static int cuda_open(struct gf_device *d, int index, struct gf_error *err)
{
    d->index = index;
    d->state = calloc(1, sizeof(struct gf_cuda_state));
    if (d->state == NULL)
        return gf_fail_memory(err, NULL);
    d->kept = &gf_cuda_state_of(d)->kept;
    gf_cuda_begin(index);
    return 0;
}

/* Uses a stream: a plain copy may return before the last byte has arrived, and lanes do not wait for it. */
static int copy(struct gf_device *d, void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind,
                struct gf_error *err)
{
    cudaStream_t stream;

    return gf_cuda_own_stream(d, &stream, err) != 0
        || gf_cuda_check(cudaMemcpyAsync(to, from, bytes, kind, stream), "copying", err) != 0
        || gf_cuda_finish(stream, err) != 0 ? -1 : 0;
}

static int cuda_upload(struct gf_device *d, void *to, const void *from, size_t bytes, struct gf_error *err)
{
    return copy(d, to, from, bytes, cudaMemcpyHostToDevice, err);
}

static int cuda_download(struct gf_device *d, void *to, const void *from, size_t bytes, struct gf_error *err)
{
    return copy(d, to, from, bytes, cudaMemcpyDeviceToHost, err);
}

/* ---- pools ---- */

/* Returns true if the device's memory already has these numbers. */
static bool is_filled(const struct gf_cuda_pool *pool, const float *host, int64_t count)
{
    return pool->copy != NULL && pool->count == count
        && (count == 0 || memcmp(pool->copy, host, (size_t)count * sizeof(float)) == 0);
}

/* Replaces one pool in the device's memory, in place if it does not grow. */
static int fill_pool(struct gf_device *d, struct gf_cuda_pool *pool, const float *host, int64_t count,
                     struct gf_error *err)
{
    const size_t bytes = (size_t)count * sizeof(float);
    float *copy;

    /* set only after the upload, or the next signal would believe that its numbers are there */
    free(pool->copy);
    pool->copy = NULL;
    if (gf_cuda_ends_settle(d, err) != 0)            /* earlier runs may still read the pool */
        return -1;
    if (count > pool->room) {
        gf_cuda_release(d, pool->data);
        pool->data = NULL;
        pool->room = 0;
        if (gf_cuda_alloc(d, bytes, (void **)&pool->data, err) != 0)
            return -1;
        pool->room = count;
    }
    copy = (float *)malloc(bytes + 1);
    if (copy == NULL)
        return gf_fail_memory(err, NULL);
    if (count > 0) {
        memcpy(copy, host, bytes);
        if (cuda_upload(d, pool->data, host, bytes, err) != 0) {
            free(copy);
            return -1;
        }
    }
    pool->copy = copy;
    pool->count = count;
    return 0;
}

static int cuda_set_pools(struct gf_device *d, const struct gf_pools *pools, struct gf_error *err)
{
    struct gf_cuda_state *s = gf_cuda_state_of(d);

    if (!is_filled(&s->tables, pools->tables, pools->table_count)
        && fill_pool(d, &s->tables, pools->tables, pools->table_count, err) != 0)
        return -1;
    if (is_filled(&s->masks, pools->masks, pools->mask_count))
        return 0;
    if (gf_cuda_ends_settle(d, err) != 0)
        return -1;
    gf_cuda_constants_leave(d);
    if (fill_pool(d, &s->masks, pools->masks, pools->mask_count, err) != 0)
        return -1;
    gf_cuda_constants_join(d, pools->masks, pools->mask_count);
    return 0;
}

/* Returns the work for bodies outside lanes. */
static struct gf_work work_outside(struct gf_device *d)
{
    cudaSetDevice(d->index);
    struct gf_error none;
    cudaStream_t stream = NULL;

    /* Before the first copy there is no stream yet. Nobody would wait for kernels in the default one. */
    (void)gf_cuda_own_stream(d, &stream, &none);
    return gf_cuda_work(d, stream);
}

static int cuda_wait(struct gf_device *d, struct gf_error *err)
{
    cudaStream_t stream;

    return gf_cuda_own_stream(d, &stream, err) != 0 ? -1 : gf_cuda_finish(stream, err);
}

static void cuda_room_unpin(struct gf_device *d, struct gf_room *room)
{
    cudaSetDevice(d->index);
    cudaHostUnregister(room->data);
}

/* After an error of a kernel, every call reports it again, in all threads, until the process ends. */
static bool cuda_broken(struct gf_device *d)
{
    cudaError_t code = cudaSetDevice(d->index);

    code = code == cudaSuccess ? cudaStreamQuery(cudaStreamPerThread) : code;
    (void)cudaGetLastError();
    return code != cudaSuccess && code != cudaErrorNotReady;
}

static void cuda_relax(struct gf_device *d)
{
    cudaMemPool_t pool;

    if (gf_cuda_ready(d->index) > 0 && gf_cuda_pool(d->index, &pool) == cudaSuccess)
        cudaMemPoolTrimTo(pool, 0);
    (void)cudaGetLastError();
}

/* Waits for the driver and for JPEG codecs that are starting: a process that exits while they are may crash. */
static void cuda_settle(void)
{
    gf_cuda_settle();
    gf_cuda_jpeg_settle();
}

/* An unknown amount counts as 0. */
static size_t cuda_borrowed(struct gf_device *d)
{
    cudaMemPool_t pool;
    uint64_t most = 0, none = 0;

    if (gf_cuda_pool(d->index, &pool) != cudaSuccess
        || cudaMemPoolGetAttribute(pool, cudaMemPoolAttrUsedMemHigh, &most) != cudaSuccess
        || cudaMemPoolSetAttribute(pool, cudaMemPoolAttrUsedMemHigh, &none) != cudaSuccess) {
        cudaGetLastError();
        return 0;
    }
    return (size_t)most;
}

/* Members are in the order of struct gf_device_kind. */
extern "C" const struct gf_device_kind gf_device_cuda = {
    /* .name */ "cuda",
    /* .missing */ NULL,
    /* .cuda */ true,
    /* .in_host_memory */ false,
    /* .facts */ gf_cuda_facts,
    /* .begin */ gf_cuda_begin,
    /* .settle */ cuda_settle,
    /* .asked */ gf_cuda_asked,
    /* .took */ gf_cuda_took,
    /* .ready */ NULL,
    /* .open */ cuda_open,
    /* .close */ cuda_close,
    /* .alloc */ gf_cuda_alloc,
    /* .release */ gf_cuda_release,
    /* .room_open */ gf_cuda_room_open,
    /* .room_pin */ gf_cuda_room_pin,
    /* .room_close */ gf_cuda_room_close,
    /* .room_unpin */ cuda_room_unpin,
    /* .upload */ cuda_upload,
    /* .download */ cuda_download,
    /* .set_pools */ cuda_set_pools,
    /* .work */ work_outside,
    /* .wait */ cuda_wait,
    /* .result_alloc */ gf_cuda_result_alloc,
    /* .result_free */ gf_cuda_result_free,
    /* .result_follow */ gf_cuda_result_follow,
    /* .runs_wait */ gf_cuda_runs_wait,
    /* .batch_begin */ gf_cuda_batch_begin,
    /* .batch_end */ gf_cuda_batch_end,
    /* .owner */ gf_cuda_owner,
    /* .current */ gf_cuda_current,
    /* .keep */ NULL,
    /* .broken */ cuda_broken,
    /* .hoard */ gf_cuda_hoard,
    /* .relax */ cuda_relax,
    /* .lane_open */ gf_cuda_lane_open,
    /* .lane_close */ gf_cuda_lane_close,
    /* .lane_run */ gf_cuda_lane_run,
    /* .lane_result */ gf_cuda_lane_result,
    /* .lane_sums */ gf_cuda_lane_sums,
    /* .borrowed */ cuda_borrowed,
    /* .jpeg_opens */ gf_cuda_jpeg_opens,
    /* .jpeg_open */ gf_cuda_jpeg_open,
    /* .jpeg_close */ gf_cuda_jpeg_close,
};
