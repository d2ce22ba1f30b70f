/* Palettes of a GIF: the colors of an image as they are, or the best 256 for it, and dithering with these. */
#ifndef GF_FORMATS_GIF_PALETTE_H
#define GF_FORMATS_GIF_PALETTE_H

#include "io/formats/frames/canvas.h"

#define GF_GIF_KEEP 0xFF000000u          /* a pixel that is not drawn; others are 0xRRGGBB */

struct gf_gif_palette {
    int colours;
    uint32_t rgb[256];
};

struct gf_gif_chooser;

/* Returns NULL if memory is short. */
struct gf_gif_chooser *gf_gif_chooser_new(void);
void gf_gif_chooser_free(struct gf_gif_chooser *c);
/* Adds the colors of n pixels to a palette, in their order. Returns false if they are more than `most`. */
bool gf_gif_add_colours(struct gf_gif_chooser *c, const uint32_t *pixels, int64_t n, int most,
                        struct gf_gif_palette *palette);
/* Maps pixels to a palette that has all their colors. Those that are not drawn get the index `kept`. */
void gf_gif_map(struct gf_gif_chooser *c, const struct gf_gif_palette *palette, const uint32_t *pixels, int64_t n,
                int kept, uint8_t *index);
/*
 * Chooses at most `most` colors for n pixels: boxes of colors are divided where that reduces the sum of the squared
 * errors most.
 */
void gf_gif_choose_colours(struct gf_gif_chooser *c, const uint32_t *pixels, int64_t n, int most,
                           struct gf_gif_palette *palette);
/*
 * Maps the pixels of a place to the palette that was chosen last, with ordered dither. It depends on the position in
 * the image alone, so that it does not move from frame to frame.
 */
void gf_gif_dither(struct gf_gif_chooser *c, const uint32_t *pixels, const struct gf_canvas_place *place, int kept,
                   uint8_t *index);

#endif
