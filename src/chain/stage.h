/* A stage: one constant descriptor, identified by name and kind. */
#ifndef GF_CHAIN_STAGE_H
#define GF_CHAIN_STAGE_H

#include "base/error.h"
#include "base/signal.h"
#include "chain/album.h"
#include "chain/build.h"
#include "chain/inserting.h"
#include "chain/joining.h"
#include "chain/look.h"
#include "chain/option.h"
#include "chain/splitting.h"
#include "chain/video.h"

/*
 * The result of a stage: a signal; or what ends the chain: a table, a table that is drawn by
 * default, or an image in tiles.
 */
enum gf_ends { GF_ENDS_SIGNAL, GF_ENDS_TABLE, GF_ENDS_DRAWING, GF_ENDS_TILES };

/*
 * A stage may keep the range of values (0 to 1, audio -1 to 1): values outside stay outside. It may
 * set the range by mapping or limiting values. Or its results have no such scale.
 */
enum gf_range { GF_RANGE_KEPT, GF_RANGE_SET, GF_RANGE_LOST };

/* The purpose of a stage: manuals and lists show stages under these headings, in this order. */
enum gf_group {
    GF_GROUP_COLOR, GF_GROUP_CHANNELS, GF_GROUP_BLUR, GF_GROUP_EDGES, GF_GROUP_DENOISE, GF_GROUP_GEOMETRY,
    GF_GROUP_COMBINE,
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
    /*
     * For the manual, in paragraphs with an empty line between them. A paragraph that begins with
     * blanks is shown line by line as it is: formulas, and tables of up to 75 columns. NULL: the
     * summary is enough.
     */
    const char *text;
    const char *const *examples;         /* whole command lines that run; ended by NULL */
    /*
     * a sample and stages for the pictures in the manual; for audio and video, stages after a bar draw it
     * before and after: "a.wav gain:3 | waveform"
     */
    const char *picture;
    const struct gf_option *options;     /* ended by a row without a name; NULL: no options */
    size_t config_bytes;
    /* audio: positions in time do not change, so that metadata about times stays valid */
    bool keeps_times;
    /* audio: a channel of the result is not the input's channel of that number, so data about channels is not valid */
    bool remixes;
    /* audio: its second input gets the sample rate and the channels of the signal before it is read */
    bool evens_sides;
    /* needs the length of its input; a pipe of unknown length is read to its end first */
    bool wants_length;
    /* images: results have the meaning of input values, so that calibrations and ranges in metadata stay valid */
    bool keeps_values;
    /*
     * Sets how all images of the run become one: stages before it work on each image, and `bind` only checks them;
     * stages after it work on the result. NULL: the stage works on each image.
     */
    void (*joins)(const void *config, struct gf_joining *how);
    /*
     * Sets where a recording of this rate ends and the next one begins: stages before it work on all of it, and those
     * after it on each part. `bind` does nothing. NULL: the stage does not cut.
     */
    int (*splits)(const void *config, int32_t rate, struct gf_splitting *how, struct gf_error *err);
    /*
     * Sets which recording comes into audio of this format, and where: stages before it work on the audio, and those
     * after it on the result. `bind` does nothing. NULL: the stage inserts nothing.
     */
    int (*inserts)(const void *config, const struct gf_format *in, struct gf_inserting *how, struct gf_error *err);
    /* Returns true if it measures all inputs of a run together: `bind` asks gf_build_album(). NULL: it never does. */
    bool (*album)(const void *config);
    /*
     * Sets how many images before and after each image it needs, at most GF_MOST_FRAMES with the image itself: its
     * operations call gf_build_use_frames(). Stages before it work on each image first. NULL: it works on each image
     * by itself.
     */
    void (*frames)(const void *config, struct gf_frames *need);
    bool by_times;                       /* with frames: it chooses images by their times, which arrays do not have */
    /*
     * Looks at each image before the stage is bound to it: `bind` gets the numbers as `found` of its input, which are
     * all 0 if there was no image to look at, as for --explain. Stages before it work on the image first. Frames of a
     * video or an animation share what was found in the first one. NULL: the stage depends on the format alone.
     */
    int (*look)(const void *config, const struct gf_look *image, double found[GF_FOUND], struct gf_error *err);
    /* with look: true if it looks as configured; NULL: always */
    bool (*looks)(const void *config);
    /*
     * Audio: returns the stage that finds which spans of the input remain, with the same configuration, as a table of
     * their first frames and ends, if the stage cuts the rest away: the chain is divided before it, and `bind` gets
     * what remains. NULL, or a result of NULL: it does not.
     */
    const struct gf_stage *(*keeps)(const void *config);
    /* Returns what it `ends` in as configured. NULL: it says that for all configurations. */
    enum gf_ends (*ends_as)(const void *config);
    /* with wants_length: true if it needs the length as configured; NULL: always */
    bool (*waits)(const void *config);
    /*
     * Reduces *part, the upright input, to what the stage needs at the start of a chain: sets its `original`,
     * width and units. Returns false if the stage needs all of it. NULL: it always does.
     */
    bool (*narrow)(const void *config, struct gf_format *part);
    /*
     * Checks the configuration against the input's format, and adds the operations that do the
     * work. A stage never allocates (except from the build), cuts, copies or waits.
     */
    int (*bind)(const void *config, const struct gf_format *in, struct gf_build *build, struct gf_error *err);
    /*
     * Returns how the stage can work on the planes of video, for frames of this format (planes.h);
     * NULL: it needs red, green and blue.
     */
    enum gf_planes (*planes)(const void *config, const struct gf_format *frame);
    /*
     * Like bind, for one plane, if planes() allows it; `in` is the plane, a gray image. NULL: bind
     * does it.
     */
    int (*bind_plane)(const void *config, const struct gf_plane *plane, const struct gf_format *in,
                      struct gf_build *build, struct gf_error *err);
};

/* Every stage of the program, by name then kind; generated from the list of filters. */
extern const struct gf_stage *const gf_stages[];
extern const int gf_stage_count;

/* Returns the images around each one that a stage needs; NULL is allowed. */
static inline struct gf_frames gf_stage_frames(const struct gf_stage *stage, const void *config)
{
    struct gf_frames need = { 0 };

    if (stage != NULL && stage->frames != NULL)
        stage->frames(config, &need);
    return need;
}

/* Returns true if a stage needs more than one image at a time, or other times of them. */
static inline bool gf_frames_used(const struct gf_frames *need)
{
    return need->before + need->after > 0 || need->luma || need->rate[0] > 0;
}

/* Returns true if a stage looks at images before it is bound; NULL is allowed. */
static inline bool gf_stage_looks(const struct gf_stage *stage, const void *config)
{
    return stage != NULL && stage->look != NULL && (stage->looks == NULL || stage->looks(config));
}

/* Returns the stage that finds what remains of audio, or NULL (gf_stage.keeps); NULL is allowed. */
static inline const struct gf_stage *gf_stage_keeps(const struct gf_stage *stage, const void *config)
{
    return stage != NULL && stage->keeps != NULL ? stage->keeps(config) : NULL;
}

static inline enum gf_ends gf_stage_ends(const struct gf_stage *stage, const void *config)
{
    return stage->ends_as != NULL ? stage->ends_as(config) : stage->ends;
}

const struct gf_stage *gf_stage_find(const char *name, enum gf_kind kind);

/*
 * Fails if the frequency is half the sample rate or more. The status is GF_FAILED, because other
 * inputs may be fine.
 */
int gf_stage_check_hz(const char *stage, double hz, const struct gf_format *in, struct gf_error *err) GF_MUST_CHECK;

#endif
