/* The table of the options of the command line. */
#ifndef GF_CLI_CLI_OPTIONS_H
#define GF_CLI_CLI_OPTIONS_H

#include "cli/request.h"

#include <stddef.h>

enum gf_cli_type {
    GF_CLI_FLAG,                 /* bool */
    GF_CLI_INT,                  /* int in least to most */
    GF_CLI_COUNT,                /* int64_t in least to most; k, M, G count in thousands */
    GF_CLI_BYTES,                /* int64_t; K, M, G count in 1024s */
    GF_CLI_TEXT,                 /* const char * */
    GF_CLI_CHOICE,               /* int or enum: the element of `values` for the choice in `argument` */
    GF_CLI_ASK,                  /* requests `ask`, with the argument as its topic */
    GF_CLI_CUSTOM                /* set by the function `set` */
};

/* One option. It drives the parser, --help, the completions and the manual. */
struct gf_cli_option {
    const char *group;           /* heading of this option and those after it; NULL: continues the group */
    const char *name;
    bool once;                   /* it is an error to give it twice */
    char letter;                 /* 0: none */
    enum gf_cli_type type;
    size_t offset;               /* in struct gf_request */
    const char *argument;        /* its placeholder: FILE, or choices a|b; NULL: takes none */
    bool optional;               /* the argument may be left out: --stats, --stats=json */
    bool files;                  /* the argument is a file: completions */
    double least, most;
    const int *values;
    enum gf_ask ask;
    int (*set)(struct gf_request *r, const char *value, struct gf_error *err);
    const char *text;            /* one line for --help, without a period; NULL: a hidden option */
    const char *more;            /* further sentences for the manual; NULL: none */
};

extern const struct gf_cli_option gf_cli_options[];       /* gpufilter's; ended by a row without a name */
/* Sets --device, which gpufilter-bench has, too. */
int gf_cli_set_device(struct gf_request *r, const char *value, struct gf_error *err) GF_MUST_CHECK;
/* Sets --stay. */
int gf_cli_set_stay(struct gf_request *r, const char *value, struct gf_error *err) GF_MUST_CHECK;

/* A program with a command line. */
struct gf_cli_program {
    const char *name;                                     /* the prefix of messages */
    const struct gf_cli_option *options;
    enum gf_ask ask;                                      /* the request if no option makes another one */
    int (*answer)(const struct gf_request *r, struct gf_error *err);
};

#endif
