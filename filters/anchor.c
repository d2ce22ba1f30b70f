/* Corners, sides and the middle: their names, and where what lies there begins. */
#include "filters/anchor.h"

#include <stddef.h>

/* Nine places, row by row, as three columns and three rows; then the same in points of the compass, but for the center. */
const char *const gf_anchors[] = { "top-left", "top", "top-right", "left", "center", "right", "bottom-left", "bottom", "bottom-right",
                                   "northwest", "north", "northeast", "west", "east", "southwest", "south", "southeast", NULL };
enum { MIDDLE = 4, COMPASS = 9 };

static int place_of(int at)
{
    return at < COMPASS ? at : at - COMPASS + (at - COMPASS >= MIDDLE);
}

/* Where a side of `length` begins that lies in `room`: from its start, in its middle or from its end. */
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
