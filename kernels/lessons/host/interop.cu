/*
 * The lesson on OpenGL: a kernel computes an image that becomes a texture, or points that are drawn.
 * Each step ends when OpenGL can draw with the texture, or has drawn the points. The texture or the
 * picture is then read back for the check.
 */
#include "kernels/lessons/host/interop.h"

#include "base/clock.h"
#include "kernels/lessons/mix.cuh"
#include "kernels/lessons/steps.h"

#include <math.h>

#define THREADS 256
#define WHAT "lesson of OpenGL"

/* A place in a surface is a byte of a row, and the row. */
static __global__ void __launch_bounds__(THREADS) change_surface(const unsigned *src, cudaSurfaceObject_t dst,
                                                                 int64_t count, int columns)
{
    const int64_t i = (int64_t)blockIdx.x * THREADS + threadIdx.x;

    if (i < count)
        surf2Dwrite(gf_lesson_mix(src[i]), dst, (int)(i % columns) * (int)sizeof(unsigned), (int)(i / columns));
}

/*
 * A point for each pixel, in the middle of it. x and y go from -1 to 1 over the whole picture, and the
 * row that is first in memory is at the bottom.
 */
static __global__ void __launch_bounds__(THREADS) change_vertices(const unsigned *src, struct gf_gl_vertex *dst,
                                                                  int64_t count, int columns, int rows)
{
    const int64_t i = (int64_t)blockIdx.x * THREADS + threadIdx.x;

    if (i < count)
        dst[i] = { (float)(2 * (int)(i % columns) + 1) / (float)columns - 1.0f,
                   (float)(2 * (int)(i / columns) + 1) / (float)rows - 1.0f, gf_lesson_mix(src[i]) };
}

static int columns_of(const struct gf_lesson_io *io) { return (int)min(io->count, (int64_t)GF_GL_COLUMNS); }
static bool fails(cudaError_t code, struct gf_error *err) { return gf_cuda_check(code, WHAT, err) != 0; }

static unsigned blocks_of(const struct gf_lesson_io *io) { return (unsigned)gf_ceil_div(io->count, THREADS); }

static int launch(struct gf_lesson_io *io, struct gf_error *err)
{
    gf_mix_launch(io, io->src);
    return gf_cuda_launched(WHAT, err);
}

/* Writes the image to the array of the texture, which is mapped. */
typedef int filling(struct gf_lesson_io *io, cudaArray_t array, struct gf_error *err);

static int fill_by_copy(struct gf_lesson_io *io, cudaArray_t array, struct gf_error *err)
{
    const size_t row = (size_t)columns_of(io) * sizeof(unsigned), whole = (size_t)(io->count / columns_of(io));
    const size_t rest = (size_t)(io->count % columns_of(io)) * sizeof(unsigned);
    const char *src = (const char *)io->dst;
    const cudaStream_t stream = (cudaStream_t)io->stream;

    return launch(io, err) != 0
        || fails(cudaMemcpy2DToArrayAsync(array, 0, 0, src, row, row, whole, cudaMemcpyDeviceToDevice, stream), err)
        || (rest > 0 && fails(cudaMemcpy2DToArrayAsync(array, 0, whole, src + whole * row, row, rest, 1,
                                                       cudaMemcpyDeviceToDevice, stream), err)) ? -1 : 0;
}

static int fill_by_kernel(struct gf_lesson_io *io, cudaArray_t array, struct gf_error *err)
{
    const cudaStream_t stream = (cudaStream_t)io->stream;
    struct cudaResourceDesc what = {};
    cudaSurfaceObject_t surface;
    int result;

    what.resType = cudaResourceTypeArray;
    what.res.array.array = array;
    if (fails(cudaCreateSurfaceObject(&surface, &what), err))
        return -1;
    change_surface<<<blocks_of(io), THREADS, 0,
                     stream>>>((const unsigned *)io->src, surface, io->count, columns_of(io));
    result = gf_cuda_launched(WHAT, err) != 0 || fails(cudaStreamSynchronize(stream), err) ? -1 : 0;
    cudaDestroySurfaceObject(surface);
    return result;
}

/* Lets OpenGL finish, writes the time since `start`, and reads the texture. */
static int finish(struct gf_lesson_io *io, double start, struct gf_error *err)
{
    const struct gf_interop *s = (const struct gf_interop *)io->state;

    gf_gl_finish(s->gl);
    *io->seconds = gf_clock_seconds() - start;
    return gf_gl_read(s->gl, (uint32_t *)io->host_dst, io->count) ? 0
        : gf_fail(err, GF_FAILED, "OpenGL cannot read a texture");
}

