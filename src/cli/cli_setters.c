/* Setters of options whose values are more than a number or a name. */
#include "cli/cli_setters.h"

#include "base/words.h"
#include "chain/option_parse.h"
#include "io/metadata/icc.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

int gf_cli_set_input(struct gf_request *r, const char *value, struct gf_error *err)
{
    if (*value == '\0')
        return gf_fail(err, GF_MISUSED, "--input: the name of the FILE is empty");
    r->inputs[r->input_count++] = value;
    return 0;
}

/* Reads "1,3,5". */
int gf_cli_set_channels(struct gf_request *r, const char *value, struct gf_error *err)
{
    struct gf_picked_channels *picked = &r->read.channels;
    const char *at = value;

    for (picked->count = 0; picked->count < 4; at++) {
        char *end;
        const long number = *at >= '0' && *at <= '9' ? strtol(at, &end, 10) : 0;

        if (number < 1 || number > 65535 || (*end != '\0' && *end != ','))
            break;
        picked->number[picked->count++] = (int)number;
        at = end;
        if (*at == '\0')
            return 0;
    }
    return gf_fail(err, GF_MISUSED, "--channels: must be 1 to 4 numbers of channels, counted from 1, as in 1,3,5, not "
                                    "'%s'", value);
}

/* Reads numbers of GPUs, "0,1", each at most once. */
static int read_device_list(struct gf_device_list *list, const char *value, struct gf_error *err)
{
    const char *at = value;

    for (list->count = 0; list->count < GF_MOST_DEVICES; at++) {
        char *end;
        const long index = strtol(at, &end, 10);
        bool twice = false;

        for (int i = 0; i < list->count; i++)
            twice = twice || list->index[i] == index;
        if (end == at || index < 0 || index > 1023 || (*end != '\0' && *end != ',') || twice)
            break;
        list->index[list->count++] = (int)index;
        at = end;
        if (*at == '\0')
            return 0;
    }
    return gf_fail(err, GF_MISUSED, "--device cuda: must be followed by numbers of GPUs, as in cuda:0,1, not '%s'; "
                                    "--devices lists them",
                   value);
}

int gf_cli_set_device(struct gf_request *r, const char *value, struct gf_error *err)
{
    r->device = value;
    r->cuda = (struct gf_device_list) { { 0 }, 1 };
    if (strcmp(value, "auto") == 0)
        r->where = GF_AUTO;
    else if (strcmp(value, "cpu") == 0)
        r->where = GF_CPU;
    else if (strcmp(value, "cuda") == 0)
        r->where = GF_CUDA;
    else if (strcmp(value, "all") == 0) {
        r->where = GF_CUDA;
        r->cuda.count = 0;
    } else if (strncmp(value, "cuda:", 5) == 0) {
        r->where = GF_CUDA;
        return read_device_list(&r->cuda, value + 5, err);
    } else
        return gf_fail(err, GF_MISUSED, "--device: must be auto, cpu, cuda, cuda:N,M,… or all, not '%s'", value);
    return 0;
}

int gf_cli_set_shard(struct gf_request *r, const char *value, struct gf_error *err)
{
    char rest;

    if (sscanf(value, "%9d/%9d%c", &r->shard, &r->shard_count, &rest) != 2 || r->shard < 1 || r->shard > r->shard_count)
        return gf_fail(err, GF_MISUSED, "--shard: must be K/N with K from 1 to N, not '%s'", value);
    return 0;
}

/* Reads a decimal as a fraction. The decimals of NTSC rates stand for multiples of 1000/1001. */
static int read_rate(const char *value, int *rate)
{
    static const struct { const char *word; int thousands; } ntsc[] = {
        { "23.976", 24 }, { "23.98", 24 }, { "29.97", 30 }, { "47.952", 48 }, { "59.94", 60 }, { "119.88", 120 },
    };
    const char *point = strchr(value, '.');
    double number;

    for (size_t i = 0; i < sizeof ntsc / sizeof *ntsc; i++)
        if (strcmp(value, ntsc[i].word) == 0) {
            rate[0] = ntsc[i].thousands * 1000;
            rate[1] = 1001;
            return 0;
        }
    if (value[strspn(value, "0123456789.")] != '\0' || gf_parse_number(value, &number) != 0 || number < 0.001
        || number > 1000)
        return -1;
    rate[1] = point == NULL || strspn(point + 1, "0") == strlen(point + 1) ? 1 : 1000;
    rate[0] = (int)round(number * rate[1]);
    while (rate[1] % 2 == 0 && rate[0] % 2 == 0)
        rate[0] /= 2, rate[1] /= 2;
    while (rate[1] % 5 == 0 && rate[0] % 5 == 0)
        rate[0] /= 5, rate[1] /= 5;
    return 0;
}

