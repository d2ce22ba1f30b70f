/*
 * Linear sampling of a gray plane through textures, for results in 8 bits. The texture unit finds the pixels, in
 * caches that suit every angle, and what replaces those outside; the kernel weights them, because
 * the weights of the unit have 8 bits. A texture covers the part of the source that a part of the
 * result needs.
 */
#ifndef GF_KERNELS_SAMPLE_TEXTURE_CUH
#define GF_KERNELS_SAMPLE_TEXTURE_CUH

#include "kernels/base/cuda_check.cuh"
#include "kernels/base/thread_pack.cuh"
#include "kernels/base/thread_sample.cuh"
#include "kernels/geometry/sample.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#ifndef GF_TEXTURE_SIDE
#define GF_TEXTURE_SIDE 8192            /* most pixels on a side of one texture */
#endif
#define GF_TEXTURE_DEVICES 16
#define GF_TEXTURES 64                  /* textures that a device keeps */

/* ---- kept textures ---- */

/* Everything that defines a texture; compared byte by byte. */
struct gf_texture_key {
    const void *data;
    size_t pitch_bytes;
    int columns, rows;
    bool clamped;
};

/*
 * The textures of each device. They refer to memory without owning it: a texture whose memory was
 * freed does no harm until it is used.
 */
static struct {
    struct gf_texture_key key[GF_TEXTURES];
    cudaTextureObject_t object[GF_TEXTURES];
    int count;
} gf_textures[GF_TEXTURE_DEVICES];
static pthread_mutex_t gf_textures_lock = PTHREAD_MUTEX_INITIALIZER;

static int gf_texture_make(const struct gf_texture_key *k, cudaTextureObject_t *object, struct gf_error *err)
{
    struct cudaResourceDesc resource;
    struct cudaTextureDesc how;

    memset(&resource, 0, sizeof resource);
    memset(&how, 0, sizeof how);
    resource.resType = cudaResourceTypePitch2D;
    resource.res.pitch2D.devPtr = (void *)k->data;
    resource.res.pitch2D.pitchInBytes = k->pitch_bytes;
    resource.res.pitch2D.width = (size_t)k->columns;
    resource.res.pitch2D.height = (size_t)k->rows;
    resource.res.pitch2D.desc = cudaCreateChannelDesc(32, 0, 0, 0, cudaChannelFormatKindFloat);
    how.addressMode[0] = how.addressMode[1] = k->clamped ? cudaAddressModeClamp : cudaAddressModeBorder;
    how.filterMode = cudaFilterModePoint;
    how.readMode = cudaReadModeElementType;
    return gf_cuda_check(cudaCreateTextureObject(object, &resource, &how, NULL), "texture", err);
}

/*
 * Call it under the lock, which is held until the kernel is queued: making room waits for all
 * queued work.
 */
static int gf_texture_get(int device, const struct gf_texture_key *k, cudaTextureObject_t *object, struct gf_error *err)
{
    auto *t = &gf_textures[device];

    for (int i = 0; i < t->count; i++)
        if (memcmp(&t->key[i], k, sizeof *k) == 0) {
            *object = t->object[i];
            return 0;
        }
    if (t->count == GF_TEXTURES) {
        if (gf_cuda_check(cudaDeviceSynchronize(), "textures", err) != 0)
            return -1;
        while (t->count > 0)
            if (gf_cuda_check(cudaDestroyTextureObject(t->object[--t->count]), "textures", err) != 0)
                return -1;
    }
    if (gf_texture_make(k, object, err) != 0)
        return -1;
    t->key[t->count] = *k;
    t->object[t->count++] = *object;
    return 0;
}

/* ---- a part of the result ---- */

struct gf_rectangle {
    int64_t x, y, columns, rows;
};

struct gf_texture_task {
    cudaTextureObject_t texture;
    struct gf_block_view dst;
    /* from positions in the result to positions in the texture */
    int64_t xx, xy, cx, yx, yy, cy;
    struct gf_rectangle part;
    int x_first, x_last, y_first, y_last;        /* the border pixels of the signal, as pixels of the texture */
    float background;
    bool fill;                           /* the background is not zero */
};

