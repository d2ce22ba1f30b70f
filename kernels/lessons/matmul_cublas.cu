/*
 * The lesson on products of matrices, by cuBLAS, which is opened at run time, if it is there; and
 * how many operations each step does for a byte that it loads.
 */
#include "kernels/lessons/lesson.cuh"
#include "kernels/lessons/matmul.h"
#include "kernels/lessons/steps.h"

#include <dlfcn.h>
#include <library_types.h>
#include <math.h>
#include <stdlib.h>

#define WHAT "lesson of cuBLAS"

extern "C" const struct gf_lesson gf_lesson_matmul;

/* From cublas_api.h, so that the program is compiled without it. Functions return 0 for success. */
enum { NOT_TRANSPOSED = 0, DEFAULT_ALGORITHM = -1, AS_FLOATS = 68, AS_TF32 = 77 };

typedef int multiplying(void *handle, int transpose_a, int transpose_b, int rows, int columns, int depth,
                        const void *alpha, const void *a, cudaDataType a_type, int a_side, const void *b,
                        cudaDataType b_type, int b_side, const void *beta, void *c, cudaDataType c_type, int c_side,
                        int compute, int algorithm);

/* The opened library; handle NULL: it cannot be used. */
struct cublas {
    void *library, *handle;
    int (*create)(void **handle);
    int (*destroy)(void *handle);
    int (*set_stream)(void *handle, cudaStream_t stream);
    multiplying *multiply;
};

extern "C" int gf_lesson_matmul_close(struct gf_lesson_io *io, struct gf_error *err)
{
    struct cublas *l = (struct cublas *)io->state;

    (void)err;
    if (l != NULL && l->handle != NULL)
        l->destroy(l->handle);
    free(l);                                                 /* the library stays open: its kernels are loaded */
    return 0;
}

static void *open_library(void)
{
    static const char *const names[] = { "libcublas.so.13", "libcublas.so.12", "/usr/local/cuda/lib64/libcublas.so.13",
                                         "/usr/local/cuda/lib64/libcublas.so.12" };
    void *library = NULL;

    for (size_t i = 0; library == NULL && i < sizeof names / sizeof *names; i++)
        library = dlopen(names[i], RTLD_NOW | RTLD_LOCAL);
    return library;
}

extern "C" int gf_lesson_matmul_open(struct gf_lesson_io *io, struct gf_error *err)
{
    struct cublas *l = (struct cublas *)calloc(1, sizeof *l);

    io->state = l;
    if (l == NULL)
        return gf_fail_memory(err, NULL);
    l->library = open_library();
    if (l->library == NULL)
        return 0;
    *(void **)&l->create = dlsym(l->library, "cublasCreate_v2");
    *(void **)&l->destroy = dlsym(l->library, "cublasDestroy_v2");
    *(void **)&l->set_stream = dlsym(l->library, "cublasSetStream_v2");
    *(void **)&l->multiply = dlsym(l->library, "cublasGemmEx");
    if (l->create == NULL || l->destroy == NULL || l->set_stream == NULL || l->multiply == NULL
        || l->create(&l->handle) != 0)
        l->handle = NULL;
    if (l->handle != NULL && l->set_stream(l->handle, (cudaStream_t)io->stream) != 0)
        return gf_fail(err, GF_FAILED, "the GPU failed (%s): cuBLAS does not accept a stream", WHAT);
    return 0;
}

/*
 * cuBLAS reads matrices column by column, as Fortran does, so it sees all of ours transposed. The
 * transposed product is the product of the transposed matrices in the opposite order.
 */
static int multiply(struct gf_lesson_io *io, const void *a, const void *b, int side, cudaDataType type, int compute,
                    struct gf_error *err)
{
    const struct cublas *l = (const struct cublas *)io->state;
    const float one = 1, zero = 0;
    const int n = io->value;
    int code;

    if (l->handle == NULL) {
        *io->seconds = NAN;
        return 0;
    }
    code = l->multiply(l->handle, NOT_TRANSPOSED, NOT_TRANSPOSED, n, n, n, &one, b, type, side, a, type, side, &zero,
                       io->dst, CUDA_R_32F, n, compute, DEFAULT_ALGORITHM);
    if (code != 0)
        return gf_fail(err, GF_FAILED, "the GPU failed (%s): error %d", WHAT, code);
    return gf_cuda_launched(WHAT, err);
}

