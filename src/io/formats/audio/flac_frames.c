/* Encodes FLAC on several threads: runs of blocks, each with an encoder of libFLAC. */
#include <config.h>
#include "io/formats/audio/flac_frames.h"

#ifdef HAVE_FLAC

#include "base/job_ring.h"
#include "base/md5.h"
#include "base/memory_share.h"
#include "base/pages.h"
#include "io/bytes.h"
#include "io/formats/audio/flac_renumber.h"
#include "io/formats/audio/libflac.h"

#include <stdlib.h>
#include <string.h>

#define DEFAULT_LEVEL 5
#define RUN_BLOCKS 32                    /* blocks of a run, at least */
#define MOST_BLOCK_FRAMES 4096           /* libFLAC's blocks: 1152 frames up to level 2, 4096 above */
#define FRAME_ROOM 64                    /* headers and checksums of a frame */
#define MOST_ENCODER_BYTES (4 << 20)

/* Consecutive blocks: samples as they come, then frames. */
struct run {
    unsigned char *units;
    int64_t count;                       /* sample frames */
    int64_t first;                       /* number of the first block */
    FLAC__int32 *samples;                /* of one block, in planes */
    unsigned char *packed;
    size_t packed_bytes, smallest, largest;
    bool failed;
};

struct gf_flac_frames {
    struct gf_flac_frames_options o;
    size_t unit_bytes, packed_room;
    int64_t block_frames, run_blocks;
    int64_t blocks, total;               /* submitted blocks; sample frames */
    size_t smallest, largest;            /* bytes of a frame */
    struct gf_md5 md5;
    struct gf_job_ring ring;
    int slots;
    struct run *run;
};

/* The callback of an encoder gets this. */
struct collector {
    const struct gf_flac_frames *f;
    struct run *run;
};

/* ---- one run ---- */

static FLAC__StreamEncoderWriteStatus take_frame(const FLAC__StreamEncoder *encoder, const FLAC__byte *bytes,
                                                 size_t size, uint32_t samples, uint32_t number, void *user)
{
    const struct collector *c = user;
    struct run *r = c->run;
    size_t n;

    (void)encoder;
    if (samples == 0)                            /* a header of its own */
        return FLAC__STREAM_ENCODER_WRITE_STATUS_OK;
    n = size + GF_FLAC_LONGER <= c->f->packed_room - r->packed_bytes
        ? gf_flac_renumber(bytes, size, (uint64_t)r->first + number, r->packed + r->packed_bytes) : 0;
    if (n == 0)
        return FLAC__STREAM_ENCODER_WRITE_STATUS_FATAL_ERROR;
    r->packed_bytes += n;
    r->smallest = n < r->smallest ? n : r->smallest;
    r->largest = n > r->largest ? n : r->largest;
    return FLAC__STREAM_ENCODER_WRITE_STATUS_OK;
}

/* Converts n frames, whose samples have their bits in the high end, to planes of integers of so many bits. */
static void widen(const struct gf_flac_frames *f, const unsigned char *units, int64_t n, FLAC__int32 *planes)
{
    const struct gf_format *format = f->o.format;
    const int64_t channels = format->channels;

    for (int64_t c = 0; c < channels; c++, planes += f->block_frames) {
        if (format->type == GF_S16) {
            const int16_t *from = (const int16_t *)(const void *)units + c;
            const int unused = 16 - format->bits;

            for (int64_t i = 0; i < n; i++)
                planes[i] = from[i * channels] >> unused;
        } else {
            const int32_t *from = (const int32_t *)(const void *)units + c;
            const int unused = 32 - format->bits;

            for (int64_t i = 0; i < n; i++)
                planes[i] = from[i * channels] >> unused;
        }
    }
}

static bool encode_blocks(const struct gf_flac_frames *f, struct run *r, FLAC__StreamEncoder *encoder)
{
    const FLAC__int32 *plane[FLAC__MAX_CHANNELS];

    for (int c = 0; c < f->o.format->channels; c++)
        plane[c] = r->samples + c * f->block_frames;
    for (int64_t at = 0; at < r->count; at += f->block_frames) {
        const int64_t n = r->count - at < f->block_frames ? r->count - at : f->block_frames;

        widen(f, r->units + (size_t)at * f->unit_bytes, n, r->samples);
        if (!FLAC__stream_encoder_process(encoder, plane, (uint32_t)n))
            return false;
    }
    return true;
}

