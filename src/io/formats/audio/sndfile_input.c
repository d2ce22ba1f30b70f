/* The input that libsndfile reads: a source with random access, in which sizes of short files are replaced. */
#include "io/formats/audio/sndfile_input.h"

static sf_count_t input_length(void *user)
{
    return ((const struct gf_sndfile_input *)user)->size;
}

static sf_count_t input_seek(sf_count_t offset, int whence, void *user)
{
    struct gf_sndfile_input *p = user;
    const int64_t from = whence == SEEK_SET ? 0 : whence == SEEK_CUR ? p->at : p->size;
    int64_t to;

    /* libsndfile adds up lengths of damaged files, which may be anything */
    if (__builtin_add_overflow(from, offset, &to) || to < 0)
        return -1;
    p->at = to;
    return to;
}

static sf_count_t input_read(void *to, sf_count_t size, void *user)
{
    struct gf_sndfile_input *p = user;
    int64_t left = p->size > p->at ? p->size - p->at : 0;
    int64_t got = size < left ? size : left;

    if (got <= 0)
        return 0;
    got = gf_source_read_at(p->source, p->at, to, (size_t)got, &p->error);
    if (got < 0) {
        p->broken = true;
        return 0;
    }
    for (int i = 0; i < p->stated.patch_bytes; i++) {
        const int64_t place = p->stated.patch_at + i - p->at;

        if (place >= 0 && place < got)
            ((unsigned char *)to)[place] = p->stated.patch[i];
    }
    p->at += got;
    return got;
}

static sf_count_t input_write(const void *from, sf_count_t size, void *user)
{
    (void)from, (void)size, (void)user;
    return 0;
}

/*
 * After a failed read it is the end of the file. Otherwise libsndfile would look for further chunks of CAF
 * and 8SVX forever.
 */
static sf_count_t input_tell(void *user)
{
    const struct gf_sndfile_input *p = user;

    return p->broken ? INT64_MAX / 2 : p->at;
}

SF_VIRTUAL_IO gf_sndfile_input_calls = { input_length, input_seek, input_read, input_write, input_tell };

void gf_sndfile_input_rewind(void *user)
{
    ((struct gf_sndfile_input *)user)->at = 0;
}