/* The texture belongs to CUDA between mapping and unmapping. */
static int fill_mapped(struct gf_lesson_io *io, filling *fill, struct gf_error *err)
{
    cudaGraphicsResource_t texture = (cudaGraphicsResource_t)((const struct gf_interop *)io->state)->texture;
    const cudaStream_t stream = (cudaStream_t)io->stream;
    const double start = gf_clock_seconds();
    cudaArray_t array;
    int result;

    *io->seconds = NAN;
    if (texture == NULL)
        return 0;
    if (fails(cudaGraphicsMapResources(1, &texture, stream), err))
        return -1;
    result = fails(cudaGraphicsSubResourceGetMappedArray(&array, texture, 0, 0), err) ? -1 : fill(io, array, err);
    if (fails(cudaGraphicsUnmapResources(1, &texture, stream), err) || fails(cudaStreamSynchronize(stream), err))
        return -1;
    return result == 0 ? finish(io, start, err) : -1;
}

extern "C" int gf_lesson_interop_copy(struct gf_lesson_io *io, struct gf_error *err)
{
    return fill_mapped(io, fill_by_copy, err);
}

extern "C" int gf_lesson_interop_surface(struct gf_lesson_io *io, struct gf_error *err)
{
    return fill_mapped(io, fill_by_kernel, err);
}

/* Lets OpenGL draw the points and finish, writes the time since `start`, and reads the picture. */
static int draw(struct gf_lesson_io *io, double start, struct gf_error *err)
{
    const struct gf_interop *s = (const struct gf_interop *)io->state;

    gf_gl_draw(s->gl, io->count);
    gf_gl_finish(s->gl);
    *io->seconds = gf_clock_seconds() - start;
    return gf_gl_read_picture(s->gl, (uint32_t *)io->host_dst, io->count) ? 0
        : gf_fail(err, GF_FAILED, "OpenGL cannot draw vertices");
}

/* A buffer has no tiles, so its memory is an ordinary pointer while it is mapped. */
static int write_vertices(struct gf_lesson_io *io, cudaGraphicsResource_t vertices, struct gf_error *err)
{
    const int columns = columns_of(io), rows = (int)gf_ceil_div(io->count, columns);
    void *to;
    size_t bytes;

    if (fails(cudaGraphicsResourceGetMappedPointer(&to, &bytes, vertices), err))
        return -1;
    if (bytes < (size_t)io->count * sizeof(struct gf_gl_vertex))
        return gf_fail(err, GF_FAILED, "OpenGL's buffer of vertices is too small");
    change_vertices<<<blocks_of(io), THREADS, 0,
                      (cudaStream_t)io->stream>>>((const unsigned *)io->src, (struct gf_gl_vertex *)to, io->count,
                                                  columns, rows);
    return gf_cuda_launched(WHAT, err);
}

/* Unmapping makes OpenGL wait for the kernel, so the host need not. */
extern "C" int gf_lesson_interop_vertices(struct gf_lesson_io *io, struct gf_error *err)
{
    cudaGraphicsResource_t vertices = (cudaGraphicsResource_t)((const struct gf_interop *)io->state)->vertices;
    const cudaStream_t stream = (cudaStream_t)io->stream;
    const double start = gf_clock_seconds();
    int result;

    *io->seconds = NAN;
    if (vertices == NULL)
        return 0;
    if (fails(cudaGraphicsMapResources(1, &vertices, stream), err))
        return -1;
    result = write_vertices(io, vertices, err);
    if (fails(cudaGraphicsUnmapResources(1, &vertices, stream), err))
        return -1;
    return result == 0 ? draw(io, start, err) : -1;
}

extern "C" int gf_lesson_interop_host(struct gf_lesson_io *io, struct gf_error *err)
{
    const struct gf_interop *s = (const struct gf_interop *)io->state;
    const cudaStream_t stream = (cudaStream_t)io->stream;
    const double start = gf_clock_seconds();

    *io->seconds = NAN;
    if (s->texture == NULL)
        return 0;
    if (launch(io, err) != 0
        || fails(cudaMemcpyAsync(io->host_dst, io->dst, (size_t)io->count * sizeof(unsigned), cudaMemcpyDeviceToHost,
                                 stream), err)
        || fails(cudaStreamSynchronize(stream), err))
        return -1;
    gf_gl_upload(s->gl, (const uint32_t *)io->host_dst, io->count);
    return finish(io, start, err);
}
