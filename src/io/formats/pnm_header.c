/* Parses headers of PBM, PGM, PPM, PAM and PFM. Every value is untrusted until it is checked. */
#include "io/formats/pnm.h"

#include "base/words.h"
#include "io/limits.h"
#include "io/picked_channels.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

int gf_pnm_fail_header(const struct gf_reader *r, struct gf_error *err)
{
    return gf_fail(err, GF_FAILED, "%s: ends inside a header", r->name);
}

int gf_pnm_byte(struct gf_reader *r, struct gf_error *err)
{
    for (;;) {
        int c = gf_source_byte(r->source, err);

        if (c == '#') {
            while (c >= 0 && c != '\n')
                c = gf_source_byte(r->source, err);
        }
        if (!gf_pnm_blank(c))
            return c;
    }
}

int gf_pnm_digits(struct gf_reader *r, int c, int64_t *value, struct gf_error *err)
{
    if (c == -2)
        return -1;
    if (c == -1)
        return gf_pnm_fail_header(r, err);
    if (c < '0' || c > '9')
        return gf_fail(err, GF_FAILED, "%s: a number is missing in the header", r->name);
    for (*value = 0; c >= '0' && c <= '9'; c = gf_source_byte(r->source, err)) {
        *value = *value * 10 + (c - '0');
        if (*value > INT32_MAX)
            return gf_fail(err, GF_FAILED, "%s: a number in the header is too large", r->name);
    }
    if (c == '#') {
        while (c >= 0 && c != '\n')
            c = gf_source_byte(r->source, err);
    }
    return c == -2 ? -1 : 0;
}

static int read_number(struct gf_reader *r, int64_t *value, struct gf_error *err)
{
    return gf_pnm_digits(r, gf_pnm_byte(r, err), value, err);
}

/* Reads a word or, with `line`, the rest of the line. Text beyond `size` is dropped. */
static int read_text(struct gf_reader *r, char *to, size_t size, bool line, struct gf_error *err)
{
    size_t length = 0;
    int c = gf_source_byte(r->source, err);

    while (!line && gf_pnm_blank(c))
        c = gf_source_byte(r->source, err);
    for (; c >= 0 && c != '\n' && (line || !gf_pnm_blank(c)); c = gf_source_byte(r->source, err)) {
        if (length + 1 < size)
            to[length++] = (char)c;
    }
    while (length > 0 && gf_pnm_blank((unsigned char)to[length - 1]))
        length--;
    to[length] = '\0';
    if (c == -1)
        return gf_pnm_fail_header(r, err);
    return c < 0 ? -1 : 0;
}

static bool ends_with(const char *string, const char *end)
{
    size_t a = strlen(string), b = strlen(end);

    return a >= b && strcmp(string + a - b, end) == 0;
}

#define MOST_DEPTH 65535

struct pam {
    int64_t width, height, depth, maxval;
    char tuple[256];
};

/* Reads one "NAME value" line of a PAM header. Returns 1 at ENDHDR. */
static int pam_line(struct gf_reader *r, struct pam *h, struct gf_error *err)
{
    static const char *const names[] = { "WIDTH", "HEIGHT", "DEPTH", "MAXVAL" };
    int64_t *const values[] = { &h->width, &h->height, &h->depth, &h->maxval };
    char line[256], *at = line, *end;

    if (read_text(r, line, sizeof line, true, err) != 0)
        return -1;
    while (gf_pnm_blank((unsigned char)*at))
        at++;
    if (*at == '#' || *at == '\0')
        return 0;
    if (strcmp(at, "ENDHDR") == 0)
        return 1;
    if (strncmp(at, "TUPLTYPE", 8) == 0 && gf_pnm_blank((unsigned char)at[8])) {
        strncat(h->tuple, at + 9, sizeof h->tuple - strlen(h->tuple) - 1);
        return 0;
    }
    for (int i = 0; i < 4; i++) {
        size_t length = strlen(names[i]);
        long long value;

        if (strncmp(at, names[i], length) != 0 || !gf_pnm_blank((unsigned char)at[length]))
            continue;
        if (*values[i] > 0)
            return gf_fail(err, GF_FAILED, "%s: has two lines %s in the header", r->name, names[i]);
        value = strtoll(at + length, &end, 10);
        if (*end != '\0' || value < 0 || value > INT32_MAX)
            return gf_fail(err, GF_FAILED, "%s: invalid %s in the header", r->name, names[i]);
        *values[i] = value;
        return 0;
    }
    return gf_fail(err, GF_FAILED, "%s: unknown header line \"%.40s\"", r->name, at);
}

/*
 * Reads a PAM header. Without a tuple type, the last of 2 or 4 channels is alpha, as in other
 * programs.
 */
