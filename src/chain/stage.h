/* A stage: one constant descriptor, known by name and kind. */
#ifndef GF_CHAIN_STAGE_H
#define GF_CHAIN_STAGE_H

#include "base/error.h"
#include "base/signal.h"
#include "chain/build.h"
#include "chain/option.h"

/* What a stage leaves: a signal; or, ending the chain, a table; or one that is drawn where nothing tells what is wanted. */
enum gf_ends { GF_ENDS_SIGNAL, GF_ENDS_TABLE, GF_ENDS_DRAWING };

/*
 * A stage keeps the range of values (0 to 1, audio -1 to 1), so that values outside stay outside; it sets the range on purpose, by
 * mapping or limiting values; or its results have no such scale at all.
 */
enum gf_range { GF_RANGE_KEPT, GF_RANGE_SET, GF_RANGE_LOST };

/* What a stage is for: manuals and lists show stages under these headings, in this order. */
enum gf_group {
    GF_GROUP_COLOR, GF_GROUP_CHANNELS, GF_GROUP_BLUR, GF_GROUP_EDGES, GF_GROUP_DENOISE, GF_GROUP_GEOMETRY, GF_GROUP_COMBINE,
    GF_GROUP_LEVEL, GF_GROUP_FILTER, GF_GROUP_TIME, GF_GROUP_REMIX,
    GF_GROUP_MEASURE,                    /* the last one of images and of audio */
    GF_GROUPS
};

struct gf_stage {
    const char *name;
    enum gf_kind kind;
    enum gf_group group;
    enum gf_ends ends;
    enum gf_range range;
    const char *summary;                 /* one line, no full stop */
    const char *text;                    /* for the manual, in paragraphs with an empty line between them. A paragraph that
                                          * begins with blanks is shown line by line as it is: formulas, tables of up to 75
                                          * columns. NULL: the summary is enough. */
    const char *const *examples;         /* whole command lines that run; ended by NULL */
    const char *picture;                 /* a sample and stages that show what this one does; sound is drawn before and
                                          * behind them by those that follow a bar: "a.wav gain:3 | waveform" */
    const struct gf_option *options;     /* ended by a row without a name; NULL: takes none */
    size_t config_bytes;
    bool keeps_times;                    /* audio: a sound stays where it was, so that data about times stays true */
    bool wants_length;                   /* of what comes in: a pipe that does not tell is read to its end first */
    bool (*waits)(const void *config);   /* with wants_length: whether it does as configured; NULL: always */
    /*
     * Checks the configuration against what comes in and adds the operations that do the
     * work. A stage never allocates (but from the build), cuts, copies or waits.
     */
    int (*bind)(const void *config, const struct gf_format *in, struct gf_build *build, struct gf_error *err);
};

/* Every stage of the program, by name then kind; generated from the list of filters. */
extern const struct gf_stage *const gf_stages[];
extern const int gf_stage_count;

const struct gf_stage *gf_stage_find(const char *name, enum gf_kind kind);

/* What does to signals of `kind` what `stage` does to the other one; or NULL. */
const char *gf_stage_counterpart(const char *stage, enum gf_kind kind);
/* A hint for a word that is no stage's name, whatever its capitals and dashes; or NULL. */
const char *gf_stage_hint(const char *word);
/* Refuses a frequency that sound of this rate can't hold: the input's fault, for the words are right for others. */
int gf_stage_check_hz(const char *stage, double hz, const struct gf_format *in, struct gf_error *err) GF_MUST_CHECK;

#endif
