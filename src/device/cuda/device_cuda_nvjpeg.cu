/* Finds nvJPEG, starts it, and decodes for all users of a GPU. */
#include "device/cuda/device_cuda_nvjpeg.cuh"

#include "base/thread.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

#define MOST_AT_ONCE 32                  /* images of a batch; larger ones are hardly faster */
#define BACKEND_ENGINES 3
#define ARCH_MISMATCH 7                  /* an error: the GPU has no such backend */

/* ---- the library ---- */

static struct gf_nvjpeg nvjpeg;
static bool tried, opens;
static char why_not[300];
static pthread_mutex_t library_lock = PTHREAD_MUTEX_INITIALIZER;

static bool find(void *library, const char *name, void *function)
{
    *(void **)function = dlsym(library, name);
    if (*(void **)function == NULL)
        snprintf(why_not, sizeof why_not, "libnvjpeg has no function %s()", name);
    return *(void **)function != NULL;
}

static bool find_functions(void *l)
{
    struct gf_nvjpeg *n = &nvjpeg;

    return find(l, "nvjpegCreateEx", &n->open) && find(l, "nvjpegGetHardwareDecoderInfo", &n->engines)
        && find(l, "nvjpegJpegStreamCreate", &n->new_header) && find(l, "nvjpegJpegStreamDestroy", &n->free_header)
        && find(l, "nvjpegJpegStreamParseHeader", &n->parse) && find(l, "nvjpegDecodeBatchedSupported", &n->refuses)
        && find(l, "nvjpegJpegStreamGetChromaSubsampling", &n->subsampling)
        && find(l, "nvjpegJpegStateCreate", &n->new_state)
        && find(l, "nvjpegDecodeBatchedInitialize", &n->begin_batch)
        && find(l, "nvjpegDecodeBatched", &n->decode_batch);
}

static void open_library(void)
{
    static const char *const names[] = { "libnvjpeg.so.13", "libnvjpeg.so.12", "libnvjpeg.so.11",
                                         "/usr/local/cuda/lib64/libnvjpeg.so.13",
                                         "/usr/local/cuda/lib64/libnvjpeg.so.12" };
    void *library = NULL;

    tried = true;
    for (size_t i = 0; library == NULL && i < sizeof names / sizeof *names; i++) {
        library = dlopen(names[i], RTLD_NOW | RTLD_LOCAL);
        if (library == NULL && i == 0) {
            const char *said = dlerror();

            snprintf(why_not, sizeof why_not, "%s", said ? said : "libnvjpeg cannot be opened");
        }
    }
    opens = library != NULL && find_functions(library);
}

const struct gf_nvjpeg *gf_nvjpeg_find(const char **why)
{
    pthread_mutex_lock(&library_lock);
    if (!tried)
        open_library();
    pthread_mutex_unlock(&library_lock);
    if (why != NULL)
        *why = why_not;
    return opens ? &nvjpeg : NULL;
}

/* ---- decoders ---- */

enum phase { PHASE_NONE, PHASE_STARTING, PHASE_READY, PHASE_FAILED };

/* The decoder of a GPU, which runs until the program ends. */
struct decoder {
    enum phase phase;
    struct gf_error error;
    void *handle;
    struct gf_nvjpeg_request *first, **last;     /* images that wait */
    cudaStream_t stream;                 /* of the thread that runs the engines */
    void *state;
    int count, samples;                  /* of the batches that `state` is prepared for; 0: none */
};

static struct decoder decoders[GF_CUDA_MOST];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;        /* a decoder's phase */
static pthread_cond_t asked = PTHREAD_COND_INITIALIZER;

static int check(int code, const char *what, struct gf_error *err)
{
    return code == 0 ? 0 : gf_fail(err, GF_FAILED, "the GPU failed (%s): error %d of nvJPEG", what, code);
}

/* Creates a handle for the engines, which takes 0.6 seconds: only their planes are known to be libjpeg's. */
static int start(struct decoder *s, int index, struct gf_error *err)
{
    struct gf_device device;
    unsigned engines = 0, cores = 0;
    int code;

    memset(&device, 0, sizeof device);
    device.index = index;
    gf_cuda_begin(index);
    if (gf_cuda_bind(&device, err) != 0
        || gf_cuda_check(cudaStreamCreateWithFlags(&s->stream, cudaStreamNonBlocking), "stream", err) != 0)
        return -1;
    code = nvjpeg.open(BACKEND_ENGINES, NULL, NULL, 0, &s->handle);
    if (code == 0)
        code = nvjpeg.engines(s->handle, &engines, &cores);
    if (code == ARCH_MISMATCH || (code == 0 && engines == 0))
        return gf_fail(err, GF_FAILED, "this GPU has no JPEG engines");
    if (check(code, "starting", err) != 0)
        return -1;
    return check(nvjpeg.new_state(s->handle, &s->state), "starting", err);
}

