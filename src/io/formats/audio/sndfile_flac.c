/* FLAC whose header is from libsndfile, and whose frames are encoded on several threads. */
#include "io/formats/audio/sndfile_flac.h"

#define STREAMINFO_AT 8                  /* after the signature and the header of the first block */

static int put_frames(void *user, const void *bytes, size_t size, struct gf_error *err)
{
    struct gf_sndfile_output *to = user;

    if (gf_sndfile_output_calls.write(bytes, (sf_count_t)size, to) == (sf_count_t)size)
        return 0;
    *err = to->error;
    return -1;
}

struct gf_flac_frames *gf_sndfile_flac_begin(const struct gf_writer *w, SNDFILE *file, struct gf_sndfile_output *to)
{
    const struct gf_flac_frames_options o = { .format = &w->format, .level = w->options.compression,
                                              .threads = w->options.threads, .memory_bytes = w->options.memory_bytes,
                                              .name = w->name, .put = put_frames, .user = to };
    struct gf_flac_frames *f = w->options.live ? NULL : gf_flac_frames_open(&o);

    if (f == NULL)
        return NULL;
    sf_command(file, SFC_UPDATE_HEADER_NOW, NULL, 0);
    if (to->size > STREAMINFO_AT && to->at == to->size)
        return f;
    gf_flac_frames_close(f);
    return NULL;
}

int gf_sndfile_flac_end(struct gf_sndfile_output *to, const struct gf_flac_totals *totals)
{
    const struct {
        int at;
        const unsigned char *bytes;
        size_t size;
    } patches[] = {
        { GF_FLAC_FRAME_SIZES_AT, totals->frame_sizes, sizeof totals->frame_sizes },
        { GF_FLAC_TOTAL_AT, totals->total, sizeof totals->total },
        { GF_FLAC_MD5_AT, totals->md5, sizeof totals->md5 },
    };

    for (size_t i = 0; i < sizeof patches / sizeof *patches; i++) {
        to->at = STREAMINFO_AT + patches[i].at;
        if (gf_sndfile_output_calls.write(patches[i].bytes, (sf_count_t)patches[i].size, to) <= 0)
            return -1;
    }
    return 0;
}
