/*
 * The lesson on products of matrices. All steps do the same multiplications; what differs is how
 * often a value is loaded, and from where. Matrices have up to 8192 rows, stored row by row; the
 * second one follows the first. Except in one step, they are square.
 */
#include "kernels/lessons/lesson.cuh"
#include "kernels/lessons/matmul.h"
#include "kernels/lessons/steps.h"

#include <dlfcn.h>
#include <library_types.h>
#include <math.h>
#include <stdlib.h>

#define TILE 32                          /* rows and columns of the result of a block, one for each thread; or … */
#define WIDE GF_LESSON_MATMUL_TILE       /* … many, of which each thread computes … */
#define OWN 8                            /* … 8 x 8 */
#define DEPTH 8                          /* columns of the first matrix that are in shared memory at a time */
#define ACROSS (WIDE / OWN)              /* threads of a block in x and in y */

struct matrices {
    const float *a, *b;
    float *c;
    int rows, inner, columns;            /* a has rows x inner values, b has inner x columns, c has rows x columns */
};

/* Each thread computes one value, and loads a row and a column from memory. */
__global__ void __launch_bounds__(TILE * TILE) naive(struct matrices m)
{
    const int row = blockIdx.y * TILE + threadIdx.y, column = blockIdx.x * TILE + threadIdx.x;
    float sum = 0;

    if (row >= m.rows || column >= m.columns)
        return;
    for (int k = 0; k < m.inner; k++)
        sum = fmaf(m.a[row * m.inner + k], m.b[k * m.columns + column], sum);
    m.c[row * m.columns + column] = sum;
}

/* Returns a value of a matrix, or 0 outside of it. */
__device__ float value_at(const float *matrix, int row, int column, int rows, int columns)
{
    return row < rows && column < columns ? matrix[row * columns + column] : 0;
}

/* The threads of a block load a tile of each matrix together, and then read each value T times. */
template <int T>
__global__ void __launch_bounds__(T * T) tiled(struct matrices m)
{
    __shared__ float a[T][T], b[T][T];
    const int x = threadIdx.x, y = threadIdx.y, row = blockIdx.y * T + y, column = blockIdx.x * T + x;
    float sum = 0;

    for (int first = 0; first < m.inner; first += T) {
        a[y][x] = value_at(m.a, row, first + x, m.rows, m.inner);
        b[y][x] = value_at(m.b, first + y, column, m.inner, m.columns);
        __syncthreads();                                     /* both tiles are complete */
        for (int k = 0; k < T; k++)
            sum = fmaf(a[y][k], b[k][x], sum);
        __syncthreads();                                     /* nobody reads them any longer */
    }
    if (row < m.rows && column < m.columns)
        m.c[row * m.columns + column] = sum;
}

/*
 * Each thread computes 8 x 8 values that are 16 rows and columns apart, so that neighboring threads
 * read neighboring values. 16 values from shared memory serve 64 multiplications.
 */
__global__ void __launch_bounds__(ACROSS * ACROSS) in_registers(struct matrices m)
{
    __shared__ float a[WIDE][DEPTH], b[DEPTH][WIDE];
    const int x = threadIdx.x, y = threadIdx.y, row = blockIdx.y * WIDE, column = blockIdx.x * WIDE, n = m.inner;
    float sum[OWN][OWN] = {};

    for (int first = 0; first < n; first += DEPTH) {
        for (int i = y * ACROSS + x; i < WIDE * DEPTH; i += ACROSS * ACROSS) {
            a[i / DEPTH][i % DEPTH] = value_at(m.a, row + i / DEPTH, first + i % DEPTH, n, n);
            b[i / WIDE][i % WIDE] = value_at(m.b, first + i / WIDE, column + i % WIDE, n, n);
        }
        __syncthreads();
#pragma unroll
        for (int k = 0; k < DEPTH; k++) {
            float left[OWN], right[OWN];

            for (int i = 0; i < OWN; i++) {
                left[i] = a[y + i * ACROSS][k];
                right[i] = b[k][x + i * ACROSS];
            }
            for (int i = 0; i < OWN; i++)
                for (int j = 0; j < OWN; j++)
                    sum[i][j] = fmaf(left[i], right[j], sum[i][j]);
        }
        __syncthreads();
    }
    for (int i = 0; i < OWN; i++)
        for (int j = 0; j < OWN; j++)
            if (row + y + i * ACROSS < n && column + x + j * ACROSS < n)
                m.c[(row + y + i * ACROSS) * n + column + x + j * ACROSS] = sum[i][j];
}

/* Returns four values of a row, with 0 outside of the matrix. Only if 4 divides n does each row begin at 16 bytes. */
__device__ float4 four_at(const float *matrix, int row, int column, int n)
{
    if (row < n && column < n && n % 4 == 0)
        return *(const float4 *)(matrix + row * n + column);
    return make_float4(value_at(matrix, row, column, n, n), value_at(matrix, row, column + 1, n, n),
                       value_at(matrix, row, column + 2, n, n), value_at(matrix, row, column + 3, n, n));
}

__device__ void store_four(float *matrix, int row, int column, int n, const float *four)
{
    if (row < n && column < n && n % 4 == 0)
        *(float4 *)(matrix + row * n + column) = make_float4(four[0], four[1], four[2], four[3]);
    else
        for (int i = 0; i < 4; i++)
            if (row < n && column + i < n)
                matrix[row * n + column + i] = four[i];
}

/*
 * The 8 x 8 values are now in four groups of 4 x 4, so each load and store moves four at once. The
 * first matrix is stored in shared memory column by column: its four values are neighbors there, too.
 */
