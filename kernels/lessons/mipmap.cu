/*
 * The lesson on mipmaps: an image is made smaller with one fetch for each sample of the result, with
 * all samples, or from levels that are each half as wide and high as the one before.
 */
#include "kernels/lessons/lesson.cuh"
#include "kernels/lessons/mipmap.h"
#include "kernels/lessons/steps.h"

#include <stdlib.h>

#define COLUMNS 32
#define ROWS 8                           /* of threads in a block */
#define WHAT "lesson of mipmaps"

struct state {
    int64_t count;                       /* of the images below */
    cudaMipmappedArray_t mipmap;
    cudaSurfaceObject_t surface[GF_LESSON_LEVELS];       /* to read and write each level */
    cudaTextureObject_t first, all;                      /* the source, between samples; and any level */
};

/* The texture unit averages the four samples around (x, y), if that lies between them. */
__global__ void __launch_bounds__(COLUMNS *ROWS) shrink_one(struct gf_lesson_sizes s, cudaTextureObject_t image,
                                                            float *dst)
{
    const int x = blockIdx.x * COLUMNS + threadIdx.x, y = blockIdx.y * ROWS + threadIdx.y;

    if (x < s.small_width && y < s.small_rows)
        dst[(int64_t)y * s.small_width + x] = tex2D<float>(image, ((float)x + 0.5f) * (float)s.shrink,
                                                           ((float)y + 0.5f) * (float)s.shrink);
}

__global__ void __launch_bounds__(COLUMNS *ROWS) shrink_all(struct gf_lesson_sizes s, const float *src, float *dst)
{
    const int x = blockIdx.x * COLUMNS + threadIdx.x, y = blockIdx.y * ROWS + threadIdx.y;
    float sum = 0;

    if (x >= s.small_width || y >= s.small_rows)
        return;
    for (int j = 0; j < s.shrink; j++)
        for (int i = 0; i < s.shrink; i++)
            sum += src[((int64_t)y * s.shrink + j) * s.width + x * s.shrink + i];
    dst[(int64_t)y * s.small_width + x] = sum / (float)(s.shrink * s.shrink);
}

/* Computes a level from the one before, which is twice as wide and high. */
__global__ void __launch_bounds__(COLUMNS *ROWS) halve(cudaSurfaceObject_t from, cudaSurfaceObject_t to, int width,
                                                       int rows)
{
    const int x = blockIdx.x * COLUMNS + threadIdx.x, y = blockIdx.y * ROWS + threadIdx.y;
    const int left = 2 * x * (int)sizeof(float), right = left + (int)sizeof(float);      /* columns in bytes */

    if (x < width && y < rows)
        surf2Dwrite((surf2Dread<float>(from, left, 2 * y) + surf2Dread<float>(from, right, 2 * y)
                     + surf2Dread<float>(from, left, 2 * y + 1) + surf2Dread<float>(from, right, 2 * y + 1)) / 4, to,
                    x * (int)sizeof(float), y);
}

/* Coordinates of mipmaps range from 0 to 1, because levels have different sizes. */
__global__ void __launch_bounds__(COLUMNS *ROWS) fetch_level(struct gf_lesson_sizes s, cudaTextureObject_t mipmap,
                                                             float *dst)
{
    const int x = blockIdx.x * COLUMNS + threadIdx.x, y = blockIdx.y * ROWS + threadIdx.y;

    if (x < s.small_width && y < s.small_rows)
        dst[(int64_t)y * s.small_width + x] =
            tex2DLod<float>(mipmap, ((float)x + 0.5f) / (float)s.small_width, ((float)y + 0.5f) / (float)s.small_rows,
                            log2f((float)s.shrink));
}

static void release(struct state *s)
{
    for (int k = 0; k < GF_LESSON_LEVELS; k++)
        if (s->surface[k] != 0)
            cudaDestroySurfaceObject(s->surface[k]);
    if (s->first != 0)
        cudaDestroyTextureObject(s->first);
    if (s->all != 0)
        cudaDestroyTextureObject(s->all);
    if (s->mipmap != NULL)
        cudaFreeMipmappedArray(s->mipmap);
    *s = {};
}

extern "C" int gf_lesson_mipmap_close(struct gf_lesson_io *io, struct gf_error *err)
{
    (void)err;
    if (io->state != NULL)
        release((struct state *)io->state);
    free(io->state);
    return 0;
}

extern "C" int gf_lesson_mipmap_open(struct gf_lesson_io *io, struct gf_error *err)
{
    io->state = calloc(1, sizeof(struct state));
    return io->state != NULL ? 0 : gf_fail_memory(err, NULL);
}

static dim3 grid_of(const struct gf_lesson_sizes *s)
{
    return dim3((unsigned)gf_ceil_div(s->small_width, COLUMNS), (unsigned)gf_ceil_div(s->small_rows, ROWS));
}

