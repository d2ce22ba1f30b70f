/* fir, a filter of one's own taps, and reverb, a room's answer beside what it answers to. */
#include "filters/taps.h"

#include <math.h>

static const struct gf_option fir_options[] = {
    { .name = "taps", .type = GF_OPTION_MASK, .offset = offsetof(struct gf_taps, taps), .required = true, .sound = true,
      .text = "h[0], h[1], …: one line for all channels, or a row or channel for each" },
    { .name = "align", .type = GF_OPTION_CHOICE, .offset = offsetof(struct gf_taps, align), .by_default = GF_TAPS_START,
      .choices = gf_taps_aligns, .key_only = true, .text = "center takes out the ⌊(n-1)/2⌋ samples of delay of a symmetric filter" },
    { .name = "tail", .type = GF_OPTION_CHOICE, .offset = offsetof(struct gf_taps, tail), .by_default = GF_TAPS_CUT,
      .choices = gf_taps_tails, .key_only = true, .text = "keep lets it ring out behind the end; cut ends with the input" },
    { .name = "wet", .type = GF_OPTION_NUMBER, .offset = offsetof(struct gf_taps, wet), .by_default = 1, .least = -1000, .most = 1000,
      .key_only = true, .text = "how much of the filtered signal comes out: 1, 50%, -6dB" },
    { .name = "dry", .type = GF_OPTION_NUMBER, .offset = offsetof(struct gf_taps, dry), .by_default = 0, .least = -1000, .most = 1000,
      .key_only = true, .text = "how much of the signal as it came in is added" },
    { .name = "norm", .type = GF_OPTION_CHOICE, .offset = offsetof(struct gf_taps, norm), .by_default = GF_TAPS_AS_THEY_ARE,
      .choices = gf_taps_norms, .key_only = true, .text = "divides the taps by their sum, by the peak of their "
                                                          "response, or by the root of their energy" },
    { .name = NULL }
};

static int fir_bind(const void *config, const struct gf_format *in, struct gf_build *build, struct gf_error *err)
{
    return gf_taps_build_response(build, "fir", config, in, err);
}

static const char *const fir_examples[] = {
    "gpufilter -i sound.wav fir:taps.txt -o filtered.wav",
    "gpufilter -i sound.wav 'fir:[0.25 0.5 0.25],align=center' -o smooth.wav",
    "gpufilter -i sound.wav fir:room.wav,tail=keep,wet=-12dB,dry=1,norm=energy -o hall.wav",
    NULL
};

const struct gf_stage gf_stage_fir = {
    .name = "fir",
    .kind = GF_AUDIO,
    .summary = "finite impulse response filter",
    .text = "y[n] = Σ h[k]·x[n-k], with silence before the start; the output is as long as the input, or rings out with "
            "tail=keep: n-1 frames longer, less the delay that align=center takes out. Taps are a matrix of one row, a text file "
            "with the numbers of one row or column, or a recording; several rows or channels are one for each channel. A recording "
            "must have the rate of the signal.\n"
            "\n"
            "Taps are taken as they are, unless norm= asks: sum divides them by their sum, so that a constant passes as it is; peak by the "
            "largest magnitude of their frequency response, so that nothing gets louder than it was; energy by √Σ h², so that noise stays "
            "as loud as it was. Where there is a row for each channel all are divided alike, by the largest of them. Then the result is "
            "wet·y + dry·x; with align=center, x is not delayed either.\n"
            "\n"
            "From 65 taps on, on a GPU from 8193, the sums are made by Fourier transforms of blocks, in a time that hardly grows with the "
            "taps; up to 4194304 of them. They are right to within 1e-6 of max |x| · Σ |h|, the most that could come out: where next "
            "to nothing is left of a loud sound, that is what is left. With --latency the blocks are as short as it takes, and begin at 1025 taps; "
            "so the last bits of a sample may be others than without it. Samples that are not finite count as silence.",
    .examples = fir_examples,
    .picture = "sound.wav fir:taps.txt | mono spectrogram:600,1024",
    .options = fir_options,
    .config_bytes = sizeof(struct gf_taps),
    .bind = fir_bind,
};

static const struct gf_option reverb_options[] = {
    { .name = "response", .type = GF_OPTION_MASK, .offset = offsetof(struct gf_taps, taps), .required = true, .sound = true,
      .text = "the room's impulse response: a recording, of one channel or one for each" },
    { .name = "wet", .type = GF_OPTION_NUMBER, .offset = offsetof(struct gf_taps, wet), .by_default = 0.3, .least = 0, .most = 1000, .times = 6,
      .text = "how much of the room comes out: 0.3, 30%, -10dB" },
    { .name = "dry", .type = GF_OPTION_NUMBER, .offset = offsetof(struct gf_taps, dry), .by_default = NAN, .least = 0, .most = 1000,
      .key_only = true, .text = "how much of the signal itself; not said: 1 - wet" },
    { .name = "tail", .type = GF_OPTION_CHOICE, .offset = offsetof(struct gf_taps, tail), .by_default = GF_TAPS_KEEP,
      .choices = gf_taps_tails, .key_only = true, .text = "keep lets the room ring out; cut ends with the input" },
    { .name = "norm", .type = GF_OPTION_CHOICE, .offset = offsetof(struct gf_taps, norm), .by_default = GF_TAPS_ENERGY,
      .choices = gf_taps_norms, .key_only = true, .text = "what the response is divided by, as for fir" },
    { .name = NULL }
};

static int reverb_bind(const void *config, const struct gf_format *in, struct gf_build *build, struct gf_error *err)
{
    const struct gf_taps *r = config;

    if (isnan(r->dry) && r->wet > 1)
        return gf_fail(err, GF_MISUSED, "reverb: wet=%g leaves less than nothing for the signal itself; say how much with dry=", r->wet);
    return gf_taps_build_response(build, "reverb", r, in, err);
}

static const char *const reverb_examples[] = {
    "gpufilter -i sound.wav reverb:room.wav -o room.wav.flac",
    "gpufilter -i sound.wav reverb:room.wav,50% -o far.wav",
    "gpufilter -i sound.wav reverb:room.wav,-12dB,dry=1,tail=cut -o near.wav",
    NULL
};

const struct gf_stage gf_stage_reverb = {
    .name = "reverb",
    .kind = GF_AUDIO,
    .summary = "the sound of a room",
    .text = "Convolves with the impulse response of a room, as a recording of a clap or of a balloon gives it, and mixes: "
            "dry·x[n] + wet·Σ h[k]·x[n-k], where dry is 1 - wet if it is not said. The response is divided by √Σ h² first, so that wet "
            "and dry are as loud as each other for most sounds; norm=none takes it as it is. It has one channel for all or one for each, and "
            "the rate of the signal. Samples that are not finite count as silence. The room rings out: the output is "
            "longer by the response, less one frame; tail=cut ends with the input.",
    .examples = reverb_examples,
    .picture = "voice.wav resample:44100 reverb:room.wav,0.7 | waveform:600",
    .options = reverb_options,
    .config_bytes = sizeof(struct gf_taps),
    .bind = reverb_bind,
};
