/*
 * OpenGL without a window, through EGL, on the GPU that CUDA uses. The libraries belong to the
 * driver and are opened when the lesson needs them. The types and constants are those of EGL and GL/gl.h.
 */
#include "kernels/lessons/host/interop.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DEVICES 64
#define NONE 0x3038
#define PLATFORM_DEVICE 0x313Fu
#define CUDA_DEVICE 0x323A
#define OPENGL_API 0x30A2u
#define SURFACE_TYPE 0x3033
#define PBUFFER_BIT 1
#define RENDERABLE_TYPE 0x3040
#define OPENGL_BIT 8
#define RGBA8 0x8058
#define RGBA 0x1908u
#define UNSIGNED_BYTE 0x1401u
#define MIN_FILTER 0x2801u
#define MAG_FILTER 0x2800u
#define NEAREST 0x2600
#define DYNAMIC_DRAW 0x88E8u
#define FRAMEBUFFER 0x8D40u
#define COLOR_ATTACHMENT 0x8CE0u
#define FRAMEBUFFER_COMPLETE 0x8CD5u
#define COLOR_BUFFER_BIT 0x4000u
#define DITHER 0x0BD0u
#define VERTEX_ARRAY 0x8074u
#define COLOR_ARRAY 0x8076u
#define FLOAT 0x1406u
#define POINTS 0u

struct functions {
    void *(*eglGetProcAddress)(const char *name);
    unsigned (*eglInitialize)(void *display, int *major, int *minor);
    unsigned (*eglTerminate)(void *display);
    unsigned (*eglBindAPI)(unsigned api);
    unsigned (*eglChooseConfig)(void *display, const int *wanted, void **configs, int room, int *count);
    void *(*eglCreateContext)(void *display, void *config, void *shared, const int *attributes);
    unsigned (*eglDestroyContext)(void *display, void *context);
    unsigned (*eglMakeCurrent)(void *display, void *draw, void *read, void *context);
    /* extensions, and OpenGL */
    unsigned (*eglQueryDevicesEXT)(int most, void **devices, int *count);
    unsigned (*eglQueryDeviceAttribEXT)(void *device, int attribute, intptr_t *value);
    void *(*eglGetPlatformDisplayEXT)(unsigned platform, void *device, const int *attributes);
    void (*glGenTextures)(int count, unsigned *names);
    void (*glDeleteTextures)(int count, const unsigned *names);
    void (*glBindTexture)(unsigned target, unsigned name);
    void (*glTexParameteri)(unsigned target, unsigned parameter, int value);
    void (*glTexImage2D)(unsigned target, int level, int inside, int width, int height, int border, unsigned format,
                         unsigned type, const void *pixels);
    void (*glTexSubImage2D)(unsigned target, int level, int x, int y, int width, int height, unsigned format,
                            unsigned type, const void *pixels);
    void (*glGetTexImage)(unsigned target, int level, unsigned format, unsigned type, void *pixels);
    unsigned (*glGetError)(void);
    void (*glFinish)(void);
    void (*glGenBuffers)(int count, unsigned *names);
    void (*glDeleteBuffers)(int count, const unsigned *names);
    void (*glBindBuffer)(unsigned target, unsigned name);
    void (*glBufferData)(unsigned target, ptrdiff_t bytes, const void *data, unsigned usage);
    void (*glGenFramebuffers)(int count, unsigned *names);
    void (*glDeleteFramebuffers)(int count, const unsigned *names);
    void (*glBindFramebuffer)(unsigned target, unsigned name);
    void (*glFramebufferTexture2D)(unsigned target, unsigned attachment, unsigned texture_target, unsigned texture,
                                   int level);
    unsigned (*glCheckFramebufferStatus)(unsigned target);
    void (*glViewport)(int x, int y, int width, int height);
    void (*glDisable)(unsigned capability);
    void (*glClear)(unsigned buffers);
    void (*glEnableClientState)(unsigned array);
    void (*glVertexPointer)(int size, unsigned type, int stride, const void *first);
    void (*glColorPointer)(int size, unsigned type, int stride, const void *first);
    void (*glDrawArrays)(unsigned mode, int first, int count);
    void (*glReadPixels)(int x, int y, int width, int height, unsigned format, unsigned type, void *pixels);
};

/* In the order of the struct. The first eight are functions of libEGL itself. */
static const char *const names[] = {
    "eglGetProcAddress", "eglInitialize", "eglTerminate", "eglBindAPI", "eglChooseConfig", "eglCreateContext",
    "eglDestroyContext", "eglMakeCurrent", "eglQueryDevicesEXT", "eglQueryDeviceAttribEXT", "eglGetPlatformDisplayEXT",
    "glGenTextures", "glDeleteTextures", "glBindTexture", "glTexParameteri", "glTexImage2D", "glTexSubImage2D",
    "glGetTexImage", "glGetError", "glFinish", "glGenBuffers", "glDeleteBuffers", "glBindBuffer", "glBufferData",
    "glGenFramebuffers", "glDeleteFramebuffers", "glBindFramebuffer", "glFramebufferTexture2D",
    "glCheckFramebufferStatus", "glViewport", "glDisable", "glClear", "glEnableClientState", "glVertexPointer",
    "glColorPointer", "glDrawArrays", "glReadPixels" };
