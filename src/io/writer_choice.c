/* Chooses the format of an output: by --to, then by its name, then by the kind of signal. */
#define _GNU_SOURCE
#include "io/writer_choice.h"

#include "base/path.h"
#include "base/shell_line.h"
#include "base/words.h"
#include "io/format.h"
#include "io/formats/raw.h"
#include "io/video_recipes.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

/*
 * Extensions of formats that are not written, or only with
 * a library. Files with them must not get another format.
 */
static const char *const unsupported[] = {
    "tif", "tiff", "webp", "avif", "heic", "jxl", "jp2", "exr", "ico", "eps", "pdf",
    "m4a", "m4b", "mka", "aac", "ac3", "wma", "ape", "wv", "amr", "doc", "docx", "odt", "xls", "xlsx", "ods",
};

/* Extensions of video formats, which ffmpeg can write. */
static const char *const videos[] = { "mp4", "m4v", "mov", "webm", "mkv", "avi" };

bool gf_writer_is_terminal(const char *word)
{
    const struct gf_file_format *f = word != NULL ? gf_file_format_find(word) : NULL;

    return f != NULL && f->image != NULL && f->image->screen;
}

static const struct gf_file_format *by_word(const char *word)
{
    const struct gf_file_format *f = gf_file_format_find(word);

    return f != NULL && gf_file_format_is_written(f) ? f : NULL;
}

static bool is_among(const char *extension, const char *const *list, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (strcasecmp(list[i], extension) == 0)
            return true;
    }
    return false;
}

/* Returns true also for formats that are only read. */
static bool is_unsupported(const char *extension)
{
    return gf_file_format_find(extension) != NULL
        || is_among(extension, unsupported, sizeof unsupported / sizeof unsupported[0]);
}

/* Returns true for image formats that ImageMagick can write. */
static bool is_converted(const char *extension)
{
    static const char *const converted[] = { "avif", "heic", "jxl", "jp2", "exr", "ico", "eps", "pdf" };

    return is_among(extension, converted, sizeof converted / sizeof converted[0]);
}

static bool is_video(const char *extension)
{
    return is_among(extension, videos, sizeof videos / sizeof videos[0]);
}

static const struct gf_file_format *by_signal(const struct gf_format *f, bool table, bool drawing)
{
    if (table)
        return gf_file_format_usual(drawing ? GF_USUAL_DRAWING : GF_USUAL_TABLE);
    return gf_file_format_usual(f->kind == GF_AUDIO ? GF_USUAL_AUDIO : f->yuv.used ? GF_USUAL_VIDEO : GF_USUAL_IMAGE);
}

const char *gf_writer_usual_extension(enum gf_kind kind, bool table)
{
    return gf_file_format_usual(table ? GF_USUAL_TABLE : kind == GF_IMAGE ? GF_USUAL_FILE : GF_USUAL_AUDIO)->name;
}

bool gf_writer_is_sequence(const char *word)
{
    const struct gf_file_format *f = gf_file_format_find(word);

    return f != NULL && (f->sequence || (f->image != NULL && f->image->animation));
}

static bool heeds_any(const struct gf_file_format *f, unsigned heeds)
{
    const struct gf_writer_ops *ops = f->image != NULL ? f->image : f->audio;

    return ops != NULL && (ops->heeds & heeds) != 0;
}

void gf_writer_titles(unsigned heeds, char *text, size_t bytes)
{
    gf_file_format_titles(heeds_any, heeds, text, bytes);
}

/* Returns true if a path is or will be a regular file, not a device or pipe. */
static bool is_file(const char *path)
{
    struct stat st;

    return stat(path, &st) != 0 || S_ISREG(st.st_mode);
}

/* Detects that standard output is a file whose extension means another format. Needs /proc. */
static void check_redirected(struct gf_writer *w, const struct gf_file_format *chosen, char redirected[PATH_MAX])
{
    const ssize_t length = readlink("/proc/self/fd/1", redirected, PATH_MAX - 1);
    const struct gf_file_format *meant;
    struct stat st;

    if (length <= 0 || fstat(STDOUT_FILENO, &st) != 0 || !S_ISREG(st.st_mode))
        return;
    redirected[length] = '\0';
    meant = by_word(gf_path_extension(redirected));
    /* formats of the PNM family are equivalent */
    if (meant == NULL || meant == chosen || (chosen->sequence && meant->open == chosen->open))
        return;
    w->redirected = redirected;
    w->redirected_title = chosen->title;
}

static const char *try_instead(const struct gf_format *f, bool table)
{
    return table              ? ".tsv, .csv, .json, .svg or .png"
        : f->kind == GF_IMAGE ? ".png, .jpg or .pam"
                              : ".wav, .flac or .ogg";
}

/* Selects the writer for a table, image or recording. Fails if the format cannot store it. */
static int take_writer(struct gf_writer *w, const struct gf_file_format *chosen, const struct gf_format *f, bool table,
                       struct gf_error *err)
{
    const char *holds = chosen->audio != NULL ? "audio" : chosen->image != NULL ? "images" : "tables";
    const char *comes = table ? "a table" : f->kind == GF_IMAGE ? "an image" : "audio";

