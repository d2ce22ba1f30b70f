/* The JPEG codec of a GPU for one user: memory for an image to decode and for one to encode. */
#include "device/cuda/device_cuda_jpeg_blocks.h"
#include "device/cuda/device_cuda_jpeg_pixels.h"
#include "device/cuda/device_cuda_nvjpeg.cuh"

#include <stdlib.h>
#include <string.h>

#define PLANE_PITCH 64                   /* rows of planes begin at multiples of it, in bytes */

struct memory {
    void *data;
    size_t bytes;
};

struct codec {
    struct gf_jpeg_codec base;           /* must be first: users have a pointer to it */
    struct gf_device *device;
    const struct gf_nvjpeg *nvjpeg;
    void *handle;
    cudaStream_t stream;
    void *header;
    struct memory planes, in, out, coefficients;         /* of the GPU */
    struct memory fetched;               /* the coefficients on the host, pinned */
};

/* Provides at least `bytes` of the GPU's memory. */
static int grow(struct codec *c, struct memory *m, size_t bytes, struct gf_error *err)
{
    if (bytes <= m->bytes)
        return 0;
    cudaFree(m->data);
    m->bytes = 0;
    if (gf_cuda_alloc(c->device, bytes, &m->data, err) != 0)
        return -1;
    m->bytes = bytes;
    return 0;
}

static size_t sample_bytes(const struct gf_format *f)
{
    return (size_t)f->units * gf_unit_bytes(f);
}

static struct gf_nvjpeg_image place(const struct gf_format *f, void *samples)
{
    struct gf_nvjpeg_image image;

    memset(&image, 0, sizeof image);
    image.channel[0] = (unsigned char *)samples;
    image.pitch[0] = gf_unit_bytes(f);
    return image;
}

/* ---- decoding ---- */

/* Returns true if the engines decode such an image, and its subsampling. They have limits, such as the size. */
static bool supports(const struct codec *c, const unsigned char *jpeg, size_t bytes, int *subsampling)
{
    int refused = 1;

    if (c->nvjpeg->parse(c->handle, jpeg, bytes, c->header) != 0
        || c->nvjpeg->subsampling(c->header, subsampling) != 0)
        return false;
    return c->nvjpeg->refuses(c->handle, c->header, &refused) == 0 && refused == 0;
}

/* A thread computes pixels of one row, one in each grid width. */
__global__ void make_pixels(struct gf_jpeg_chroma chroma, const unsigned char *luma, int64_t luma_pitch, int width,
                            int rows, unsigned char *to)
{
    for (int y = (int)(blockIdx.y * blockDim.y + threadIdx.y); y < rows; y += (int)(gridDim.y * blockDim.y))
        for (int x = (int)(blockIdx.x * blockDim.x + threadIdx.x); x < width; x += (int)(gridDim.x * blockDim.x))
            gf_jpeg_pixel(&chroma, luma[y * luma_pitch + x], x, y, to + ((int64_t)y * width + x) * 3);
}

/* Provides memory for the planes of an image. */
static int place_planes(struct codec *c, const struct gf_format *f, int subsampling, struct gf_jpeg_chroma *chroma,
                        struct gf_nvjpeg_image *to, struct gf_error *err)
{
    const int64_t pitch = gf_round_up(f->width, PLANE_PITCH);
    unsigned char *at;

    memset(chroma, 0, sizeof *chroma);
    chroma->half_columns = subsampling != GF_NVJPEG_444;
    chroma->half_rows = subsampling == GF_NVJPEG_420;
    chroma->width = (int)(chroma->half_columns ? gf_ceil_div(f->width, 2) : f->width);
    chroma->rows = (int)(chroma->half_rows ? gf_ceil_div(f->units, 2) : f->units);
    chroma->pitch = gf_round_up(chroma->width, PLANE_PITCH);
    if (grow(c, &c->planes, (size_t)(f->units * pitch + 2 * chroma->rows * chroma->pitch), err) != 0)
        return -1;
    memset(to, 0, sizeof *to);
    at = (unsigned char *)c->planes.data;
    for (int i = 0; i < 3; i++) {
        to->channel[i] = at;
        to->pitch[i] = (size_t)(i == 0 ? pitch : chroma->pitch);
        if (i > 0)
            chroma->plane[i - 1] = at;
        at += i == 0 ? f->units * pitch : chroma->rows * chroma->pitch;
    }
    return 0;
}

