/* Fourier transforms on a GPU by cuFFT, which is opened at run time when it is first needed. */
#include "kernels/base/fft_cuda.cuh"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#define REAL_TO_PAIRS 0x2a
#define PAIRS_TO_REAL 0x2c

/* The functions of cuFFT in use; its header is not needed to build. */
static struct {
    int (*create)(int *plan);
    int (*destroy)(int plan);
    int (*own_memory)(int plan, int yes);
    int (*make)(int plan, int rank, long long *n, long long *in_room, long long in_step, long long in_pitch,
                long long *out_room,
                long long out_step, long long out_pitch, int kind, long long rows, size_t *work_bytes);
    int (*set_stream)(int plan, cudaStream_t stream);
    int (*set_work)(int plan, void *work);
    int (*forward)(int plan, float *in, float2 *out);
    int (*backward)(int plan, float2 *in, float *out);
    bool tried, opens;
    char why[300];
} cufft;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct gf_fft_cuda_plans *idle;   /* kept until the program ends, so that each lane plans a length once */

static bool find(void *library, const char *name, void *function)
{
    *(void **)function = dlsym(library, name);
    if (*(void **)function == NULL)
        snprintf(cufft.why, sizeof cufft.why, "the library has no function %s()", name);
    return *(void **)function != NULL;
}

static void open_library(void)
{
    static const char *const names[] = { "libcufft.so.12", "libcufft.so.11", "/usr/local/cuda/lib64/libcufft.so.12",
                                         "/usr/local/cuda/lib64/libcufft.so.11" };
    void *library = NULL;

    cufft.tried = true;
    for (size_t i = 0; library == NULL && i < sizeof names / sizeof *names; i++) {
        library = dlopen(names[i], RTLD_NOW | RTLD_LOCAL);
        if (library == NULL && i == 0) {
            const char *said = dlerror();

            snprintf(cufft.why, sizeof cufft.why, "%s", said ? said : "the library cannot be opened");
        }
    }
    cufft.opens = library != NULL && find(library, "cufftCreate", &cufft.create)
               && find(library, "cufftDestroy", &cufft.destroy)
               && find(library, "cufftSetAutoAllocation", &cufft.own_memory)
               && find(library, "cufftMakePlanMany64", &cufft.make)
               && find(library, "cufftSetStream", &cufft.set_stream)
               && find(library, "cufftSetWorkArea", &cufft.set_work)
               && find(library, "cufftExecR2C", &cufft.forward) && find(library, "cufftExecC2R", &cufft.backward);
}

bool gf_fft_cuda_opens(const char **why)
{
    pthread_mutex_lock(&lock);
    if (!cufft.tried)
        open_library();
    pthread_mutex_unlock(&lock);
    if (why != NULL)
        *why = cufft.why;
    return cufft.opens;
}

static int check(int code, const char *what, struct gf_error *err)
{
    return code == 0 ? 0 : gf_fail(err, GF_FAILED, "the GPU failed (%s): error %d of cuFFT", what, code);
}

static int make_plan(int *plan, int64_t n, int kind, size_t *work_bytes, struct gf_error *err)
{
    const bool forward = kind == REAL_TO_PAIRS;
    long long length = n, pairs = gf_fft_pitch(n);

    if (check(cufft.create(plan), "planning a transform", err) != 0)
        return -1;
    return check(cufft.own_memory(*plan, 0), "planning a transform", err) != 0
        || check(cufft.make(*plan, 1, &length, forward ? &length : &pairs, 1, forward ? length : pairs,
                            forward ? &pairs : &length,
                            1, forward ? pairs : length, kind, gf_fft_rows(n), work_bytes), "planning a transform",
                                err) != 0 ? -1 : 0;
}

static struct gf_fft_cuda_plans *new_plans(int device, int64_t n, struct gf_error *err)
{
    struct gf_fft_cuda_plans *p = (struct gf_fft_cuda_plans *)calloc(1, sizeof *p);
    size_t back = 0;

    if (p == NULL) {
        gf_fail_memory(err, NULL);
        return NULL;
    }
    p->device = device;
    p->n = n;
    p->forward = p->backward = -1;
    if (make_plan(&p->forward, n, REAL_TO_PAIRS, &p->work_bytes, err) != 0
        || make_plan(&p->backward, n, PAIRS_TO_REAL, &back, err) != 0) {
        if (p->forward >= 0)
            cufft.destroy(p->forward);
        if (p->backward >= 0)
            cufft.destroy(p->backward);
        free(p);
        return NULL;
    }
    p->work_bytes = back > p->work_bytes ? back : p->work_bytes;
    return p;
}

struct gf_fft_cuda_plans *gf_fft_cuda_borrow(int64_t n, struct gf_error *err)
{
    struct gf_fft_cuda_plans *p = NULL;
    int device = 0;

    if (gf_cuda_check(cudaGetDevice(&device), "selecting the device", err) != 0)
        return NULL;
    pthread_mutex_lock(&lock);
    for (struct gf_fft_cuda_plans **at = &idle; *at != NULL; at = &(*at)->next)
        if ((*at)->n == n && (*at)->device == device) {
            p = *at;
            *at = p->next;
            break;
        }
    if (p == NULL)
        p = new_plans(device, n, err);
    pthread_mutex_unlock(&lock);
    return p;
}

void gf_fft_cuda_return(struct gf_fft_cuda_plans *p)
{
    if (p == NULL)
        return;
    pthread_mutex_lock(&lock);
    p->next = idle;
    idle = p;
    pthread_mutex_unlock(&lock);
}

static int prepare(int plan, void *work, cudaStream_t stream, struct gf_error *err)
{
    return check(cufft.set_stream(plan, stream), "transform", err) != 0
        || check(cufft.set_work(plan, work), "transform", err) != 0 ? -1 : 0;
}

int gf_fft_cuda_forward(struct gf_fft_cuda_plans *p, float *rows, float2 *spectra, void *work, cudaStream_t stream,
                        struct gf_error *err)
{
    return prepare(p->forward, work, stream, err) != 0
        || check(cufft.forward(p->forward, rows, spectra), "transform", err) != 0 ? -1 : 0;
}

int gf_fft_cuda_backward(struct gf_fft_cuda_plans *p, float2 *spectra, float *rows, void *work, cudaStream_t stream,
                         struct gf_error *err)
{
    return prepare(p->backward, work, stream, err) != 0
        || check(cufft.backward(p->backward, spectra, rows), "transform", err) != 0 ? -1 : 0;
}
