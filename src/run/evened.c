/* Resamples and remixes recordings that are joined or mixed with others, by the stages that a user would choose. */
#include "run/evened.h"

#include "chain/chain.h"
#include "run/streamed.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Writes the stage that makes `to` channels of `from`. Only one channel becomes several, or several become one. */
static int name_remix(const struct gf_reader *r, int to, const char *like, char *text, size_t bytes,
                      struct gf_error *err)
{
    const int from = r->format.channels;
    size_t length;

    if (to == 1) {
        snprintf(text, bytes, "mono");
        return 0;
    }
    if (from != 1)
        return gf_fail(err, GF_FAILED, "%s: has %d channels, but %s has %d;; choose channels first: gpufilter -i %s "
                       "remix:1,2 -o NEW", r->name, from, like, to, r->name);
    length = (size_t)snprintf(text, bytes, "remix:1");
    for (int i = 1; i < to; i++)
        length += (size_t)snprintf(text + length, bytes - length, ",1");
    return 0;
}

static void note_change(const struct gf_reader *r, int32_t rate, int channels, const char *like)
{
    const struct gf_format *const f = &r->format;
    char change[100] = "evened: ", *const text = change + strlen(change);
    const size_t room = sizeof change - strlen(change);

    if (f->rate != rate)
        snprintf(text, room, "resampled from %d to %d Hz", (int)f->rate, (int)rate);
    if (f->channels != channels)
        snprintf(text + strlen(text), room - strlen(text), "%sremixed from %d to %d %s", f->rate != rate ? " and " : "",
                 f->channels, channels, channels == 1 ? "channel" : "channels");
    gf_note(r->notices, change, r->name, "is %s, like %s", text, like);
}

struct gf_reader *gf_evened_open(const struct gf_run_context *context, const struct gf_limits *limits,
                                 struct gf_reader *r, int32_t rate, int channels, const char *like,
                                 struct gf_error *err)
{
    char resample[40], remix[20 + 2 * GF_MAX_CHANNELS];
    const char *words[2];
    struct gf_reader *evened = NULL;
    struct gf_chain *chain;
    int count = 0;

    if (r->format.rate == rate && r->format.channels == channels)
        return r;
    chain = calloc(1, sizeof *chain);
    if (chain == NULL) {
        gf_fail_memory(err, r->name);
        goto out;
    }
    if (r->format.channels != channels) {
        if (name_remix(r, channels, like, remix, sizeof remix, err) != 0)
            goto out;
        words[count++] = remix;
    }
    if (r->format.rate != rate) {
        snprintf(resample, sizeof resample, "resample:%d", (int)rate);
        words[count++] = resample;
    }
    if (gf_chain_parse(chain, words, NULL, count, 1u << GF_AUDIO, err) != 0 || gf_chain_load(chain, NULL, err) != 0)
        goto out;
    note_change(r, rate, channels, like);
    evened = gf_streamed_open(context, limits, r, chain, NULL, err);
out:
    if (evened == NULL) {
        if (chain != NULL)
            gf_chain_release(chain);
        free(chain);
        gf_reader_close(r);
    }
    return evened;
}
