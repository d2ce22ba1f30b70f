/* Error messages for files that only other programs read, detected by extension or first bytes. */
#include "io/unsupported.h"

#include "base/path.h"
#include "io/hardened.h"
#include "io/video_recipes.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#define FILM    "use " GF_RECIPE_DECODE("FILE") " | " GF_RECIPE_ENCODE("FILE") "OUTPUT.mp4 for its frames, or " \
                "ffmpeg -i FILE -f wav - | gpufilter ... for its audio"
#define SOUND   "use ffmpeg -i FILE -f wav - | gpufilter ..."
#define PICTURE "use ImageMagick (convert FILE png:- | gpufilter ...) or FFmpeg (ffmpeg -i FILE -f image2pipe " \
                "-c:v png - | gpufilter ...)"

/* Extensions, separated by spaces. */
static const struct { const char *extensions, *advice; } by_name[] = {
    { " mp4 m4v mov mkv webm avi mpg mpeg ogv ts mts wmv flv 3gp ", FILM },
    { " m4a m4b mka aac ac3 wma ape wv ", SOUND },
    { " heic heif avif jxl jp2 svg svgz pdf eps exr ico dng cr2 nef arw ", PICTURE },
};

/* Signatures at some offset from the start. */
static const struct { size_t at; const char *bytes, *format, *advice; } by_signature[] = {
    { 4, "ftypavif", "AVIF", PICTURE },
    { 4, "ftyphei", "HEIF", PICTURE },
    { 4, "ftypmif1", "HEIF", PICTURE },
    { 4, "ftypM4A", "M4A", SOUND },
    { 4, "ftyp", "MP4", FILM },
    { 0, "\x1a\x45\xdf\xa3", "Matroska or WebM", FILM },
    { 8, "AVI LIST", "AVI", FILM },
    { 0, "%PDF-", "PDF", PICTURE },
};

/* Returns the advice for an extension in upper or lower case; NULL if it is unknown. */
static const char *find_advice(const char *extension)
{
    char word[24];

    snprintf(word, sizeof word, " %.20s ", extension);
    for (char *c = word; *c != '\0'; c++)
        *c = (char)tolower((unsigned char)*c);
    for (size_t i = 0; *extension != '\0' && i < sizeof by_name / sizeof *by_name; i++)
        if (strstr(by_name[i].extensions, word) != NULL)
            return by_name[i].advice;
    return NULL;
}

/* Ends a message; returns -1. A server must not pass input from strangers to programs without limits. */
static int advise(const char *advice, struct gf_error *err)
{
    if (!gf_hardened_is_required())
        gf_error_advise_shell(err, "%s", advice);
    return -1;
}

int gf_fail_unsupported(struct gf_source *s, const char *name, struct gf_error *err)
{
    const unsigned char *bytes;
    const char *extension = gf_path_extension(name), *advice = find_advice(extension);
    const bool sound = advice != NULL && strcmp(advice, SOUND) == 0;         /* an MP4 file may contain only audio */
    const int64_t size = gf_source_peek(s, 16, &bytes, err);

    if (size < 0)
        return -1;
    for (size_t i = 0; !sound && i < sizeof by_signature / sizeof *by_signature; i++) {
        const size_t at = by_signature[i].at, length = strlen(by_signature[i].bytes);

        if (at + length <= (size_t)size && memcmp(bytes + at, by_signature[i].bytes, length) == 0) {
            gf_fail(err, GF_FAILED, "%s: is %s, which gpufilter does not read", name, by_signature[i].format);
            return advise(by_signature[i].advice, err);
        }
    }
    if (advice != NULL) {
        gf_fail(err, GF_FAILED, "%s: gpufilter does not read .%s", name, extension);
        return advise(advice, err);
    }
    return gf_fail(err, GF_FAILED, "%s: unknown image or audio format;; name it with --from if gpufilter can read it",
                   name);
}