static int pam_header(struct gf_reader *r, struct pam *h, struct gf_error *err)
{
    struct gf_format *f = &r->format;
    struct gf_pnm *p = r->state;
    bool alpha;
    int got;

    do
        got = pam_line(r, h, err);
    while (got == 0);
    if (got < 0)
        return -1;
    if (h->depth < 1 || h->depth > MOST_DEPTH)
        return gf_fail(err, GF_FAILED, "%s: has %lld channels; must be 1 to %d", r->name,
                       (long long)h->depth, MOST_DEPTH);
    alpha = h->depth % 2 == 0 && (h->tuple[0] == '\0' || ends_with(h->tuple, "_ALPHA"));
    p->depth = (int)h->depth;
    if (r->options->channels.count > 0) {
        f->channels = r->options->channels.count;
        f->alpha = alpha && f->channels % 2 == 0 && r->options->channels.number[f->channels - 1] == p->depth;
        gf_picked_channels_note(&r->options->channels, p->depth, r->name, r->notices);
        return gf_picked_channels_check(&r->options->channels, p->depth, r->name, err);
    }
    if (h->depth > 4 && !r->options->headers)
        return gf_fail(err, GF_FAILED, "%s: has %lld channels, but an image has at most 4;; --channels 1,2,3 selects "
                       "up to four of them",
                       r->name, (long long)h->depth);
    f->channels = p->depth;
    f->alpha = alpha;
    return 0;
}

static int pfm_header(struct gf_reader *r, struct pam *h, struct gf_error *err)
{
    struct gf_pnm *p = r->state;
    char word[64], *end;
    double scale;

    if (read_number(r, &h->width, err) != 0 || read_number(r, &h->height, err) != 0
        || read_text(r, word, sizeof word, false, err) != 0)
        return -1;
    scale = strtod(word, &end);
    if (end == word || *end != '\0' || !(scale < 0 || scale > 0))
        return gf_fail(err, GF_FAILED, "%s: invalid scale in the header", r->name);
    if (scale != 1 && scale != -1)
        gf_warn(r->notices, "pfm-scale", r->name, "its scale, %g, is ignored; samples are read as stored", fabs(scale));
    p->big_endian = scale > 0;
    r->format.channels = p->kind == 'F' ? 3 : 1;
    return 0;
}

static int pnm_header(struct gf_reader *r, struct pam *h, struct gf_error *err)
{
    struct gf_pnm *p = r->state;
    bool bits = p->kind == '1' || p->kind == '4';

    if (read_number(r, &h->width, err) != 0 || read_number(r, &h->height, err) != 0)
        return -1;
    h->maxval = 1;
    if (!bits && read_number(r, &h->maxval, err) != 0)
        return -1;
    r->format.channels = p->kind == '3' || p->kind == '6' ? 3 : 1;
    return 0;
}

/* Sets the sample type and the bytes of a row. */
static int set_format(struct gf_reader *r, const struct pam *h, struct gf_error *err)
{
    struct gf_pnm *p = r->state;
    struct gf_format *f = &r->format;
    bool is_float = p->kind == 'F' || p->kind == 'f';

    if (h->width < 1 || h->height < 1)
        return gf_fail(err, GF_FAILED, "%s: has no pixels (%lldx%lld)", r->name,
                       (long long)h->width, (long long)h->height);
    if (!is_float && (h->maxval < 1 || h->maxval > 65535))
        return gf_fail(err, GF_FAILED, "%s: has a maxval of %lld; must be 1 to 65535", r->name, (long long)h->maxval);
    f->kind = GF_IMAGE;
    f->type = is_float ? GF_F32 : h->maxval > 255 ? GF_U16 : GF_U8;
    f->maxval = is_float ? 1 : (uint32_t)h->maxval;
    f->bits = is_float ? 32 : gf_maxval_bits(f->maxval);
    f->width = h->width;
    f->units = h->height;
    p->stored_bytes = p->kind == '4' ? (size_t)(h->width + 7) / 8 : p->kind <= '3' ? 0 : gf_unit_bytes(f);
    if (p->kind == '7')
        p->stored_bytes = (size_t)f->width * (size_t)p->depth * gf_type_bytes(f->type);
    if (r->options->max_bytes > 0 && r->options->channels.count > 0 && p->stored_bytes > (size_t)r->options->max_bytes)
        return gf_fail_limit(err, r->name, "a row ", (int64_t)p->stored_bytes, r->options->max_bytes,
                                    "--max-memory");
    return gf_limits_check_size(r->name, f->width, f->units, 0,
                                r->options, err);
}

int gf_pnm_header(struct gf_reader *r, struct gf_error *err)
{
    struct gf_pnm *p = r->state;
    struct pam h = { .depth = 0 };
    int result;

    r->format = (struct gf_format) { .kind = GF_IMAGE };
    if (p->kind != '7' && r->options->channels.count > 0)
        return gf_fail(err, GF_MISUSED, "%s: --channels works only with PAM and TIFF, and this is P%c; the stage "
                       "channel:red selects one channel",
                       r->name, p->kind);
    if (p->kind == '7')
        result = pam_header(r, &h, err);
    else if (p->kind == 'F' || p->kind == 'f')
        result = pfm_header(r, &h, err);
    else
        result = pnm_header(r, &h, err);
    return result != 0 ? -1 : set_format(r, &h, err);
}
