/* Checks and notes for --channels, which selects channels of an image. */
#include "io/picked_channels.h"

#include <stdio.h>
#include <string.h>

int gf_picked_channels_check(const struct gf_picked_channels *picked, int have, const char *name, struct gf_error *err)
{
    for (int c = 0; c < picked->count; c++)
        if (picked->number[c] > have)
            return gf_fail(err, GF_FAILED, "%s: --channels: there is no channel %d, only %d channel%s", name,
                           picked->number[c], have, have == 1 ? "" : "s");
    return 0;
}

void gf_picked_channels_note(const struct gf_picked_channels *picked, int have, const char *name,
                             struct gf_notices *notices)
{
    char list[80] = "";
    int out = 0;

    for (int number = 1; number <= have; number++) {
        const size_t at = strlen(list);
        bool in = false;

        for (int c = 0; c < picked->count; c++)
            in = in || picked->number[c] == number;
        out += !in;
        if (!in && out <= 12)
            snprintf(list + at, sizeof list - at, "%s%d", out == 1 ? "" : ", ", number);
        else if (!in && out == 13)
            snprintf(list + at, sizeof list - at, " and more");
    }
    if (out > 0)
        gf_note(notices, "channels-left-out", name, "--channels leaves out channel%s %s of %d", out == 1 ? "" : "s",
                list, have);
}
