/*
 * The table of gpufilter's command-line options, in the order and groups of --help and the manual, after the setters
 * of those whose values are more than a number or a name.
 */
#include "cli/cli_options.h"

#include "base/path.h"
#include "base/words.h"
#include "chain/option_parse.h"
#include "chain/video.h"
#include "device/stay/stay.h"
#include "io/metadata/icc.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* ---- setters ---- */

static int set_input(struct gf_request *r, const char *value, struct gf_error *err)
{
    if (*value == '\0')
        return gf_fail(err, GF_MISUSED, "--input: the name of the FILE is empty");
    r->inputs[r->input_count++] = value;
    return 0;
}

/*
 * Reads at most `room` whole numbers of `least` to `most`, as in "1,3,5". Returns how many; 0 if the text is
 * anything else.
 */
static int read_numbers(const char *value, int *numbers, int room, long least, long most)
{
    for (int count = 0; count < room; value++) {
        char *end;
        const long number = *value >= '0' && *value <= '9' ? strtol(value, &end, 10) : -1;

        if (number < least || number > most || (*end != '\0' && *end != ','))
            break;
        numbers[count++] = (int)number;
        value = end;
        if (*value == '\0')
            return count;
    }
    return 0;
}

static int set_channels(struct gf_request *r, const char *value, struct gf_error *err)
{
    r->read.channels.count = read_numbers(value, r->read.channels.number, 4, 1, 65535);
    return r->read.channels.count > 0 ? 0
        : gf_fail(err, GF_MISUSED, "--channels: must be 1 to 4 numbers of channels, counted from 1, as in 1,3,5, not "
                                   "'%s'", value);
}

/* Reads numbers of GPUs, "0,1", each at most once. */
static int read_device_list(struct gf_device_list *list, const char *value, struct gf_error *err)
{
    bool right;

    list->count = read_numbers(value, list->index, GF_MOST_DEVICES, 0, 1023);
    right = list->count > 0;
    for (int i = 0; i < list->count; i++)
        for (int k = 0; k < i; k++)
            right = right && list->index[i] != list->index[k];
    return right ? 0 : gf_fail(err, GF_MISUSED, "--device cuda: must be followed by numbers of GPUs, as in cuda:0,1, "
                                                "not '%s';; --devices lists them", value);
}

int gf_cli_set_device(struct gf_request *r, const char *value, struct gf_error *err)
{
    static const struct { const char *word; enum gf_device_choice where; int count; } words[] = {
        { "auto", GF_AUTO, 1 }, { "cpu", GF_CPU, 1 }, { "cuda", GF_CUDA, 1 }, { "all", GF_CUDA, 0 },
    };

    r->device = value;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strcmp(value, words[i].word) == 0) {
            r->where = words[i].where;
            r->cuda = (struct gf_device_list) { { 0 }, words[i].count };
            return 0;
        }
    r->where = GF_CUDA;
    if (strncmp(value, "cuda:", 5) == 0)
        return read_device_list(&r->cuda, value + 5, err);
    return gf_fail(err, GF_MISUSED, "--device: must be auto, cpu, cuda, cuda:N,M,… or all, not '%s'", value);
}

static int set_shard(struct gf_request *r, const char *value, struct gf_error *err)
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
static int set_rate(struct gf_request *r, const char *value, struct gf_error *err)
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

/* Reads a time as for stages, but not in samples; `unit` is that of a plain number. Returns seconds, or -1. */
static double read_seconds(const char *value, const char *unit)
{
    static const struct gf_option rows[] = { { .name = "", .type = GF_OPTION_TIME, .most = 1e9 }, { .name = NULL } };
    const bool plain = value[strspn(value, "0123456789.")] == '\0';
    struct gf_time time;
    struct gf_error none;
    char text[40];

    if (snprintf(text, sizeof text, "%s%s", value, plain ? unit : "") >= (int)sizeof text
        || gf_option_parse_value(&(struct gf_option_place) { .what = "", .rows = rows, .row = rows }, text, &time,
                                 &none) != 0
        || time.in_frames)
        return -1;
    return time.count;
}