/* Fetches a pixel. Outside the texture it is 0, or the nearest one. */
static __device__ __forceinline__ float gf_texture_fetch(const struct gf_texture_task &t, int x, int y)
{
    const float u = __fadd_rn((float)x, 0.5f), w = __fadd_rn((float)y, 0.5f);

    if (t.fill && (x < t.x_first || x > t.x_last || y < t.y_first || y > t.y_last))
        return t.background;
    return tex2D<float>(t.texture, u, w);
}

/* Weights the four pixels around a position, of which 8 bits are the fraction, as the C body does. */
static __device__ __forceinline__ float gf_texture_weight(const struct gf_texture_task &t, int x, int y)
{
    const float fx = __fmul_rn((float)(x & 255), 0x1p-8f), fy = __fmul_rn((float)(y & 255), 0x1p-8f);
    const int left = x >> 8, top = y >> 8;
    const float p00 = gf_texture_fetch(t, left, top), p01 = gf_texture_fetch(t, left + 1, top);
    const float p10 = gf_texture_fetch(t, left, top + 1), p11 = gf_texture_fetch(t, left + 1, top + 1);
    const float h0 = __fmaf_rn(fx, __fsub_rn(p01, p00), p00), h1 = __fmaf_rn(fx, __fsub_rn(p11, p10), p10);

    return __fmaf_rn(fy, __fsub_rn(h1, h0), h0);
}

/* Stores the first `count` bytes of a word; whole and half words at once if they are aligned. */
static __device__ __forceinline__ void gf_texture_put(unsigned char *p, unsigned word, int count)
{
    if (count == 4 && (uintptr_t)p % 4 == 0) {
        *(unsigned *)p = word;
    } else if (count == 2 && (uintptr_t)p % 2 == 0) {
        *(unsigned short *)p = (unsigned short)word;
    } else {
#pragma unroll
        for (int i = 0; i < 4; i++)
            if (i < count)
                p[i] = (unsigned char)(word >> 8 * i);
    }
}

/* Exchanges bytes in each group of four threads: thread i gets byte i of all four, in order of the threads. */
static __device__ __forceinline__ unsigned gf_texture_exchange(unsigned word)
{
    const unsigned all = 0xffffffffu, i = threadIdx.x % 4;
    unsigned other = __shfl_xor_sync(all, word, 1);

    word = __byte_perm(word, other, i % 2 == 0 ? 0x6240 : 0x3715);
    other = __shfl_xor_sync(all, word, 2);
    return __byte_perm(word, other, i < 2 ? 0x5410 : 0x3276);
}

/* Stores four pixels of three bytes, one in each of four threads, as three words; `bytes` of them exist. */
static __device__ __forceinline__ void gf_texture_put_three(unsigned char *four, unsigned pixel, int bytes)
{
    const int i = threadIdx.x % 4;
    const unsigned next = __shfl_down_sync(0xffffffffu, pixel, 1, 4);

    if (i < 3)
        gf_texture_put(four + 4 * i, pixel >> 8 * i | next << (24 - 8 * i), max(min(bytes - 4 * i, 4), 0));
}

/*
 * A warp covers 32 columns by 4 rows, so that its fetches are close together at every angle. It fetches 8 columns at
 * a time: four neighboring threads have neighboring pixels, and exchange them so that words are stored. OUT is 1, or 3
 * for gray that is stored as three equal bytes.
 */
