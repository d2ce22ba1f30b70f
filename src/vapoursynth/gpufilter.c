/*
 * A plugin for VapourSynth: gpufilter.Chain(clip, "blur:2 sharpen") runs stages on the frames of a clip.
 * This is its only file; `make vapoursynth` compiles it.
 */
#include <VapourSynth4.h>
#include <gpufilter.h>

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_WARNINGS 20                 /* many warnings are those of each frame */

/* A job, which runs one frame at a time, with its memory: the planes of a frame, one after another. */
struct runner {
    struct runner *next;
    gpufilter_job *job;
    gpufilter_video video;               /* how the input is stored, by the properties of its frame */
    void *in, *out;
};

struct filter {
    VSNode *node;
    VSVideoInfo in, out;
    gpufilter_session *session;
    gpufilter_chain *chain;
    pthread_mutex_t lock;
    struct runner *idle;                 /* those that run no frame */
    VSCore *core;
    const VSAPI *vs;
    atomic_int warnings;
};

static void warn(void *context, const char *name, const char *text)
{
    struct filter *f = context;
    const int before = atomic_fetch_add(&f->warnings, 1);
    char line[1200];

    snprintf(line, sizeof line, "gpufilter: warning: %s%s%s%s", name != NULL ? name : "", name != NULL ? ": " : "",
             text, before == MOST_WARNINGS - 1 ? " (further warnings are not shown)" : "");
    if (before < MOST_WARNINGS)
        f->vs->logMessage(mtWarning, line, f->core);
}

static int refuse(gpufilter_error *error, const char *text)
{
    snprintf(error->text, sizeof error->text, "%s", text);
    return -1;
}

/* ---- formats ---- */

/* True if frames are those of Y4M. Others are images: RGB, or floats. */
static int is_video(const VSVideoFormat *f)
{
    return f->sampleType == stInteger && f->colorFamily != cfRGB;
}

static int describe(gpufilter_format *to, const VSVideoInfo *info, gpufilter_error *error)
{
    const VSVideoFormat *f = &info->format;

    if (f->colorFamily == cfUndefined || info->width == 0 || info->height == 0)
        return refuse(error, "the frames of a clip must have one format and one size");
    if (f->sampleType == stInteger ? f->bitsPerSample > 16 : f->bitsPerSample != 32 || f->colorFamily == cfYUV)
        return refuse(error, "frames must have integers of 8 to 16 bits, or RGB or gray floats of 32 bits");
    *to = (gpufilter_format) { .size = sizeof *to, .kind = GPUFILTER_IMAGE, .channels = f->numPlanes,
                               .width = info->width, .units = info->height };
    to->type = f->sampleType == stFloat ? GPUFILTER_F32 : f->bytesPerSample == 1 ? GPUFILTER_U8 : GPUFILTER_U16;
    to->maxval = f->sampleType == stFloat ? 0 : (1u << f->bitsPerSample) - 1;
    return 0;
}

/* Finds the format of frames of the result. */
static int describe_result(struct filter *c, const gpufilter_format *f, gpufilter_error *error)
{
    const VSVideoFormat *in = &c->in.format;
    const int video = is_video(in), chroma = video && f->channels == 3 && in->numPlanes == 3;
    const int family = f->channels == 1 ? cfGray : video ? cfYUV : cfRGB;
    int bits = 32;

    if (f->type != GPUFILTER_F32)
        for (bits = 8; bits < 16 && (1u << bits) - 1 < f->maxval; bits++)
            continue;
    c->out = c->in;
    c->out.width = (int)f->width;
    c->out.height = (int)f->units;
    if (f->alpha || (f->channels != 1 && f->channels != 3)
        || !c->vs->queryVideoFormat(&c->out.format, family, bits == 32 ? stFloat : stInteger, bits,
                                    chroma ? in->subSamplingW : 0, chroma ? in->subSamplingH : 0, c->core))
        return refuse(error, "a frame has 1 or 3 channels, without alpha; add the stage alpha:off");
    if (f->width % (1 << c->out.format.subSamplingW) != 0 || f->units % (1 << c->out.format.subSamplingH) != 0) {
        snprintf(error->text, sizeof error->text, "%dx%d samples of luma do not fit those of chroma; change the size "
                 "with crop or resize", c->out.width, c->out.height);
        return -1;
    }
    return 0;
}