/*
 * Decodes to planes, and converts these to pixels. Returns 1; 0 if nvJPEG cannot decode the image,
 * or has no memory for it; or -1.
 */
static int decode_colour(struct codec *c, struct gf_nvjpeg_request *r, const struct gf_format *f, int subsampling)
{
    const dim3 block(64, 4), grid((unsigned)gf_ceil_div(f->width, 64),
                                  gf_cuda_grid_rows(gf_ceil_div(f->units, 4)));
    struct gf_jpeg_chroma chroma;

    if (subsampling != GF_NVJPEG_444 && subsampling != GF_NVJPEG_422 && subsampling != GF_NVJPEG_420)
        return 0;
    if (place_planes(c, f, subsampling, &chroma, &r->to, &r->error) != 0)
        return 0;
    r->samples = GF_NVJPEG_PLANES;
    gf_nvjpeg_decode(c->device, r);
    if (r->result != 1)
        return r->result;
    make_pixels<<<grid, block, 0, c->stream>>>(chroma, r->to.channel[0], (int64_t)r->to.pitch[0], (int)f->width,
                                               (int)f->units, (unsigned char *)c->in.data);
    if (gf_cuda_launched("pixels of a JPEG", &r->error) != 0 || gf_cuda_finish(c->stream, &r->error) != 0)
        return -1;
    return 1;
}

static int decode(struct gf_jpeg_codec *codec, const unsigned char *jpeg, size_t bytes, const struct gf_format *f,
                  void **samples, struct gf_error *err)
{
    struct codec *c = (struct codec *)codec;
    struct gf_nvjpeg_request r;
    int subsampling, done;

    if (gf_cuda_bind(c->device, err) != 0)
        return -1;
    if (!supports(c, jpeg, bytes, &subsampling))
        return 0;
    if (grow(c, &c->in, sample_bytes(f), err) != 0)
        return 0;
    memset(&r, 0, sizeof r);
    r.jpeg = jpeg;
    r.bytes = bytes;
    *samples = c->in.data;
    if (f->channels == 3) {
        done = decode_colour(c, &r, f, subsampling);
    } else {
        r.to = place(f, c->in.data);
        r.samples = GF_NVJPEG_GRAY;
        gf_nvjpeg_decode(c->device, &r);
        done = r.result;
    }
    if (done != 1)
        *err = r.error;
    return done;
}

/* ---- encoding ---- */

static int prepare(struct gf_jpeg_codec *codec, const struct gf_format *f, void **samples, struct gf_error *err)
{
    struct codec *c = (struct codec *)codec;

    if (gf_cuda_bind(c->device, err) != 0 || grow(c, &c->out, sample_bytes(f), err) != 0)
        return -1;
    *samples = c->out.data;
    return 0;
}

struct quantizers {
    unsigned short value[64];
};

/* A thread computes one block. */
__global__ void transform_blocks(struct gf_jpeg_pixels pixels, int component, struct gf_jpeg_sub sub, int columns,
                                 int blocks, struct quantizers quantizers, short *to)
{
    const int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);

    if (i < blocks)
        gf_jpeg_block(&pixels, component, sub, i % columns, i / columns, quantizers.value, to + (int64_t)i * 64);
}

/* Queues the transforms of all components. Returns the number of blocks. */
static int64_t queue_transforms(const struct codec *c, const struct gf_format *f, int subsampling,
                                const uint16_t quantizers[2][64], short *to)
{
    const struct gf_jpeg_pixels pixels = { (const unsigned char *)c->out.data, (int)f->width, (int)f->units,
                                           f->channels };
    int64_t all = 0;

    for (int i = 0; i < f->channels; i++) {
        const struct gf_jpeg_sub sub = { i > 0 && subsampling != 444, i > 0 && subsampling == 420 };
        const int columns = (int)gf_ceil_div(f->width, sub.half_columns ? 16 : 8);
        const int blocks = columns * (int)gf_ceil_div(f->units, sub.half_rows ? 16 : 8);
        struct quantizers q;

        memcpy(q.value, quantizers[i > 0], sizeof q.value);
        if (to != NULL)
            transform_blocks<<<(unsigned)gf_ceil_div(blocks, 64), 64, 0, c->stream>>>(pixels, i, sub, columns, blocks,
                                                                                   q, to + all * 64);
        all += blocks;
    }
    return all;
}

