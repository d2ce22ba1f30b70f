/* Chooses the format of an input: by --from, then by its content, then by its name. */
#define _GNU_SOURCE
#include "io/reader_choice.h"

#include "base/path.h"
#include "base/words.h"
#include "io/formats/raw.h"
#include "io/hardened.h"
#include "io/unsupported.h"

#include <ctype.h>
#include <string.h>

static const struct gf_file_format *by_name(const char *word)
{
    const struct gf_file_format *f = gf_file_format_find(word);

    return f != NULL && f->open != NULL ? f : NULL;
}

/* Compares the first byte before it needs the others: a pipe may have only one byte so far. */
static int has_signature(struct gf_source *s, const char *signature, struct gf_error *err)
{
    const size_t length = strlen(signature);
    const unsigned char *b;
    size_t at = 0;
    int64_t size = gf_source_peek(s, 1, &b, err);

    if (size < 1 || b[0] != (unsigned char)signature[0])
        return size < 0 ? -1 : 0;
    size = gf_source_peek(s, length, &b, err);
    while (size >= (int64_t)length && at < length && (signature[at] == '*' || b[at] == (unsigned char)signature[at]))
        at++;
    return size < 0 ? -1 : at == length;
}

static int matches(struct gf_source *s, const struct gf_file_format *f, struct gf_error *err)
{
    int match = f->match != NULL ? f->match(s, err) : 0;

    for (const char *const *signature = f->signature; match == 0 && *signature != NULL; signature++)
        match = has_signature(s, *signature, err);
    return match;
}

/* Finds the format by the content; *found is NULL if none matches. */
static int find_by_content(struct gf_source *s, const struct gf_file_format **found, struct gf_error *err)
{
    *found = NULL;
    for (int i = 0; i < 2 * gf_file_format_count; i++) {
        const struct gf_file_format *f = gf_file_formats[i % gf_file_format_count];
        const bool sure = i < gf_file_format_count;
        const int match = sure ? matches(s, f, err) : f->resembles != NULL ? f->resembles(s, err) : 0;

        if (match > 0)
            *found = f;
        if (match != 0)
            return match < 0 ? -1 : 0;
    }
    return 0;
}

/* Finds the format by the content, then by the name; *found is NULL if neither matches. */
static int recognise(struct gf_source *s, const struct gf_file_format **found, struct gf_error *err)
{
    if (find_by_content(s, found, err) != 0)
        return -1;
    if (*found == NULL)
        *found = by_name(gf_path_extension(s->name));
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
    const struct gf_file_format *f = path != NULL ? by_name(gf_path_extension(path)) : NULL;

    return f != NULL ? f->kinds : 0;
}

static void put_capitals(const char *from, char *to, size_t room)
{
    size_t i = 0;

    for (; from[i] != '\0' && i + 1 < room; i++)
        to[i] = (char)toupper((unsigned char)from[i]);
    to[i] = '\0';
}

/* Returns true if the content identifies the format. PGM, for example, is detected as PNM. */
static bool is_identified_by_content(const struct gf_file_format *f)
{
    return f->match != NULL || f->signature[0] != NULL;
}

/*
 * Refuses a --from that the content contradicts. Exceptions: readers of audio check the content,
 * raw samples may begin with anything, and content that only resembles a format may belong to
 * another one.
 */
static int check_from(struct gf_source *s, const char *from, const struct gf_file_format *asked, struct gf_error *err)
{
    const struct gf_file_format *found;
    char asked_name[16], found_name[16];
    int sure;

    if (asked->kinds == 0)
        return 0;
    if (find_by_content(s, &found, err) != 0)
        return -1;
    if (found == NULL || found == asked || (found->open == asked->open && !is_identified_by_content(asked))
        || (found->kinds == asked->kinds && found->kinds == 1u << GF_AUDIO))
        return 0;
    sure = matches(s, found, err);
    if (sure <= 0)
        return sure;
    put_capitals(from, asked_name, sizeof asked_name);
    put_capitals(found->name, found_name, sizeof found_name);
    return gf_fail(err, GF_FAILED, "%s: is %s, not %s; leave out --from %s", s->name, found_name, asked_name, from);
}

static int choose(struct gf_source *s, const struct gf_read_options *o, const struct gf_file_format **found,
                  struct gf_error *err)
{
    char nearest[200];

    if (o->from != NULL) {
        *found = by_name(o->from);
        if (*found != NULL)
            return check_from(s, o->from, *found, err);
        if (gf_raw_type_is_meant(o->from)) {
            const int type = (int)strcspn(o->from, ":");

            return gf_fail(err, GF_MISUSED, "--from %s: for raw samples use -f raw:%s,type=%.*s", o->from,
                           o->from[type] != '\0' && o->from[type + 1] != '\0' ? o->from + type + 1
                                                                              : "rate=44100,channels=2",
                           type, o->from);
        }
        gf_nearest_words(o->from, gf_reader_names(), nearest, sizeof nearest);
        return gf_fail(err, GF_MISUSED, "--from %s: unknown input format; try %s", o->from,
                       nearest);
    }
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

    if (s->random || !is_identified_by_content(chosen) || chosen->resembles != NULL)
        return 0;
    if (find_by_content(s, &found, err) != 0)
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

const struct gf_file_format *gf_reader_other_image(struct gf_source *s)
{
    struct gf_error err = { 0 };

    for (int i = 0; i < gf_file_format_count; i++)
        if (gf_file_formats[i]->kinds == 1u << GF_IMAGE && matches(s, gf_file_formats[i], &err) > 0)
            return gf_file_formats[i];
    return NULL;
}

int gf_reader_choose_joined(struct gf_source *s, const struct gf_file_format **found, struct gf_error *err)
{
    for (int i = 0; i < gf_file_format_count; i++) {
        const int match = gf_file_formats[i]->joined ? matches(s, gf_file_formats[i], err) : 0;

        if (match > 0)
            *found = gf_file_formats[i];
        if (match != 0)
            return match;
    }
    return 0;
}