/* Reads fade=TIME[,linear|power]. */
static int set_fade(struct gf_read_options *read, const char *value, struct gf_error *err)
{
    const char *const time = value + strlen("fade"), *const curve = strchr(time, ',');
    char text[40];

    snprintf(text, sizeof text, "%.*s", (int)strcspn(time, ","), time);
    read->join = GF_JOIN_FADE;
    read->fade.seconds = text[0] == '=' ? read_seconds(text + 1, "s") : -1;
    read->fade.linear = curve != NULL && strcmp(curve, ",linear") == 0;
    if (!(read->fade.seconds > 0 && read->fade.seconds <= 60)
        || (curve != NULL && !read->fade.linear && strcmp(curve, ",power") != 0))
        return gf_fail(err, GF_MISUSED, "--join=%s: must be fade=TIME of at most 60 s, such as fade=2 or fade=500ms, "
                                        "or fade=TIME,linear", value);
    return 0;
}

static int set_join(struct gf_request *r, const char *value, struct gf_error *err)
{
    if (r->read.join == GF_JOIN_MIX)
        return gf_fail(err, GF_MISUSED, "--join and --mix exclude each other");
    if (value != NULL && strncmp(value, "fade", 4) == 0)
        return set_fade(&r->read, value, err);
    if (value != NULL && read_seconds(value, "s") > 0)
        return gf_fail(err, GF_MISUSED, "--join=%s: a time is for a crossfade;; write --join=fade=%s", value, value);
    if (value != NULL && strcmp(value, "fit") != 0 && strcmp(value, "pad") != 0)
        return gf_fail(err, GF_MISUSED, "--join: must have no value, =fit, =pad or =fade=TIME, not '=%s'", value);
    r->read.join = value == NULL ? GF_JOIN_ON : *value == 'f' ? GF_JOIN_FIT : GF_JOIN_PAD;
    return 0;
}

static int set_mix(struct gf_request *r, const char *value, struct gf_error *err)
{
    (void)value;
    if (r->read.join != GF_JOIN_OFF && r->read.join != GF_JOIN_MIX)
        return gf_fail(err, GF_MISUSED, "--join and --mix exclude each other");
    r->read.join = GF_JOIN_MIX;
    return 0;
}

static int set_latency(struct gf_request *r, const char *value, struct gf_error *err)
{
    /* 0.007 s must be 7 ms, in spite of binary fractions */
    const double ms = round(read_seconds(value, "ms") * 1e9) / 1e6;

    if (!(ms >= 1 && ms <= 60000) || ms != floor(ms) || value[strspn(value, "0123456789.ms")] != '\0')
        return gf_fail(err, GF_MISUSED, "--latency: must be whole milliseconds from 1 to 60000, as in 20 or 20ms, not "
                                        "'%s'", value);
    r->limits.latency_ms = (int)ms;
    return 0;
}

static int set_seconds(struct gf_request *r, const char *value, struct gf_error *err)
{
    const double seconds = read_seconds(value, "s");

    if (seconds < 1 || seconds != floor(seconds))
        return gf_fail(err, GF_MISUSED, "--max-seconds: must be whole seconds from 1 to 1000000000, as in 60, 90s, 5m "
                                        "or 1h, not '%s'", value);
    r->limits.max_seconds = (int)seconds;
    return 0;
}

int gf_cli_set_stay(struct gf_request *r, const char *value, struct gf_error *err)
{
    const double seconds = strcmp(value, "0") == 0 ? 0 : read_seconds(value, "s");

    if (!(seconds == 0 || (seconds >= 1 && seconds <= GF_STAY_MOST_SECONDS)) || seconds != floor(seconds))
        return gf_fail(err, GF_MISUSED, "--stay: must be whole seconds from 1 to %d, as in 60, 90s, 5m or 1h, or 0, "
                                        "not '%s'", GF_STAY_MOST_SECONDS, value);
    r->stay_given = true;
    r->stay_seconds = seconds;
    return 0;
}

