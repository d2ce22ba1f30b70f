/* tee: what passes by, to a file. */
#include "chain/stage.h"

struct tee {
    char *file;
};

static const struct gf_option options[] = {
    { .name = "file", .type = GF_OPTION_OUTPUT, .offset = offsetof(struct tee, file), .required = true,
      .text = "where to; its ending tells the format" },
    { .name = NULL }
};

static int bind(const void *config, const struct gf_format *in, struct gf_build *build, struct gf_error *err)
{
    const struct tee *t = config;

    (void)in;
    if (t->file[0] == '\0')
        return gf_fail(err, GF_MISUSED, "tee needs the name of a file");
    return gf_build_tee(build, t->file, err);
}

static const char *const examples[] = {
    "gpufilter -i photo.ppm gray tee:gray.png blur:4 tee:soft.png rotate:30 -o turned.png",
    "gpufilter -i photo.ppm -i chart.pgm autolevel 'tee:{stem}-full.png' histogram -o '{stem}.tsv'",
    "gpufilter -i photo.ppm blur:2 tee:soft.ppm stats",
    NULL
};

#define FILE_TEXT "The file's ending tells its format; --depth, --quality and the like hold for it as for the output, --to does not. Like " \
                  "the output it appears whole or not at all. {stem}, {ext}, {dir} and {n} are filled in as for -o; with several inputs " \
                  "the name needs one of them. "

const struct gf_stage gf_stage_tee = {
    .name = "tee",
    .kind = GF_IMAGE,
    .summary = "writes what passes by to a file",
    .text = "The picture as it is at this place of the chain goes to the file, and on through the chain unchanged and unrounded. "
            FILE_TEXT "The picture is kept in memory, or on disk if it does not fit, until both have it.",
    .examples = examples,
    .options = options,
    .config_bytes = sizeof(struct tee),
    .bind = bind,
};

static const char *const sound_examples[] = {
    "gpufilter -i voice.wav highpass:80 tee:clean.flac normalize:lufs=-16 limit:-1 -o loud.wav",
    "gpufilter -i voice.wav -i sound.wav mono 'tee:{stem}-mono.wav' resample:22050 -o '{stem}-small.wav'",
    NULL
};

const struct gf_stage gf_stage_tee_audio = {
    .name = "tee",
    .kind = GF_AUDIO,
    .summary = "writes what passes by to a file",
    .text = "The recording as it is at this place of the chain goes to the file, and on through the chain unchanged and unrounded. "
            FILE_TEXT "The recording is kept in memory, or on disk if it does not fit, until both have it; a pipe that does not "
            "tell its length is read to its end first.",
    .examples = sound_examples,
    .options = options,
    .config_bytes = sizeof(struct tee),
    .wants_length = true,
    .bind = bind,
};
