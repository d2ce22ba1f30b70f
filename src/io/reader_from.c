/* --from: chooses the format of an input, and refuses content of other formats. */
#define _GNU_SOURCE
#include "io/reader_from.h"

#include "base/path.h"
#include "base/words.h"
#include "io/formats/raw.h"
#include "io/reader_content.h"
#include "io/unsupported.h"

#include <ctype.h>
#include <string.h>

const struct gf_file_format *gf_reader_by_name(const char *word)
{
    const struct gf_file_format *f = gf_file_format_find(word);

    return f != NULL && f->open != NULL ? f : NULL;
}

static void put_capitals(const char *from, char *to, size_t room)
{
    size_t i = 0;

    for (; from[i] != '\0' && i + 1 < room; i++)
        to[i] = (char)toupper((unsigned char)from[i]);
    to[i] = '\0';
}

/*
 * Returns 1 if content that was found to be of one format is also of the format `asked`, 0 if not, or -1: a PGM is
 * found as PNM, and Opus as Ogg. After ID3 tags there may be any audio; its reader checks which.
 */
static int is_also(struct gf_source *s, const struct gf_file_format *found, const struct gf_file_format *asked,
                   struct gf_error *err)
{
    const bool same_reader = found->open == asked->open;

    if (found == asked || (same_reader && !gf_content_identifies(asked)))
        return 1;
    if (same_reader && asked->kinds == 1u << GF_AUDIO) {
        const int tags = gf_source_begins(s, "ID3", 3, err);

        if (tags != 0)
            return tags;
    }
    return gf_content_identifies(asked) ? gf_content_matches(s, asked, err) : 0;
}

static int fail_unknown(const char *from, const char *word, struct gf_error *err)
{
    char nearest[200];

    if (gf_raw_type_is_meant(from)) {
        const int type = (int)strcspn(from, ":");

        return gf_fail(err, GF_MISUSED, "--from %s: for raw samples use -f raw:%s,type=%.*s", from,
                       from[type] != '\0' && from[type + 1] != '\0' ? from + type + 1 : "rate=44100,channels=2",
                       type, from);
    }
    gf_nearest_words(word, gf_reader_names(), nearest, sizeof nearest);
    if (word == from)
        return gf_fail(err, GF_MISUSED, "--from %s: unknown input format; try %s", from, nearest);
    return gf_fail(err, GF_MISUSED, "--from %s: unknown input format '%s'; try %s", from, word, nearest);
}

/*
 * Refuses a format that the content contradicts. Raw samples may begin with anything, and content that only
 * resembles a format may belong to another one.
 */
static int check_one(struct gf_source *s, const char *from, const struct gf_file_format *asked, struct gf_error *err)
{
    const struct gf_file_format *found;
    char asked_name[16], found_name[16];
    int result;

    if (asked->kinds == 0)
        return 0;
    if (gf_content_find(s, &found, err) != 0)
        return -1;
    result = found == NULL ? 1 : is_also(s, found, asked, err);
    if (result != 0)
        return result < 0 ? -1 : 0;
    result = gf_content_matches(s, found, err);
    if (result <= 0)
        return result;
    put_capitals(from, asked_name, sizeof asked_name);
    put_capitals(found->name, found_name, sizeof found_name);
    return gf_fail(err, GF_FAILED, "%s: is %s, not %s;; leave out --from %s", s->name, found_name, asked_name, from);
}

/* Checks the names of a list. Raw samples may not be in it, because any content would be accepted. */
static int check_list(const char *list, struct gf_error *err)
{
    char word[GF_FORMAT_NAME_BYTES];

    for (const char *at = list; at != NULL;) {
        at = gf_file_format_next(at, word);
        if (gf_reader_by_name(word) == NULL)
            return fail_unknown(list, word, err);
        if (gf_reader_by_name(word)->kinds == 0)
            return gf_fail(err, GF_MISUSED, "--from %s: raw samples have no header, so raw cannot be in a list", list);
    }
    return 0;
}

/* Returns 1 if content of this format is also of a format in the list, 0 if not, or -1. */
static int is_in_list(struct gf_source *s, const struct gf_file_format *found, const char *list, struct gf_error *err)
{
    char word[GF_FORMAT_NAME_BYTES];
    int result = 0;

    while (result == 0 && list != NULL) {
        list = gf_file_format_next(list, word);
        result = is_also(s, found, gf_reader_by_name(word), err);
    }
    return result;
}

/* Chooses by the content. Formats that it does not identify are chosen by the extension. */
static int choose_of_list(struct gf_source *s, const char *list, const struct gf_file_format **found,
                          struct gf_error *err)
{
    const struct gf_file_format *named = gf_reader_by_name(gf_path_extension(s->name));
    int result, sure;

    if (check_list(list, err) != 0 || gf_content_find(s, found, err) != 0)
        return -1;
    result = *found != NULL ? is_in_list(s, *found, list, err) : 0;
    if (result != 0)
        return result < 0 ? -1 : 0;
    sure = *found != NULL ? gf_content_matches(s, *found, err) : 0;
    if (sure < 0)
        return -1;
    if (sure > 0)
        return gf_fail(err, GF_FAILED, "%s: is %s, and --from allows only %s", s->name, (*found)->title, list);
    if (*found == NULL && named == NULL)
        return gf_fail_unsupported(s, s->name, err);
    *found = named;
    if (named != NULL && gf_file_format_list_has(list, named->name))
        return 0;
    return gf_fail(err, GF_FAILED, "%s: does not begin like any of %s, which --from allows", s->name, list);
}

int gf_reader_from_choose(struct gf_source *s, const char *from, const struct gf_file_format **found,
                          struct gf_error *err)
{
    *found = gf_reader_by_name(from);
    if (*found != NULL)
        return check_one(s, from, *found, err);
    if (strchr(from, ',') != NULL && !gf_raw_type_is_meant(from))
        return choose_of_list(s, from, found, err);
    return fail_unknown(from, from, err);
}