static int set_icc(struct gf_request *r, const char *value, struct gf_error *err)
{
    r->read.srgb = strcmp(value, "convert") == 0;
    if (!r->read.srgb && strcmp(value, "keep") != 0)
        return gf_fail(err, GF_MISUSED, "--icc: must be keep or convert, not '%s'", value);
    if (r->read.srgb && !gf_icc_is_there())
        return gf_fail(err, GF_FAILED, "--icc convert: gpufilter was built without lcms2, which converts between "
                                       "profiles");
    return 0;
}

/* Without a value, everything is stripped; otherwise a list says what. */
static int set_strip(struct gf_request *r, const char *value, struct gf_error *err)
{
    static const char *const names[] = { "gps", "thumbnail", "exif", "xmp", "iptc", "icc", "text", NULL };
    char word[40], all[100];

    if (value == NULL)
        r->write.strip = true;
    for (const char *at = value; at != NULL; at = strchr(at, ',') != NULL ? strchr(at, ',') + 1 : NULL) {
        int i = 0;

        snprintf(word, sizeof word, "%.*s", (int)strcspn(at, ","), at);
        while (names[i] != NULL && strcasecmp(names[i], word) != 0)
            i++;
        if (names[i] == NULL) {
            const char *near = strcasecmp(word, "location") == 0 ? names[0] : gf_nearest_word(word, names);

            gf_join_words(names, all, sizeof all);
            return near != NULL ? gf_fail(err, GF_MISUSED, "--strip: unknown '%s'; did you mean '%s'?", word, near)
                : gf_fail(err, GF_MISUSED, "--strip: unknown '%s'; must be %s, or several with commas", word, all);
        }
        r->write.strip_parts |= 1u << i;                 /* the order of enum gf_strip */
    }
    return 0;
}

static int set_stats(struct gf_request *r, const char *value, struct gf_error *err)
{
    if (value != NULL && strcmp(value, "json") != 0)
        return gf_fail(err, GF_MISUSED, "--stats: must have no value or =json, not '=%s'", value);
    r->stats = true;
    r->stats_json = value != NULL;
    return 0;
}

static int set_trace(struct gf_request *r, const char *value, struct gf_error *err)
{
    const char *extension = gf_path_extension(value);

    if (strcasecmp(extension, "svg") == 0)
        r->trace_svg = value;
    else if (strcasecmp(extension, "json") == 0)
        r->trace_json = value;
    else
        return gf_fail(err, GF_MISUSED, "--trace: the name must end in .json or .svg, not '%s'", value);
    return 0;
}

/* ---- options ---- */

#define AT(member) offsetof(struct gf_request, member)

