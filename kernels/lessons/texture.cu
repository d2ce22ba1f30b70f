/*
 * The lesson on textures: an image is rotated with bilinear interpolation, by hand or by the texture
 * unit, from pitched memory or from a cudaArray.
 */
#include "kernels/lessons/lesson.cuh"
#include "kernels/lessons/steps.h"
#include "kernels/lessons/texture.h"

#include <stdlib.h>
#include <string.h>

#define COLUMNS 32
#define ROWS 8                           /* of threads in a block */
#define WHAT "lesson of textures"

struct state {
    int64_t count;                       /* of the images below */
    void *pitched;
    cudaArray_t array;
    cudaTextureObject_t from_pitched, from_array, from_wrapped, from_mirrored, from_bordered;
};

/* A thread computes sample i of the result, from around (u, v) in the source. */
struct place {
    bool inside;
    int64_t i;
    float u, v;
};

static __device__ __forceinline__ struct place place_of(const struct gf_lesson_rotation &r)
{
    const int x = blockIdx.x * COLUMNS + threadIdx.x, y = blockIdx.y * ROWS + threadIdx.y;

    return { x < r.width && y < r.rows, (int64_t)y * r.width + x, gf_lesson_rotated_u(&r, x, y),
             gf_lesson_rotated_v(&r, x, y) };
}

template <enum gf_lesson_beyond BEYOND>
__global__ void __launch_bounds__(COLUMNS *ROWS) by_hand(struct gf_lesson_rotation r, const float *src, float *dst)
{
    const struct place at = place_of(r);

    if (at.inside)
        dst[at.i] = gf_lesson_bilinear(src, &r, at.u, at.v, BEYOND);
}

/* The first sample lies at 0.5 for the texture unit, not at 0. To wrap or mirror, it needs coordinates from 0 to 1. */
template <bool UNIT>
__global__ void __launch_bounds__(COLUMNS *ROWS) by_unit(struct gf_lesson_rotation r, cudaTextureObject_t image,
                                                         float *dst)
{
    const struct place at = place_of(r);
    const float width = UNIT ? (float)r.width : 1, rows = UNIT ? (float)r.rows : 1;

    if (at.inside)
        dst[at.i] = tex2D<float>(image, (at.u + 0.5f) / width, (at.v + 0.5f) / rows);
}

/* The largest difference. The bits of positive floats are in the order of their values. */
__global__ void __launch_bounds__(COLUMNS *ROWS) compare(struct gf_lesson_rotation r, const float *src,
                                                         cudaTextureObject_t image, unsigned *most)
{
    const struct place at = place_of(r);

    if (at.inside)
        atomicMax(most, __float_as_uint(fabsf(gf_lesson_bilinear(src, &r, at.u, at.v, GF_LESSON_CLAMPED)
                                              - tex2D<float>(image, at.u + 0.5f, at.v + 0.5f))));
}

static dim3 grid_of(const struct gf_lesson_rotation *r)
{
    return dim3((unsigned)gf_ceil_div(r->width, COLUMNS), (unsigned)gf_ceil_div(r->rows, ROWS));
}

static void release(struct state *s)
{
    if (s->from_pitched != 0)
        cudaDestroyTextureObject(s->from_pitched);
    if (s->from_array != 0)
        cudaDestroyTextureObject(s->from_array);
    if (s->from_wrapped != 0)
        cudaDestroyTextureObject(s->from_wrapped);
    if (s->from_mirrored != 0)
        cudaDestroyTextureObject(s->from_mirrored);
    if (s->from_bordered != 0)
        cudaDestroyTextureObject(s->from_bordered);
    cudaFree(s->pitched);
    if (s->array != NULL)
        cudaFreeArray(s->array);
    memset(s, 0, sizeof *s);
}

extern "C" int gf_lesson_texture_close(struct gf_lesson_io *io, struct gf_error *err)
{
    (void)err;
    if (io->state != NULL)
        release((struct state *)io->state);
    free(io->state);
    return 0;
}

extern "C" int gf_lesson_texture_open(struct gf_lesson_io *io, struct gf_error *err)
{
    io->state = calloc(1, sizeof(struct state));
    return io->state != NULL ? 0 : gf_fail_memory(err, NULL);
}

/* The unit weighs samples. Coordinates count samples, but those that wrap or mirror have to be normalized. */
static int create(cudaTextureObject_t *texture, const struct cudaResourceDesc *memory, enum cudaTextureAddressMode mode,
                  struct gf_error *err)
{
    struct cudaTextureDesc sampling = {};

    sampling.addressMode[0] = sampling.addressMode[1] = mode;
    sampling.normalizedCoords = mode == cudaAddressModeWrap || mode == cudaAddressModeMirror;
    sampling.filterMode = cudaFilterModeLinear;
    return gf_cuda_check(cudaCreateTextureObject(texture, memory, &sampling, NULL), WHAT, err);
}

