/*
 * Warns about data of an audio file that the output does
 * not store: tags, cover art and the like, loudspeakers.
 */
#ifndef GF_METADATA_AUDIO_LOSS_H
#define GF_METADATA_AUDIO_LOSS_H

#include "io/io.h"

/* Returns true if m->riff, chunks of a WAV, are copied to the output. */
bool gf_audio_loss_keeps_riff(const struct gf_writer *w, const struct gf_meta *m);
/*
 * Warns about data that the writer does not store.
 * `late` means it came after the audio, on a pipe.
 */
void gf_audio_loss_warn(const struct gf_reader *r, const struct gf_writer *w, bool late);
/* Warns if loudspeaker positions are lost; `channels` is the number of channels of the output. */
void gf_audio_loss_warn_layout(const struct gf_reader *r, const struct gf_writer *w, int channels);

#endif
