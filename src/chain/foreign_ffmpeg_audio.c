/* FFmpeg's filters of audio, translated to stages. */
#include "chain/foreign_ffmpeg.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static bool volume(const struct gf_foreign_arguments *a, struct gf_foreign_words *words)
{
    return gf_foreign_put_volume(words, gf_foreign_argument(a, "volume", 0));
}

static bool loudnorm(const struct gf_foreign_arguments *a, struct gf_foreign_words *words)
{
    double loudness, peak;

    return gf_foreign_argument_number(a, "I|i", 0, -24, &loudness)
        && gf_foreign_argument_number(a, "TP|tp", 2, -2, &peak)
        && gf_foreign_put(words, "normalize:lufs=%g limit:%g,true", loudness, peak);
}

/* FFmpeg brings the result back to full scale, unless level is off. */
static bool alimiter(const struct gf_foreign_arguments *a, struct gf_foreign_words *words)
{
    const char *level = gf_foreign_argument(a, "level", -1);
    const bool kept = level != NULL && (strcmp(level, "0") == 0 || strcmp(level, "false") == 0
                                        || strcmp(level, "disabled") == 0);
    double limit;

    if (!gf_foreign_argument_number(a, "limit", -1, 1, &limit) || !(limit > 0))
        return false;
    return gf_foreign_put(words, "limit:%g", gf_foreign_decibels(limit))
        && (kept || limit == 1 || gf_foreign_put(words, "gain:%g", -gf_foreign_decibels(limit)));
}

static bool highpass(const struct gf_foreign_arguments *a, struct gf_foreign_words *words)
{
    double hz;

    return gf_foreign_argument_number(a, "f|frequency", 0, 3000, &hz) && gf_foreign_put(words, "highpass:%g", hz);
}

static bool lowpass(const struct gf_foreign_arguments *a, struct gf_foreign_words *words)
{
    double hz;

    return gf_foreign_argument_number(a, "f|frequency", 0, 500, &hz) && gf_foreign_put(words, "lowpass:%g", hz);
}

/* Reads the width of a band, which may be in Hz (h), kHz (k), octaves (o) or a Q (q), as the Q. */
static bool find_q(const struct gf_foreign_arguments *a, double hz, double by_default, double *q)
{
    const char *type = gf_foreign_argument(a, "t|width_type", -1);
    double width;

    if (!gf_foreign_argument_number(a, "w|width", -1, by_default, &width) || !(width > 0))
        return false;
    if (type == NULL || strcmp(type, "q") == 0)
        *q = width;
    else if (strcmp(type, "h") == 0)
        *q = hz / width;
    else if (strcmp(type, "k") == 0)
        *q = hz / (1000 * width);
    else if (strcmp(type, "o") == 0)
        *q = 1 / (2 * sinh(log(2) / 2 * width));
    else
        return false;
    return true;
}

/* A band of width f/Q with f in its middle. */
static bool put_band(const struct gf_foreign_arguments *a, const char *stage, struct gf_foreign_words *words)
{
    double hz, q;

    if (!gf_foreign_argument_number(a, "f|frequency", 0, 3000, &hz) || !find_q(a, hz, 0.5, &q) || !(q > 0.5))
        return false;
    return gf_foreign_put(words, "%s:%.6g,%.6g", stage, hz - hz / q / 2, hz + hz / q / 2);
}

static bool bandpass(const struct gf_foreign_arguments *a, struct gf_foreign_words *words)
{
    return put_band(a, "bandpass", words);
}

static bool bandreject(const struct gf_foreign_arguments *a, struct gf_foreign_words *words)
{
    return put_band(a, "bandstop", words);
}

static bool equalizer(const struct gf_foreign_arguments *a, struct gf_foreign_words *words)
{
    double hz, q, gain;

    return gf_foreign_argument_number(a, "f|frequency", 0, 0, &hz) && hz > 0
        && gf_foreign_argument_number(a, "g|gain", -1, 0, &gain) && find_q(a, hz, 1, &q)
        && gf_foreign_put(words, "eq:%g,%.4g,%g", hz, q, gain);
}

static bool put_shelf(const struct gf_foreign_arguments *a, const char *stage, double by_default,
                      struct gf_foreign_words *words)
{
    double gain, hz;

    return gf_foreign_argument_number(a, "g|gain", 0, 0, &gain)
        && gf_foreign_argument_number(a, "f|frequency", 1, by_default, &hz)
        && gf_foreign_put(words, "%s:%g,%g", stage, gain, hz);
}

static bool bass(const struct gf_foreign_arguments *a, struct gf_foreign_words *words)
{
    return put_shelf(a, "bass", 100, words);
}

static bool treble(const struct gf_foreign_arguments *a, struct gf_foreign_words *words)
{
    return put_shelf(a, "treble", 3000, words);
}

