/*
 * A host for the plugin of VapourSynth, where Python is too old for VapourSynth's own:
 *   vapoursynth_host LIBRARY PLUGIN STAGES FAMILY BITS SUB_X SUB_Y WIDTH HEIGHT [PROPERTY=NUMBER...] <FRAMES >RESULT
 * FAMILY is 1 for gray, 2 for RGB and 3 for Y'CbCr, and BITS 32 for floats. Frames are planes without gaps. The last
 * line of standard error is the format of the result in the same words, or the error.
 */
#define _GNU_SOURCE
#include <VapourSynth4.h>

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>

#define AT_ONCE 8

static const VSAPI *vs;

/* ---- frames from standard input ---- */

struct source {
    VSVideoInfo info;
    const char *data;
    char **properties;
};

/* Copies the planes of a frame from memory, or writes them to a file; returns their bytes. */
static size_t move_planes(const VSFrame *read, VSFrame *write, const char *memory, FILE *to)
{
    const VSVideoFormat *f = vs->getVideoFrameFormat(write != NULL ? write : read);
    size_t done = 0;

    for (int p = 0; p < f->numPlanes; p++) {
        const VSFrame *frame = write != NULL ? write : read;
        const size_t row = (size_t)vs->getFrameWidth(frame, p) * (size_t)f->bytesPerSample;

        for (int y = 0; y < vs->getFrameHeight(frame, p); y++, done += row)
            if (write != NULL && memory != NULL)
                memcpy(vs->getWritePtr(write, p) + y * vs->getStride(write, p), memory + done, row);
            else if (to != NULL)
                fwrite(vs->getReadPtr(read, p) + y * vs->getStride(read, p), 1, row, to);
    }
    return done;
}

static const VSFrame *VS_CC make_frame(int n, int reason, void *data, void **frame_data, VSFrameContext *context,
                                       VSCore *core, const VSAPI *api)
{
    const struct source *s = data;
    VSFrame *f;

    (void)frame_data, (void)context, (void)api;
    if (reason != arInitial)
        return NULL;
    f = vs->newVideoFrame(&s->info.format, s->info.width, s->info.height, NULL, core);
    move_planes(NULL, f, s->data + (size_t)n * move_planes(NULL, f, NULL, NULL), NULL);
    for (char **p = s->properties; *p != NULL; p++) {
        char name[80];
        int value;

        if (sscanf(*p, "%79[^=]=%d", name, &value) == 2)
            vs->mapSetInt(vs->getFramePropertiesRW(f), name, value, maReplace);
    }
    return f;
}

static int fill_source(struct source *s, char **words, VSCore *core)
{
    VSVideoInfo *v = &s->info;
    struct stat file;
    VSFrame *f;
    int n[6];

    for (int i = 0; i < 6; i++)
        n[i] = atoi(words[i]);
    *v = (VSVideoInfo) { .fpsNum = 25, .fpsDen = 1, .width = n[4], .height = n[5] };
    s->properties = words + 6;
    if (!vs->queryVideoFormat(&v->format, n[0], n[1] == 32 ? stFloat : stInteger, n[1], n[2], n[3], core)
        || fstat(0, &file) != 0)
        return -1;
    s->data = mmap(NULL, (size_t)file.st_size, PROT_READ, MAP_PRIVATE, 0, 0);
    f = vs->newVideoFrame(&v->format, v->width, v->height, NULL, core);
    v->numFrames = (int)((size_t)file.st_size / move_planes(NULL, f, NULL, NULL));
    vs->freeFrame(f);
    return s->data != MAP_FAILED ? 0 : -1;
}

/* ---- results to standard output ---- */

static struct {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    const VSFrame *frame[AT_ONCE];
    char error[1200];
} done = { .lock = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER };

static void VS_CC take(void *user, const VSFrame *frame, int n, VSNode *node, const char *error)
{
    (void)user, (void)node;
    pthread_mutex_lock(&done.lock);
    done.frame[n % AT_ONCE] = frame;
    if (frame == NULL)
        snprintf(done.error, sizeof done.error, "%s", error);
    pthread_cond_signal(&done.changed);
    pthread_mutex_unlock(&done.lock);
}

/* Writes all frames in order, while the next ones are made. */
static int write_frames(VSNode *node, int count)
{
    for (int n = 0; n < count && n < AT_ONCE; n++)
        vs->getFrameAsync(n, node, take, NULL);
    for (int n = 0; n < count; n++) {
        const VSFrame *frame;

        pthread_mutex_lock(&done.lock);
        while (done.frame[n % AT_ONCE] == NULL && done.error[0] == '\0')
            pthread_cond_wait(&done.changed, &done.lock);
        frame = done.frame[n % AT_ONCE];
        done.frame[n % AT_ONCE] = NULL;
        pthread_mutex_unlock(&done.lock);
        if (done.error[0] != '\0') {
            fprintf(stderr, "%s\n", done.error);
            _Exit(1);                    /* other frames are on their way */
        }
        move_planes(frame, NULL, NULL, stdout);
        vs->freeFrame(frame);
        if (n + AT_ONCE < count)
            vs->getFrameAsync(n + AT_ONCE, node, take, NULL);
    }
    return fflush(stdout);
}

static void VS_CC show(int kind, const char *text, void *user)
{
    (void)user;
    fprintf(stderr, "%s%s\n", kind >= mtWarning ? "logged: " : "", text);
}

/* Returns the result of a function of a plugin. */
static VSMap *call(VSPlugin *plugin, const char *function, VSMap *arguments)
{
    VSMap *result = vs->invoke(plugin, function, arguments);

    vs->freeMap(arguments);
    if (vs->mapGetError(result) != NULL) {
        fprintf(stderr, "%s\n", vs->mapGetError(result));
        exit(1);
    }
    return result;
}

static int run(VSCore *core, char **argv)
{
    struct source source = { .data = NULL };
    VSMap *in = vs->createMap(), *out;
    const VSVideoInfo *v;
    VSNode *node;
    int result;

    vs->addLogHandler(show, NULL, NULL, core);
    vs->mapSetData(in, "path", argv[2], -1, dtUtf8, maReplace);
    vs->freeMap(call(vs->getPluginByNamespace("std", core), "LoadPlugin", in));
    if (fill_source(&source, argv + 4, core) != 0)
        return 1;
    in = vs->createMap();
    node = vs->createVideoFilter2("Source", &source.info, make_frame, NULL, fmParallel, NULL, 0, &source, core);
    vs->mapConsumeNode(in, "clip", node, maReplace);
    vs->mapSetData(in, "stages", argv[3], -1, dtUtf8, maReplace);
    out = call(vs->getPluginByNamespace("gpufilter", core), "Chain", in);
    node = vs->mapGetNode(out, "clip", 0, NULL);
    vs->freeMap(out);
    v = vs->getVideoInfo(node);
    result = write_frames(node, v->numFrames);
    fprintf(stderr, "%d %d %d %d %d %d\n", v->format.colorFamily, v->format.bitsPerSample, v->format.subSamplingW,
            v->format.subSamplingH, v->width, v->height);
    vs->freeNode(node);
    return result;
}

int main(int argc, char **argv)
{
    void *const library = argc > 9 ? dlopen(argv[1], RTLD_NOW) : NULL;
    const VSGetVapourSynthAPI get = library != NULL ? (VSGetVapourSynthAPI)dlsym(library, "getVapourSynthAPI") : NULL;
    VSCore *core;
    int result;

    vs = get != NULL ? get(VAPOURSYNTH_API_VERSION) : NULL;
    if (vs == NULL) {
        fprintf(stderr, "%s\n", argc > 9 ? dlerror() : "arguments are missing");
        return 2;
    }
    core = vs->createCore(ccfDisableAutoLoading);
    result = run(core, argv);
    vs->freeCore(core);
    return result != 0;
}