static bool configure(const struct gf_flac_frames *f, FLAC__StreamEncoder *encoder)
{
    const struct gf_format *format = f->o.format;

    return FLAC__stream_encoder_set_channels(encoder, (uint32_t)format->channels)
        && FLAC__stream_encoder_set_bits_per_sample(encoder, (uint32_t)format->bits)
        && FLAC__stream_encoder_set_sample_rate(encoder, (uint32_t)format->rate)
        && FLAC__stream_encoder_set_compression_level(encoder, (uint32_t)f->o.level)
        && FLAC__stream_encoder_set_do_md5(encoder, false);
}

static void encode_run(void *argument, int slot)
{
    struct gf_flac_frames *f = argument;
    struct run *r = &f->run[slot];
    struct collector c = { f, r };
    FLAC__StreamEncoder *encoder = gf_pages_probe(MOST_ENCODER_BYTES) ? FLAC__stream_encoder_new() : NULL;

    r->packed_bytes = r->largest = 0;
    r->smallest = SIZE_MAX;
    r->failed = encoder == NULL || !configure(f, encoder)
             || FLAC__stream_encoder_init_stream(encoder, take_frame, NULL, NULL, NULL, &c)
                != FLAC__STREAM_ENCODER_INIT_STATUS_OK
             || (int64_t)FLAC__stream_encoder_get_blocksize(encoder) != f->block_frames
             || !encode_blocks(f, r, encoder) || !FLAC__stream_encoder_finish(encoder);
    if (encoder != NULL)
        FLAC__stream_encoder_delete(encoder);
}

/* ---- all runs ---- */

/* Writes the frames of the oldest run. Without memory, an encoder fails; libFLAC does not say why. */
static int put_oldest(struct gf_flac_frames *f, struct gf_error *err)
{
    const int slot = gf_job_ring_oldest(&f->ring);
    struct run *r = &f->run[slot];

    if (r->failed)
        return gf_fail_memory(err, f->o.name);
    if (f->o.put(f->o.user, r->packed, r->packed_bytes, err) != 0)
        return -1;
    f->smallest = r->smallest < f->smallest ? r->smallest : f->smallest;
    f->largest = r->largest > f->largest ? r->largest : f->largest;
    r->count = 0;
    gf_job_ring_release(&f->ring);
    return 0;
}

/* Adds samples to the checksum: little-endian, in as few bytes as they need. */
static void add_to_md5(struct gf_flac_frames *f, const unsigned char *units, int64_t samples)
{
    const size_t stored = gf_type_bytes(f->o.format->type), bytes = (size_t)(f->o.format->bits + 7) / 8;
    unsigned char room[3 * 256];
    size_t n = 0;

    if (stored == bytes) {
        gf_md5_add(&f->md5, units, (size_t)samples * stored);
        return;
    }
    for (int64_t i = 0; i < samples; i++, units += stored) {
        memcpy(room + n, units + stored - bytes, bytes);
        n += bytes;
        if (n + bytes > sizeof room || i == samples - 1) {
            gf_md5_add(&f->md5, room, n);
            n = 0;
        }
    }
}

static void submit(struct gf_flac_frames *f, struct run *r)
{
    r->first = f->blocks;
    f->blocks += gf_ceil_div(r->count, f->block_frames);
    gf_job_ring_submit(&f->ring);
}

int gf_flac_frames_write(struct gf_flac_frames *f, const void *units, int64_t count, struct gf_error *err)
{
    const int64_t whole = f->run_blocks * f->block_frames;
    const unsigned char *from = units;

    add_to_md5(f, from, count * f->o.format->channels);
    f->total += count;
    while (count > 0) {
        int slot = gf_job_ring_next(&f->ring);
        struct run *r;
        int64_t n;

        if (slot < 0) {
            if (put_oldest(f, err) != 0)
                return -1;
            slot = gf_job_ring_next(&f->ring);
        }
        r = &f->run[slot];
        n = count < whole - r->count ? count : whole - r->count;
        memcpy(r->units + (size_t)r->count * f->unit_bytes, from, (size_t)n * f->unit_bytes);
        r->count += n;
        count -= n;
        from += (size_t)n * f->unit_bytes;
        if (r->count == whole)
            submit(f, r);
    }
    return 0;
}

int gf_flac_frames_end(struct gf_flac_frames *f, struct gf_flac_totals *totals, struct gf_error *err)
{
    const int last = gf_job_ring_next(&f->ring);
    const uint64_t sample_bits = (uint64_t)(f->o.format->bits - 1) & 15;

    if (last >= 0 && f->total > f->blocks * f->block_frames)
        submit(f, &f->run[last]);
    while (gf_job_ring_oldest(&f->ring) >= 0)
        if (put_oldest(f, err) != 0)
            return -1;
    gf_put_number(totals->frame_sizes, f->total > 0 ? f->smallest : 0, 3, true);
    gf_put_number(totals->frame_sizes + 3, f->largest, 3, true);
    /* a length that does not fit counts as unknown */
    gf_put_number(totals->total, sample_bits << 36 | ((uint64_t)f->total >> 36 != 0 ? 0 : (uint64_t)f->total), 5, true);
    gf_md5_end(&f->md5, totals->md5);
    return 0;
}

