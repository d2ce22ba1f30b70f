/*
 * nvJPEG, which is opened at run time when it is first needed. One decoder serves all users of a
 * GPU: it decodes what has gathered meanwhile as a batch, because only a batch keeps all of a GPU's
 * JPEG engines busy.
 */
#ifndef GF_CUDA_DEVICE_CUDA_NVJPEG_CUH
#define GF_CUDA_DEVICE_CUDA_NVJPEG_CUH

#include "device/cuda/device_cuda.cuh"

#include <pthread.h>

/* As nvJPEG expects them: up to four planes. */
struct gf_nvjpeg_image {
    unsigned char *channel[4];
    size_t pitch[4];
};

/* nvJPEG's numbers. */
enum gf_nvjpeg_samples { GF_NVJPEG_PLANES = 1, GF_NVJPEG_GRAY = 2 };
enum gf_nvjpeg_subsampling { GF_NVJPEG_444, GF_NVJPEG_422, GF_NVJPEG_420 };

/* The functions in use; nvJPEG's header is not needed to build. Each returns 0 or an error. */
struct gf_nvjpeg {
    int (*open)(int backend, void *gpu_memory, void *pinned_memory, unsigned flags, void **handle);
    int (*engines)(void *handle, unsigned *engines, unsigned *cores);
    /* ---- headers ---- */
    int (*new_header)(void *handle, void **header);
    int (*free_header)(void *header);
    int (*parse)(void *handle, const unsigned char *jpeg, size_t bytes, void *header);
    int (*refuses)(void *handle, void *header, int *yes);
    int (*subsampling)(void *header, int *subsampling);
    /* ---- decoding ---- */
    int (*new_state)(void *handle, void **state);
    int (*begin_batch)(void *handle, void *state, int count, int threads, int samples);
    int (*decode_batch)(void *handle, void *state, const unsigned char *const *jpeg, const size_t *bytes,
                        struct gf_nvjpeg_image *to, cudaStream_t stream);
};

/* Returns the functions, or NULL and the reason. */
const struct gf_nvjpeg *gf_nvjpeg_find(const char **why);

/* An image to decode: the caller waits until it is done. */
struct gf_nvjpeg_request {
    const unsigned char *jpeg;
    size_t bytes;
    struct gf_nvjpeg_image to;
    int samples;                         /* enum gf_nvjpeg_samples */
    int result;                          /* 1: decoded; 0: nvJPEG cannot; -1: the GPU failed */
    bool done;
    pthread_cond_t finished;
    struct gf_error error;
    struct gf_nvjpeg_request *next;
};

/* Starts nvJPEG on a GPU, unless it has been started, and returns its handle; NULL after a failure. */
void *gf_nvjpeg_handle(const struct gf_device *d, struct gf_error *err);
/* Decodes an image together with those of other threads, and sets request->result. The decoder must have started. */
void gf_nvjpeg_decode(const struct gf_device *d, struct gf_nvjpeg_request *request);

#endif
