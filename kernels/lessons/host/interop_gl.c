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
};

/* In the order of the struct. The first eight are functions of libEGL itself. */
static const char *const names[] = {
    "eglGetProcAddress", "eglInitialize", "eglTerminate", "eglBindAPI", "eglChooseConfig", "eglCreateContext",
    "eglDestroyContext", "eglMakeCurrent", "eglQueryDevicesEXT", "eglQueryDeviceAttribEXT", "eglGetPlatformDisplayEXT",
    "glGenTextures", "glDeleteTextures", "glBindTexture", "glTexParameteri", "glTexImage2D", "glTexSubImage2D",
    "glGetTexImage", "glGetError", "glFinish" };
#define OWN 8
#define NAMES (sizeof names / sizeof *names)

_Static_assert(sizeof(struct functions) == NAMES * sizeof(void *), "a name for each function");

struct gf_gl {
    struct functions f;
    void *display, *context;
    unsigned texture;
    int columns, rows;
    uint32_t *pixels;                    /* as many as the texture has */
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

void gf_gl_discard(struct gf_gl *gl)
{
    if (gl->texture != 0)
        gl->f.glDeleteTextures(1, &gl->texture);
    gl->texture = 0;
    free(gl->pixels);
    gl->pixels = NULL;
}

unsigned gf_gl_texture(struct gf_gl *gl, int64_t pixels)
{
    const struct functions *f = &gl->f;

    gf_gl_discard(gl);
    gl->columns = (int)(pixels < GF_GL_COLUMNS ? pixels : GF_GL_COLUMNS);
    gl->rows = (int)((pixels + gl->columns - 1) / gl->columns);
    gl->pixels = calloc((size_t)gl->columns * (size_t)gl->rows, sizeof *gl->pixels);
    if (gl->pixels == NULL)
        return 0;
    f->glGenTextures(1, &gl->texture);
    f->glBindTexture(GF_GL_TEXTURE_2D, gl->texture);
    f->glTexParameteri(GF_GL_TEXTURE_2D, MIN_FILTER, NEAREST);   /* one level is a complete texture */
    f->glTexParameteri(GF_GL_TEXTURE_2D, MAG_FILTER, NEAREST);
    f->glTexImage2D(GF_GL_TEXTURE_2D, 0, RGBA8, gl->columns, gl->rows, 0, RGBA, UNSIGNED_BYTE, gl->pixels);
    if (f->glGetError() != 0)
        gf_gl_discard(gl);
    return gl->texture;
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