static int property(const struct filter *c, const VSMap *map, const char *name, int otherwise)
{
    int error = 0;
    const int64_t value = c->vs->mapGetInt(map, name, 0, &error);

    return error == 0 ? (int)value : otherwise;
}

/* Reads the properties of a frame. A Y4M without them says the same. */
static int read_properties(const struct filter *c, const VSMap *map, gpufilter_video *v, gpufilter_error *error)
{
    const VSVideoFormat *f = &c->in.format;
    const int matrix = property(c, map, "_Matrix", 2), place = property(c, map, "_ChromaLocation", -1);

    *v = (gpufilter_video) { .size = sizeof *v, .sub_x = f->subSamplingW, .sub_y = f->subSamplingH };
    if (property(c, map, "_FieldBased", 0) != 0)
        return refuse(error, "the frame is interlaced; separate its fields first, or set _FieldBased to 0");
    if (!is_video(f))
        return 0;
    v->full = property(c, map, "_Range", !property(c, map, "_ColorRange", 1));
    if (f->colorFamily == cfGray)
        return 0;
    if (matrix != 1 && matrix != 2 && matrix != 5 && matrix != 6)
        return refuse(error, "the _Matrix of the frame is neither BT.601 nor BT.709; convert the clip first");
    if (f->subSamplingW > 0 && place > 1)
        return refuse(error, "the _ChromaLocation of the frame is neither left nor center; convert the clip first");
    v->matrix = matrix == 1 ? 709 : matrix == 2 ? 0 : 601;
    v->siting = f->subSamplingW == 0 || place < 0 ? GPUFILTER_SITED_PLAIN
              : place == 0 ? GPUFILTER_SITED_MPEG2 : GPUFILTER_SITED_JPEG;
    return 0;
}

/* ---- jobs ---- */

static size_t plane_bytes(const VSVideoInfo *info, int plane, size_t *row, int *rows)
{
    const VSVideoFormat *f = &info->format;

    *rows = plane > 0 ? info->height >> f->subSamplingH : info->height;
    *row = (size_t)(plane > 0 ? info->width >> f->subSamplingW : info->width) * (size_t)f->bytesPerSample;
    return *row * (size_t)*rows;
}

static size_t frame_bytes(const VSVideoInfo *info)
{
    size_t all = 0, row;
    int rows;

    for (int p = 0; p < info->format.numPlanes; p++)
        all += plane_bytes(info, p, &row, &rows);
    return all;
}

static void free_runner(struct runner *r)
{
    if (r == NULL)
        return;
    gpufilter_job_free(r->job);
    free(r->in);
    free(r->out);
    free(r);
}

static struct runner *new_runner(struct filter *c, const gpufilter_video *video, gpufilter_error *error)
{
    gpufilter_format in;
    const gpufilter_request q = { .size = sizeof q, .in = &in, .video = is_video(&c->in.format) ? video : NULL };
    struct runner *r = calloc(1, sizeof *r);

    if (r == NULL || describe(&in, &c->in, error) != 0) {
        free(r);
        return NULL;
    }
    r->video = *video;
    r->job = gpufilter_prepare(c->session, c->chain, &q, error);
    if (r->job == NULL) {
        free(r);
        return NULL;
    }
    return r;
}

/* Returns true if frames are stored in the same way. The clip decides about the size of chroma. */
static int same_video(const gpufilter_video *a, const gpufilter_video *b)
{
    return a->full == b->full && a->matrix == b->matrix && a->siting == b->siting;
}

