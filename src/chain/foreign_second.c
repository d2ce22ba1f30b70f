/* Filters of FFmpeg and ImageMagick that take a second image, translated to over and compare. */
#include "chain/foreign.h"

#include <stdio.h>
#include <string.h>

/* One coordinate of an overlay: a distance from the first side, from the far side, or from the middle. */
struct coordinate {
    double distance;
    enum { FIRST_SIDE, MIDDLE, FAR_SIDE } side;
};

/* A name that an option of a stage can take without quotes. */
static bool is_plain(const char *file)
{
    return *file != '\0' && strpbrk(file, " \t,=:'\"{}") == NULL;
}

/* Reads "10", "W-w-10" or "(W-w)/2"; `axis` is w or h, and FFmpeg's capital means the lower image. */
static bool read_coordinate(const char *text, char axis, struct coordinate *c)
{
    const char capital = (char)(axis - 'a' + 'A');
    char far[2][24], middle[2][32];

    *c = (struct coordinate) { 0, FIRST_SIDE };
    if (gf_foreign_number(text, &c->distance))
        return c->distance >= 0;
    snprintf(far[0], sizeof far[0], "%c-%c", capital, axis);
    snprintf(far[1], sizeof far[1], "main_%c-overlay_%c", axis, axis);
    for (int i = 0; i < 2; i++) {
        const size_t n = strlen(far[i]);

        snprintf(middle[i], sizeof middle[i], "(%s)/2", far[i]);
        if (strcmp(text, middle[i]) == 0) {
            c->side = MIDDLE;
            return true;
        }
        c->side = FAR_SIDE;
        if (strncmp(text, far[i], n) == 0
            && (text[n] == '\0' || (text[n] == '-' && gf_foreign_number(text + n + 1, &c->distance))))
            return c->distance >= 0;
    }
    return false;
}

/* Translates "X:Y" or "x=X:y=Y". */
static bool put_overlay(const char *position, const char *file, struct gf_foreign_words *words)
{
    static const char *const corners[3][3] = {
        { "top-left", "top", "top-right" }, { "left", "center", "right" },
        { "bottom-left", "bottom", "bottom-right" },
    };
    struct coordinate x, y;
    char first[60], second[60];
    int end = 0;

    if (*position == '\0')
        return gf_foreign_put(words, "over:%s", file);
    if (sscanf(position, "%59[^:]:%59[^:]%n", first, second, &end) != 2 || position[end] != '\0'
        || !read_coordinate(first + (strncmp(first, "x=", 2) == 0 ? 2 : 0), 'w', &x)
        || !read_coordinate(second + (strncmp(second, "y=", 2) == 0 ? 2 : 0), 'h', &y))
        return false;
    return gf_foreign_put(words, "over:%s,%.0f,%.0f%s%s", file, x.distance, y.distance,
                          x.side + y.side > 0 ? ",at=" : "", x.side + y.side > 0 ? corners[y.side][x.side] : "");
}

bool gf_foreign_second(const char *graph, const char *file, struct gf_foreign_words *words)
{
    char filter[200];

    if (!is_plain(file))
        return false;
    while (*graph == '[' && strchr(graph, ']') != NULL)       /* the names of inputs: "[0:v][1:v]overlay" */
        graph = strchr(graph, ']') + 1;
    snprintf(filter, sizeof filter, "%.*s", (int)strcspn(graph, "["), graph);
    if (strcmp(filter, "psnr") == 0 || strcmp(filter, "ssim") == 0)
        return gf_foreign_put(words, "compare:%s", file);
    if (strncmp(filter, "overlay", 7) != 0 || (filter[7] != '=' && filter[7] != '\0'))
        return false;
    return put_overlay(filter + 7 + (filter[7] == '='), file, words);
}

bool gf_foreign_composite(const char *file, const struct gf_foreign_settings *settings, struct gf_foreign_words *words)
{
    const char *gravity = settings->gravity != NULL ? settings->gravity : "northwest";
    char at[20];
    double x = 0, y = 0;
    size_t i = 0;

    if (!is_plain(file) || strlen(gravity) >= sizeof at
        || (settings->offset != NULL && sscanf(settings->offset, "%lf%lf", &x, &y) != 2))
        return false;
    for (; gravity[i] != '\0'; i++)
        at[i] = (char)(gravity[i] >= 'A' && gravity[i] <= 'Z' ? gravity[i] - 'A' + 'a' : gravity[i]);
    at[i] = '\0';
    return gf_foreign_put(words, "over:%s,%.0f,%.0f,at=%s", file, x, y, at);
}
