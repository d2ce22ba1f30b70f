/* Updates chunks of a WAV for another WAV, in which times, levels or channels are others. */
#ifndef GF_METADATA_RIFF_CHUNKS_H
#define GF_METADATA_RIFF_CHUNKS_H

#include "io/metadata/change.h"
#include "io/metadata/meta.h"

/* A chunk is kept if the output still has what the chunk needs. */
enum gf_riff_needs {
    GF_RIFF_NEEDS_TIMED = 1,             /* times may move, if it is known how */
    GF_RIFF_NEEDS_TIMES = 2,
    GF_RIFF_NEEDS_CHANNELS = 4
};

/* Kinds of stated loudness, for a warning. */
#define GF_RIFF_LEVELS 4
extern const char *const gf_riff_level_names[GF_RIFF_LEVELS];

/* Returns bits of enum gf_riff_needs for a chunk that a WAV keeps. */
unsigned gf_riff_chunks_needs(const char *id);
bool gf_riff_chunks_keeps(unsigned needs, const struct gf_audio_change *c);
/* Returns a bit for each of gf_riff_level_names that a change makes false in the chunks of `m`. */
unsigned gf_riff_chunks_levels(const struct gf_meta *m, const struct gf_audio_change *c);
/*
 * Copies the chunks in m->riff that are still valid, with updated positions and without levels that are false. `to` has
 * room for all. Returns the number of bytes.
 */
size_t gf_riff_chunks_settle(const struct gf_meta *m, const struct gf_audio_change *c, unsigned char *to);

/* Markers of several recordings, and their labels: what is in the chunks of a WAV. All zero: none. */
struct gf_riff_markers {
    unsigned char *cues, *labels;
    size_t cue_bytes, cue_room, label_bytes, label_room;
};

/* Adds the markers of a recording that are in the output. They are numbered from 1 on. */
int gf_riff_markers_add(struct gf_riff_markers *to, const struct gf_meta *m, const struct gf_audio_change *c,
                        struct gf_error *err) GF_MUST_CHECK;
/* Returns the frame of marker `i` from 0 on, and its label, which ends after *length bytes; -1 after the last one. */
int64_t gf_riff_markers_at(const struct gf_riff_markers *m, size_t i, const char **label, int *length);
/* Replaces the markers in m->riff, by these in the order of time, for which they are numbered again. */
int gf_riff_markers_set(struct gf_riff_markers *from, struct gf_meta *m, struct gf_error *err) GF_MUST_CHECK;
void gf_riff_markers_release(struct gf_riff_markers *m);

/* Replaces the chunks of `m` by those that are still valid, and marks the others among m->extra as lost. */
int gf_riff_chunks_apply(struct gf_meta *m, const struct gf_audio_change *c, struct gf_error *err) GF_MUST_CHECK;

#endif