/* Takes an idle job for frames that are stored in this way, or prepares one. */
static struct runner *take_runner(struct filter *c, const gpufilter_video *video, gpufilter_error *error)
{
    struct runner *r, **at;

    pthread_mutex_lock(&c->lock);
    for (at = &c->idle; *at != NULL && !same_video(&(*at)->video, video); at = &(*at)->next)
        continue;
    r = *at;
    if (r != NULL)
        *at = r->next;
    pthread_mutex_unlock(&c->lock);
    if (r == NULL)
        r = new_runner(c, video, error);
    if (r != NULL && r->in == NULL) {
        r->in = malloc(frame_bytes(&c->in));
        r->out = malloc(frame_bytes(&c->out));
        if (r->in == NULL || r->out == NULL) {
            free_runner(r);
            r = NULL;
            refuse(error, "there is not enough memory");
        }
    }
    return r;
}

static void keep_runner(struct filter *c, struct runner *r)
{
    pthread_mutex_lock(&c->lock);
    r->next = c->idle;
    c->idle = r;
    pthread_mutex_unlock(&c->lock);
}

/* ---- frames ---- */

/* Images are planes, too. Those of frames have no strides. */
static gpufilter_array array_of(const VSVideoInfo *info, int video, void *data)
{
    const int64_t bytes = info->format.bytesPerSample, row = bytes * info->width;
    gpufilter_array a = { .size = sizeof a, .data = data };

    if (!video)
        a.unit_stride = row, a.pixel_stride = bytes, a.channel_stride = row * info->height;
    return a;
}

/* Copies the planes of a frame to memory, or to the frame. */
static void copy_planes(const struct filter *c, const VSVideoInfo *info, const VSFrame *from, VSFrame *to,
                        char *memory)
{
    for (int p = 0; p < info->format.numPlanes; p++) {
        const ptrdiff_t stride = c->vs->getStride(to != NULL ? to : from, p);
        const uint8_t *read = to == NULL ? c->vs->getReadPtr(from, p) : NULL;
        uint8_t *write = to != NULL ? c->vs->getWritePtr(to, p) : NULL;
        size_t row;
        int rows;

        plane_bytes(info, p, &row, &rows);
        for (int y = 0; y < rows; y++, memory += row)
            if (to != NULL)
                memcpy(write + y * stride, memory, row);
            else
                memcpy(memory, read + y * stride, row);
    }
}

static VSFrame *run_frame(struct filter *c, int n, const VSFrame *from, gpufilter_error *error)
{
    const int video = is_video(&c->in.format);
    gpufilter_array in, out;
    gpufilter_video stored;
    VSFrame *to = NULL;
    struct runner *r = read_properties(c, c->vs->getFramePropertiesRO(from), &stored, error) == 0
                           ? take_runner(c, &stored, error) : NULL;

    if (r == NULL)
        return NULL;
    in = array_of(&c->in, video, r->in);
    out = array_of(&c->out, video, r->out);
    copy_planes(c, &c->in, from, NULL, r->in);
    if (gpufilter_set_number(r->job, n, error) == 0 && gpufilter_run(r->job, &in, &out, error) == 0) {
        to = c->vs->newVideoFrame(&c->out.format, c->out.width, c->out.height, from, c->core);
        copy_planes(c, &c->out, NULL, to, r->out);
        if (c->out.format.colorFamily == cfGray && c->in.format.colorFamily != cfGray) {
            VSMap *map = c->vs->getFramePropertiesRW(to);

            c->vs->mapSetInt(map, "_ColorRange", 0, maReplace);      /* full; later versions have _Range */
            c->vs->mapSetInt(map, "_Range", 1, maReplace);
            c->vs->mapDeleteKey(map, "_Matrix");
        }
    }
    keep_runner(c, r);
    return to;
}

