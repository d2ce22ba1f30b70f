/*
 * Images of windows in the memory of GPUs. Lanes of all workers share them, so that each is uploaded once; those that
 * no segment uses are kept as long as the windows of later images may need them.
 */
#include "device/cuda/device_cuda_lane.cuh"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#define MOST_WINDOWS 24                  /* that keep images: stages of a chain, planes, inputs at once */

struct image {
    struct image *next;
    uint64_t number, window;             /* it is in this one (gf_job) */
    int device;
    int users;                           /* segments that are running */
    unsigned long long used;             /* grows with each use */
    bool whole;                          /* its upload was queued, and `ready` follows it */
    cudaEvent_t ready;
    void *memory;
};

static struct image *images;
static unsigned long long uses;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void close_image(struct gf_device *d, struct image *m)
{
    if (m->ready != NULL)
        cudaEventDestroy(m->ready);
    gf_cuda_release(d, m->memory);
    free(m);
}

/*
 * Frees images of a window, or with 0 of all, that nobody uses, the longest unused first, until at most `most` of them
 * are left.
 */
static void close_idle(struct gf_device *d, uint64_t window, int most)
{
    for (;;) {
        struct image **oldest = NULL, *m;
        int idle = 0;

        for (struct image **at = &images; *at != NULL; at = &(*at)->next) {
            if ((*at)->device != d->index || (*at)->users > 0 || (window != 0 && (*at)->window != window))
                continue;
            idle++;
            oldest = oldest == NULL || (*at)->used < (*oldest)->used ? at : oldest;
        }
        if (idle <= most)
            return;
        m = *oldest;
        *oldest = m->next;
        close_image(d, m);
    }
}

static struct image *find(const struct gf_device *d, uint64_t number)
{
    struct image *m = images;

    while (m != NULL && (m->device != d->index || m->number != number))
        m = m->next;
    return m;
}

/* Returns the last use of any image of a window; 0: there is none. */
static unsigned long long last_use(const struct gf_device *d, uint64_t window)
{
    unsigned long long last = 0;

    for (const struct image *m = images; m != NULL; m = m->next)
        if (m->device == d->index && m->window == window && m->used > last)
            last = m->used;
    return last;
}

/* Makes room for another window: the one that was not used for the longest time may be that of an input that ended. */
static void close_stale(struct gf_device *d)
{
    uint64_t stale = 0;
    int windows = 0;

    for (const struct image *m = images, *same; m != NULL; m = m->next) {
        for (same = images; same != m && (same->device != d->index || same->window != m->window); )
            same = same->next;
        if (same != m || m->device != d->index)          /* counted, or on another GPU */
            continue;
        windows++;
        stale = stale == 0 || last_use(d, m->window) < last_use(d, stale) ? m->window : stale;
    }
    if (windows >= MOST_WINDOWS)
        close_idle(d, stale, 0);
}

/* Allocates memory for an image, if need be that of images that nobody uses. */
static int allocate(struct gf_device *d, size_t bytes, void **memory, struct gf_error *err)
{
    struct gf_error full;

    if (gf_cuda_alloc(d, bytes, memory, &full) == 0)
        return 0;
    close_idle(d, 0, 0);
    return gf_cuda_alloc(d, bytes, memory, err);
}

/* Queues the upload of an image on the stream of a lane. The source is no longer needed on return. */
static int upload(struct gf_lane *lane, struct image *m, const void *data, size_t bytes, struct gf_error *err)
{
    const cudaStream_t stream = ((struct gf_cuda_lane *)lane->state)->stream;

    if ((m->memory == NULL && allocate(lane->device, bytes, &m->memory, err) != 0)
        || (m->ready == NULL
            && gf_cuda_check(cudaEventCreateWithFlags(&m->ready, cudaEventDisableTiming), "event", err) != 0)
        || gf_cuda_check(cudaMemcpyAsync(m->memory, data, bytes, cudaMemcpyHostToDevice, stream), "upload", err) != 0
        || gf_cuda_mark(lane, GF_UPLOAD, -1, (int64_t)bytes, err) != 0
        || gf_cuda_check(cudaEventRecord(m->ready, stream), "event", err) != 0)
        return -1;
    m->whole = true;
    return 0;
}

static int add(struct gf_lane *lane, uint64_t number, uint64_t window, struct image **added, struct gf_error *err)
{
    struct image *const m = (struct image *)calloc(1, sizeof *m);

    if (m == NULL)
        return gf_fail_memory(err, NULL);
    m->number = number;
    m->window = window;
    m->device = lane->device->index;
    m->next = images;
    images = *added = m;
    return 0;
}

/* Takes one image. The lock is held, so that no other lane uploads it meanwhile. */
static int take(struct gf_lane *lane, const struct gf_beside *from, uint64_t window, size_t bytes, void **memory,
                struct gf_error *err)
{
    const cudaStream_t stream = ((struct gf_cuda_lane *)lane->state)->stream;
    struct image *m = find(lane->device, from->number);
    const bool there = m != NULL && m->whole;

    if (m == NULL && add(lane, from->number, window, &m, err) != 0)
        return -1;
    m->users++;
    m->used = ++uses;
    if (there ? gf_cuda_check(cudaStreamWaitEvent(stream, m->ready, 0), "event", err) != 0
              : upload(lane, m, from->data, bytes, err) != 0)
        return -1;
    *memory = m->memory;
    return 0;
}

int gf_cuda_frames_take(struct gf_lane *lane, const struct gf_job *job, const struct gf_step *s, struct gf_error *err)
{
    struct gf_cuda_lane *l = (struct gf_cuda_lane *)lane->state;
    int result = 0;

    pthread_mutex_lock(&lock);
    if (last_use(lane->device, job->window) == 0)
        close_stale(lane->device);
    close_idle(lane->device, job->window, job->frames);
    for (l->frames = 0; result == 0 && l->frames < job->frames; l->frames++) {
        const struct gf_beside *const from = &job->frame[l->frames];
        const size_t bytes = (size_t)gf_span_units(from->rows) * gf_unit_bytes(&s->frames.format);

        result = take(lane, from, job->window, bytes, &l->frame[l->frames], err);
        l->frame_number[l->frames] = from->number;
    }
    pthread_mutex_unlock(&lock);
    return result;
}

void gf_cuda_frames_leave(struct gf_lane *lane)
{
    struct gf_cuda_lane *l = (struct gf_cuda_lane *)lane->state;

    pthread_mutex_lock(&lock);
    for (int i = 0; i < l->frames; i++) {
        struct image *const m = find(lane->device, l->frame_number[i]);

        if (m != NULL)
            m->users--;
        if (m != NULL && !m->whole)              /* an upload that failed */
            m->used = 0;
    }
    l->frames = 0;
    pthread_mutex_unlock(&lock);
}

void gf_cuda_frames_close(struct gf_device *d)
{
    pthread_mutex_lock(&lock);
    close_idle(d, 0, 0);
    pthread_mutex_unlock(&lock);
}