/* ---- begin and end ---- */

/*
 * Sets the size of blocks and runs. Levels 1 and 4 choose between stereo and mid-side for 0.4 seconds at a time;
 * a run ends where such a time does, so that the choice is that of one encoder.
 */
static void set_sizes(struct gf_flac_frames *f)
{
    const struct gf_format *format = f->o.format;
    int64_t choice;

    f->unit_bytes = gf_unit_bytes(format);
    f->block_frames = f->o.level < 3 ? 1152 : MOST_BLOCK_FRAMES;
    choice = (int64_t)((double)format->rate * 0.4 / (double)f->block_frames + 0.5);
    f->run_blocks = gf_round_up(RUN_BLOCKS * MOST_BLOCK_FRAMES / f->block_frames, choice > 0 ? choice : 1);
    f->packed_room = (size_t)f->run_blocks
                   * ((size_t)(f->block_frames * format->channels * (format->bits + 1)) / 8 + FRAME_ROOM);
}

static int make_runs(struct gf_flac_frames *f)
{
    const size_t units = (size_t)(f->run_blocks * f->block_frames) * f->unit_bytes;

    f->run = calloc((size_t)f->slots, sizeof *f->run);
    for (int i = 0; f->run != NULL && i < f->slots; i++) {
        struct run *r = &f->run[i];

        r->units = malloc(units);
        r->samples = malloc((size_t)(f->block_frames * f->o.format->channels) * sizeof *r->samples);
        r->packed = malloc(f->packed_room);
        if (r->units == NULL || r->samples == NULL || r->packed == NULL)
            return -1;
    }
    return f->run != NULL ? 0 : -1;
}

/* Returns how many threads have work; the length may be unknown. */
static int useful_threads(const struct gf_flac_frames *f)
{
    const int64_t units = f->o.format->units, most = units == GF_UNKNOWN ? GF_JOB_RING_THREADS
                        : gf_ceil_div(units, f->run_blocks * f->block_frames);

    return most < f->o.threads ? (int)most : f->o.threads;
}

/* Threads need not wait for the run that is being written. */
static int slots_for(int threads)
{
    return 2 * threads + 2;
}

/* Returns true if there is memory for the runs of so many threads. */
static bool fits(const struct gf_flac_frames *f, int threads)
{
    const int64_t units = f->run_blocks * f->block_frames * (int64_t)f->unit_bytes, all = f->o.memory_bytes;

    return all <= 0 || slots_for(threads) * (units + (int64_t)f->packed_room) <= gf_memory_share(GF_MEMORY_BANDS, all);
}

struct gf_flac_frames *gf_flac_frames_open(const struct gf_flac_frames_options *o)
{
    struct gf_flac_frames *f = calloc(1, sizeof *f);
    struct gf_error none;
    int threads;

    if (f == NULL)
        return NULL;
    f->o = *o;
    f->o.level = o->level < 0 ? DEFAULT_LEVEL : o->level > 8 ? 8 : o->level;
    f->smallest = SIZE_MAX;
    gf_md5_begin(&f->md5);
    set_sizes(f);
    threads = useful_threads(f);
    while (threads > 1 && !fits(f, threads))
        threads--;
    f->slots = slots_for(threads);
    if (threads > 1 && gf_libflac_open(&none) == 0 && make_runs(f) == 0
        && gf_job_ring_open(&f->ring, threads, f->slots, encode_run, f) == 0)
        return f;
    gf_flac_frames_close(f);
    return NULL;
}

void gf_flac_frames_close(struct gf_flac_frames *f)
{
    if (f == NULL)
        return;
    gf_job_ring_close(&f->ring);
    for (int i = 0; f->run != NULL && i < f->slots; i++) {
        free(f->run[i].units);
        free(f->run[i].samples);
        free(f->run[i].packed);
    }
    free(f->run);
    free(f);
}

#else

struct gf_flac_frames *gf_flac_frames_open(const struct gf_flac_frames_options *o)
{
    (void)o;
    return NULL;
}

int gf_flac_frames_write(struct gf_flac_frames *f, const void *units, int64_t count, struct gf_error *err)
{
    (void)f, (void)units, (void)count, (void)err;
    return 0;
}

int gf_flac_frames_end(struct gf_flac_frames *f, struct gf_flac_totals *totals, struct gf_error *err)
{
    (void)f, (void)totals, (void)err;
    return 0;
}

void gf_flac_frames_close(struct gf_flac_frames *f)
{
    (void)f;
}

#endif
