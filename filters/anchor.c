/* Names of corners, sides and the center, and the position of a rectangle at each of them. */
#include "filters/anchor.h"

#include <stddef.h>

/*
 * Nine places in three rows of three, then the same places by points of the compass, except the
 * center.
 */
const char *const gf_anchors[] = {
    "top-left", "top", "top-right", "left", "center", "right", "bottom-left", "bottom", "bottom-right",
    "northwest", "north", "northeast", "west", "east", "southwest", "south", "southeast", NULL
};
enum { MIDDLE = GF_ANCHOR_CENTER, COMPASS = 9 };

static int place_of(int at)
{
    return at < COMPASS ? at : at - COMPASS + (at - COMPASS >= MIDDLE);
}

/* Returns where a side of `length` begins in `room`: at its start, in its middle or at its end. */
static int64_t begin(int third, int64_t room, int64_t length, int64_t distance)
{
    return third == 0 ? distance : third == 2 ? room - length - distance : room / 2 - length / 2 + distance;
}

int64_t gf_anchor_column(int at, int64_t room, int64_t width, int64_t distance)
{
    return begin(place_of(at) % 3, room, width, distance);
}

int64_t gf_anchor_row(int at, int64_t room, int64_t height, int64_t distance)
{
    return begin(place_of(at) / 3, room, height, distance);
}
