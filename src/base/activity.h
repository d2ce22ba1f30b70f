/* Activities of lanes, readers and writers: reports and traces show how long each took. */
#ifndef GF_BASE_ACTIVITY_H
#define GF_BASE_ACTIVITY_H

#include "base/signal.h"

#ifdef __cplusplus
extern "C" {
#endif

enum gf_activity {
    GF_STARTING,                 /* opening devices, lanes, buffers */
    GF_READING,
    GF_DECODING,
    GF_COPYING,                  /* in host memory, between a decoded signal and a lane */
    GF_UPLOAD,
    GF_WORKING,
    GF_DOWNLOAD,
    GF_ENCODING,
    GF_WRITING,
    GF_SEGMENT,                  /* upload to download of a segment; in a trace it contains the others */
    GF_ACTIVITIES
};

/* An activity of a lane, for --stats and --trace. Times are seconds of gf_clock_seconds(). */
struct gf_interval {
    enum gf_activity activity;
    int lane;
    int step;                    /* index in the pass, or -1 */
    int pass;
    double start, end;
    int64_t bytes;
    struct gf_span units;        /* GF_SEGMENT: units of the output of the pass */
};

#ifdef __cplusplus
}
#endif
#endif
