/* The request of a command line. */
#ifndef GF_CLI_REQUEST_H
#define GF_CLI_REQUEST_H

#include "base/error.h"
#include "device/device.h"
#include "io/io.h"
#include "plan/plan.h"

enum gf_progress_when { GF_PROGRESS_AUTO, GF_PROGRESS_ALWAYS, GF_PROGRESS_NEVER };

/*
 * Kinds of requests. run_request.c runs RUN and INFO; answer_request.c answers the others of gpufilter,
 * src/bench/main.c those of gpufilter-bench.
 */
enum gf_ask {
    GF_ASK_RUN,
    GF_ASK_INFO,
    GF_ASK_HELP,
    GF_ASK_LIST,
    GF_ASK_DEVICES,
    GF_ASK_STOP,
    GF_ASK_SERVE,
    GF_ASK_BENCH,
    GF_ASK_KERNELS,
    GF_ASK_RATES,
    GF_ASK_PEERS,
    GF_ASK_CHECK,
    GF_ASK_VERSION,
    GF_ASK_COMPLETION,
    GF_ASK_MANUAL
};

/* --jpeg: libjpeg or the GPU decodes and encodes. */
enum gf_jpeg_by { GF_JPEG_BY_SOFTWARE, GF_JPEG_BY_HARDWARE };

struct gf_request {
    char **argv;                 /* all arguments of the program */
    enum gf_ask ask;
    const char *asked;           /* the option that chose `ask`; NULL: none */
    const char *topic;           /* --help STAGE, --bench OPERATION, --completion SHELL, --manual PART */
    const char **inputs;         /* "-" if neither these nor files_from were given */
    bool *bare;                  /* per input: true if it was named without -i, which a note reports */
    int input_count;
    const char *output;          /* "-" by default */
    const char **words;          /* the stages, as typed */
    int word_count;
    struct gf_read_options read;
    struct gf_write_options write;
    struct gf_limits limits;
    enum gf_device_choice where;
    const char *device;          /* --device, as it was given; NULL: not given */
    struct gf_device_list cuda;
    enum gf_jpeg_by jpeg;        /* --jpeg */
    bool stay_given;
    double stay_seconds;         /* --stay, or GPUFILTER_STAY; 0: each run has devices of its own */
    bool explain;
    bool stats, stats_json;
    const char *trace_json, *trace_svg;  /* files, or NULL */
    enum gf_progress_when progress;
    bool quiet, verbose;
    bool recursive;              /* -R: folders in folders are searched */
    const char *files_from;      /* a list of further inputs, or NULL */
    bool nul;                    /* the names in it end in zero bytes */
    int shard, shard_count;      /* every shard_count-th input, beginning with the shard-th; 0: all */
    bool update, fail_fast;
    bool strict;                 /* warnings are errors */
    bool sandbox, no_sandbox;    /* --sandbox, --no-sandbox */
    bool untrusted;              /* --untrusted */
    int64_t max_output;          /* --max-output: bytes of each file that is written; 0: no limit */
};

#endif