#define OWN 8
#define NAMES (sizeof names / sizeof *names)

_Static_assert(sizeof(struct functions) == NAMES * sizeof(void *), "a name for each function");

struct gf_gl {
    struct functions f;
    void *display, *context;
    unsigned texture;
    unsigned vertices, picture, framebuffer;     /* the buffer, and the texture that OpenGL draws to */
    int columns, rows;                   /* of both textures */
    uint32_t *pixels;                    /* as many as a texture has */
};

static bool find_functions(struct functions *f, char *why, size_t room)
{
    void *egl = dlopen("libEGL.so.1", RTLD_NOW | RTLD_LOCAL);    /* stays open: threads of the driver may run in it */
    char *to = (char *)f;

    if (egl == NULL) {
        snprintf(why, room, "there is no libEGL.so.1");
        return false;
    }
    for (size_t i = 0; i < NAMES; i++, to += sizeof(void *)) {
        void *found = i < OWN ? dlsym(egl, names[i]) : f->eglGetProcAddress(names[i]);
        if (found == NULL) {
            snprintf(why, room, "libEGL.so.1 has no %s()", names[i]);
            return false;
        }
        memcpy(to, &found, sizeof found);
    }
    return true;
}

/* Returns the display of the device of EGL that is this one of CUDA; NULL if there is none. */
static void *find_display(const struct functions *f, int cuda_device)
{
    void *devices[DEVICES];
    int count = 0;

    if (!f->eglQueryDevicesEXT(DEVICES, devices, &count))
        return NULL;
    for (int i = 0; i < count; i++) {
        intptr_t number = -1;
        if (f->eglQueryDeviceAttribEXT(devices[i], CUDA_DEVICE, &number) && number == cuda_device)
            return f->eglGetPlatformDisplayEXT(PLATFORM_DEVICE, devices[i], NULL);
    }
    return NULL;
}

static bool open_context(struct gf_gl *gl, int cuda_device, char *why, size_t room)
{
    static const int wanted[] = { SURFACE_TYPE, PBUFFER_BIT, RENDERABLE_TYPE, OPENGL_BIT, NONE };
    const struct functions *f = &gl->f;
    void *config, *display = find_display(f, cuda_device);
    int count = 0;

    if (display == NULL || !f->eglInitialize(display, NULL, NULL)) {
        snprintf(why, room, "EGL does not find the GPU; the driver's part for graphics may be missing");
        return false;
    }
    gl->display = display;
    if (f->eglBindAPI(OPENGL_API) && f->eglChooseConfig(display, wanted, &config, 1, &count) && count > 0)
        gl->context = f->eglCreateContext(display, config, NULL, NULL);
    if (gl->context != NULL && f->eglMakeCurrent(display, NULL, NULL, gl->context))
        return true;
    snprintf(why, room, "EGL creates no context of OpenGL without a window");
    return false;
}

struct gf_gl *gf_gl_open(int cuda_device, char *why, size_t room)
{
    struct gf_gl *gl = calloc(1, sizeof *gl);

    snprintf(why, room, "memory ran out");
    if (gl != NULL && find_functions(&gl->f, why, room) && open_context(gl, cuda_device, why, room))
        return gl;
    gf_gl_close(gl);
    return NULL;
}

void gf_gl_close(struct gf_gl *gl)
{
    if (gl == NULL)
        return;
    gf_gl_discard(gl);
    if (gl->context != NULL) {
        gl->f.eglMakeCurrent(gl->display, NULL, NULL, NULL);
        gl->f.eglDestroyContext(gl->display, gl->context);
    }
    if (gl->display != NULL)
        gl->f.eglTerminate(gl->display);
    free(gl);
}

static void discard_vertices(struct gf_gl *gl)
{
    if (gl->framebuffer != 0)
        gl->f.glDeleteFramebuffers(1, &gl->framebuffer);
    if (gl->picture != 0)
        gl->f.glDeleteTextures(1, &gl->picture);
    if (gl->vertices != 0)
        gl->f.glDeleteBuffers(1, &gl->vertices);
    gl->framebuffer = gl->picture = gl->vertices = 0;
}

void gf_gl_discard(struct gf_gl *gl)
{
    discard_vertices(gl);
    if (gl->texture != 0)
        gl->f.glDeleteTextures(1, &gl->texture);
    gl->texture = 0;
    free(gl->pixels);
    gl->pixels = NULL;
}