/* Queues the kernels that compute the levels for sizes down to 1 / shrink. */
static int build(const struct gf_lesson_io *io, int shrink, struct gf_error *err)
{
    const struct state *s = (const struct state *)io->state;

    for (int k = 1; 1 << k <= shrink; k++) {
        const struct gf_lesson_sizes z = gf_lesson_sizes_of(io->count, 1 << k);

        if (z.small_width == 0 || z.small_rows == 0)
            return 0;
        halve<<<grid_of(&z), dim3(COLUMNS, ROWS), 0,
                (cudaStream_t)io->stream>>>(s->surface[k - 1], s->surface[k], z.small_width, z.small_rows);
        if (gf_cuda_launched(WHAT, err) != 0)
            return -1;
    }
    return 0;
}

/* Creates what reads the mipmap: the first level with weights, and single samples of any level. */
static int create_readers(struct state *s, cudaArray_t source, struct gf_error *err)
{
    struct cudaResourceDesc first = {}, all = {};
    struct cudaTextureDesc weighing = {}, sampling = {};

    first.resType = cudaResourceTypeArray;
    first.res.array.array = source;
    weighing.filterMode = cudaFilterModeLinear;
    weighing.addressMode[0] = weighing.addressMode[1] = cudaAddressModeClamp;
    all.resType = cudaResourceTypeMipmappedArray;
    all.res.mipmap.mipmap = s->mipmap;
    sampling.normalizedCoords = 1;
    sampling.maxMipmapLevelClamp = GF_LESSON_LEVELS - 1;
    return gf_cuda_check(cudaCreateTextureObject(&s->first, &first, &weighing, NULL), WHAT, err) != 0
        || gf_cuda_check(cudaCreateTextureObject(&s->all, &all, &sampling, NULL), WHAT, err) != 0 ? -1 : 0;
}

/* Copies the image to the first level, and computes the others. */
extern "C" int gf_lesson_mipmap_bind(struct gf_lesson_io *io, struct gf_error *err)
{
    const struct gf_lesson_sizes z = gf_lesson_sizes_of(io->count, 1);
    const struct cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
    const size_t row = (size_t)z.width * sizeof(float);
    struct state *s = (struct state *)io->state;
    struct cudaResourceDesc level = {};

    if (s->count == io->count)
        return 0;
    release(s);
    if (gf_cuda_check(cudaMallocMipmappedArray(&s->mipmap, &format, make_cudaExtent(z.width, z.rows, 0),
                                               GF_LESSON_LEVELS, cudaArraySurfaceLoadStore), WHAT, err) != 0)
        return -1;
    level.resType = cudaResourceTypeArray;
    for (int k = GF_LESSON_LEVELS - 1; k >= 0; k--)
        if (z.width >> k > 0 || z.rows >> k > 0) {                           /* the image has this level */
            if (gf_cuda_check(cudaGetMipmappedArrayLevel(&level.res.array.array, s->mipmap, k), WHAT, err) != 0
                || gf_cuda_check(cudaCreateSurfaceObject(&s->surface[k], &level), WHAT, err) != 0)
                return -1;
        }
    s->count = io->count;
    if (gf_cuda_check(cudaMemcpy2DToArrayAsync(level.res.array.array, 0, 0, io->src, row, row, z.rows,
                                               cudaMemcpyDeviceToDevice, (cudaStream_t)io->stream), WHAT, err) != 0)
        return -1;
    return create_readers(s, level.res.array.array, err) != 0 ? -1 : build(io, 1 << (GF_LESSON_LEVELS - 1), err);
}

template <class Image>
static int launch(void (*kernel)(struct gf_lesson_sizes, Image, float *), Image image, struct gf_lesson_io *io,
                  struct gf_error *err)
{
    const struct gf_lesson_sizes z = gf_lesson_sizes_of(io->count, io->value);

    if (z.small_width == 0 || z.small_rows == 0)
        return 0;
    kernel<<<grid_of(&z), dim3(COLUMNS, ROWS), 0, (cudaStream_t)io->stream>>>(z, image, (float *)io->dst);
    return gf_cuda_launched(WHAT, err);
}

extern "C" int gf_lesson_mipmap_one(struct gf_lesson_io *io, struct gf_error *err)
{
    return launch(shrink_one, ((struct state *)io->state)->first, io, err);
}

extern "C" int gf_lesson_mipmap_all(struct gf_lesson_io *io, struct gf_error *err)
{
    return launch(shrink_all, (const float *)io->src, io, err);
}

extern "C" int gf_lesson_mipmap_ready(struct gf_lesson_io *io, struct gf_error *err)
{
    return launch(fetch_level, ((struct state *)io->state)->all, io, err);
}

extern "C" int gf_lesson_mipmap_built(struct gf_lesson_io *io, struct gf_error *err)
{
    return build(io, io->value, err) != 0 ? -1 : gf_lesson_mipmap_ready(io, err);
}
