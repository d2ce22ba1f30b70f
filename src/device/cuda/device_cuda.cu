/* A GPU as a device: its copies, the pools that its kernels read, and its table of functions. */
#include "device/cuda/device_cuda.cuh"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static void leave_constants(struct gf_device *d);

static void cuda_close(struct gf_device *d)
{
    struct gf_cuda_state *s = gf_cuda_state_of(d);

    if (s == NULL)
        return;
    cudaSetDevice(d->index);
    leave_constants(d);
    cudaFree(s->masks.data);
    cudaFree(s->tables.data);
    free(s->mask_copy);
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

static void cuda_release(struct gf_device *d, void *memory)
{
    if (memory == NULL)
        return;
    cudaSetDevice(d->index);
    cudaFree(memory);
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

/*
 * All users of a GPU share its constant memory, so its masks change only while it has no users. A
 * user with the same masks joins; a user with other masks reads them from the pool in global memory.
 * Modules copy the masks when they first need them; a new version makes their copies invalid.
 */
static struct {
    float *masks;
    int64_t count, version;
    int users;
} constants[GF_CONSTANT_GPUS];
static pthread_mutex_t constants_lock = PTHREAD_MUTEX_INITIALIZER;

static bool holds(int index, const struct gf_pools *p)
{
    return constants[index].count == p->mask_count
        && memcmp(constants[index].masks, p->masks, (size_t)p->mask_count * sizeof(float)) == 0;
}

static int fill_constants(int index, const struct gf_pools *p, struct gf_error *err)
{
    const size_t bytes = (size_t)p->mask_count * sizeof(float);
    float *copy = (float *)malloc(bytes);

    if (copy == NULL)
        return gf_fail_memory(err, NULL);
    memcpy(copy, p->masks, bytes);
    free(constants[index].masks);
    constants[index].masks = copy;
    constants[index].count = p->mask_count;
    constants[index].version++;
    return 0;
}

static void leave_constants(struct gf_device *d)
{
    struct gf_cuda_state *s = gf_cuda_state_of(d);

    pthread_mutex_lock(&constants_lock);
    if (s->masks_version != 0)
        constants[d->index].users--;
    s->masks_version = 0;
    pthread_mutex_unlock(&constants_lock);
}

static int join_constants(struct gf_device *d, const struct gf_pools *p, struct gf_error *err)
{
    struct gf_cuda_state *s = gf_cuda_state_of(d);
    int result = 0;

    if (p->mask_count == 0 || d->index >= GF_CONSTANT_GPUS)
        return 0;
    pthread_mutex_lock(&constants_lock);
    if (!holds(d->index, p) && constants[d->index].users == 0)
        result = fill_constants(d->index, p, err);
    if (result == 0 && holds(d->index, p)) {
        constants[d->index].users++;
        s->masks_version = constants[d->index].version;
    }
    pthread_mutex_unlock(&constants_lock);
    return result;
}

/* Replaces one pool in the device's memory, in place if it does not grow. */
static int set_pool(struct gf_device *d, struct gf_cuda_pool *pool, const float *host, int64_t count,
                    struct gf_error *err)
{
    const size_t bytes = (size_t)count * sizeof(float);

    if (count > pool->room) {
        cuda_release(d, pool->data);
        pool->data = NULL;
        pool->room = 0;
        if (gf_cuda_alloc(d, bytes, (void **)&pool->data, err) != 0)
            return -1;
        pool->room = count;
    }
    return count > 0 ? cuda_upload(d, pool->data, host, bytes, err) : 0;
}

/* Returns true if the device's memory already has these masks. */
static bool same_masks(const struct gf_cuda_state *s, const struct gf_pools *p)
{
    return s->mask_copy != NULL && s->mask_count == p->mask_count
        && memcmp(s->mask_copy, p->masks, (size_t)p->mask_count * sizeof(float)) == 0;
}

static int cuda_set_pools(struct gf_device *d, const struct gf_pools *pools, struct gf_error *err)
{
    struct gf_cuda_state *s = gf_cuda_state_of(d);
    float *copy;

    if (set_pool(d, &s->tables, pools->tables, pools->table_count, err) != 0)
        return -1;
    if (same_masks(s, pools))
        return 0;
    leave_constants(d);
    free(s->mask_copy);
    /* set only after the copy, or the next signal would believe that its masks are there */
    s->mask_copy = NULL;
    if (set_pool(d, &s->masks, pools->masks, pools->mask_count, err) != 0 || join_constants(d, pools, err) != 0)
        return -1;
    copy = (float *)malloc((size_t)pools->mask_count * sizeof(float) + 1);
    if (copy == NULL)
        return gf_fail_memory(err, NULL);
    if (pools->mask_count > 0)
        memcpy(copy, pools->masks, (size_t)pools->mask_count * sizeof(float));
    s->mask_copy = copy;
    s->mask_count = pools->mask_count;
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
    const cudaMemPool_t hoard = gf_cuda_hoard_of(d->index);
    cudaMemPool_t pool;

    if (gf_cuda_ready(d->index) > 0 && cudaDeviceGetDefaultMemPool(&pool, d->index) == cudaSuccess)
        cudaMemPoolTrimTo(pool, 0);
    if (hoard != NULL)
        cudaMemPoolTrimTo(hoard, 0);
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

    if (cudaDeviceGetDefaultMemPool(&pool, d->index) != cudaSuccess
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
    /* .release */ cuda_release,
    /* .room_open */ gf_cuda_room_open,
    /* .room_pin */ gf_cuda_room_pin,
    /* .room_close */ gf_cuda_room_close,
    /* .room_unpin */ cuda_room_unpin,
    /* .upload */ cuda_upload,
    /* .download */ cuda_download,
    /* .set_pools */ cuda_set_pools,
    /* .work */ work_outside,
    /* .wait */ cuda_wait,
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
