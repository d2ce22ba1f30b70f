/* The JPEG codec of a GPU for one user: memory for an image to decode and one to encode, and an encoder. */
#include "device/cuda/device_cuda_nvjpeg.cuh"

#include <stdlib.h>
#include <string.h>

struct memory {
    void *data;
    size_t bytes;
};

struct codec {
    struct gf_jpeg_codec base;           /* must be first: users have a pointer to it */
    struct gf_device *device;
    const struct gf_nvjpeg *nvjpeg;
    void *handle;
    bool engines;
    cudaStream_t stream;
    void *header;
    void *encoder, *settings;            /* NULL until the first image is encoded */
    struct memory in, out;               /* of the GPU */
    struct memory coded;                 /* of the host */
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

/* Returns true if nvJPEG decodes such an image. Engines have limits, such as the size. */
static bool supports(const struct codec *c, const unsigned char *jpeg, size_t bytes)
{
    int refused = 1;

    if (c->nvjpeg->parse(c->handle, jpeg, bytes, c->header) != 0)
        return false;
    return !c->engines || (c->nvjpeg->refuses(c->handle, c->header, &refused) == 0 && refused == 0);
}

static int decode(struct gf_jpeg_codec *codec, const unsigned char *jpeg, size_t bytes, const struct gf_format *f,
                  void **samples, struct gf_error *err)
{
    struct codec *c = (struct codec *)codec;
    struct gf_nvjpeg_request r;

    if (gf_cuda_bind(c->device, err) != 0)
        return -1;
    if (!supports(c, jpeg, bytes))
        return 0;
    if (grow(c, &c->in, sample_bytes(f), err) != 0)
        return -1;
    memset(&r, 0, sizeof r);
    r.jpeg = jpeg;
    r.bytes = bytes;
    r.to = place(f, c->in.data);
    r.samples = f->channels == 1 ? GF_NVJPEG_GRAY : GF_NVJPEG_RGB;
    gf_nvjpeg_decode(c->device, &r, c->stream);
    if (r.result < 0)
        *err = r.error;
    *samples = c->in.data;
    return r.result;
}

/* ---- encoding ---- */

static int prepare(struct gf_jpeg_codec *codec, const struct gf_format *f, void **samples, struct gf_error *err)
{
    struct codec *c = (struct codec *)codec;

    if (gf_cuda_bind(c->device, err) != 0)
        return -1;
    if ((c->encoder == NULL && c->nvjpeg->new_encoder(c->handle, &c->encoder, c->stream) != 0)
        || (c->settings == NULL && c->nvjpeg->new_settings(c->handle, &c->settings, c->stream) != 0))
        return 0;
    if (grow(c, &c->out, sample_bytes(f), err) != 0)
        return -1;
    *samples = c->out.data;
    return 1;
}

static int set_up(struct codec *c, const struct gf_format *f, int quality, int subsampling)
{
    const int sub = f->channels == 1 ? GF_NVJPEG_ONLY_GRAY : subsampling == 444 ? GF_NVJPEG_444
                    : subsampling == 422 ? GF_NVJPEG_422 : GF_NVJPEG_420;

    return c->nvjpeg->set_quality(c->settings, quality, c->stream) != 0
        || c->nvjpeg->set_subsampling(c->settings, sub, c->stream) != 0
        || c->nvjpeg->most_bytes(c->handle, c->settings, (int)f->width, (int)f->units, &c->coded.bytes) != 0 ? -1 : 0;
}

/* Returns 1, or 0 if nvJPEG cannot encode the image. */
static int run_encoder(struct codec *c, const struct gf_format *f, size_t *bytes)
{
    const struct gf_nvjpeg *n = c->nvjpeg;
    const struct gf_nvjpeg_image from = place(f, c->out.data);
    const int width = (int)f->width, height = (int)f->units;
    const int code = f->channels == 1
        ? n->encode_planes(c->handle, c->encoder, c->settings, &from, GF_NVJPEG_ONLY_GRAY, width, height, c->stream)
        : n->encode(c->handle, c->encoder, c->settings, &from, GF_NVJPEG_RGB, width, height, c->stream);

    *bytes = c->coded.bytes;
    return code == 0 && n->take(c->handle, c->encoder, (unsigned char *)c->coded.data, bytes, c->stream) == 0;
}

static int encode(struct gf_jpeg_codec *codec, const struct gf_format *f, int quality, int subsampling,
                  const unsigned char **jpeg, size_t *bytes, struct gf_error *err)
{
    struct codec *c = (struct codec *)codec;
    const size_t before = c->coded.bytes;
    int done;

    if (gf_cuda_bind(c->device, err) != 0)
        return -1;
    if (set_up(c, f, quality, subsampling) != 0)
        return 0;
    if (c->coded.bytes > before) {
        free(c->coded.data);
        c->coded.data = malloc(c->coded.bytes);
        if (c->coded.data == NULL) {
            c->coded.bytes = 0;
            return gf_fail_memory(err, NULL);
        }
    } else {
        c->coded.bytes = before;
    }
    done = run_encoder(c, f, bytes);
    *jpeg = (const unsigned char *)c->coded.data;
    return gf_cuda_finish(c->stream, err) != 0 ? -1 : done;
}

static int download(struct gf_jpeg_codec *codec, const struct gf_format *f, void *samples, struct gf_error *err)
{
    struct codec *c = (struct codec *)codec;

    return c->device->kind->download(c->device, samples, c->out.data, sample_bytes(f), err);
}

/* ---- the codec ---- */

static const struct gf_jpeg_codec_ops ops = {
    /* .decode */ decode,
    /* .prepare */ prepare,
    /* .encode */ encode,
    /* .download */ download,
};

bool gf_cuda_jpeg_begin(int index, const char **why)
{
    if (gf_nvjpeg_find(why) == NULL)
        return false;
    gf_nvjpeg_begin(index);
    return true;
}

void gf_cuda_jpeg_close(struct gf_jpeg_codec *codec)
{
    struct codec *c = (struct codec *)codec;

    if (c == NULL)
        return;
    cudaSetDevice(c->device->index);
    if (c->settings != NULL)
        c->nvjpeg->free_settings(c->settings);
    if (c->encoder != NULL)
        c->nvjpeg->free_encoder(c->encoder);
    if (c->header != NULL)
        c->nvjpeg->free_header(c->header);
    cudaFree(c->in.data);
    cudaFree(c->out.data);
    if (c->stream != NULL)
        cudaStreamDestroy(c->stream);
    free(c->coded.data);
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
        c->handle = gf_nvjpeg_handle(d, &c->engines, err);
    if (c->handle != NULL && gf_cuda_bind(d, err) == 0
        && gf_cuda_check(cudaStreamCreateWithFlags(&c->stream, cudaStreamNonBlocking), "stream", err) == 0) {
        if (c->nvjpeg->new_header(c->handle, &c->header) == 0)
            return &c->base;
        gf_fail(err, GF_FAILED, "the GPU failed (starting): nvJPEG has no memory");
    }
    gf_cuda_jpeg_close(&c->base);
    return NULL;
}