/* Creates a texture whose pixels are those of `gl`, and binds it. Returns its name. */
static unsigned create_texture(const struct gf_gl *gl)
{
    const struct functions *f = &gl->f;
    unsigned name = 0;

    f->glGenTextures(1, &name);
    f->glBindTexture(GF_GL_TEXTURE_2D, name);
    f->glTexParameteri(GF_GL_TEXTURE_2D, MIN_FILTER, NEAREST);   /* one level is a complete texture */
    f->glTexParameteri(GF_GL_TEXTURE_2D, MAG_FILTER, NEAREST);
    f->glTexImage2D(GF_GL_TEXTURE_2D, 0, RGBA8, gl->columns, gl->rows, 0, RGBA, UNSIGNED_BYTE, gl->pixels);
    return name;
}

unsigned gf_gl_texture(struct gf_gl *gl, int64_t pixels)
{
    gf_gl_discard(gl);
    gl->columns = (int)(pixels < GF_GL_COLUMNS ? pixels : GF_GL_COLUMNS);
    gl->rows = (int)((pixels + gl->columns - 1) / gl->columns);
    gl->pixels = calloc((size_t)gl->columns * (size_t)gl->rows, sizeof *gl->pixels);
    if (gl->pixels == NULL)
        return 0;
    gl->texture = create_texture(gl);
    if (gl->f.glGetError() != 0)
        gf_gl_discard(gl);
    return gl->texture;
}

/* Creates a picture to draw on, without a window: a texture, and a framebuffer that has it. */
static bool create_picture(struct gf_gl *gl)
{
    const struct functions *f = &gl->f;

    gl->picture = create_texture(gl);
    f->glBindTexture(GF_GL_TEXTURE_2D, gl->texture);             /* for uploads and reads */
    f->glGenFramebuffers(1, &gl->framebuffer);
    f->glBindFramebuffer(FRAMEBUFFER, gl->framebuffer);
    f->glFramebufferTexture2D(FRAMEBUFFER, COLOR_ATTACHMENT, GF_GL_TEXTURE_2D, gl->picture, 0);
    f->glViewport(0, 0, gl->columns, gl->rows);
    f->glDisable(DITHER);                /* colors stay as they are */
    return f->glCheckFramebufferStatus(FRAMEBUFFER) == FRAMEBUFFER_COMPLETE;
}

unsigned gf_gl_vertices(struct gf_gl *gl, int64_t pixels)
{
    const struct functions *f = &gl->f;
    const int each = sizeof(struct gf_gl_vertex);
    bool complete;

    discard_vertices(gl);
    f->glGenBuffers(1, &gl->vertices);
    f->glBindBuffer(GF_GL_ARRAY_BUFFER, gl->vertices);
    f->glBufferData(GF_GL_ARRAY_BUFFER, (ptrdiff_t)pixels * each, NULL, DYNAMIC_DRAW);
    f->glVertexPointer(2, FLOAT, each, NULL);                    /* bytes from the begin of the buffer */
    f->glColorPointer(4, UNSIGNED_BYTE, each, (const void *)offsetof(struct gf_gl_vertex, color));
    f->glEnableClientState(VERTEX_ARRAY);
    f->glEnableClientState(COLOR_ARRAY);
    complete = create_picture(gl);
    if (f->glGetError() != 0 || !complete)
        discard_vertices(gl);
    return gl->vertices;
}

void gf_gl_draw(struct gf_gl *gl, int64_t pixels)
{
    gl->f.glClear(COLOR_BUFFER_BIT);
    gl->f.glDrawArrays(POINTS, 0, (int)pixels);
}

bool gf_gl_read_picture(struct gf_gl *gl, uint32_t *to, int64_t pixels)
{
    gl->f.glReadPixels(0, 0, gl->columns, gl->rows, RGBA, UNSIGNED_BYTE, gl->pixels);
    memcpy(to, gl->pixels, (size_t)pixels * sizeof *to);
    return gl->f.glGetError() == 0;
}

void gf_gl_upload(struct gf_gl *gl, const uint32_t *from, int64_t pixels)
{
    const int whole = (int)(pixels / gl->columns), rest = (int)(pixels % gl->columns);

    gl->f.glTexSubImage2D(GF_GL_TEXTURE_2D, 0, 0, 0, gl->columns, whole, RGBA, UNSIGNED_BYTE, from);
    if (rest > 0)
        gl->f.glTexSubImage2D(GF_GL_TEXTURE_2D, 0, 0, whole, rest, 1, RGBA, UNSIGNED_BYTE,
                              from + (int64_t)whole * gl->columns);
}

bool gf_gl_read(struct gf_gl *gl, uint32_t *to, int64_t pixels)
{
    gl->f.glGetTexImage(GF_GL_TEXTURE_2D, 0, RGBA, UNSIGNED_BYTE, gl->pixels);
    memcpy(to, gl->pixels, (size_t)pixels * sizeof *to);
    return gl->f.glGetError() == 0;
}

void gf_gl_finish(struct gf_gl *gl) { gl->f.glFinish(); }
