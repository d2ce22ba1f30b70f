/* Warnings about what an audio file carries and the output does not store: tags, things like cover art, loudspeakers. */
#ifndef GF_METADATA_AUDIO_LOSS_H
#define GF_METADATA_AUDIO_LOSS_H

#include "io/io.h"

/* True if m->riff, chunks of a WAV, goes into the output. */
bool gf_audio_loss_keeps_riff(const struct gf_writer *w, const struct gf_meta *m);
/* Warns about what the reader found and the writer does not store. `late`: it was found after the audio, on a pipe. */
void gf_audio_loss_warn(const struct gf_reader *r, const struct gf_writer *w, bool late);
/* Warns if the loudspeakers that the channels are for get lost; the output has so many channels. */
void gf_audio_loss_warn_layout(const struct gf_reader *r, const struct gf_writer *w, int channels);

#endif
