/* Connects libtiff to files or memory. Built if HAVE_TIFF. */
#include "io/formats/tiff/tiff.h"

#include "base/words.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const struct gf_tiff_text gf_tiff_texts[] = {
    { "Description", TIFFTAG_IMAGEDESCRIPTION }, { "Author", TIFFTAG_ARTIST }, { "Copyright", TIFFTAG_COPYRIGHT },
    { "Software", TIFFTAG_SOFTWARE }, { NULL, 0 },
};

/* Copies the first quoted name in libtiff's message about a tag, or the name after "Ignoring". */
static void copy_name(const char *text, char *to, size_t room)
{
    const char *from = strchr(text, '"'), *end = from != NULL ? strchr(from + 1, '"') : NULL;

    if (end != NULL)
        snprintf(to, room, "%.*s", (int)(end - from - 1), from + 1);
    else if (strncmp(text, "Ignoring ", 9) == 0)
        snprintf(to, room, "%.*s", (int)strcspn(text + 9, " "), text + 9);
}

static bool is_one_of(const char *name, const char *const *names)
{
    while (*names != NULL && strcmp(*names, name) != 0)
        names++;
    return *names != NULL;
}

/* Returns true for messages about a tag that is nevertheless read completely, or has no meaning here. */
static bool is_harmless(const char *text)
{
    return strstr(text, "tag trimmed") != NULL || strstr(text, "not supported by codec") != NULL
        || strstr(text, "does not end in null byte") != NULL;
}

/*
 * Keeps the names of unreadable tags that samples or metadata depend on. libtiff continues without them,
 * with defaults, after a warning or an error. Messages about other tags, mostly private ones, are ignored.
 */
static void keep_tag(struct gf_tiff_file *f, const char *text)
{
    static const char *const needed[] = {
        "BitsPerSample", "SamplesPerPixel", "SampleFormat", "DataType", "PhotometricInterpretation", "ColorMap",
        "ExtraSamples", "Matteing", "PlanarConfiguration", "FillOrder", "Predictor", "InkSet", "YCbCrCoefficients",
        "YCbCrSubsampling", "YCbCrPositioning", "ReferenceBlackWhite", "JPEGTables", "T4Options", "T6Options",
        "Group3Options", "Group4Options", "RowsPerStrip", "ImageDepth", "TileDepth", NULL,
    };
    static const char *const carried[] = {
        "ICC Profile", "XResolution", "YResolution", "ResolutionUnit", "Orientation", "XMLPacket", "ImageDescription",
        "Artist", "Copyright", "Software", "SubFileType", "NewSubfileType", "SubIFD", "EXIFIFDOffset", "GPSIFDOffset",
        "RichTIFFIPTC", NULL,
    };
    char name[40] = "";

    copy_name(text, name, sizeof name);
    if (is_harmless(text))
        return;
    if (is_one_of(name, needed) && f->lost[0] == '\0')
        memcpy(f->lost, name, sizeof f->lost);
    else if (is_one_of(name, carried) && f->ignored[0] == '\0')
        memcpy(f->ignored, name, sizeof f->ignored);
    f->looped = f->looped || strstr(text, "IFD loop") != NULL;
    f->uncounted = f->uncounted || (strcmp(name, "StripByteCounts") == 0 && strstr(text, "field, ignoring") != NULL);
}

/*
 * libtiff continues without a tag if memory is short. That is a failure, unlike damage. It also says so of
 * a directory without entries.
 */
static void keep_memory_failure(struct gf_tiff_file *f, const char *text)
{
    if (!f->failed && strstr(text, "limit defined in open options") != NULL) {
        f->failed = true;
        gf_fail_limit(&f->error, f->name, "", 0, f->most_bytes, "--max-memory");
    }
    if (f->failed || strstr(text, "(0 elements") != NULL
        || (strstr(text, "ut of memory") == NULL && strstr(text, "ailed to allocate") == NULL
            && strstr(text, "No space for") == NULL))
        return;
    f->failed = true;
    gf_fail_memory(&f->error, f->name);
}

#define MESSAGE_BYTES 200

/*
 * Writes the first line of a message. Returns false if it does not belong to a file, as from some places of
 * libtiff.
 */
static bool hear(struct gf_tiff_file *f, const char *format, va_list arguments, char *text)
{
    if (f == NULL)
        return false;
    vsnprintf(text, MESSAGE_BYTES, format, arguments);
    text[strcspn(text, "\n")] = '\0';
    keep_memory_failure(f, text);
    if (!f->in_pixels)
        keep_tag(f, text);
    return true;
}

/* Keeps the first error, which is closest to the cause. */
static void keep_error(thandle_t file, const char *module, const char *format, va_list arguments)
{
    struct gf_tiff_file *f = file;
    char text[MESSAGE_BYTES];

    (void)module;
    if (hear(f, format, arguments, text) && f->text[0] == '\0')
        memcpy(f->text, text, sizeof text);
}

bool gf_tiff_is_cut(const char *text)
{
    return strncmp(text, "Premature end of JPEG", 21) == 0;
}

/* Returns true for warnings about other readers, which libtiff itself does not need. */
static bool is_remark(const char *text)
{
    return strstr(text, "progressive mode, which is normally not legal") != NULL;
}