/* A fade-out is assumed to end with the recording. */
static bool afade(const struct gf_foreign_arguments *a, struct gf_foreign_words *words)
{
    const char *type = gf_foreign_argument(a, "t|type", 0), *length = gf_foreign_argument(a, "d|duration", -1);
    const char *start = gf_foreign_argument(a, "st|start_time", -1);
    double seconds;

    if (length == NULL)
        return false;
    if (type != NULL && strcmp(type, "out") == 0)
        return gf_foreign_put(words, "fade:0,%s", length);
    return (start == NULL || (gf_foreign_number(start, &seconds) && seconds == 0))
        && gf_foreign_put(words, "fade:%s", length);
}

static bool atrim(const struct gf_foreign_arguments *a, struct gf_foreign_words *words)
{
    const char *start = gf_foreign_argument(a, "start", 0), *end = gf_foreign_argument(a, "end", 1);
    const char *length = gf_foreign_argument(a, "duration", -1);

    if (start == NULL && end == NULL && length == NULL)
        return false;
    return gf_foreign_put(words, "trim:%s%s%s", start != NULL ? start : "0", end != NULL ? "," : length != NULL ? ",+"
                          : "",
                          end != NULL ? end : length != NULL ? length : "");
}

static bool aecho(const struct gf_foreign_arguments *a, struct gf_foreign_words *words)
{
    const char *delays = gf_foreign_argument(a, "delays", 2), *decays = gf_foreign_argument(a, "decays", 3);
    double before, after;

    return gf_foreign_argument_number(a, "in_gain", 0, 0.6, &before)
        && gf_foreign_argument_number(a, "out_gain", 1, 0.3, &after)
        && gf_foreign_put_echoes(words, before, after, delays != NULL ? delays : "1000", decays != NULL ? decays
                                 : "0.5");
}

/* One delay for all channels, in milliseconds unless it has a unit. */
static bool adelay(const struct gf_foreign_arguments *a, struct gf_foreign_words *words)
{
    const char *delays = gf_foreign_argument(a, "delays", 0);
    const int length = delays != NULL ? (int)strcspn(delays, "|") : 0;

    if (length == 0)
        return false;
    for (const char *next = delays + length; *next != '\0'; next += length + 1)
        if (strncmp(next + 1, delays, (size_t)length) != 0 || (next[length + 1] != '|' && next[length + 1] != '\0'))
            return false;
    return gf_foreign_put(words, "delay:%.*s%s", length, delays, (int)strspn(delays, "0123456789.") == length ? "ms"
                          : "");
}

static bool apad(const struct gf_foreign_arguments *a, struct gf_foreign_words *words)
{
    const char *length = gf_foreign_argument(a, "pad_dur", -1);

    return length != NULL && gf_foreign_put(words, "pad:0,%s", length);
}

static bool aresample(const struct gf_foreign_arguments *a, struct gf_foreign_words *words)
{
    const char *rate = gf_foreign_argument(a, "sample_rate|osr|out_sample_rate", 0);

    return rate != NULL && gf_foreign_put(words, "resample:%s", rate);
}

/* "stereo|c0=c1|c1=c0": each output is one input channel. */
static bool pan(const struct gf_foreign_arguments *a, struct gf_foreign_words *words)
{
    char layout[160], outputs[40] = "";
    const char *part;

    if (a->count != 1)
        return false;
    snprintf(layout, sizeof layout, "%s%s%s", a->key[0], a->key[0][0] != '\0' ? "=" : "", a->value[0]);
    part = strchr(layout, '|');
    for (int i = 0; part != NULL && i < 8; i++) {
        int output, input, length = 0;

        if (sscanf(part, "|c%2d=c%2d%n", &output, &input, &length) != 2 || output != i
            || (part[length] != '\0' && part[length] != '|'))
            return false;
        snprintf(outputs + strlen(outputs), sizeof outputs - strlen(outputs), "%s%d", i > 0 ? "," : "", input + 1);
        part = part[length] == '|' ? part + length : NULL;
    }
    return outputs[0] != '\0' && gf_foreign_put(words, "remix:%s", outputs);
}

static bool areverse(const struct gf_foreign_arguments *a, struct gf_foreign_words *words)
{
    return a->count == 0 && gf_foreign_put(words, "reverse");
}

static bool stats(const struct gf_foreign_arguments *a, struct gf_foreign_words *words)
{
    return a->count == 0 && gf_foreign_put(words, "stats");
}

const struct gf_foreign_filter gf_foreign_audio_filters[] = {
    { "adelay", adelay }, { "aecho", aecho }, { "afade", afade }, { "alimiter", alimiter }, { "apad", apad },
    { "aresample", aresample }, { "areverse", areverse }, { "astats", stats }, { "atrim", atrim },
    { "bandpass", bandpass },
    { "bandreject", bandreject }, { "bass", bass }, { "ebur128", stats }, { "equalizer", equalizer },
    { "highpass", highpass }, { "highshelf", treble }, { "loudnorm", loudnorm }, { "lowpass", lowpass },
    { "lowshelf", bass }, { "pan", pan }, { "treble", treble }, { "volume", volume }, { "volumedetect", stats },
    { NULL, NULL }
};