/* Copies the image to pitched memory and to an array. */
extern "C" int gf_lesson_texture_bind(struct gf_lesson_io *io, struct gf_error *err)
{
    const struct gf_lesson_rotation r = gf_lesson_rotation_by(0, io->count);
    const struct cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
    const size_t row = (size_t)r.width * sizeof(float), rows = (size_t)r.rows;
    const cudaStream_t stream = (cudaStream_t)io->stream;
    struct state *s = (struct state *)io->state;
    struct cudaResourceDesc pitched = {}, array = {};
    size_t pitch;

    if (s->count == io->count)
        return 0;
    release(s);
    if (gf_cuda_check(cudaMallocPitch(&s->pitched, &pitch, row, rows), WHAT, err) != 0
        || gf_cuda_check(cudaMallocArray(&s->array, &format, r.width, rows), WHAT, err) != 0
        || gf_cuda_check(cudaMemcpy2DAsync(s->pitched, pitch, io->src, row, row, rows, cudaMemcpyDeviceToDevice,
                                           stream), WHAT, err) != 0
        || gf_cuda_check(cudaMemcpy2DToArrayAsync(s->array, 0, 0, io->src, row, row, rows, cudaMemcpyDeviceToDevice,
                                                  stream), WHAT, err) != 0)
        return -1;
    pitched.resType = cudaResourceTypePitch2D;
    pitched.res.pitch2D = { s->pitched, format, (size_t)r.width, rows, pitch };
    array.resType = cudaResourceTypeArray;
    array.res.array.array = s->array;
    s->count = io->count;
    return create(&s->from_pitched, &pitched, cudaAddressModeClamp, err) != 0
        || create(&s->from_array, &array, cudaAddressModeClamp, err) != 0
        || create(&s->from_wrapped, &array, cudaAddressModeWrap, err) != 0
        || create(&s->from_mirrored, &array, cudaAddressModeMirror, err) != 0
        || create(&s->from_bordered, &array, cudaAddressModeBorder, err) != 0 ? -1 : 0;
}

template <class Image>
static int launch(void (*kernel)(struct gf_lesson_rotation, Image, float *), Image image, struct gf_lesson_io *io,
                  struct gf_error *err)
{
    const struct gf_lesson_rotation r = gf_lesson_rotation_by(io->value, io->count);

    kernel<<<grid_of(&r), dim3(COLUMNS, ROWS), 0, (cudaStream_t)io->stream>>>(r, image, (float *)io->dst);
    return gf_cuda_launched(WHAT, err);
}

extern "C" int gf_lesson_texture_hand(struct gf_lesson_io *io, struct gf_error *err)
{
    return launch(by_hand<GF_LESSON_CLAMPED>, (const float *)io->src, io, err);
}

extern "C" int gf_lesson_texture_pitched(struct gf_lesson_io *io, struct gf_error *err)
{
    return launch(by_unit<false>, ((struct state *)io->state)->from_pitched, io, err);
}

extern "C" int gf_lesson_texture_array(struct gf_lesson_io *io, struct gf_error *err)
{
    return launch(by_unit<false>, ((struct state *)io->state)->from_array, io, err);
}

extern "C" int gf_lesson_texture_hand_wrapped(struct gf_lesson_io *io, struct gf_error *err)
{
    return launch(by_hand<GF_LESSON_WRAPPED>, (const float *)io->src, io, err);
}

extern "C" int gf_lesson_texture_array_wrapped(struct gf_lesson_io *io, struct gf_error *err)
{
    return launch(by_unit<true>, ((struct state *)io->state)->from_wrapped, io, err);
}

extern "C" int gf_lesson_texture_array_mirrored(struct gf_lesson_io *io, struct gf_error *err)
{
    return launch(by_unit<true>, ((struct state *)io->state)->from_mirrored, io, err);
}

extern "C" int gf_lesson_texture_array_bordered(struct gf_lesson_io *io, struct gf_error *err)
{
    return launch(by_unit<false>, ((struct state *)io->state)->from_bordered, io, err);
}

/* Measures how far the unit's results are from those by hand. */
extern "C" int gf_lesson_texture_tell(struct gf_lesson_io *io, struct gf_error *err)
{
    const struct gf_lesson_rotation r = gf_lesson_rotation_by(30, io->count);
    const struct state *s = (const struct state *)io->state;
    const cudaStream_t stream = (cudaStream_t)io->stream;
    float most = 0;

    if (gf_cuda_check(cudaMemsetAsync(io->dst, 0, sizeof most, stream), WHAT, err) != 0)
        return -1;
    compare<<<grid_of(&r), dim3(COLUMNS, ROWS), 0, stream>>>(r, (const float *)io->src, s->from_array,
                                                             (unsigned *)io->dst);
    if (gf_cuda_launched(WHAT, err) != 0
        || gf_cuda_check(cudaMemcpyAsync(&most, io->dst, sizeof most, cudaMemcpyDeviceToHost, stream), WHAT, err) != 0
        || gf_cuda_check(cudaStreamSynchronize(stream), WHAT, err) != 0)
        return -1;
    gf_lesson_say(io->report, "the texture unit's weights are multiples of 1/256: at 30 degrees, its results differ "
                              "from those by hand by up to %.4f (of samples from 0 to 1, noise), one or two steps of 8 "
                              "bits. So gpufilter weighs by hand", most);
    return 0;
}
