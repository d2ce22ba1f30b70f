/* Windows of frames for random calls: images of one form in the memory of second images. */
#include "bench/cases/window.h"

#include <string.h>

#define LINE 512                         /* frames begin at multiples of it, as images of a GPU do, after some poison */

void gf_window_draw(struct gf_check *check, struct gf_trial *t, int frames, struct gf_span rows,
                    struct gf_block blocks[GF_MOST_FRAMES])
{
    const bool aligned = check->aligned;
    size_t at = 0;

    check->aligned = true;
    for (int i = 0; i < frames; i++) {
        const struct gf_format format = { .kind = GF_IMAGE, .type = t->form->planar ? GF_F32 : t->form->type,
                                          .bits = t->form->bits, .maxval = t->form->maxval,
                                          .channels = t->form->channels, .width = t->width, .units = t->units };
        size_t bytes;

        blocks[i] = gf_block_packed(check->src + LINE, &format, rows);
        bytes = gf_check_block_bytes(&blocks[i]);
        if (at + bytes > GF_CHECK_ROOM)
            bytes = 0;                           /* such frames are the first one */
        gf_draw_samples(check, &blocks[i], bytes, t->fill);
        memcpy(check->second + at, check->src, bytes);
        blocks[i].data = check->second + (bytes > 0 ? at : 0) + LINE;
        at += (bytes + LINE - 1) / LINE * LINE;
    }
    check->aligned = aligned;
    check->second_bytes = at < GF_CHECK_ROOM ? at : GF_CHECK_ROOM;
    t->io.frame = blocks;
    t->io.frames = frames;
    t->io.frame_now = frames / 2;
}

void gf_window_forget(struct gf_check *check, struct gf_trial *t)
{
    check->second_bytes = 0;
    t->io.frame = NULL;
    t->io.frames = t->io.frame_now = 0;
}
