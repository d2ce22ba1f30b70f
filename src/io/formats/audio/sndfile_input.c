/* The input that libsndfile reads: a source with random access, in which sizes of short files are replaced. */
#include "io/formats/audio/sndfile_input.h"

#include <string.h>

#define MOST_RATIO 64                    /* of the sizes of two frames of an MP3 */

static sf_count_t input_length(void *user)
{
    return ((const struct gf_sndfile_input *)user)->size;
}

static sf_count_t input_seek(sf_count_t offset, int whence, void *user)
{
    struct gf_sndfile_input *p = user;
    int64_t from = whence == SEEK_SET ? 0 : whence == SEEK_CUR ? p->at : p->size;
    int64_t to;

    /*
     * libmpg123 takes the end for the size, estimates the number of frames from it and the first frame, and
     * libsndfile stops there. A later frame may have 1/60 of the bytes.
     */
    if (p->varies && whence == SEEK_END && offset == 0 && from < INT64_MAX / MOST_RATIO)
        from *= MOST_RATIO;
    /* libsndfile adds up lengths of damaged files, which may be anything */
    if (__builtin_add_overflow(from, offset, &to) || to < 0)
        return -1;
    p->at = to;
    return to;
}

/* Returns true if libsndfile takes a file that begins with these bytes for WAV or RF64. */
static bool is_wave(const unsigned char *b, int64_t size)
{
    return size >= 12 && (memcmp(b, "RIF", 3) == 0 || memcmp(b, "RF64", 4) == 0) && memcmp(b + 8, "WAVE", 4) == 0;
}

/*
 * Sizes inside a LIST chunk can lead back, and libsndfile would then read the chunk forever. It gets the
 * name JUNK instead; gf_audio_extras_find() reads the tags. libsndfile reads a name alone, and samples in
 * longer blocks. If a name is unknown, libsndfile steps back 3 bytes and reads on from there, so a read may also
 * have only a part of a name. Therefore the 3 bytes before and after it are searched, too.
 */
static int hide_lists(struct gf_sndfile_input *p, unsigned char *b, int64_t size)
{
    enum { NAME = 4 };
    static const char *const hidden[] = { "LIST", "INFO" };
    const int64_t first = p->at < NAME - 1 ? 0 : p->at - (NAME - 1);
    unsigned char around[3 * NAME];
    int64_t got;

    if (!p->wave || size > NAME)
        return 0;
    got = gf_source_read_at(p->source, first, around, (size_t)(p->at - first + size + NAME - 1), &p->error);
    for (int64_t i = 0; i + NAME <= got; i++) {
        bool found = false;

        for (size_t k = 0; k < sizeof hidden / sizeof *hidden; k++)
            found = found || memcmp(around + i, hidden[k], NAME) == 0;
        for (int k = 0; found && k < NAME; k++) {
            const int64_t place = first + i + k - p->at;

            if (place >= 0 && place < size)
                b[place] = (unsigned char)"JUNK"[k];
        }
    }
    return got < 0 ? -1 : 0;
}

/* Reads bytes of the input, without those that are hidden. */
static int64_t read_shown(struct gf_sndfile_input *p, unsigned char *to, int64_t size)
{
    const int64_t before = p->hidden_at > p->at ? p->hidden_at - p->at : 0, first = before < size ? before : size;
    int64_t got = 0, more = 0;

    if (p->hidden == 0)
        return gf_source_read_at(p->source, p->start + p->at, to, (size_t)size, &p->error);
    if (first > 0)
        got = gf_source_read_at(p->source, p->start + p->at, to, (size_t)first, &p->error);
    if (got == first && size > first)
        more = gf_source_read_at(p->source, p->start + p->at + first + p->hidden, to + first, (size_t)(size - first),
                                 &p->error);
    return got < 0 || more < 0 ? -1 : got + more;
}

static sf_count_t input_read(void *to, sf_count_t size, void *user)
{
    struct gf_sndfile_input *p = user;
    int64_t left = p->size > p->at ? p->size - p->at : 0;
    int64_t got = size < left ? size : left;

    if (got <= 0)
        return 0;
    got = read_shown(p, to, got);
    if (got > 0 && p->opening) {
        p->wave = p->wave || is_wave(to, got);
        got = hide_lists(p, to, got) == 0 ? got : -1;
    }
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
 * and 8SVX forever. It asks for its position a few times per chunk, so more often than once per byte
 * means that chunks of 8SVX lead back to each other.
 */
static sf_count_t input_tell(void *user)
{
    enum { LEAST_ASKED = 1000 };
    struct gf_sndfile_input *p = user;

    if (p->opening && !p->broken && ++p->asked > p->size + LEAST_ASKED) {
        gf_fail_damaged(&p->error, "%s: can't be decoded: a size in the header of a chunk is wrong", p->source->name);
        p->broken = true;
    }
    return p->broken ? INT64_MAX / 2 : p->at;
}

SF_VIRTUAL_IO gf_sndfile_input_calls = { input_length, input_seek, input_read, input_write, input_tell };

void gf_sndfile_input_rewind(void *user)
{
    ((struct gf_sndfile_input *)user)->at = 0;
}
