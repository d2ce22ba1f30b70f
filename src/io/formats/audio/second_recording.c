/* Detects a second recording after the first, as in the output of `cat A B`. It is not read. */
#define _GNU_SOURCE
#include "io/formats/audio/second_recording.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* How recordings begin: bytes at the start, and further bytes at offset `at`. */
static const struct {
    const char *first;
    unsigned char first_bytes;
    const char *then;
    unsigned char at, then_bytes;
} heads[] = {
    { "RIFF", 4, "WAVE", 8, 4 }, { "RIFX", 4, "WAVE", 8, 4 }, { "RF64", 4, "WAVE", 8, 4 }, { "BW64", 4, "WAVE", 8, 4 },
    { "FORM", 4, "AIF", 8, 3 }, { "FORM", 4, "8SVX", 8, 4 }, { "Creative Voi", 12, "", 0, 0 },
    { "fLaC", 4, "\0\0\"", 5, 3 }, { "OggS\0\2", 6, "", 0, 0 }, { ".snd\0\0", 6, "", 0, 0 },
    { "caff\0\1\0\0", 8, "", 0, 0 }, { "riff\x2E\x91\xCF\x11", 8, "", 0, 0 },
};

#define MOST_HEAD 12

static bool begins_at(const unsigned char *b)
{
    for (size_t i = 0; i < sizeof heads / sizeof *heads; i++)
        if (memcmp(b, heads[i].first, heads[i].first_bytes) == 0
            && memcmp(b + heads[i].at, heads[i].then, heads[i].then_bytes) == 0)
            return true;
    return false;
}

bool gf_second_recording_begins(const unsigned char *bytes, size_t size)
{
    for (size_t at = 0; at + MOST_HEAD <= size; at++)
        if (strchr("RBFfO.crC", bytes[at]) != NULL && begins_at(bytes + at))
            return true;
    return false;
}

int gf_second_recording_check(struct gf_reader *r, struct gf_source *s, int64_t from, struct gf_error *err)
{
    unsigned char *room = NULL;
    const unsigned char *bytes;
    int64_t got;

    if (s->random) {
        if (s->size - from < MOST_HEAD)
            return 0;
        bytes = room = malloc(GF_SECOND_RECORDING_BYTES);
        if (room == NULL)
            return gf_fail_memory(err, r->name);
        got = gf_source_read_at(s, from, room, GF_SECOND_RECORDING_BYTES, err);
    } else {
        got = gf_source_peek(s, GF_SECOND_RECORDING_BYTES, &bytes, err);
    }
    if (got > 0 && gf_second_recording_begins(bytes, (size_t)got))
        gf_warn(r->notices, "second-recording", r->name, "a second recording follows the first and is ignored; join "
                "them with: sox A B -t wav - | gpufilter ...");
    free(room);
    return got < 0 ? -1 : 0;
}
