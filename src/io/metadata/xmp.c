/*
 * Reads and edits XMP as text: a property is an attribute,
 * name="value", or an element, <name>value</name>.
 */
#define _GNU_SOURCE
#include "io/metadata/xmp.h"

#include "io/metadata/change.h"
#include "io/metadata/parts.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define LONGEST_VALUE 100                /* bytes; the values that matter are shorter */
#define LONGEST_NAME 80                  /* bytes, of properties of a place */
#define MOST_CHANGES 8                   /* per property: packets have one, and each change moves the rest */
#define MOST_REGIONS 64
#define MOST_NESTED 8                    /* items of lists within each other */

/* A value of a property. */
struct found {
    size_t name, value, end;             /* offsets of the name, the value, and the end of the value */
    bool attribute;
};

static bool is_blank(unsigned char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

static size_t skip_blanks(const unsigned char *b, size_t size, size_t at)
{
    while (at < size && is_blank(b[at]))
        at++;
    return at;
}

/* Finds the next occurrence of a name, after white space or "<"; returns `size` if there is none. */
static size_t find_name(const unsigned char *b, size_t size, size_t at, const char *name)
{
    const size_t length = strlen(name);

    while (at < size) {
        const unsigned char *hit = memmem(b + at, size - at, name, length);

        if (hit == NULL)
            break;
        at = (size_t)(hit - b);
        if (at > 0 && (is_blank(b[at - 1]) || b[at - 1] == '<') && at + length < size
            && (is_blank(b[at + length]) || strchr("=>/", b[at + length]) != NULL))
            return at;
        at++;
    }
    return size;
}

/* Finds the byte that ends a value, within LONGEST_VALUE. */
static const unsigned char *find_end(const unsigned char *b, size_t size, size_t at, unsigned char byte)
{
    return memchr(b + at, byte, size - at < LONGEST_VALUE ? size - at : LONGEST_VALUE);
}

/* Finds the next value of a property from offset `from` on. */
static bool find_value(const unsigned char *b, size_t size, size_t from, const char *name, struct found *f)
{
    for (size_t at = find_name(b, size, from, name); at < size; at = find_name(b, size, at + 1, name)) {
        const bool element = b[at - 1] == '<';
        size_t value = skip_blanks(b, size, at + strlen(name));
        const unsigned char *end;

        if (value >= size || b[value] != (element ? '>' : '='))
            continue;
        value = element ? value + 1 : skip_blanks(b, size, value + 1);
        if (value >= size || (!element && b[value] != '"' && b[value] != '\''))
            continue;
        end = find_end(b, size, value + !element, element ? '<' : b[value]);
        if (end == NULL)
            continue;
        *f = (struct found) { at, value + !element, (size_t)(end - b), !element };
        return true;
    }
    return false;
}

/* Returns the offset of the digit of the next orientation, or 0. */
static size_t find_orientation(const unsigned char *b, size_t size, size_t from)
{
    struct found f;

    for (size_t at = from; find_value(b, size, at, "tiff:Orientation", &f); at = f.end) {
        const size_t digit = skip_blanks(b, f.end, f.value);

        if (digit < f.end && b[digit] >= '1' && b[digit] <= '8' && skip_blanks(b, f.end, digit + 1) == f.end)
            return digit;
    }
    return 0;
}

int gf_xmp_orientation(const unsigned char *xmp, size_t size)
{
    const size_t at = find_orientation(xmp, size, 0);

    return at > 0 ? xmp[at] - '0' : 0;
}

void gf_xmp_reset_orientation(unsigned char *xmp, size_t size)
{
    for (size_t at = 0; (at = find_orientation(xmp, size, at)) > 0;)
        xmp[at] = '1';
}

bool gf_xmp_has(const unsigned char *xmp, size_t size, const char *name)
{
    struct found f;

    return find_value(xmp, size, 0, name, &f) && !(f.end == f.value + 1 && xmp[f.value] == '0');
}

/* ---- editing ---- */

/*
 * Returns the end of the element that begins at `begin`
 * with "<" and its name; 0 if it is not closed.
 */
static size_t element_end(const unsigned char *b, size_t size, size_t begin, const char *name)
{
    const size_t length = strlen(name);
    const unsigned char *at = memchr(b + begin, '>', size - begin);

    if (at == NULL || at[-1] == '/')
        return at == NULL ? 0 : (size_t)(at - b) + 1;
    while ((at = memmem(at, size - (size_t)(at - b), "</", 2)) != NULL) {
        at += 2;
        if (size - (size_t)(at - b) > length && memcmp(at, name, length) == 0
            && (at[length] == '>' || is_blank(at[length])))
            break;
    }
    at = at != NULL ? memchr(at, '>', size - (size_t)(at - b)) : NULL;
    return at != NULL ? (size_t)(at - b) + 1 : 0;
}

/* Removes each element of this name with its content. */
static void cut_element(unsigned char *b, size_t *size, const char *name)
{
    size_t from = 0, to = 0, at = find_name(b, *size, 0, name);

    while (at < *size) {
        const size_t begin = at - 1, end = b[begin] == '<' ? element_end(b, *size, begin, name) : begin;

        if (end == 0)                            /* later elements are not closed either */
            break;
        if (end > begin) {
            memmove(b + to, b + from, begin - from);
            to += begin - from;
            from = end;
        }
        at = find_name(b, *size, end > begin ? end : at + 1, name);
    }
    memmove(b + to, b + from, *size - from);
    *size -= from - to;
}

/* Removes a property in either form. */
static void cut_property(unsigned char *b, size_t *size, const char *name)
{
    struct found f;

    cut_element(b, size, name);
    for (int i = 0; i < MOST_CHANGES && find_value(b, *size, 0, name, &f) && f.attribute; i++) {
        memmove(b + f.name, b + f.end + 1, *size - f.end - 1);
        *size -= f.end + 1 - f.name;
    }
}

/* An XMP packet that is changed. */
struct packet {
    unsigned char **b;
    size_t *size;
    struct gf_error *err;
};

static bool find_in(const struct packet *p, size_t from, const char *name, struct found *f)
{
    return *p->size > 0 && find_value(*p->b, *p->size, from, name, f);
}

/* Replaces a value, and lets *f describe the new one. */
static int replace_value(struct packet *p, struct found *f, const char *text)
{
    const size_t length = strlen(text);
    unsigned char *more = realloc(*p->b, *p->size + length);

    if (more == NULL)
        return gf_fail_memory(p->err, NULL);
    *p->b = more;
    memmove(more + f->value + length, more + f->end, *p->size - f->end);
    memcpy(more + f->value, text, length);
    *p->size += length;
    *p->size -= f->end - f->value;
    f->end = f->value + length;
    return 0;
}

/* Reads a value that is a number or a fraction. */
static bool read_value(const struct packet *p, const struct found *f, double *value)
{
    char text[LONGEST_VALUE + 1];
    const size_t length = f->end - f->value;
    char *end;

    if (length == 0 || length >= sizeof text)
        return false;
    memcpy(text, *p->b + f->value, length);
    text[length] = '\0';
    *value = strtod(text, &end);
    if (*end == '/')
        *value /= strtod(end + 1, &end);
    return end > text && *end == '\0' && isfinite(*value);
}

/* Replaces each whole number in the values of a property. */
static int set_number(struct packet *p, const char *name, int64_t value)
{
    struct found f;
    char text[24];
    double was;

    snprintf(text, sizeof text, "%lld", (long long)value);
    for (size_t i = 0, at = 0; i < MOST_CHANGES && find_in(p, at, name, &f); i++, at = f.value + 1)
        if (read_value(p, &f, &was) && replace_value(p, &f, text) != 0)
            return -1;
    return 0;
}

static bool read_number(const struct packet *p, const char *name, double *value)
{
    struct found f;

    return find_in(p, 0, name, &f) && read_value(p, &f, value);
}

static int set_sizes(struct packet *p, const struct gf_change *c)
{
    static const char *const widths[] = { "exif:PixelXDimension", "tiff:ImageWidth" };
    static const char *const heights[] = { "exif:PixelYDimension", "tiff:ImageLength" };

    for (size_t i = 0; i < sizeof widths / sizeof *widths; i++)
        if (set_number(p, widths[i], c->out.width) != 0 || set_number(p, heights[i], c->out.units) != 0)
            return -1;
    return 0;
}

/* Updates a pair of resolutions, which are fractions, or removes them. */
static int set_density(struct packet *p, const char *across, const char *down, const struct gf_affine *map)
{
    const char *const names[] = { across, down };
    double was[2], now[2];

    if (!read_number(p, across, &was[0]) || !read_number(p, down, &was[1]))
        return 0;
    memcpy(now, was, sizeof now);
    if (!gf_change_density(map, &now[0], &now[1])) {
        cut_property(*p->b, p->size, across);
        cut_property(*p->b, p->size, down);
        return 0;
    }
    for (int i = 0; i < 2; i++) {
        struct found f;
        char text[40];

        snprintf(text, sizeof text, "%.0f/10000", now[i] * 10000);
        if (fabs(now[i] - was[i]) > 1e-9 * was[i] && find_in(p, 0, names[i], &f) && replace_value(p, &f, text) != 0)
            return -1;
    }
    return 0;
}

static int set_densities(struct packet *p, const struct gf_change *c)
{
    const struct gf_affine print = gf_change_print_map(gf_affine_axes(&c->to_file) == GF_AXES_TURNED);

    if (set_density(p, "tiff:XResolution", "tiff:YResolution", &print) != 0)
        return -1;
    return set_density(p, "exif:FocalPlaneXResolution", "exif:FocalPlaneYResolution", &c->to_file);
}

/*
 * Updates which part of a whole sphere the image shows. After a turn it is no such part, and viewers would distort
 * it.
 */
static int set_panorama(struct packet *p, const struct gf_change *c, unsigned *parts)
{
    static const char *const names[] = {
        "GPano:CroppedAreaLeftPixels", "GPano:CroppedAreaTopPixels", "GPano:FullPanoWidthPixels",
        "GPano:FullPanoHeightPixels", "GPano:CroppedAreaImageWidthPixels", "GPano:CroppedAreaImageHeightPixels",
        "GPano:ProjectionType", "GPano:UsePanoramaViewer", "GPano:LargestValidInteriorRectLeft",
        "GPano:LargestValidInteriorRectTop", "GPano:LargestValidInteriorRectWidth",
        "GPano:LargestValidInteriorRectHeight",
    };
    const struct gf_affine *m = &c->to_file;
    double v[4];
    bool right = gf_affine_axes(m) == GF_AXES_SAME;

    for (int i = 0; i < 4; i++)
        if (!read_number(p, names[i], &v[i]))
            return 0;
    v[0] = rint((v[0] + m->cx) / m->xx);
    v[1] = rint((v[1] + m->cy) / m->yy);
    v[2] = rint(v[2] / m->xx);
    v[3] = rint(v[3] / m->yy);
    right = right && v[0] >= 0 && v[1] >= 0 && v[0] + (double)c->out.width <= v[2]
        && v[1] + (double)c->out.units <= v[3];
    for (size_t i = 0; !right && i < sizeof names / sizeof *names; i++)
        cut_property(*p->b, p->size, names[i]);
    *parts |= right ? 0 : GF_PART_PANORAMA;
    for (int i = 0; right && i < 4; i++)
        if (set_number(p, names[i], (int64_t)v[i]) != 0)
            return -1;
    for (size_t i = 8; right && i < sizeof names / sizeof *names && gf_change_is_moved(c); i++)
        cut_property(*p->b, p->size, names[i]);
    if (!right)
        return 0;
    return set_number(p, names[4], c->out.width) != 0 ? -1 : set_number(p, names[5], c->out.units);
}

/* ---- regions ---- */

/* The centers and sides of regions, as shares of the image. */
struct regions {
    size_t count;
    double v[4][MOST_REGIONS];
};

static const char *const region_names[] = { "stArea:x", "stArea:y", "stArea:w", "stArea:h" };

/* Reads all regions. Returns false if one is not a rectangle, or does not state all numbers. */
static bool read_regions(const struct packet *p, struct regions *r)
{
    struct found f;

    r->count = 0;
    for (int k = 0; k < 4; k++) {
        size_t n = 0, at = 0;

        for (; find_in(p, at, region_names[k], &f); at = f.end, n++)
            if (n >= MOST_REGIONS || !read_value(p, &f, &r->v[k][n]))
                return false;
        if (k > 0 && n != r->count)
            return false;
        r->count = n;
    }
    return !find_in(p, 0, "stArea:d", &f);
}

/* Moves a region to its place in the output. Returns false if its center is not there, or its sides are not level. */
static bool move_region(struct regions *r, size_t i, const struct gf_change *c)
{
    const struct gf_affine to_output = gf_affine_invert(&c->to_file);
    const bool turned = gf_affine_axes(&to_output) == GF_AXES_TURNED;
    const double wide = r->v[2][i] * (double)c->file_width, high = r->v[3][i] * (double)c->file_height;
    double x = r->v[0][i] * (double)c->file_width, y = r->v[1][i] * (double)c->file_height, step_x, step_y;

    gf_affine_apply(&to_output, &x, &y);
    gf_affine_steps(&c->to_file, &step_x, &step_y);
    r->v[0][i] = x / (double)c->out.width;
    r->v[1][i] = y / (double)c->out.units;
    r->v[2][i] = (turned ? high : wide) / step_x / (double)c->out.width;
    r->v[3][i] = (turned ? wide : high) / step_y / (double)c->out.units;
    return gf_affine_axes(&to_output) != GF_AXES_OBLIQUE && r->v[0][i] >= 0 && r->v[0][i] <= 1 && r->v[1][i] >= 0
        && r->v[1][i] <= 1;
}

static int put_regions(struct packet *p, const struct regions *r)
{
    for (int k = 0; k < 4; k++) {
        struct found f;

        for (size_t i = 0, at = 0; i < r->count && find_in(p, at, region_names[k], &f); i++, at = f.end) {
            char text[24];

            snprintf(text, sizeof text, "%.6f", r->v[k][i]);
            if (replace_value(p, &f, text) != 0)
                return -1;
        }
    }
    return 0;
}

/* Sets the size of the image to which regions apply. */
static int set_applied(struct packet *p, const struct gf_change *c)
{
    static const char *const names[] = { "stDim:w", "stDim:h" };
    const size_t at = find_name(*p->b, *p->size, 0, "mwg-rs:AppliedToDimensions");

    for (int i = 0; i < 2; i++) {
        struct found f;
        char text[24];

        snprintf(text, sizeof text, "%lld", (long long)(i == 0 ? c->out.width : c->out.units));
        if (find_in(p, at, names[i], &f) && replace_value(p, &f, text) != 0)
            return -1;
    }
    return 0;
}

/* Finds the innermost item of a list around an offset. Returns false if there is none, or it is not closed. */
static bool find_item(const struct packet *p, size_t inside, size_t *begin, size_t *end)
{
    const unsigned char *b = *p->b;
    const size_t size = *p->size;
    size_t opening = find_name(b, size, 0, "rdf:li"), closing = find_name(b, size, 0, "/rdf:li"), begins[MOST_NESTED];
    int depth = 0, wanted = -1;                  /* depth at the offset */

    while (closing < size) {
        const bool opens = opening < closing;
        const size_t at = opens ? opening : closing;
        const unsigned char *last = memchr(b + at, '>', size - at);
        const int step = b[at - 1] != '<' ? 0 : !opens ? -1 : last != NULL && last[-1] != '/';

        if (at > inside && wanted < 0)
            wanted = depth;
        if (last == NULL || wanted == 0 || depth + step < 0 || depth + step > MOST_NESTED)
            return false;
        if (step > 0)
            begins[depth] = at - 1;
        if (step < 0 && depth == wanted) {
            *begin = begins[depth - 1];
            *end = (size_t)(last - b) + 1;
            return true;
        }
        depth += step;
        if (opens)
            opening = find_name(b, size, at + 1, "rdf:li");
        else
            closing = find_name(b, size, at + 1, "/rdf:li");
    }
    return false;
}

/* Removes the list item of region i. Returns false if the region has no item, or shares it with others. */
static bool drop_region(struct packet *p, size_t i)
{
    size_t begin, end, at = 0;
    struct found f;

    for (size_t n = 0; n <= i; n++, at = f.end)
        if (!find_in(p, at, region_names[0], &f))
            return false;
    if (!find_item(p, f.name, &begin, &end))
        return false;
    for (int k = 0; k < 4; k++)
        if (!find_in(p, begin, region_names[k], &f) || f.end > end
            || (find_in(p, f.end, region_names[k], &f) && f.name < end))
            return false;
    memmove(*p->b + begin, *p->b + end, *p->size - end);
    *p->size -= end - begin;
    return true;
}

/* Moves all regions, and removes those that are outside of the output. Returns false if all must be removed. */
static bool move_regions(struct packet *p, const struct gf_change *c, unsigned *parts, struct regions *r)
{
    size_t kept = 0;

    if (!read_regions(p, r))
        return false;
    for (size_t i = r->count; i-- > 0;) {
        if (move_region(r, i, c)) {
            kept++;
            continue;
        }
        *parts |= GF_PART_FACES;
        if (!drop_region(p, i))
            return false;
        r->count--;
        for (int k = 0; k < 4; k++)
            memmove(&r->v[k][i], &r->v[k][i + 1], (r->count - i) * sizeof r->v[k][0]);
    }
    return kept > 0;
}

/* Updates faces and other regions. Those that are shares of the image stay true when it is only scaled. */
static int settle_regions(struct packet *p, const struct gf_change *c, unsigned *parts)
{
    const bool known = find_name(*p->b, *p->size, 0, "mwg-rs:Regions") < *p->size;
    const bool others = find_name(*p->b, *p->size, 0, "MP:RegionInfo") < *p->size;
    struct regions r;

    if (!gf_change_is_scaled_only(c)) {
        if (others) {
            *parts |= GF_PART_FACES;
            cut_element(*p->b, p->size, "MP:RegionInfo");
        }
        if (known && !move_regions(p, c, parts, &r)) {
            *parts |= GF_PART_FACES;
            cut_element(*p->b, p->size, "mwg-rs:Regions");
            return 0;
        }
        if (known && put_regions(p, &r) != 0)
            return -1;
    }
    return known ? set_applied(p, c) : 0;
}

int gf_xmp_settle(unsigned char **xmp, size_t *size, const struct gf_change *c, unsigned *parts, struct gf_error *err)
{
    static const char *const layout[] = { "tiff:BitsPerSample", "tiff:SamplesPerPixel",
                                          "tiff:PhotometricInterpretation" };
    struct packet p = { xmp, size, err };

    if (*size == 0)
        return 0;
    gf_xmp_forget_thumbnails(*xmp, size);
    if (gf_change_is_moved(c)) {
        cut_element(*xmp, size, "exif:SubjectArea");
        cut_element(*xmp, size, "exif:SubjectLocation");
    }
    for (size_t i = 0; i < sizeof layout / sizeof *layout; i++)
        if (c->in.channels != c->out.channels || c->in.type != c->out.type)
            cut_property(*xmp, size, layout[i]);
    if (set_sizes(&p, c) != 0 || set_densities(&p, c) != 0)
        return -1;
    return set_panorama(&p, c, parts) != 0 ? -1 : settle_regions(&p, c, parts);
}

void gf_xmp_forget_parts(unsigned char *xmp, size_t *size)
{
    static const char *const names[] = { "hdrgm:Version",         "Container:Directory", "GContainer:Directory",
                                         "GCamera:MotionPhoto",   "GCamera:MicroVideo",  "GCamera:MicroVideoOffset",
                                         "xmpNote:HasExtendedXMP" };

    for (size_t i = 0; *size > 0 && i < sizeof names / sizeof *names; i++)
        cut_property(xmp, size, names[i]);
}

void gf_xmp_forget_resolution(unsigned char *xmp, size_t *size)
{
    cut_property(xmp, size, "tiff:XResolution");
    cut_property(xmp, size, "tiff:YResolution");
    cut_property(xmp, size, "tiff:ResolutionUnit");
}

void gf_xmp_forget_thumbnails(unsigned char *xmp, size_t *size)
{
    cut_element(xmp, size, "xmp:Thumbnails");
    cut_element(xmp, size, "xap:Thumbnails");
}

/* Returns the length of the name at `at` if it is that of a place, otherwise 0. */
static size_t place_name(const unsigned char *b, size_t size, size_t at, char *name)
{
    static const char *const places[] = {
        "drone-dji:AbsoluteAltitude", "drone-dji:RelativeAltitude", "photoshop:City", "photoshop:State",
        "photoshop:Country", "Iptc4xmpCore:Location", "Iptc4xmpCore:CountryCode", "Iptc4xmpExt:LocationCreated",
        "Iptc4xmpExt:LocationShown",
    };
    const char *local;
    size_t n = 0;

    while (at + n < size && n < LONGEST_NAME && !is_blank(b[at + n]) && strchr("=>/<", b[at + n]) == NULL)
        n++;
    snprintf(name, LONGEST_NAME + 1, "%.*s", (int)n, (const char *)b + at);
    local = strchr(name, ':');
    if (local != NULL && strncasecmp(local, ":GPS", 4) == 0)
        return n;
    for (size_t i = 0; i < sizeof places / sizeof *places; i++)
        if (strcmp(name, places[i]) == 0)
            return n;
    return 0;
}

/* Returns the end of the property at `at`; `at` if the name is only part of a text, and 0 if no end is found. */
static size_t property_end(const unsigned char *b, size_t size, size_t at, size_t length, const char *name)
{
    const size_t sign = skip_blanks(b, size, at + length), value = skip_blanks(b, size, sign + 1);
    const unsigned char *end;

    if (b[at - 1] == '<')
        return element_end(b, size, at - 1, name);
    if (sign >= size || b[sign] != '=')
        return at;
    if (value >= size || (b[value] != '"' && b[value] != '\''))
        return 0;
    end = memchr(b + value + 1, b[value], size - value - 1);
    return end != NULL ? (size_t)(end - b) + 1 : 0;
}

bool gf_xmp_forget_place(unsigned char *xmp, size_t *size)
{
    size_t from = 0, to = 0;
    char name[LONGEST_NAME + 1];

    if (memchr(xmp, '\0', *size) != NULL)        /* UTF-16 */
        return false;
    for (size_t at = 1; at < *size; at++) {
        const size_t length = is_blank(xmp[at - 1]) || xmp[at - 1] == '<' ? place_name(xmp, *size, at, name) : 0;
        const size_t end = length > 0 ? property_end(xmp, *size, at, length, name) : at;

        if (end == 0)
            return false;
        if (end > at) {
            const size_t begin = at - (xmp[at - 1] == '<');

            memmove(xmp + to, xmp + from, begin - from);
            to += begin - from;
            from = end;
            at = end;
        }
    }
    memmove(xmp + to, xmp + from, *size - from);
    *size -= from - to;
    return true;
}
