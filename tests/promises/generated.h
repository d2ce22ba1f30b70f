/* Parts of the generated test: random draws, signals as files, and stages with values from their descriptors. */
#ifndef GF_TESTS_GENERATED_H
#define GF_TESTS_GENERATED_H

#include "base/signal.h"
#include "chain/stage.h"

#include <stdio.h>

/* ---- draws ---- */

struct gf_dice {
    uint64_t state;
};

/* Each case has dice of its own, so that it can be repeated alone. */
struct gf_dice gf_dice_of(uint64_t seed, uint64_t group, uint64_t number);
/* Returns a number from 0 to n - 1. */
uint32_t gf_dice_draw(struct gf_dice *d, uint32_t n);
double gf_dice_unit(struct gf_dice *d);

/* ---- signals ---- */

enum gf_made { GF_MADE_IMAGE, GF_MADE_VIDEO, GF_MADE_SOUND };

struct gf_made_signal {
    enum gf_made made;
    int64_t width, units;                /* units of a video: rows of a frame */
    int channels;
    enum gf_type type;
    int bits;
    char name[64];                       /* of its file */
};

/* Chooses form `number` of all forms, or a random one if that is negative. */
void gf_made_choose(struct gf_made_signal *s, enum gf_made made, int number, struct gf_dice *d);
/* Writes the file unless it exists; false with errno set. */
bool gf_made_write(const struct gf_made_signal *s);

/* ---- stages ---- */

struct gf_drawn_stage {
    const struct gf_stage *stage;
    int values;
    char value[GF_OPTIONS_MAX][256];     /* KEY=VALUE, or a value alone */
    struct gf_made_signal second;        /* the file that the stage reads, if it has a name */
};

/*
 * Draws values for the stage's options. `in` is what the chain begins with; files that the stage reads are written.
 * False, with errno set, if that fails.
 */
bool gf_drawn_stage_draw(struct gf_drawn_stage *s, const struct gf_stage *stage, const struct gf_made_signal *in,
                         struct gf_dice *d);
/* Prints the stage as one argument. */
void gf_drawn_stage_print(const struct gf_drawn_stage *s, char *text, size_t bytes);

/* ---- runs by libgpufilter ---- */

#define GF_LAYOUTS 3                     /* of samples in memory: without gaps, mirrored with odd gaps, planes */

/* Opens the sessions. Returns false with a message if that fails. */
bool gf_arrays_open(bool gpu);
void gf_arrays_close(void);
/*
 * Runs stages on the samples of a signal, and writes those of the result, or its table as TSV, to a file. `depth` is
 * the type of the result, as on the command line. Returns the status that the program would have.
 */
int gf_arrays_run(const struct gf_made_signal *in, const struct gf_drawn_stage *stages, int count, const char *depth,
                  int layout, bool gpu, const char *out, const char *errors);

#endif