/* Keeps the first warning about samples, but a warning that samples are missing replaces another one. */
static void keep_warning(thandle_t file, const char *module, const char *format, va_list arguments)
{
    struct gf_tiff_file *f = file;
    char text[MESSAGE_BYTES];

    (void)module;
    if (!hear(f, format, arguments, text) || !f->in_pixels || is_remark(text))
        return;
    if (f->damage[0] == '\0' || (gf_tiff_is_cut(text) && !gf_tiff_is_cut(f->damage)))
        memcpy(f->damage, text, sizeof text);
}

void gf_tiff_forget(struct gf_tiff_file *f)
{
    f->text[0] = f->damage[0] = f->lost[0] = f->ignored[0] = '\0';
    f->in_pixels = f->looped = f->uncounted = false;
    errno = 0;                                           /* which a read may have set */
}

static void set_handlers(void)
{
    TIFFSetErrorHandler(NULL);
    TIFFSetWarningHandler(NULL);
    TIFFSetErrorHandlerExt(keep_error);
    TIFFSetWarningHandlerExt(keep_warning);
}

static tmsize_t file_read(thandle_t handle, void *to, tmsize_t size)
{
    struct gf_tiff_file *f = handle;
    int64_t got;

    if (f->out != NULL) {
        got = gf_output_read_at(f->out, f->base + f->at, to, (size_t)size);
    } else if (f->source != NULL) {
        got = gf_source_read_at(f->source, f->base + f->at, to, (size_t)size, &f->error);
        f->failed = f->failed || got < 0;
    } else {
        got = f->at >= f->size ? 0 : f->size - f->at < size ? f->size - f->at : size;
        if (got > 0)
            memcpy(to, f->bytes + f->base + f->at, (size_t)got);
    }
    f->at += got > 0 ? got : 0;
    return (tmsize_t)got;
}

static bool make_room(struct gf_tiff_file *f, size_t size)
{
    const size_t room = size > f->room / 2 * 3 ? size + 65536 : f->room / 2 * 3;
    unsigned char *grown;

    if (size <= f->room)
        return true;
    grown = realloc(f->bytes, room);
    if (grown == NULL) {
        f->failed = true;
        gf_fail_memory(&f->error, f->name);
        return false;
    }
    memset(grown + f->room, 0, room - f->room);
    f->bytes = grown;
    f->room = room;
    return true;
}

static tmsize_t file_write(thandle_t handle, void *from, tmsize_t size)
{
    struct gf_tiff_file *f = handle;

    if (f->failed)
        return 0;
    if (f->out != NULL) {
        f->failed = gf_output_write_at(f->out, f->base + f->at, from, (size_t)size, &f->error) != 0;
    } else if (make_room(f, (size_t)(f->at + size))) {
        memcpy(f->bytes + f->at, from, (size_t)size);
    }
    if (f->failed)
        return 0;
    f->at += size;
    f->size = f->at > f->size ? f->at : f->size;
    return size;
}

bool gf_tiff_append(struct gf_tiff_file *f, int64_t at, void *bytes, size_t size)
{
    f->at = at;
    return file_write(f, bytes, (tmsize_t)size) == (tmsize_t)size;
}

static toff_t file_seek(thandle_t handle, toff_t offset, int whence)
{
    struct gf_tiff_file *f = handle;
    const int64_t from = whence == SEEK_CUR ? f->at : whence == SEEK_END ? f->size : 0;

    if (offset > INT64_MAX / 2 && whence == SEEK_SET)
        return (toff_t)-1;
    f->at = from + (int64_t)offset;
    if (f->at < 0)
        f->at = 0;
    return (toff_t)f->at;
}

static int file_close(thandle_t handle)
{
    (void)handle;
    return 0;
}

static toff_t file_size(thandle_t handle)
{
    return (toff_t)((const struct gf_tiff_file *)handle)->size;
}

TIFF *gf_tiff_open(struct gf_tiff_file *f, const char *mode)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
#if TIFFLIB_VERSION >= 20221213
    TIFFOpenOptions *options;
    TIFF *t;
#endif

    if (gf_libtiff_open(&f->error) != 0) {
        f->failed = true;
        return NULL;
    }
    pthread_once(&once, set_handlers);
#if TIFFLIB_VERSION >= 20221213
    options = TIFFOpenOptionsAlloc();
    if (options == NULL)
        return NULL;
    if (f->most_bytes > 0)
        TIFFOpenOptionsSetMaxSingleMemAlloc(options, f->most_bytes);
    errno = 0;
    t = TIFFClientOpenExt(f->name, mode, f, file_read, file_write, file_seek, file_close, file_size, NULL, NULL,
                          options);
    TIFFOpenOptionsFree(options);
    return t;
#else                                                    /* libtiff reads tags of any length */
    errno = 0;
    return TIFFClientOpen(f->name, mode, f, file_read, file_write, file_seek, file_close, file_size, NULL, NULL);
#endif
}

int gf_tiff_fail(const struct gf_tiff_file *f, const char *doing, struct gf_error *err)
{
    if (f->failed) {
        *err = f->error;
        return -1;
    }
    if (errno == ENOMEM)                                 /* libtiff's texts do not say so reliably */
        return gf_fail_memory(err, f->name);
    return gf_fail(err, GF_FAILED, "%s: can't be %s%s%s", f->name, doing, f->text[0] != '\0' ? ": " : "", f->text);
}