template <int OUT>
__global__ void __launch_bounds__(128) gf_texture_sample(const __grid_constant__ struct gf_texture_task t)
{
    const int column = threadIdx.x % 8, i = threadIdx.x % 4;
    const int64_t left = (int64_t)blockIdx.x * 32, j = (int64_t)blockIdx.y * 16 + threadIdx.x / 8;
    const int64_t x = t.part.x + left + column, y = t.part.y + j;
    /* threads below the part compute with the others, but store nothing */
    const int columns = j < t.part.rows ? (int)min(t.part.columns - left, (int64_t)32) : 0;
    int64_t sx = t.cx + x * t.xx + y * t.xy, sy = t.cy + x * t.yx + y * t.yy;
    unsigned char *row = gf_block_view_row(t.dst, y) + (t.part.x + left) * OUT;
    unsigned level[4];

#pragma unroll
    for (int k = 0; k < 4; k++, sx += 8 * t.xx, sy += 8 * t.yx) {
        level[k] = gf_sample_level(gf_texture_weight(t, (int)(sx >> 32), (int)(sy >> 32)), t.dst) & 255;
        if (OUT == 3)
            gf_texture_put_three(row + 3 * (8 * k + column - i), level[k] * 0x010101u,
                                 3 * (columns - 8 * k - column + i));
    }
    if (OUT == 1) {
        const int first = 8 * i + column - i;                /* after the exchange, thread i has step i */

        gf_texture_put(row + first, gf_texture_exchange(gf_join4(level[0], level[1], level[2], level[3])),
                       max(min(columns - first, 4), 0));
    }
}

/* ---- the part of the source ---- */

static inline int64_t gf_texture_clamp(int64_t v, int64_t most)
{
    return v < 0 ? 0 : v > most ? most : v;
}

/*
 * Sets [*start, *end) to the pixels within the signal that positions a + x·dx + y·dy of a
 * rectangle touch.
 */
static inline void gf_texture_extent(int64_t a, int64_t dx, int64_t dy, const struct gf_rectangle *r, int64_t length,
                                     int64_t *start, int64_t *end)
{
    const int64_t x = (r->columns - 1) * dx, y = (r->rows - 1) * dy, at = a + r->x * dx + r->y * dy;

    *start = gf_texture_clamp(((at + (x < 0 ? x : 0) + (y < 0 ? y : 0)) >> GF_SAMPLE_ONE_BITS) - 2, length - 1);
    *end = gf_texture_clamp(((at + (x > 0 ? x : 0) + (y > 0 ? y : 0)) >> GF_SAMPLE_ONE_BITS) + 3, length - 1) + 1;
}

static int64_t gf_attribute(enum cudaDeviceAttr which, int device)
{
    int value = 0;

    return cudaDeviceGetAttribute(&value, which, device) == cudaSuccess && value > 0 ? value : 1 << 20;
}

/* Returns true if the memory of a call and the device suit textures, which the parameters ask for. */
static bool gf_texture_serves(const struct gf_io *io, const struct gf_sample *s, int device)
{
    const struct gf_block *b = &io->src;
    const int64_t align = gf_attribute(cudaDevAttrTextureAlignment, device);
    const struct gf_op_source source = { b->type, b->channels, b->planar,
                                         b->pitch_samples * (int64_t)gf_type_bytes(b->type) };

    return s->coarse && s->textures && device < GF_TEXTURE_DEVICES && gf_sample_suits_texture(s, &source)
        && io->dst.type == GF_U8 && !io->dst.planar
        && (gf_point_is_identity(io->store) ? io->dst.channels == 1 : gf_point_is_copy(io->store))
        && (uintptr_t)b->data % (uintptr_t)align == 0 && 512 % align == 0
        && source.pitch_bytes % gf_attribute(cudaDevAttrTexturePitchAlignment, device) == 0
        && source.pitch_bytes <= gf_attribute(cudaDevAttrMaxTexture2DLinearPitch, device);
}

