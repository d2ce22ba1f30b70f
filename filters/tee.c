/* tee: write the signal to a file as it passes. */
#include "chain/stage.h"

struct tee {
    char *file;
};

static const struct gf_option options[] = {
    { .name = "file", .type = GF_OPTION_OUTPUT, .offset = offsetof(struct tee, file), .required = true,
      .text = "name of the file; its extension chooses the format" },
    { .name = NULL }
};

static int bind(const void *config, const struct gf_format *in, struct gf_build *build, struct gf_error *err)
{
    const struct tee *t = config;

    (void)in;
    if (t->file[0] == '\0')
        return gf_fail(err, GF_MISUSED, "tee: missing file name; write tee:FILE");
    return gf_build_tee(build, t->file, err);
}

static const char *const examples[] = {
    "gpufilter -i photo.ppm gray tee:gray.png blur:4 tee:soft.png rotate:30 -o turned.png",
    "gpufilter -i photo.ppm -i chart.pgm autolevel 'tee:{stem}-full.png' histogram -o '{stem}.tsv'",
    "gpufilter -i photo.ppm blur:2 tee:soft.ppm stats",
    NULL
};

#define FILE_TEXT \
    "The extension of the file chooses its format. --depth, --quality and similar options apply to it as " \
    "to the output; --to does not. The file appears complete or not at all, like the output. {stem}, " \
    "{ext}, {dir} and {n} are replaced as in -o. With several inputs, the name must contain one of these. " \
    "The file must not be an input or another output of the run, by whatever name.\n\n"

const struct gf_stage gf_stage_tee = {
    .name = "tee",
    .kind = GF_IMAGE,
    .group = GF_GROUP_MEASURE,
    .keeps_values = true,
    .summary = "write the image to a file and go on",
    .text = "The image at this place in the chain is written to FILE. It continues through the chain "
            "unchanged and unrounded.\n\n"
            FILE_TEXT
            "The image is kept in memory, or on disk if it does not fit, until the file is written and "
            "the rest of the chain has read it.",
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
    .keeps_values = true,
    .group = GF_GROUP_MEASURE,
    .summary = "write the audio to a file and go on",
    .text = "The audio at this place in the chain is written to FILE. It continues through the chain "
            "unchanged and unrounded.\n\n"
            FILE_TEXT
            "The audio is kept in memory, or on disk if it does not fit, until the file is written and "
            "the rest of the chain has read it. A pipe of unknown length is read to its end first.",
    .examples = sound_examples,
    .options = options,
    .config_bytes = sizeof(struct tee),
    .wants_length = true,
    .bind = bind,
};
