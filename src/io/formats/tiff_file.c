/* Connects libtiff to files or memory. */
#include "io/formats/tiff.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const struct gf_tiff_text gf_tiff_texts[] = {
    { "Description", TIFFTAG_IMAGEDESCRIPTION }, { "Author", TIFFTAG_ARTIST }, { "Copyright", TIFFTAG_COPYRIGHT },
    { "Software", TIFFTAG_SOFTWARE }, { NULL, 0 },
};

/*
 * Keeps the first error, which is closest to the cause. libtiff passes the file, or NULL from some
 * places.
 */
static void keep_error(thandle_t handle, const char *module, const char *format, va_list arguments)
{
    struct gf_tiff_file *f = handle;

    (void)module;
    if (f != NULL && f->text[0] == '\0')
        vsnprintf(f->text, sizeof f->text, format, arguments);
}

/* Copies the first quoted name in libtiff's warning about a tag. */
static void copy_quoted(const char *text, char *to, size_t room)
{
    const char *from = strchr(text, '"'), *end = from != NULL ? strchr(from + 1, '"') : NULL;

    if (end != NULL && to[0] == '\0')
        snprintf(to, room, "%.*s", (int)(end - from - 1), from + 1);
}

static bool names_one_of(const char *text, const char *const *names)
{
    char name[40] = "";

    copy_quoted(text, name, sizeof name);
    while (*names != NULL && strcmp(*names, name) != 0)
        names++;
    return *names != NULL;
}

/*
 * Keeps warnings about unreadable tags that samples or metadata depend on. Others, mostly about
 * private tags, are ignored.
 */
static void keep_warning(thandle_t handle, const char *module, const char *format, va_list arguments)
{
    static const char *const needed[] = {
        "BitsPerSample", "SamplesPerPixel", "SampleFormat", "PhotometricInterpretation", "ColorMap", "ExtraSamples",
        "PlanarConfiguration", "FillOrder", "Predictor", "InkSet", "YCbCrCoefficients", "YCbCrSubsampling",
        "YCbCrPositioning", "ReferenceBlackWhite",
        "JPEGTables", "T4Options", "T6Options", "Group3Options", "Group4Options", "RowsPerStrip", NULL,
    };
    static const char *const carried[] = {
        "ICC Profile", "XResolution", "YResolution", "ResolutionUnit", "Orientation", "XMLPacket", "ImageDescription",
        "Artist", "Copyright", "Software", "SubFileType", "SubIFD", "EXIFIFDOffset", "GPSIFDOffset", NULL,
    };
    struct gf_tiff_file *f = handle;
    char text[200];

    (void)module;
    if (f == NULL)
        return;
    vsnprintf(text, sizeof text, format, arguments);
    if (f->in_pixels && f->damage[0] == '\0')
        memcpy(f->damage, text, sizeof text);
    else if (!f->in_pixels && strstr(text, "gnored") != NULL && names_one_of(text, needed))
        copy_quoted(text, f->lost, sizeof f->lost);
    else if (!f->in_pixels && strstr(text, "gnored") != NULL && names_one_of(text, carried))
        copy_quoted(text, f->ignored, sizeof f->ignored);
}

void gf_tiff_forget(struct gf_tiff_file *f)
{
    f->text[0] = f->damage[0] = f->lost[0] = f->ignored[0] = '\0';
    f->in_pixels = false;
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
        got = gf_source_read_at(f->source, f->at, to, (size_t)size, &f->error);
        f->failed = f->failed || got < 0;
    } else {
        got = f->at >= f->size ? 0 : f->size - f->at < size ? f->size - f->at : size;
        if (got > 0)
            memcpy(to, f->bytes + f->at, (size_t)got);
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

    pthread_once(&once, set_handlers);
    return TIFFClientOpen(f->name, mode, f, file_read, file_write, file_seek, file_close, file_size, NULL, NULL);
}

int gf_tiff_fail(const struct gf_tiff_file *f, const char *doing, struct gf_error *err)
{
    if (f->failed) {
        *err = f->error;
        return -1;
    }
    return gf_fail(err, GF_FAILED, "%s: can't be %s%s%s", f->name, doing, f->text[0] != '\0' ? ": " : "", f->text);
}
