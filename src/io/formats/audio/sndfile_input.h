/* The input that libsndfile reads: a source with random access, in which sizes of short files are replaced. */
#ifndef GF_FORMATS_SNDFILE_INPUT_H
#define GF_FORMATS_SNDFILE_INPUT_H

#include "io/formats/audio/libsndfile.h"
#include "io/formats/audio/stated_length.h"
#include "io/source.h"

struct gf_sndfile_input {
    struct gf_source *source;
    int64_t start;               /* offset of the input in the source */
    int64_t size, at;            /* of the input; libsndfile's position in it */
    int64_t hidden_at;           /* offset in the input at which these bytes of the source are left out: */
    int64_t hidden;
    bool varies;                 /* MP3 of several bit rates that states no length */
    struct gf_stated_length stated;
    struct gf_error error;       /* an error of the source inside a callback of libsndfile */
    bool broken;
    bool opening;                /* libsndfile is reading the headers: */
    bool wave;                   /* the file is WAV or RF64 */
    int64_t asked;               /* how often libsndfile has asked for its position */
};

/* For gf_sndfile_open(). The user data is a struct gf_sndfile_input. */
extern SF_VIRTUAL_IO gf_sndfile_input_calls;
void gf_sndfile_input_rewind(void *user);

#endif
