/* Chooses the format of an input: by --from, then by its content, then by its name. */
#define _GNU_SOURCE
#include "io/reader_choice.h"

#include "base/path.h"
#include "io/hardened.h"
#include "io/reader_content.h"
#include "io/reader_from.h"
#include "io/unsupported.h"

#include <string.h>

/* Finds the format by the content, then by the name; *found is NULL if neither matches. */
static int recognise(struct gf_source *s, const struct gf_file_format **found, struct gf_error *err)
{
    if (gf_content_find(s, found, err) != 0)
        return -1;
    if (*found == NULL)
        *found = gf_reader_by_name(gf_path_extension(s->name));
    return 0;
}

int gf_reader_knows(const char *path)
{
    struct gf_source source = { .fd = -1 };
    const struct gf_file_format *found = NULL;
    struct gf_error err;
    int result = -1;

    if (gf_source_open(&source, path, &err) == 0 && recognise(&source, &found, &err) == 0)
        result = found != NULL;
    gf_source_close(&source);
    return result;
}

unsigned gf_reader_kinds(const char *path)
{
    const struct gf_file_format *f = path != NULL ? gf_reader_by_name(gf_path_extension(path)) : NULL;

    return f != NULL ? f->kinds : 0;
}

static int choose(struct gf_source *s, const struct gf_read_options *o, const struct gf_file_format **found,
                  struct gf_error *err)
{
    if (o->from != NULL)
        return gf_reader_from_choose(s, o->from, found, err);
    if (recognise(s, found, err) != 0)
        return -1;
    if (*found != NULL)
        return 0;
    return gf_fail_unsupported(s, s->name, err);
}

/*
 * Refuses a pipe that begins like no format, if --from or its name chose one that would. Many readers
 * keep a whole pipe before they look at it, and a pipe may be endless.
 */
static int check_pipe(struct gf_source *s, const struct gf_file_format *chosen, struct gf_error *err)
{
    const struct gf_file_format *found;

    if (s->random || !gf_content_identifies(chosen) || chosen->resembles != NULL)
        return 0;
    if (gf_content_find(s, &found, err) != 0)
        return -1;
    return found == NULL ? gf_fail(err, GF_FAILED, "%s: does not begin like %s", s->name, chosen->title) : 0;
}

static bool supports_channels(const struct gf_file_format *f, unsigned unused)
{
    (void)unused;
    return f->picks;
}

/* Refuses --channels for formats that do not support it. */
static int check_picks(const struct gf_file_format *format, const struct gf_source *s, const struct gf_read_options *o,
                       struct gf_error *err)
{
    char titles[200];

    if (o->channels.count == 0 || format->picks)
        return 0;
    if (format->kinds == 1u << GF_AUDIO)
        return gf_fail(err, GF_MISUSED,
                       "%s: --channels is for images; for audio use the stages mono, channel:2 or remix:1,3", s->name);
    gf_file_format_titles(supports_channels, 0, titles, sizeof titles);
    return gf_fail(err, GF_MISUSED,
                   "%s: --channels works with %s, and this is %s; use the stage channel:red to select one channel",
                   s->name, titles, format->name);
}

/* Refuses images before they are decoded. */
static int check_kind(const struct gf_file_format *format, const struct gf_source *s, const struct gf_read_options *o,
                      struct gf_error *err)
{
    if (o->audio_only == NULL || format->kinds == 1u << GF_AUDIO)
        return 0;
    return gf_fail(err, GF_MISUSED, "%s: is %s; %s", s->name, format->title, o->audio_only);
}

int gf_reader_choose(struct gf_source *s, const struct gf_read_options *o, const struct gf_file_format **found,
                     struct gf_error *err)
{
    if (choose(s, o, found, err) != 0 || check_kind(*found, s, o, err) != 0
        || gf_hardened_check(s, (*found)->title, (*found)->hardened, err) != 0 || check_pipe(s, *found, err) != 0)
        return -1;
    return check_picks(*found, s, o, err);
}

const struct gf_file_format *gf_reader_other_image(const unsigned char *bytes, size_t count)
{
    unsigned char copy[sizeof ((struct gf_rest *)0)->first];
    struct gf_source s = { .fd = -1, .ended = true, .ahead = copy, .ahead_end = count };
    const struct gf_file_format *found;
    struct gf_error err = { 0 };

    memcpy(copy, bytes, count);
    return gf_content_find(&s, &found, &err) == 0 && found != NULL && found->kinds == 1u << GF_IMAGE ? found : NULL;
}

int gf_reader_choose_joined(struct gf_source *s, const struct gf_file_format **found, struct gf_error *err)
{
    for (int i = 0; i < gf_file_format_count; i++) {
        const int match = gf_file_formats[i]->joined ? gf_content_matches(s, gf_file_formats[i], err) : 0;

        if (match > 0)
            *found = gf_file_formats[i];
        if (match != 0)
            return match;
    }
    return 0;
}