/* Takes waiting images of one kind for a batch, with the lock held. */
static int take_batch(struct decoder *s, struct gf_nvjpeg_request **batch)
{
    int count = 0;

    for (struct gf_nvjpeg_request **at = &s->first; *at != NULL && count < MOST_AT_ONCE;) {
        struct gf_nvjpeg_request *r = *at;

        if (count > 0 && r->samples != batch[0]->samples) {
            at = &r->next;
            continue;
        }
        batch[count++] = r;
        *at = r->next;
    }
    s->last = &s->first;
    while (*s->last != NULL)
        s->last = &(*s->last)->next;
    return count;
}

/* Decodes images together. Returns 1; 0 if nvJPEG refuses one of them; or -1. */
static int decode_together(struct decoder *s, struct gf_nvjpeg_request *const *batch, int count, struct gf_error *err)
{
    const unsigned char *jpeg[MOST_AT_ONCE];
    size_t bytes[MOST_AT_ONCE];
    struct gf_nvjpeg_image to[MOST_AT_ONCE];
    int code = 0;

    for (int i = 0; i < count; i++) {
        jpeg[i] = batch[i]->jpeg;
        bytes[i] = batch[i]->bytes;
        to[i] = batch[i]->to;
    }
    if (s->count != count || s->samples != batch[0]->samples)
        code = nvjpeg.begin_batch(s->handle, s->state, count, 1, batch[0]->samples);
    s->count = code == 0 ? count : 0;
    s->samples = batch[0]->samples;
    if (code == 0)
        code = nvjpeg.decode_batch(s->handle, s->state, jpeg, bytes, to, s->stream);
    if (gf_cuda_finish(s->stream, err) != 0)
        return -1;
    if (code != 0)
        s->count = 0;                            /* a failed batch has to be prepared again */
    return code == 0;
}

/* Decodes a batch. If an image in it is refused, each is decoded alone. */
static void decode_batch(struct decoder *s, struct gf_nvjpeg_request **batch, int count)
{
    struct gf_error err;
    int result;

    memset(&err, 0, sizeof err);
    result = decode_together(s, batch, count, &err);
    for (int i = 0; i < count; i++) {
        batch[i]->result = result == 0 && count > 1 ? decode_together(s, &batch[i], 1, &batch[i]->error) : result;
        if (result < 0)
            batch[i]->error = err;
    }
}

static void serve(struct decoder *s)
{
    struct gf_nvjpeg_request *batch[MOST_AT_ONCE];

    pthread_mutex_lock(&lock);
    for (;;) {
        int count;

        while (s->first == NULL)
            pthread_cond_wait(&asked, &lock);
        count = take_batch(s, batch);
        pthread_mutex_unlock(&lock);
        decode_batch(s, batch, count);
        pthread_mutex_lock(&lock);
        for (int i = 0; i < count; i++) {
            batch[i]->done = true;
            pthread_cond_signal(&batch[i]->finished);
        }
    }
}

static void *decoder_thread(void *argument)
{
    const int index = (int)(intptr_t)argument;
    struct decoder *s = &decoders[index];
    struct gf_error err;
    int result;

    memset(&err, 0, sizeof err);
    result = start(s, index, &err);
    pthread_mutex_lock(&lock);
    s->error = err;
    s->last = &s->first;
    s->phase = result == 0 ? PHASE_READY : PHASE_FAILED;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&lock);
    if (result == 0)
        serve(s);
    return NULL;
}

/* Starts the thread of a decoder, with the lock held. */
static void begin(int index)
{
    pthread_t thread;

    if (gf_thread_start(&thread, decoder_thread, (void *)(intptr_t)index) == 0) {
        decoders[index].phase = PHASE_STARTING;
        pthread_detach(thread);
    } else {
        decoders[index].phase = PHASE_FAILED;
        gf_fail_memory(&decoders[index].error, NULL);
    }
}

/* A process that exits while a library is starting may crash. */
void gf_cuda_jpeg_settle(void)
{
    pthread_mutex_lock(&lock);
    for (int i = 0; i < GF_CUDA_MOST; i++)
        while (decoders[i].phase == PHASE_STARTING)
            pthread_cond_wait(&changed, &lock);
    pthread_mutex_unlock(&lock);
}

void *gf_nvjpeg_handle(const struct gf_device *d, struct gf_error *err)
{
    struct decoder *s = &decoders[d->index];
    bool ready;

    pthread_mutex_lock(&lock);
    if (s->phase == PHASE_NONE)
        begin(d->index);
    while (s->phase == PHASE_STARTING)
        pthread_cond_wait(&changed, &lock);
    ready = s->phase == PHASE_READY;
    if (!ready)
        *err = s->error;
    pthread_mutex_unlock(&lock);
    return ready ? s->handle : NULL;
}

void gf_nvjpeg_decode(const struct gf_device *d, struct gf_nvjpeg_request *r)
{
    struct decoder *s = &decoders[d->index];

    r->done = false;
    pthread_cond_init(&r->finished, NULL);       /* only its own thread wakes up: dozens may wait */
    r->next = NULL;
    memset(&r->error, 0, sizeof r->error);
    pthread_mutex_lock(&lock);
    *s->last = r;
    s->last = &r->next;
    pthread_cond_broadcast(&asked);              /* decoders of several GPUs wait for it */
    while (!r->done)
        pthread_cond_wait(&r->finished, &lock);
    pthread_mutex_unlock(&lock);
    pthread_cond_destroy(&r->finished);
}
