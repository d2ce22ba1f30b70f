/* Activities of lanes and of those who read and write: reports and traces show how long each took. */
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
    GF_COPYING,                  /* on the host, between a decoded signal and a lane */
    GF_UPLOAD,
    GF_WORKING,
    GF_DOWNLOAD,
    GF_ENCODING,
    GF_WRITING,
    GF_SEGMENT,                  /* upload to download of a segment: what frames the others in a trace */
    GF_ACTIVITIES
};

/* Something a lane was busy with, for --stats and --trace: seconds of gf_clock_seconds(). */
struct gf_interval {
    enum gf_activity activity;
    int lane;
    int step;                    /* index in the pass, or -1 */
    int pass;
    double start, end;
    int64_t bytes;
    struct gf_span units;        /* GF_SEGMENT: of the pass's output */
};

#ifdef __cplusplus
}
#endif
#endif