/* Provides memory for the coefficients, on the GPU and pinned on the host. */
static int grow_coefficients(struct codec *c, size_t bytes, struct gf_error *err)
{
    if (grow(c, &c->coefficients, bytes, err) != 0)
        return -1;
    if (bytes <= c->fetched.bytes)
        return 0;
    cudaFreeHost(c->fetched.data);
    c->fetched.data = NULL;
    c->fetched.bytes = 0;
    if (cudaMallocHost(&c->fetched.data, bytes) != cudaSuccess) {
        (void)cudaGetLastError();
        c->fetched.data = NULL;
        return gf_fail_memory_bytes(err, bytes, "that can be pinned for a GPU");
    }
    c->fetched.bytes = bytes;
    return 0;
}

static int transform(struct gf_jpeg_codec *codec, const struct gf_format *f, int subsampling,
                     const uint16_t quantizers[2][64], const int16_t **coefficients, struct gf_error *err)
{
    struct codec *c = (struct codec *)codec;
    const size_t bytes = (size_t)queue_transforms(c, f, subsampling, quantizers, NULL) * 64 * sizeof(short);

    if (gf_cuda_bind(c->device, err) != 0 || grow_coefficients(c, bytes, err) != 0)
        return -1;
    queue_transforms(c, f, subsampling, quantizers, (short *)c->coefficients.data);
    *coefficients = (const int16_t *)c->fetched.data;
    return gf_cuda_launched("transform of a JPEG", err) != 0
        || gf_cuda_check(cudaMemcpyAsync(c->fetched.data, c->coefficients.data, bytes, cudaMemcpyDeviceToHost,
                                         c->stream), "download", err) != 0
        || gf_cuda_finish(c->stream, err) != 0 ? -1 : 0;
}

/* ---- the codec ---- */

static const struct gf_jpeg_codec_ops ops = {
    /* .decode */ decode,
    /* .prepare */ prepare,
    /* .transform */ transform,
};

bool gf_cuda_jpeg_opens(const char **why)
{
    return gf_nvjpeg_find(why) != NULL;
}

void gf_cuda_jpeg_close(struct gf_jpeg_codec *codec)
{
    struct codec *c = (struct codec *)codec;

    if (c == NULL)
        return;
    cudaSetDevice(c->device->index);
    if (c->header != NULL)
        c->nvjpeg->free_header(c->header);
    cudaFree(c->planes.data);
    cudaFree(c->in.data);
    cudaFree(c->out.data);
    cudaFree(c->coefficients.data);
    cudaFreeHost(c->fetched.data);
    if (c->stream != NULL)
        cudaStreamDestroy(c->stream);
    free(c);
}

struct gf_jpeg_codec *gf_cuda_jpeg_open(struct gf_device *d, struct gf_error *err)
{
    struct codec *c = (struct codec *)calloc(1, sizeof *c);
    const char *why = "";

    if (c == NULL) {
        gf_fail_memory(err, NULL);
        return NULL;
    }
    c->base.ops = &ops;
    c->device = d;
    c->nvjpeg = gf_nvjpeg_find(&why);
    if (c->nvjpeg == NULL)
        gf_fail(err, GF_FAILED, "no nvJPEG: %s", why);
    else
        c->handle = gf_nvjpeg_handle(d, err);
    if (c->handle != NULL && gf_cuda_bind(d, err) == 0
        && gf_cuda_check(cudaStreamCreateWithFlags(&c->stream, cudaStreamNonBlocking), "stream", err) == 0) {
        if (c->nvjpeg->new_header(c->handle, &c->header) == 0)
            return &c->base;
        gf_fail(err, GF_FAILED, "the GPU failed (starting): nvJPEG has no memory");
    }
    gf_cuda_jpeg_close(&c->base);
    return NULL;
}
