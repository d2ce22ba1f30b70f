/* A stage that inserts: it puts another recording into the audio, for the stages after it. */
#ifndef GF_CHAIN_INSERTING_H
#define GF_CHAIN_INSERTING_H

#include <stdint.h>

/* The recording in `file` comes before frame `at` of the audio; INT64_MAX: after the last one. */
struct gf_inserting {
    const char *file;
    int64_t at;
    double fade_seconds;             /* of the crossfades at both ends; 0: there are none */
};

#endif