const struct gf_cli_option gf_cli_options[] = {
    { .group = "Input and output",
      .name = "input", .letter = 'i', .type = GF_CLI_CUSTOM, .set = set_input, .argument = "FILE", .files = true,
      .text = "read FILE or the files of a folder; '-' (the default) is standard input",
      .more = "The option may be repeated. Several inputs need several outputs, except for tables; see BATCHES. "
              "A name with *, ? or [ is a pattern for all files that match, unless a file has exactly this name; "
              "either the shell or gpufilter may expand it. In a folder, gpufilter skips files that are "
              "neither images nor audio, and without -R folders, with a warning." },
    { .name = "recursive", .letter = 'R', .type = GF_CLI_FLAG, .offset = AT(recursive),
      .text = "search input folders with the folders in them, and keep their tree in the output folder",
      .more = "-R -i photos -o out/ writes out/sub/a.png for photos/sub/a.png. A pattern with ** as a part, such as "
              "'photos/**/*.jpg', does the same without -R. See BATCHES." },
    { .name = "output", .letter = 'o', .once = true, .type = GF_CLI_TEXT, .offset = AT(output), .argument = "FILE",
      .files = true,
      .text = "write FILE, or files in a folder; '-' (the default) is standard output, 'term:' the terminal",
      .more = "A regular file appears complete or not at all, so the output may replace its own input; see OUTPUT "
              "FILES. A name that ends in / is a folder, and so is the name of an existing folder. Outputs in a folder "
              "keep the names of their inputs. Missing folders are created, with a note. {stem}, {ext}, {dir} and {n} "
              "stand for parts of the input's name and for its number, {x} and {y} for the place of a tile; see "
              "BATCHES." },
    { .name = "no-clobber", .letter = 'n', .type = GF_CLI_FLAG, .offset = AT(write.keep),
      .text = "do not overwrite an existing output",
      .more = "If the output exists, the exit status is 1. In a batch, gpufilter skips its input instead." },
    { .name = "no-sync", .type = GF_CLI_FLAG, .offset = AT(write.no_sync),
      .text = "do not wait for the disk when an output replaces its input",
      .more = "By default, the data of such an output is on the disk before the input is replaced, so that a power "
              "failure loses neither. Other outputs never wait." },
    { .name = "strip", .type = GF_CLI_CUSTOM, .set = set_strip, .argument = "gps,thumbnail,...", .optional = true,
      .text = "write no metadata: no profile, EXIF, XMP, IPTC, resolution, text or tags; or not what a list names",
      .more = "A list has gps, thumbnail, exif, xmp, iptc, icc and text, and all other metadata is kept. "
              "gps is the place, its position and its name, in EXIF, XMP, IPTC and texts, but not in captions or in "
              "what a vendor writes into maker notes; exif drops these, too. Without a list, audio also loses "
              "markers and broadcast data. There is no warning about lost "
              "metadata. The image itself is decoded and encoded again: of a JPEG, pixels change a little. The "
              "orientation in EXIF or XMP is still applied. Colors change if the profile is not sRGB; "
              "add --icc convert to keep them." },
    { .name = "icc", .type = GF_CLI_CUSTOM, .set = set_icc, .argument = "keep|convert",
      .text = "keep an embedded color profile, or convert the image to sRGB; default: keep",
      .more = "With keep, the samples stay as they are and the profile is written. With convert, the samples are "
              "converted as they are read, and the profile is dropped; see METADATA." },
    { .name = "images", .type = GF_CLI_INT, .offset = AT(read.images), .argument = "N", .least = 1, .most = 1e9,
      .text = "read only the first N images of each input: frames, or pages",
      .more = "--images 1 makes a still image of an animation. The rest of the input is not read, so damage there is "
              "no error. Audio is read as a whole." },
    { .name = "salvage", .type = GF_CLI_FLAG, .offset = AT(read.salvage),
      .text = "read the existing part of a truncated input",
      .more = "Without this option, a truncated input is an error. With it, a warning says how much is missing. "
              "Only the complete images of a sequence or an animation are read. A single truncated image, such as a "
              "PNG or a JPEG, is an error with this option, too." },

    { .group = "Formats",
      .name = "from", .letter = 'f', .type = GF_CLI_TEXT, .offset = AT(read.from), .argument = "FORMAT[,FORMAT...]",
      .text = "format of the input, or a list of those that are accepted; default: by its content, then its name",
      .more = "--list shows the formats. It is an error if the content is of another format, except for raw samples. "
              "The names wav, ogg and aiff include RF64, Opus and AIFF-C." },
    { .name = "to", .letter = 't', .type = GF_CLI_TEXT, .offset = AT(write.to), .argument = "FORMAT",
      .text = "format of the output; default: by its extension",
      .more = "Without this option and without an extension, images are written as PGM, PPM or PAM, audio as WAV, "
              "and tables as TSV. The result of spectrogram and waveform becomes a drawing in PNG. An unknown "
              "extension is an error. gpufilter warns if standard output is redirected to a file whose extension "
              "means another format. In an output folder, FORMAT is also the extension: -t jpeg makes .jpeg, -t jpg "
              "makes .jpg." },
    { .name = "depth", .type = GF_CLI_CHOICE, .offset = AT(write.depth), .argument = "1|2|4|8|16|24|32|f32",
      .values = (const int[]) { 1, 2, 4, 8, 16, 24, 32, -32 },
      .text = "bits per sample of the output, or f32 for floats; default: as the input",
      .more = "Depths of 1, 2 and 4 are for gray PNG and the PNM family, 24 and 32 for audio." },
    { .name = "quality", .type = GF_CLI_INT, .offset = AT(write.quality), .argument = "N", .least = 1, .most = 100,
      .text = "quality of a lossy output, 1 to 100",
      .more = "Defaults: JPEG 92, WebP 75, MP3 60, Ogg Vorbis 40; for Opus the default depends on the sample rate "
              "and the channels. A quality of 100 makes WebP lossless. gpufilter warns if --quality, --depth, "
              "--compression, --subsampling or --progressive has no effect on any output." },
    { .name = "compression", .type = GF_CLI_INT, .offset = AT(write.compression), .argument = "N",
      .least = 0, .most = 9,
      .text = "effort of a lossless output, 0 (fast) to 9 (small)",
      .more = "For PNG, TIFF, WebP and FLAC." },
    { .name = "subsampling", .type = GF_CLI_CHOICE, .offset = AT(write.subsampling), .argument = "444|422|420",
      .values = (const int[]) { 444, 422, 420 },
      .text = "color resolution of a JPEG",
      .more = "The value 444 is full resolution, 422 keeps every other column, 420 every other column and row. "
              "Default: 420 up to --quality 90, 444 above." },
    { .name = "progressive", .type = GF_CLI_FLAG, .offset = AT(write.progressive),
      .text = "write a progressive JPEG, which is a little smaller" },
    { .name = "channels", .type = GF_CLI_CUSTOM, .set = set_channels, .argument = "N,M,...",
      .text = "read up to four channels of a TIFF or PAM, counted from 1",
      .more = "Required if an image has more than four channels. One channel is read as gray, two as gray and an "
              "extra channel, three as RGB, four as RGB and an extra channel. The extra channel is alpha if the "
              "file says so. --channels 3,1,2 changes the order." },
    { .name = "rate", .letter = 'r', .type = GF_CLI_CUSTOM, .set = set_rate, .argument = "RATE",
      .text = "frame rate of Y4M, GIF, APNG and WebP: 25, 29.97, 30000/1001; all frames are kept",
      .more = "No frame is added or dropped, so another rate than the input's changes the speed, with a warning. To "
              "keep the speed, use the stage fps. "
              "Default: video and animations keep their rate; of other images, Y4M gets 25 per second, and GIF, APNG "
              "and WebP are an error. For the sample rate of audio, use the stage resample." },
    { .name = "interlaced", .type = GF_CLI_CHOICE, .offset = AT(read.interlaced), .argument = "off|fields",
      .values = (const int[]) { GF_INTERLACED_OFF, GF_INTERLACED_FIELDS },
      .text = "treat interlaced Y4M as progressive, or filter each field separately",
      .more = "The header of interlaced video has It, Ib or Im. With off, frames are whole images, and the header "
              "of the output has Ip. With fields, each field (every other row of a frame) is an image of half the "
              "height. Two results make a frame of the output, which must be Y4M. Sizes and positions of "
              "stages refer to a field: in 720x576, crop:720x200+0+40 keeps 400 rows. See VIDEO." },
    { .name = "video", .type = GF_CLI_CHOICE, .offset = AT(limits.video), .argument = "auto|rgb|planes",
      .values = (const int[]) { GF_VIDEO_AUTO, GF_VIDEO_RGB, GF_VIDEO_PLANES },
      .text = "filter Y4M in its planes of luma and chroma, or as red, green and blue; default: auto",
      .more = "The planes are faster, and chroma is not resampled. With auto, they are used if the result is the same "
              "otherwise. With planes, they are used whenever the stages allow it, also if the result differs, as "
              "for blur or resize. With rgb, they are never used. See VIDEO." },

    { .group = "Devices and memory",
      .name = "device", .type = GF_CLI_CUSTOM, .set = gf_cli_set_device, .argument = "auto|cpu|cuda[:N,M]|all",
      .text = "where to run; default: auto, the device that is expected to finish first",
      .more = "With cuda, it is an error if there is no usable GPU; gpufilter never falls back to the CPU. The "
              "value cuda:0,1 uses GPUs 0 and 1, and all uses every visible GPU: each processes some of the files and "
              "frames. If no stage needs the whole input, they also divide the segments of a single input. The values "
              "auto and cuda use GPU 0. See DEVICES AND MEMORY." },
    { .name = "jpeg", .type = GF_CLI_CHOICE, .offset = AT(jpeg), .argument = "software|hardware",
      .values = (const int[]) { GF_JPEG_BY_SOFTWARE, GF_JPEG_BY_HARDWARE },
      .text = "what decodes and encodes JPEG: the CPU (default), or a GPU",
      .more = "With hardware, a GPU decodes through nvJPEG, does most of the encoding, and runs the stages; the "
              "images stay in its memory. This pays for about a thousand photos or more. If there is a GPU but no "
              "nvJPEG, gpufilter warns, and uses software. If there is no GPU, --device auto warns, and everything "
              "runs on the CPU; --device cuda is an error. --device cpu is always an error. See DEVICES AND MEMORY." },
    { .name = "stay", .type = GF_CLI_CUSTOM, .set = gf_cli_set_stay, .argument = "TIME",
      .text = "keep the GPU ready for further runs, until it is idle for TIME; default: 0, off",
      .more = "Starting a GPU takes longer than most runs. With --stay 60, a process of gpufilter starts it once, "
              "serves the next runs of the same user that also have --stay, and ends when none has come for 60 "
              "seconds. The variable GPUFILTER_STAY of the environment sets the same for all runs. Results are the "
              "same. --devices shows the process, --stop ends it. See DEVICES AND MEMORY." },
    { .name = "jobs", .letter = 'j', .type = GF_CLI_INT, .offset = AT(limits.threads), .argument = "N",
      .least = 1, .most = 1024,
      .text = "number of CPU threads; default: number of cores that gpufilter may use",
      .more = "taskset or a job scheduler may allow only some of the cores. A quota of CPU time, as of a container, "
              "does not count." },
    { .name = "memory", .type = GF_CLI_BYTES, .offset = AT(limits.memory_bytes), .argument = "SIZE",
      .least = 1 << 20, .most = 9e18,
      .text = "cap working memory, on the host and on the device",
      .more = "SIZE is at least 1M. The default on the host is 3/4 of the memory of the machine, or of the container "
              "or job (control group) if that has less. Formats that must be encoded whole (WebP, BMP, TGA) or decoded "
              "whole (WebP, HDR, PIC) need memory in addition, and so does a frame of an animation. --max-memory caps "
              "what decoding needs." },
    { .name = "max-memory", .type = GF_CLI_BYTES, .offset = AT(read.max_bytes), .argument = "SIZE",
      .least = 1, .most = 9e18,
      .text = "refuse inputs that need more memory to decode; default: 16G" },
    { .name = "max-pixels", .type = GF_CLI_COUNT, .offset = AT(read.max_pixels), .argument = "N",
      .least = 1, .most = 9e18,
      .text = "refuse images with more than N pixels; default: 4G",
      .more = "This holds for images that are read, before decoding, and for results of stages. All images of an input "
              "together may have 16 times as many pixels up to 1G, or N if that is more, and in addition 1000 pixels "
              "for each byte of the input. Audio stages may not add more than N sample frames." },
    { .name = "max-seconds", .type = GF_CLI_CUSTOM, .set = set_seconds, .argument = "TIME",
      .text = "stop with an error after TIME of CPU time, of all threads and inputs together",
      .more = "TIME is in whole seconds, as in 60, or has a unit, as in 90s, 5m or 1h. In a batch, it must suffice "
              "for all inputs; outputs that are complete by then remain. For a limit per input, run gpufilter once "
              "for each." },
    { .name = "max-output", .type = GF_CLI_BYTES, .offset = AT(max_output), .argument = "SIZE",
      .least = 1 << 20, .most = 9e18,
      .text = "stop with an error if a file that is written becomes larger than SIZE; default: no limit",
      .more = "SIZE is at least 1M. Nothing is left of an output that is too large, and a file that it would replace "
              "stays as it is. The limit is for each file, also for temporary files and files in memory. If standard "
              "output is appended to a file, the data before counts, too. Pipes have no limit. A lower limit of "
              "ulimit -f remains." },
    { .name = "latency", .type = GF_CLI_CUSTOM, .set = set_latency, .argument = "MS",
      .text = "process audio in blocks of at most MS milliseconds, images one at a time",
      .more = "The delay is longer than a block if stages look ahead: with lowpass:1000, half of its taps. --explain "
              "prints the total. MS is 1 to 60000 and may have a unit: 20ms, 0.02s. Stages and formats that need a "
              "whole pipe first are errors. See LIVE PIPES." },
    { .name = "segment", .type = GF_CLI_BYTES, .offset = AT(limits.segment_bytes), .argument = "SIZE",
      .least = 1, .most = 9e18,
      .text = "size of a segment in bytes; never changes the result",
      .more = "A segment is at least 1/32 of what stages compute again in each, such as the rows around it." },
    { .name = "lanes", .type = GF_CLI_INT, .offset = AT(limits.lanes), .argument = "N", .least = 1, .most = 64,
      .text = "number of segments in progress at once; never changes the result" },

    { .group = "Hostile input",
      .name = "untrusted", .type = GF_CLI_FLAG, .offset = AT(untrusted),
      .text = "for inputs from strangers: small limits, fewer formats, and no run without a sandbox",
      .more = "The limits are --max-pixels 64M, --max-memory 512M, --memory 512M, --max-seconds 60 and "
              "--max-output 1G, unless these options are given. Names of inputs are literal: a pattern is the name of "
              "one file, and a folder is an error. HDR, PIC, and audio except WAV, AU and FLAC are errors. It is an "
              "error if Landlock or seccomp cannot be used; see SANDBOX." },
    { .name = "sandbox", .type = GF_CLI_FLAG, .offset = AT(sandbox),
      .text = "no run without a complete sandbox",
      .more = "It is an error if Landlock or seccomp cannot be used. --untrusted includes this. See SANDBOX." },
    { .name = "no-sandbox", .type = GF_CLI_FLAG, .offset = AT(no_sandbox),
      .text = "run without the sandbox, which limits the files that gpufilter can use",
      .more = "See SANDBOX." },

    { .group = "Batches",
      .name = "files-from", .type = GF_CLI_TEXT, .offset = AT(files_from), .argument = "LIST", .files = true,
      .text = "read names of further inputs from LIST, one per line; '-' is standard input",
      .more = "A list has at most 4000000 names, together at most 256 MB." },
    { .name = "null", .letter = '0', .type = GF_CLI_FLAG, .offset = AT(nul),
      .text = "names in LIST end with a zero byte, as from find -print0" },
    { .name = "join", .type = GF_CLI_CUSTOM, .set = set_join, .argument = "fit|pad|fade=TIME", .optional = true,
      .text = "read the images or the audio of all inputs, in order, as those of one input, for one output",
      .more = "Images become a video, a document or a sequence: Y4M, TIFF, PAM or another format that has several "
              "images. With =fit, each image is scaled into the size of the first and centered; with =pad, it keeps "
              "its scale, and a larger one is an error. Recordings follow one another; with =fade=TIME, each fades "
              "into the next one. See JOINING." },
    { .name = "mix", .type = GF_CLI_CUSTOM, .set = set_mix,
      .text = "add the audio of all inputs, each divided by their number, for one output",
      .more = "The result is as long as the longest input. The stage mix adds one recording with a gain and at a "
              "time. See JOINING." },
    { .name = "update", .type = GF_CLI_FLAG, .offset = AT(update),
      .text = "skip inputs that are older than their outputs",
      .more = "Only the times of the input and its output are compared. Other stages or options do not make an output "
              "out of date, and neither do files that stages name, such as masks. After such a change, run once "
              "without --update. If outputs replace their inputs, all of them are skipped, with a warning." },
    { .name = "fail-fast", .type = GF_CLI_FLAG, .offset = AT(fail_fast),
      .text = "stop at the first file that fails" },
    { .name = "shard", .type = GF_CLI_CUSTOM, .set = set_shard, .argument = "K/N",
      .text = "process only every N-th input, starting with the K-th" },

    { .group = "Seeing what happens",
      .name = "explain", .type = GF_CLI_FLAG, .offset = AT(explain),
      .text = "print the plan and the reasons for it, and run nothing" },
    { .name = "verbose", .letter = 'v', .type = GF_CLI_FLAG, .offset = AT(verbose),
      .text = "print the plan, the sandbox, and the names of files in a batch",
      .more = "In a batch, gpufilter prints the plan of one file, and the name of each output when it is complete. "
              "With --update, it also prints how many files are up to date." },
    { .name = "progress", .type = GF_CLI_CHOICE, .offset = AT(progress), .argument = "auto|always|never",
      .values = (const int[]) { GF_PROGRESS_AUTO, GF_PROGRESS_ALWAYS, GF_PROGRESS_NEVER },
      .text = "show progress on standard error; default: auto, on a terminal" },
    { .name = "stats", .type = GF_CLI_CUSTOM, .set = set_stats, .argument = "json", .optional = true,
      .text = "print times, bytes and rates on standard error",
      .more = "The last line names the bottleneck." },
    { .name = "trace", .type = GF_CLI_CUSTOM, .set = set_trace, .argument = "FILE", .files = true,
      .text = "write a timeline of the run to FILE.json or FILE.svg",
      .more = "JSON is for viewers of Chrome's trace format, SVG is a drawing. To get both, give the option twice." },
    { .name = "quiet", .letter = 'q', .type = GF_CLI_FLAG, .offset = AT(quiet),
      .text = "print errors only, no warnings and no notes" },
    { .name = "strict", .type = GF_CLI_FLAG, .offset = AT(strict),
      .text = "make every warning an error",
      .more = "The input fails with exit status 1, and its output is not written." },

    { .group = "Help and information",
      .name = "help", .letter = 'h', .type = GF_CLI_ASK, .ask = GF_ASK_HELP, .argument = "STAGE", .optional = true,
      .text = "show this help, or the help of a stage or named chain",
      .more = "If two stages have the name, that for the kind of the input comes first." },
    { .name = "list", .type = GF_CLI_ASK, .ask = GF_ASK_LIST,
      .text = "list the stages, your named chains and the formats" },
    { .name = "info", .type = GF_CLI_ASK, .ask = GF_ASK_INFO,
      .text = "list what files are: format, size, length, profile, metadata; all arguments are inputs",
      .more = "Only headers are read. The list is text for people, or a table with -t tsv, -t csv or -t json, or with "
              "an --output of such an extension. See WHAT A FILE IS." },
    { .name = "devices", .type = GF_CLI_ASK, .ask = GF_ASK_DEVICES,
      .text = "show the CPU and the GPUs, and why a GPU is not used",
      .more = "With --verbose, gpufilter also measures how fast the memory and the arithmetic of each GPU are, and "
              "how close operations come to that; --output FILE.svg draws it. Then it lists the kernels: their "
              "registers and shared memory, how many threads run at once, and what limits that number." },
    { .name = "stop", .type = GF_CLI_ASK, .ask = GF_ASK_STOP,
      .text = "end the processes of --stay when no run uses them" },
    { .name = "serve", .type = GF_CLI_ASK, .ask = GF_ASK_SERVE,
      .text = "be the process of --stay, for a socket of systemd",
      .more = "--device names the device, and --stay how long to wait for a run. See DEVICES AND MEMORY." },
    { .name = "bench", .type = GF_CLI_ASK, .ask = GF_ASK_BENCH, .argument = "OPERATION[:SIZE]", .optional = true,
      .text = "measure the speed of an operation on this machine, or of all operations",
      .more = "Sizes start at 1K samples and go up to SIZE, as in histogram:1M; --memory limits them, too. The "
              "name of a stage stands for the first operation that the stage uses. The table goes to --output, as "
              "TSV, CSV or JSON, drawn as SVG or PNG, or as a page of HTML; a summary goes to standard error. "
              "--bench=lessons measures the steps of classic optimizations, --bench=roofline the limits of this "
              "machine; see gpufilter-bench(1) and gpufilter-lessons(7)." },
    { .name = "completion", .type = GF_CLI_ASK, .ask = GF_ASK_COMPLETION, .argument = "bash|zsh|fish",
      .text = "print a completion script for the shell" },
    { .name = "version", .type = GF_CLI_ASK, .ask = GF_ASK_VERSION,
      .text = "show the version, the libraries, the hardening and what sandbox this kernel has" },
    { .name = "manual", .type = GF_CLI_ASK, .ask = GF_ASK_MANUAL,
      .argument = "listing|examples|chains|words" },
    { .name = NULL },
};
