/* Reads impulse responses from audio files as masks, with a row per channel. */
#include "chain/option_mask.h"
#include "io/io.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define PIECE      4096                  /* in frames */
#define MOST_BYTES (INT64_C(1) << 28)    /* of metadata; the samples are counted by themselves */

/* True for a file with a byte below 9 near its start: text has none. */
bool gf_option_mask_is_sound(const char *name)
{
    unsigned char bytes[4096];
    struct stat s;
    bool found = false;
    size_t n;
    FILE *f;

    if (stat(name, &s) != 0 || !S_ISREG(s.st_mode) || (f = fopen(name, "rb")) == NULL)
        return false;
    n = fread(bytes, 1, sizeof bytes, f);
    for (size_t i = 0; i < n; i++)
        found = found || bytes[i] < '\t';
    fclose(f);
    return found;
}

/* Returns sample i. Readers of audio deliver 16 bits or more. */
static double value_of(const struct gf_format *f, const void *samples, int64_t i)
{
    switch (f->type) {
    case GF_S16: return ((const int16_t *)samples)[i] / 32768.0;
    case GF_S32: return ((const int32_t *)samples)[i] / 2147483648.0;
    case GF_F32: return (double)((const float *)samples)[i];
    default: return ((const double *)samples)[i];
    }
}

/* Reads all frames into *interleaved. */
static int64_t read_all(struct gf_reader *r, const char *what, double **interleaved, struct gf_error *err)
{
    const struct gf_format *f = &r->format;
    void *piece = malloc(PIECE * gf_unit_bytes(f));
    int64_t frames = 0, n = 0;

    *interleaved = NULL;
    while (piece != NULL && (n = gf_reader_read(r, piece, PIECE, err)) > 0) {
        double *more = (frames + n) * f->channels > GF_OPTION_MASK_WEIGHTS ? NULL
                     : realloc(*interleaved, (size_t)((frames + n) * f->channels) * sizeof *more);

        if (more == NULL) {
            n = gf_fail(err, GF_FAILED, "%s: %s is too long for a response; at most %d samples, which must fit into "
                                        "memory",
                        what, r->name,
                        GF_OPTION_MASK_WEIGHTS);
            break;
        }
        *interleaved = more;
        for (int64_t i = 0; i < n * f->channels; i++)
            more[frames * f->channels + i] = value_of(f, piece, i);
        frames += n;
    }
    if (piece == NULL)
        n = gf_fail_memory(err, what);
    if (n == 0 && frames == 0)
        n = gf_fail(err, GF_MISUSED, "%s: %s has no samples", what, r->name);
    free(piece);
    return n < 0 ? -1 : frames;
}

static int check_finite(const char *what, const struct gf_reader *r, const double *interleaved, int64_t frames,
                        struct gf_error *err)
{
    const int channels = r->format.channels;

    for (int64_t i = 0; i < frames * channels; i++)
        if (!isfinite(interleaved[i]))
            return gf_fail(err, GF_MISUSED, "%s: %s: frame %lld, channel %d, is not a number", what, r->name,
                           (long long)(i / channels),
                           (int)(i % channels) + 1);
    return 0;
}

int gf_option_mask_read_sound(const char *what, const char *name, struct gf_mask *mask, struct gf_error *err)
{
    const struct gf_read_options options = { .audio_only = "a response must be an audio file or a text of numbers",
                                             .max_bytes = MOST_BYTES };
    struct gf_reader *r = gf_reader_open(name, &options, err);
    double *interleaved = NULL;
    int64_t frames;
    int result = -1;

    *mask = (struct gf_mask) { 0 };
    if (r == NULL)
        return -1;
    frames = read_all(r, what, &interleaved, err);
    if (frames < 0 || check_finite(what, r, interleaved, frames, err) != 0)
        goto out;
    mask->rows = r->format.channels;
    mask->columns = (int)frames;
    mask->rate = r->format.rate;
    mask->weights = malloc((size_t)(mask->rows * frames) * sizeof *mask->weights);
    if (mask->weights == NULL) {
        gf_fail_memory(err, what);
        goto out;
    }
    for (int64_t i = 0; i < mask->rows * frames; i++)
        mask->weights[i % mask->rows * frames + i / mask->rows] = interleaved[i];
    result = 0;
out:
    free(interleaved);
    gf_reader_close(r);
    return result;
}