__global__ void __launch_bounds__(ACROSS * ACROSS) wide_loads(struct matrices m)
{
    /* four more values a column, so that threads that store to it hit different banks */
    __shared__ __align__(16) float a[DEPTH][WIDE + 4], b[DEPTH][WIDE];
    const int row = blockIdx.y * WIDE, column = blockIdx.x * WIDE, n = m.inner;
    const int x = threadIdx.x, y = threadIdx.y, me = y * ACROSS + x;
    float sum[OWN][OWN] = {};

    for (int first = 0; first < n; first += DEPTH) {
        const int part = me % 2 * 4;
        const float4 from_a = four_at(m.a, row + me / 2, first + part, n);

        *(float4 *)&b[me / 32][me % 32 * 4] = four_at(m.b, first + me / 32, column + me % 32 * 4, n);
        a[part][me / 2] = from_a.x;
        a[part + 1][me / 2] = from_a.y;
        a[part + 2][me / 2] = from_a.z;
        a[part + 3][me / 2] = from_a.w;
        __syncthreads();
#pragma unroll
        for (int k = 0; k < DEPTH; k++) {
            __align__(16) float left[OWN], right[OWN];

            *(float4 *)&left[0] = *(const float4 *)&a[k][y * 4];
            *(float4 *)&left[4] = *(const float4 *)&a[k][WIDE / 2 + y * 4];
            *(float4 *)&right[0] = *(const float4 *)&b[k][x * 4];
            *(float4 *)&right[4] = *(const float4 *)&b[k][WIDE / 2 + x * 4];
            for (int i = 0; i < OWN; i++)
                for (int j = 0; j < OWN; j++)
                    sum[i][j] = fmaf(left[i], right[j], sum[i][j]);
        }
        __syncthreads();
    }
    for (int i = 0; i < OWN; i++)
        for (int j = 0; j < OWN; j += 4)
            store_four(m.c, row + i / 4 * (WIDE / 2) + y * 4 + i % 4, column + j / 4 * (WIDE / 2) + x * 4, n,
                       &sum[i][j]);
}

typedef void multiplying(struct matrices m);

/* Launches blocks of across x across threads, of which each computes a tile of the result. */
static int launch_shape(multiplying *kernel, int tile, int across, int rows, int columns, struct gf_lesson_io *io,
                        struct gf_error *err)
{
    const float *a = (const float *)io->src;
    const struct matrices m = { a, a + (int64_t)rows * io->value, (float *)io->dst, rows, io->value, columns };
    const dim3 tiles((unsigned)gf_ceil_div(columns, tile), (unsigned)gf_ceil_div(rows, tile));

    kernel<<<tiles, dim3(across, across), 0, (cudaStream_t)io->stream>>>(m);
    return gf_cuda_launched("lesson of matrices", err);
}

static int launch(multiplying *kernel, int tile, int across, struct gf_lesson_io *io, struct gf_error *err)
{
    return launch_shape(kernel, tile, across, io->value, io->value, io, err);
}

extern "C" int gf_lesson_matmul_naive(struct gf_lesson_io *io, struct gf_error *err)
{
    return launch(naive, TILE, TILE, io, err);
}

extern "C" int gf_lesson_matmul_tiled_8(struct gf_lesson_io *io, struct gf_error *err)
{
    return launch(tiled<8>, 8, 8, io, err);
}

extern "C" int gf_lesson_matmul_tiled_16(struct gf_lesson_io *io, struct gf_error *err)
{
    return launch(tiled<16>, 16, 16, io, err);
}

extern "C" int gf_lesson_matmul_tiled(struct gf_lesson_io *io, struct gf_error *err)
{
    return launch(tiled<TILE>, TILE, TILE, io, err);
}

extern "C" int gf_lesson_matmul_rectangular(struct gf_lesson_io *io, struct gf_error *err)
{
    const int rows = gf_lesson_matmul_rows(io->value);

    return launch_shape(tiled<TILE>, TILE, TILE, rows, (int)(io->count / rows), io, err);
}

extern "C" int gf_lesson_matmul_registers(struct gf_lesson_io *io, struct gf_error *err)
{
    return launch(in_registers, WIDE, ACROSS, io, err);
}

extern "C" int gf_lesson_matmul_wide(struct gf_lesson_io *io, struct gf_error *err)
{
    return launch(wide_loads, WIDE, ACROSS, io, err);
}

/*
 * ---- cuBLAS, which is opened at run time, if it is there ----
 *
 * The report also says how many operations each step does for a byte that it loads.
 */

#define WHAT "lesson of cuBLAS"

extern "C" const struct gf_lesson gf_lesson_matmul;

/* From cublas_api.h, so that the program is compiled without it. Functions return 0 for success. */
enum { NOT_TRANSPOSED = 0, DEFAULT_ALGORITHM = -1, AS_FLOATS = 68, AS_TF32 = 77 };

typedef int cublas_multiplying(void *handle, int transpose_a, int transpose_b, int rows, int columns, int depth,
                               const void *alpha, const void *a, cudaDataType a_type, int a_side, const void *b,
                               cudaDataType b_type, int b_side, const void *beta, void *c, cudaDataType c_type,
                               int c_side, int compute, int algorithm);

/* The opened library; handle NULL: it cannot be used. */
struct cublas {
    void *library, *handle;
    int (*create)(void **handle);
    int (*destroy)(void *handle);
    int (*set_stream)(void *handle, cudaStream_t stream);
    cublas_multiplying *multiply;
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
