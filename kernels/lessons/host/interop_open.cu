/*
 * The lesson on OpenGL: creates its texture and its buffer of vertices, and registers them with CUDA,
 * which takes long and so is done once for all images of a size.
 */
#include "kernels/lessons/host/interop.h"
#include "kernels/lessons/lesson.cuh"
#include "kernels/lessons/steps.h"

#include <stdio.h>
#include <stdlib.h>

/* From cuda_gl_interop.h, which includes GL/gl.h and so needs more than CUDA to be installed. */
extern "C" cudaError_t CUDARTAPI cudaGraphicsGLRegisterImage(struct cudaGraphicsResource **resource, unsigned image,
                                                             unsigned target, unsigned flags);
extern "C" cudaError_t CUDARTAPI cudaGraphicsGLRegisterBuffer(struct cudaGraphicsResource **resource, unsigned buffer,
                                                              unsigned flags);

extern "C" int gf_lesson_interop_open(struct gf_lesson_io *io, struct gf_error *err)
{
    struct gf_interop *s = (struct gf_interop *)calloc(1, sizeof *s);
    int device;

    io->state = s;
    if (s == NULL)
        return gf_fail_memory(err, NULL);
    if (gf_cuda_check(cudaGetDevice(&device), "lesson of OpenGL", err) != 0)
        return -1;
    s->gl = gf_gl_open(device, s->why, sizeof s->why);
    return 0;
}

static void discard(struct gf_interop *s)
{
    if (s->texture != NULL)
        cudaGraphicsUnregisterResource((cudaGraphicsResource_t)s->texture);
    if (s->vertices != NULL)
        cudaGraphicsUnregisterResource((cudaGraphicsResource_t)s->vertices);
    s->texture = s->vertices = NULL;
}

/* Writes why a resource is missing, and clears the error. */
static void note_failure(struct gf_interop *s, const char *what, cudaError_t code)
{
    (void)cudaGetLastError();
    snprintf(s->why, sizeof s->why, "%s cannot be registered: %s", what, cudaGetErrorString(code));
}

/* Kernels write all of the buffer, so its old contents need not be kept. */
static void register_vertices(struct gf_interop *s, int64_t count)
{
    const unsigned name = gf_gl_vertices(s->gl, count);
    cudaGraphicsResource_t vertices = NULL;
    const cudaError_t code = name == 0 ? cudaErrorMemoryAllocation :
        cudaGraphicsGLRegisterBuffer(&vertices, name, cudaGraphicsRegisterFlagsWriteDiscard);

    if (code == cudaSuccess)
        s->vertices = vertices;
    else
        note_failure(s, "a buffer of vertices", code);
}

/* Creates a texture and a buffer for as many pixels. If that is not possible, the steps have no times. */
extern "C" int gf_lesson_interop_bind(struct gf_lesson_io *io, struct gf_error *err)
{
    struct gf_interop *s = (struct gf_interop *)io->state;
    cudaGraphicsResource_t texture = NULL;
    cudaError_t code;
    unsigned name;

    (void)err;
    discard(s);                          /* before the objects of OpenGL themselves */
    if (s->gl == NULL)
        return 0;
    name = gf_gl_texture(s->gl, io->count);
    code = name == 0 ? cudaErrorMemoryAllocation :
        cudaGraphicsGLRegisterImage(&texture, name, GF_GL_TEXTURE_2D, cudaGraphicsRegisterFlagsSurfaceLoadStore);
    if (code != cudaSuccess) {
        note_failure(s, "a texture", code);
        return 0;
    }
    s->texture = texture;
    register_vertices(s, io->count);
    return 0;
}

extern "C" int gf_lesson_interop_close(struct gf_lesson_io *io, struct gf_error *err)
{
    struct gf_interop *s = (struct gf_interop *)io->state;

    (void)err;
    if (s == NULL)
        return 0;
    discard(s);
    gf_gl_close(s->gl);
    free(s);
    return 0;
}

extern "C" int gf_lesson_interop_tell(struct gf_lesson_io *io, struct gf_error *err)
{
    const struct gf_interop *s = (const struct gf_interop *)io->state;

    (void)err;
    if (s->texture == NULL)
        gf_lesson_say(io->report, "there is no OpenGL for this GPU here, so the steps have no times: %s", s->why);
    else if (s->vertices == NULL)
        gf_lesson_say(io->report, "no points are drawn here, so the last step has no time: %s", s->why);
    return 0;
}
