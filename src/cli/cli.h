/* The command line: rows that say which options there are, and what was asked for. */
#ifndef GF_CLI_H
#define GF_CLI_H

#include "device/device.h"
#include "base/error.h"
#include "io/io.h"
#include "plan/plan.h"

#include <stddef.h>

enum gf_progress_when { GF_PROGRESS_AUTO, GF_PROGRESS_ALWAYS, GF_PROGRESS_NEVER };

/* What the words ask for; everything but RUN is answered from help.c. */
enum gf_ask {
    GF_ASK_RUN,
    GF_ASK_HELP,
    GF_ASK_LIST,
    GF_ASK_DEVICES,
    GF_ASK_BENCH,
    GF_ASK_VERSION,
    GF_ASK_COMPLETION,
    GF_ASK_MANUAL
};

struct gf_request {
    enum gf_ask ask;
    const char *topic;           /* --help STAGE, --bench OPERATION, --completion SHELL, --manual PART */
    const char **inputs;         /* "-" where nothing was named, here or by files_from */
    int input_count;
    const char *output;          /* "-" where nothing was named */
    const char **words;          /* the stages as written */
    int word_count;
    struct gf_read_options read;
    struct gf_write_options write;
    struct gf_limits limits;
    enum gf_device_choice where;
    struct gf_device_list cuda;
    bool explain;
    bool stats, stats_json;
    const char *trace_json, *trace_svg;  /* files, or NULL */
    enum gf_progress_when progress;
    bool quiet, verbose;
    const char *files_from;      /* a list of further inputs, or NULL */
    bool nul;                    /* whose names end in zero bytes */
    int shard, shard_count;      /* every shard_count-th input from the shard-th; 0: all */
    bool update, fail_fast;
    bool strict;                 /* warnings are errors */
};

enum gf_cli_type {
    GF_CLI_FLAG,                 /* bool */
    GF_CLI_INT,                  /* int in least to most */
    GF_CLI_COUNT,                /* int64_t in least to most; k, M, G count in thousands */
    GF_CLI_BYTES,                /* int64_t; K, M, G count in 1024s */
    GF_CLI_TEXT,                 /* const char * */
    GF_CLI_CUSTOM                /* what `set` makes of it */
};

/* One option. It drives the parser, --help, the completions and the manual. */
struct gf_cli_row {
    const char *name;
    bool once;                   /* twice is a mistake */
    char letter;                 /* 0: none */
    enum gf_cli_type type;
    size_t offset;               /* in struct gf_request */
    const char *argument;        /* the word for it, in capitals or as choices a|b; NULL: takes none */
    bool optional;               /* the argument may be left out: --stats, --stats=json */
    bool files;                  /* the argument is a file: completions */
    double least, most;
    int (*set)(struct gf_request *r, const char *value, struct gf_error *err);
    const char *text;            /* one line for people; NULL: hidden */
    const char *more;            /* what the manual adds; NULL: nothing */
};

extern const struct gf_cli_row gf_cli_rows[];       /* ended by a row without a name */

/* Reads the words; the request borrows them. Release it in any case. */
int gf_cli_parse(int argc, char **argv, struct gf_request *r, struct gf_error *err) GF_MUST_CHECK;
void gf_cli_release(struct gf_request *r);

#endif