extern "C" int gf_lesson_matmul_cublas(struct gf_lesson_io *io, struct gf_error *err)
{
    const float *a = (const float *)io->src;

    return multiply(io, a, a + io->count, io->value, CUDA_R_32F, AS_FLOATS, err);
}

extern "C" int gf_lesson_matmul_cublas_tf32(struct gf_lesson_io *io, struct gf_error *err)
{
    const float *a = (const float *)io->src;

    return multiply(io, a, a + io->count, io->value, CUDA_R_32F, AS_TF32, err);
}

extern "C" int gf_lesson_matmul_cublas_bf16(struct gf_lesson_io *io, struct gf_error *err)
{
    const int side = (int)gf_lesson_matmul_padded(io->value);
    const char *a = (const char *)io->scratch;

    return multiply(io, a, a + (int64_t)side * side * 2, side, CUDA_R_16BF, AS_FLOATS, err);
}

/* ---- what it says ---- */

static double attribute(enum cudaDeviceAttr which)
{
    int device = 0, value = 0;

    cudaGetDevice(&device);
    cudaDeviceGetAttribute(&value, which, device);
    return value;
}

/* Returns operations per second of FP32 cores: two for each core and clock, a multiplication and an addition. */
static double most_operations(void)
{
    const double major = attribute(cudaDevAttrComputeCapabilityMajor);
    const double minor = attribute(cudaDevAttrComputeCapabilityMinor);
    const int cores = major < 8 || (major == 8 && minor == 0) ? 64 : 128;

    return 2 * cores * attribute(cudaDevAttrMultiProcessorCount) * attribute(cudaDevAttrClockRate) * 1e3;
}

/* Returns bytes per second of the memory, which transfers twice in each clock. */
static double most_bytes(void)
{
    return 2 * attribute(cudaDevAttrMemoryClockRate) * 1e3 * attribute(cudaDevAttrGlobalMemoryBusWidth) / 8;
}

/* Compares what memory alone would allow a step with what was measured. */
static void tell_step(const struct gf_lesson_report *report, int step, const char *name, double per_byte, double work,
                      const char *limit)
{
    const double allowed = most_bytes() * per_byte * 1e-12;
    const double took = report->seconds(report->context, step, report->sizes - 1), reached = work / took * 1e-12;

    if (!isnan(took))
        gf_lesson_say(report, "'%s' loads a byte for every %.3g FLOP, so memory alone would allow %.3g TFLOP/s. It "
                      "reaches %.3g%s. Its limit: %s", name, per_byte, allowed, reached,
                      reached > allowed ? ", because caches answer most loads" : "", limit);
}

/* A tile of T x T results loads 2 T values for 2 T x T operations, so T / 4 operations for each byte of a float. */
extern "C" int gf_lesson_matmul_tell(struct gf_lesson_io *io, struct gf_error *err)
{
    const double flop = most_operations(), bytes = most_bytes();
    const double side = gf_lesson_matmul.values[io->report->sizes - 1], work = 2 * side * side * side;

    (void)err;
    if (((const struct cublas *)io->state)->handle == NULL)
        gf_lesson_say(io->report, "cuBLAS was not found (libcublas.so.13 or .12), so its steps are missing");
    if (flop <= 0 || bytes <= 0)
        return 0;
    gf_lesson_say(io->report, "this GPU does at most %.3g TFLOP/s in float without tensor cores, and loads at most "
                  "%.3g TB/s. Below %.3g FLOP per byte, memory is the limit; above, arithmetic", flop * 1e-12,
                  bytes * 1e-12, flop / bytes);
    tell_step(io->report, 0, "naive", 0.25, work, "two loads for each multiplication");
    tell_step(io->report, 1, "tiles of 8 x 8", 8 / 4.0, work, "small tiles, and two loads for each multiplication");
    tell_step(io->report, 2, "tiles of 16 x 16", 16 / 4.0, work, "two loads for each multiplication");
    tell_step(io->report, 3, "tiles of 32 x 32", 32 / 4.0, work,
              "still two loads for each multiplication, from shared memory");
    tell_step(io->report, 5, "8 x 8 results per thread", 128 / 4.0, work, "16 loads for 64 multiplications");
    tell_step(io->report, 6, "16 bytes per load", 128 / 4.0, work,
              "4 loads for 64 multiplications, so mostly arithmetic");
    tell_step(io->report, 8, "tensor cores", 128 / 2.0, work,
              "the way from shared memory through registers to the tensor cores");
    return 0;
}