/* Queues one part; `from` is the part of the source that it needs. */
static int gf_texture_launch(const struct gf_io *io, struct gf_texture_task *t, const struct gf_sample *s,
                             const struct gf_rectangle *from, int device, cudaStream_t stream, struct gf_error *err)
{
    const struct gf_block *b = &io->src;
    const int64_t sample = (int64_t)sizeof(float);
    const int64_t half = INT64_C(1) << (GF_SAMPLE_ONE_BITS - 9), one = INT64_C(1) << GF_SAMPLE_ONE_BITS;
    void (*const kernel)(struct gf_texture_task) = io->dst.channels == 3 ? gf_texture_sample<3> : gf_texture_sample<1>;
    struct gf_texture_key key;
    int result;

    memset(&key, 0, sizeof key);         /* the padding, too */
    key.pitch_bytes = (size_t)(b->pitch_samples * sample);
    key.columns = (int)from->columns, key.rows = (int)from->rows;
    key.clamped = !s->use_background && s->border == GF_CLAMP;
    t->cx = s->cx + half - from->x * one, t->cy = s->cy + half - from->y * one;
    t->x_first = (int)-from->x, t->x_last = (int)(b->width - 1 - from->x);
    t->y_first = (int)-from->y, t->y_last = (int)(io->src_units - 1 - from->y);
    key.data = (const char *)b->data + ((from->y - b->span.start) * b->pitch_samples + from->x) * sample;
    pthread_mutex_lock(&gf_textures_lock);
    result = gf_texture_get(device, &key, &t->texture, err);
    if (result == 0) {
        kernel<<<dim3((unsigned)gf_ceil_div(t->part.columns, 32), (unsigned)gf_ceil_div(t->part.rows, 16)), 128, 0,
               stream>>>(*t);
        result = gf_cuda_launched("rotation", err);
    }
    pthread_mutex_unlock(&gf_textures_lock);
    return result;
}

/*
 * Splits a part whose share of the source is larger than a texture. If the whole source fits, all parts use the same
 * texture, which is kept.
 */
static int gf_texture_part(const struct gf_io *io, struct gf_texture_task *t, const struct gf_sample *s,
                           struct gf_rectangle part,
                           int device, cudaStream_t stream, struct gf_error *err)
{
    /* columns and rows that keep the start of a texture aligned */
    const int64_t step = 512 / (int64_t)sizeof(float);
    const struct gf_rectangle source = { 0, io->src.span.start, io->src.width, gf_span_units(io->src.span) };
    struct gf_rectangle more = part, from;
    int64_t x_end, y_end;

    if (source.columns <= GF_TEXTURE_SIDE && source.rows <= GF_TEXTURE_SIDE) {
        t->part = part;
        return gf_texture_launch(io, t, s, &source, device, stream, err);
    }
    gf_texture_extent(s->cx, s->xx, s->xy, &part, io->src.width, &from.x, &x_end);
    gf_texture_extent(s->cy, s->yx, s->yy, &part, io->src_units, &from.y, &y_end);
    from.x -= from.x % step;
    from.y -= from.y % 16;
    from.columns = x_end - from.x;
    from.rows = y_end - from.y;
    if ((from.columns <= GF_TEXTURE_SIDE + 512 && from.rows <= GF_TEXTURE_SIDE + 16)
        || (part.columns <= 32 && part.rows <= 32)) {
        t->part = part;
        return gf_texture_launch(io, t, s, &from, device, stream, err);
    }
    if (part.columns >= part.rows) {
        part.columns = gf_round_up(part.columns / 2, 32);
        more.x += part.columns, more.columns -= part.columns;
    } else {
        part.rows /= 2;
        more.y += part.rows, more.rows -= part.rows;
    }
    return gf_texture_part(io, t, s, part, device, stream, err) != 0
        || gf_texture_part(io, t, s, more, device, stream, err) != 0 ? -1 : 0;
}

static int gf_texture_run(const struct gf_work *work, const struct gf_io *io, const struct gf_sample *s, int device,
                          struct gf_error *err)
{
    const struct gf_rectangle all = { 0, io->dst.span.start, io->dst.width, gf_span_units(io->dst.span) };
    struct gf_texture_task t;

    memset(&t, 0, sizeof t);
    t.dst = gf_block_view_of(&io->dst);
    t.xx = s->xx, t.xy = s->xy, t.yx = s->yx, t.yy = s->yy;
    t.background = s->background[0];
    t.fill = s->use_background && t.background != 0.0f;
    return gf_texture_part(io, &t, s, all, device, (cudaStream_t)work->stream, err);
}

#endif