static const VSFrame *VS_CC get_frame(int n, int reason, void *data, void **frame_data, VSFrameContext *context,
                                      VSCore *core, const VSAPI *vs)
{
    struct filter *c = data;
    gpufilter_error error = { 0 };
    const VSFrame *from, *to;
    char text[1100];

    (void)frame_data, (void)core;
    if (reason == arInitial)
        vs->requestFrameFilter(n, c->node, context);
    if (reason != arAllFramesReady)
        return NULL;
    from = vs->getFrameFilter(n, c->node, context);
    to = run_frame(c, n, from, &error);
    vs->freeFrame(from);
    if (to == NULL) {
        snprintf(text, sizeof text, "gpufilter: frame %d: %s", n, error.text);
        vs->setFilterError(text, context);
    }
    return to;
}

static void VS_CC free_filter(void *data, VSCore *core, const VSAPI *vs)
{
    struct filter *c = data;

    (void)core;
    while (c->idle != NULL) {
        struct runner *r = c->idle;

        c->idle = r->next;
        free_runner(r);
    }
    gpufilter_chain_free(c->chain);
    gpufilter_close(c->session);
    vs->freeNode(c->node);
    pthread_mutex_destroy(&c->lock);
    free(c);
}

/* ---- the function ---- */

/* Prepares the job of a first frame, and so finds the format of the result. */
static int open_filter(struct filter *c, const char *stages, const char *device, gpufilter_error *error)
{
    /* VapourSynth runs frames in parallel */
    const gpufilter_options options = { .size = sizeof options, .device = device, .threads = 1, .warn = warn,
                                        .context = c };
    const VSVideoFormat *f = &c->in.format;
    const gpufilter_video video = { .size = sizeof video, .sub_x = f->subSamplingW, .sub_y = f->subSamplingH };
    gpufilter_format result = { .size = sizeof result };
    struct runner *first;

    c->session = gpufilter_open(&options, error);
    c->chain = c->session != NULL ? gpufilter_parse(c->session, stages, GPUFILTER_IMAGE, error) : NULL;
    first = c->chain != NULL ? new_runner(c, &video, error) : NULL;
    if (first == NULL)
        return -1;
    keep_runner(c, first);
    if (gpufilter_measures(first->job))
        return refuse(error, "the chain measures, so it has no frames as its result");
    return gpufilter_format_of(first->job, &result, error) != 0 ? -1 : describe_result(c, &result, error);
}

static void VS_CC create(const VSMap *in, VSMap *out, void *user, VSCore *core, const VSAPI *vs)
{
    struct filter *c = calloc(1, sizeof *c);
    gpufilter_error error = { 0 };
    int absent;
    char text[1100];

    (void)user;
    if (c == NULL) {
        vs->mapSetError(out, "gpufilter: there is not enough memory");
        return;
    }
    c->node = vs->mapGetNode(in, "clip", 0, NULL);
    c->in = *vs->getVideoInfo(c->node);
    c->core = core;
    c->vs = vs;
    pthread_mutex_init(&c->lock, NULL);
    if (open_filter(c, vs->mapGetData(in, "stages", 0, NULL), vs->mapGetData(in, "device", 0, &absent), &error) == 0) {
        const VSFilterDependency needs = { c->node, rpStrictSpatial };

        vs->createVideoFilter(out, "Chain", &c->out, get_frame, free_filter, fmParallel, &needs, 1, c, core);
        return;
    }
    snprintf(text, sizeof text, "gpufilter: %s", error.text);
    vs->mapSetError(out, text);
    free_filter(c, core, vs);
}

VS_EXTERNAL_API(void) VapourSynthPluginInit2(VSPlugin *plugin, const VSPLUGINAPI *api)
{
    api->configPlugin("org.gpufilter.chain", "gpufilter", "Chains of gpufilter", VS_MAKE_VERSION(1, 0),
                      VAPOURSYNTH_API_VERSION, 0, plugin);
    api->registerFunction("Chain", "clip:vnode;stages:data;device:data:opt;", "clip:vnode;", create, NULL, plugin);
}
