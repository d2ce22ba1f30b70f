/* What is said of files that gpufilter does not read and others do: films, pictures and sound, by their names or by how they begin. */
#include "io/unsupported.h"

#include "base/path.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#define FILM    "use ffmpeg -i FILE -f yuv4mpegpipe - | gpufilter ... for its frames, or ffmpeg -i FILE -f wav - | " \
                "gpufilter ... for its audio"
#define SOUND   "use ffmpeg -i FILE -f wav - | gpufilter ..."
#define PICTURE "use ImageMagick (convert FILE png:- | gpufilter ...) or FFmpeg (ffmpeg -i FILE -f image2pipe -c:v png - | " \
                "gpufilter ...)"

/* Endings, parted by blanks. */
static const struct { const char *endings, *instead; } named[] = {
    { " mp4 m4v mov mkv webm avi mpg mpeg ogv ts mts wmv flv 3gp ", FILM },
    { " m4a m4b mka aac ac3 wma ape wv ", SOUND },
    { " heic heif avif jxl jp2 svg svgz pdf eps exr ico dng cr2 nef arw ", PICTURE },
};

/* What stands some bytes from the start. */
static const struct { size_t at; const char *bytes, *what, *instead; } begun[] = {
    { 4, "ftypavif", "AVIF", PICTURE },
    { 4, "ftyphei", "HEIF", PICTURE },
    { 4, "ftypmif1", "HEIF", PICTURE },
    { 4, "ftypM4A", "M4A", SOUND },
    { 4, "ftyp", "MP4", FILM },
    { 0, "\x1a\x45\xdf\xa3", "Matroska or WebM", FILM },
    { 8, "AVI LIST", "AVI", FILM },
    { 0, "%PDF-", "PDF", PICTURE },
};

/* What reads files of that ending, in any case of letters; NULL: nobody knows. */
static const char *by_ending(const char *ending)
{
    char word[24];

    snprintf(word, sizeof word, " %.20s ", ending);
    for (char *c = word; *c != '\0'; c++)
        *c = (char)tolower((unsigned char)*c);
    for (size_t i = 0; *ending != '\0' && i < sizeof named / sizeof *named; i++)
        if (strstr(named[i].endings, word) != NULL)
            return named[i].instead;
    return NULL;
}

int gf_fail_unsupported(struct gf_source *s, const char *name, struct gf_error *err)
{
    const unsigned char *bytes;
    const char *ending = gf_path_extension(name), *instead = by_ending(ending);
    const bool sound = instead != NULL && strcmp(instead, SOUND) == 0;      /* what films are kept in may hold nothing else */
    const int64_t size = gf_source_peek(s, 16, &bytes, err);

    if (size < 0)
        return -1;
    for (size_t i = 0; !sound && i < sizeof begun / sizeof *begun; i++)
        if (begun[i].at + strlen(begun[i].bytes) <= (size_t)size && memcmp(bytes + begun[i].at, begun[i].bytes, strlen(begun[i].bytes)) == 0)
            return gf_fail(err, GF_FAILED, "%s: is %s, which gpufilter does not read; %s", name, begun[i].what, begun[i].instead);
    if (instead != NULL)
        return gf_fail(err, GF_FAILED, "%s: gpufilter does not read .%s; %s", name, ending, instead);
    return gf_fail(err, GF_FAILED, "%s: unknown image or audio format; name it with --from if gpufilter can read it", name);
}