    w->ops = gf_file_format_writer(chosen, f->kind, table);
    if (w->ops != NULL)
        return 0;
    return gf_fail(err, GF_MISUSED, "%s: %s stores %s, but the result is %s; try %s", w->name, chosen->name, holds,
                   comes, try_instead(f, table));
}

/* An image extension does not select a drawing of a table. */
bool gf_writer_takes(const char *path, enum gf_kind kind, bool table)
{
    const struct gf_file_format *f = gf_file_format_find(gf_path_extension(path));

    return f != NULL && gf_file_format_writer(f, kind, table) != NULL && !(table && f->image != NULL);
}

static int choose_by_option(struct gf_writer *w, const struct gf_format *f, bool table, struct gf_error *err)
{
    const char *to = w->options.to;
    const struct gf_file_format *chosen = by_word(to);
    char nearest[300];

    if (chosen != NULL && chosen->check_arguments != NULL && chosen->check_arguments(w, err) != 0)
        return -1;
    if (chosen != NULL)
        return take_writer(w, chosen, f, table, err);
    if (gf_raw_type_is_meant(to))
        return gf_fail(err, GF_MISUSED, "--to %s: for raw samples use -t raw:type=%.*s", to, (int)strcspn(to, ":"), to);
    gf_nearest_words(to, gf_writer_names(), nearest, sizeof nearest);
    return gf_fail(err, GF_MISUSED, "--to %s: unknown output format; try %s", to, nearest);
}

/* Fails with a command for FFmpeg. Only frames that come from Y4M can belong to a video with audio. */
static int fail_video(const struct gf_writer *w, const char *extension, const struct gf_format *f, struct gf_error *err)
{
    const bool sound = f->yuv.used;
    struct gf_shell_line line = { .text = "" };

    gf_shell_line_put_name(&line, sound ? GF_RECIPE_ENCODE("VIDEO") : GF_RECIPE_ENCODE_IMAGES,
                           strlen(w->name) < 200 ? w->name : "OUTPUT");
    return gf_fail(err, GF_MISUSED, "%s: gpufilter does not write .%s;; use gpufilter ... -t y4m | %s%s, or try %s",
                   w->name, extension, line.text, sound ? ", with the audio of VIDEO" : "", try_instead(f, false));
}

/* Tables are written as TSV to such files. */
static bool is_text(const char *extension)
{
    return strcasecmp(extension, "txt") == 0;
}

static int fail_unknown(const char *name, const char *extension, struct gf_error *err)
{
    const char *near = gf_nearest_word(extension, gf_writer_names());

    if (near != NULL)
        return gf_fail(err, GF_MISUSED,
                       "%s: unknown extension .%s;; did you mean .%s? --to selects a format for any extension", name,
                       extension, near);
    return gf_fail(err, GF_MISUSED,
                   "%s: unknown extension .%s;; --to selects a format for any extension, and --list shows all formats",
                   name, extension);
}

int gf_writer_check_frames(const char *path, struct gf_error *err)
{
    const char *extension = gf_path_extension(path);

    return !is_video(extension) ? 0
        : gf_fail(err, GF_MISUSED, "%.200s: gpufilter does not write .%s;; images of one size go through FFmpeg: "
                  "gpufilter --join ... -t y4m | " GF_RECIPE_ENCODE_IMAGES "%.200s", path, extension, path);
}

int gf_writer_check_name(const char *path, struct gf_error *err)
{
    const char *extension = gf_path_extension(path);

    if (*extension == '\0' || is_unsupported(extension) || is_video(extension) || is_text(extension) || !is_file(path))
        return 0;
    return fail_unknown(path, extension, err);
}

int gf_writer_choose(struct gf_writer *w, const char *path, const struct gf_format *f, bool table,
                     char redirected[PATH_MAX], struct gf_error *err)
{
    const char *extension = path == NULL ? "" : gf_path_extension(path);
    const struct gf_file_format *chosen = by_word(extension);

    if (w->options.to != NULL)
        return choose_by_option(w, f, table, err);
    if (chosen != NULL)
        return take_writer(w, chosen, f, table, err);
    if (is_video(extension) && f->kind == GF_IMAGE && !table)
        return fail_video(w, extension, f, err);
    if (is_converted(extension) && f->kind == GF_IMAGE && !table)
        return gf_fail(err, GF_MISUSED, "%s: gpufilter does not write .%s;; use ImageMagick: gpufilter ... -t png | "
                       "convert png:- %s, or try %s", w->name, extension, strlen(w->name) < 200 ? w->name : "OUTPUT",
                       try_instead(f, table));
    if (is_unsupported(extension) || is_video(extension))
        return gf_fail(err, GF_MISUSED, "%s: gpufilter does not write .%s; try %s", w->name, extension,
                       try_instead(f, table));
    if (*extension != '\0' && is_file(path) && !(table && is_text(extension)))
        return fail_unknown(w->name, extension, err);
    chosen = by_signal(f, table, w->options.drawing);
    if (path == NULL)
        check_redirected(w, chosen, redirected);
    return take_writer(w, chosen, f, table, err);
}
