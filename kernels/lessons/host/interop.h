/* The lesson on OpenGL: a context without a window, a texture and vertices, on the GPU that CUDA uses. */
#ifndef GF_LESSONS_INTEROP_H
#define GF_LESSONS_INTEROP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define GF_GL_TEXTURE_2D 0x0DE1u
#define GF_GL_ARRAY_BUFFER 0x8892u
#define GF_GL_COLUMNS 4096               /* of a texture, if it has as many pixels */

struct gf_gl;

/* A point that OpenGL draws: its place, from -1 to 1 over the whole picture, and its color, 8 bits of RGBA. */
struct gf_gl_vertex {
    float x, y;
    uint32_t color;
};

/* The state of the lesson. */
struct gf_interop {
    struct gf_gl *gl;                    /* NULL: `why` */
    /* cudaGraphicsResource_t: objects of OpenGL, for CUDA; NULL: `why` */
    void *texture, *vertices;
    char why[200];
};

/* Returns NULL, and why, if there is no OpenGL on this GPU. The context belongs to the calling thread. */
struct gf_gl *gf_gl_open(int cuda_device, char *why, size_t room);
void gf_gl_close(struct gf_gl *gl);

/* Creates a texture of 8-bit RGBA for so many pixels, instead of the last one. Returns its name; 0 if that failed. */
unsigned gf_gl_texture(struct gf_gl *gl, int64_t pixels);
/*
 * Creates a buffer for as many vertices, and a picture to draw them on, which has the size of the texture.
 * Returns the name of the buffer; 0 if that failed. After gf_gl_texture().
 */
unsigned gf_gl_vertices(struct gf_gl *gl, int64_t pixels);
/* Discards all of these. */
void gf_gl_discard(struct gf_gl *gl);
/* Uploads pixels to the texture. */
void gf_gl_upload(struct gf_gl *gl, const uint32_t *from, int64_t pixels);
/* Reads pixels of the texture. Returns false if that fails. */
bool gf_gl_read(struct gf_gl *gl, uint32_t *to, int64_t pixels);
/* Clears the picture, and draws a point for each vertex on it. */
void gf_gl_draw(struct gf_gl *gl, int64_t pixels);
/* Reads pixels of the picture. Returns false if that or the drawing failed. */
bool gf_gl_read_picture(struct gf_gl *gl, uint32_t *to, int64_t pixels);
/* Waits until OpenGL has done everything. */
void gf_gl_finish(struct gf_gl *gl);

#ifdef __cplusplus
}
#endif
#endif