/* Reads "25", "29.97", "30000/1001" or "30000:1001". */
int gf_cli_set_rate(struct gf_request *r, const char *value, struct gf_error *err)
{
    int *rate = r->write.rate;
    char mark, rest;

    if (sscanf(value, "%9d%c%9d%c", &rate[0], &mark, &rate[1], &rest) == 3 && (mark == '/' || mark == ':')
        && rate[0] > 0 && rate[1] > 0
        && rate[0] <= 1000.0 * rate[1] && rate[0] * 1000.0 >= rate[1])
        return 0;
    if (read_rate(value, rate) == 0)
        return 0;
    return gf_fail(err, GF_MISUSED, "--rate: must be images per second, as in 25, 29.97 or 30000/1001, not '%s'; for "
                                    "audio use the stage resample:44100", value);
}

/* Reads "20", "20ms" or "0.02s". */
int gf_cli_set_latency(struct gf_request *r, const char *value, struct gf_error *err)
{
    const size_t length = strlen(value), unit = length > 1 && value[length - 1] == 's' ? value[length - 2] == 'm' ? 2
        : 1 : 0;
    char digits[32];
    double ms;

    snprintf(digits, sizeof digits, "%.*s", (int)(length - unit), value);
    if (length - unit >= sizeof digits || digits[strspn(digits, "0123456789.")] != '\0'
        || gf_parse_number(digits, &ms) != 0)
        ms = 0;
    if (unit == 1)
        ms = round(ms * 1e9) / 1e6;                  /* 0.007 s must be 7 ms, in spite of binary fractions */
    if (!(ms >= 1 && ms <= 60000) || ms != floor(ms))
        return gf_fail(err, GF_MISUSED, "--latency: must be whole milliseconds from 1 to 60000, as in 20 or 20ms, not "
                                        "'%s'",
                       value);
    r->limits.latency_ms = (int)ms;
    return 0;
}

/* Reads "60", "60s", "1m", "1:30" or "2h": a time as for stages, but not in samples. */
int gf_cli_set_seconds(struct gf_request *r, const char *value, struct gf_error *err)
{
    static const struct gf_option rows[] = { { .name = "max-seconds", .type = GF_OPTION_TIME, .most = 1e9 },
                                             { .name = NULL } };
    const struct gf_option_place at = { "--max-seconds", rows, rows };
    struct gf_time time;

    if (gf_option_parse_value(&at, value, &time, err) != 0 || time.in_frames || time.count < 1
        || time.count != floor(time.count))
        return gf_fail(err, GF_MISUSED, "--max-seconds: must be whole seconds from 1 to 1000000000, as in 60, 90s, 5m "
                                        "or 1h, not '%s'",
                       value);
    r->limits.max_seconds = (int)time.count;
    return 0;
}

int gf_cli_set_icc(struct gf_request *r, const char *value, struct gf_error *err)
{
    r->read.srgb = strcmp(value, "convert") == 0;
    if (!r->read.srgb && strcmp(value, "keep") != 0)
        return gf_fail(err, GF_MISUSED, "--icc: must be keep or convert, not '%s'", value);
    if (r->read.srgb && !gf_icc_is_there())
        return gf_fail(err, GF_FAILED, "--icc convert: gpufilter was built without lcms2, which converts between "
                                       "profiles");
    return 0;
}

int gf_cli_set_stats(struct gf_request *r, const char *value, struct gf_error *err)
{
    if (value != NULL && strcmp(value, "json") != 0)
        return gf_fail(err, GF_MISUSED, "--stats: must have no value or =json, not '=%s'", value);
    r->stats = true;
    r->stats_json = value != NULL;
    return 0;
}

int gf_cli_set_trace(struct gf_request *r, const char *value, struct gf_error *err)
{
    const size_t length = strlen(value);

    if (length > 4 && strcasecmp(value + length - 4, ".svg") == 0)
        r->trace_svg = value;
    else if (length > 5 && strcasecmp(value + length - 5, ".json") == 0)
        r->trace_json = value;
    else
        return gf_fail(err, GF_MISUSED, "--trace: the name must end in .json or .svg, not '%s'", value);
    return 0;
}
