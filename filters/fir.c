/* fir: a filter with given taps; reverb: the impulse response of a room, mixed with the input. */
#include "filters/taps.h"

#include <math.h>

static const struct gf_option fir_options[] = {
    { .name = "taps", .type = GF_OPTION_MASK, .offset = offsetof(struct gf_taps, taps), .required = true,
      .sound = true,
      .text = "h[0], h[1], ...: one line for all channels, or a row or channel for each" },
    { .name = "align", .type = GF_OPTION_CHOICE, .offset = offsetof(struct gf_taps, align),
      .by_default = GF_TAPS_START, .choices = gf_taps_aligns, .key_only = true,
      .text = "center removes the delay of a symmetric filter, ⌊(n-1)/2⌋ samples" },
    { .name = "tail", .type = GF_OPTION_CHOICE, .offset = offsetof(struct gf_taps, tail),
      .by_default = GF_TAPS_CUT, .choices = gf_taps_tails, .key_only = true,
      .text = "keep: let the filter ring out after the end; cut: end with the input" },
    { .name = "wet", .type = GF_OPTION_NUMBER, .offset = offsetof(struct gf_taps, wet), .by_default = 1,
      .least = -1000, .most = 1000, .key_only = true,
      .text = "gain of the filtered signal: 1, 50%, -6dB" },
    { .name = "dry", .type = GF_OPTION_NUMBER, .offset = offsetof(struct gf_taps, dry), .by_default = 0,
      .least = -1000, .most = 1000, .key_only = true,
      .text = "gain of the unfiltered signal" },
    { .name = "norm", .type = GF_OPTION_CHOICE, .offset = offsetof(struct gf_taps, norm),
      .by_default = GF_TAPS_AS_THEY_ARE, .choices = gf_taps_norms, .key_only = true,
      .text = "divisor of the taps: their sum, the peak of their frequency response, or the root of their "
              "energy" },
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
    .group = GF_GROUP_FILTER,
    .summary = "filter with a finite impulse response",
    .text = "    y[n] = Σ h[k]·x[n-k]\n"
            "    output = wet·y + dry·x\n\n"
            "Samples before the start count as 0. The output is as long as the input. With tail=keep it "
            "rings out: it is n-1 frames longer, minus the delay that align=center removes. With "
            "align=center, x is not delayed either.\n\n"
            "The taps are a matrix of one row, a text file with the numbers of one row or column, or a "
            "recording. With several rows or channels, there must be one for each channel of the input. A "
            "recording must have the sample rate of the input.\n\n"
            "norm= divides the taps by one number; by default they are used as they are:\n\n"
            "    norm=sum     Σ h: a constant keeps its value\n"
            "    norm=peak    the largest gain of the response: nothing gets louder\n"
            "    norm=energy  √Σ h²: noise keeps its level\n\n"
            "If there is a row for each channel, all are divided by the largest number of any row.\n\n"
            "Filters of more than 64 taps run as Fourier transforms of blocks, "
            "whose time hardly grows with the number of taps. The limit is 4194304 taps. Each tap takes up to "
            "200 bytes of memory; if --memory is less, that is an error. Errors are below "
            "1e-6 of max |x| · Σ |h|, the largest possible output. If a filter removes almost all of a "
            "loud signal, an error of that size remains. With --latency, only filters of more than 1024 "
            "taps use Fourier transforms, in blocks as short as needed. The last bits of a sample may "
            "then differ. Samples that are not finite count as silence.",
    .examples = fir_examples,
    .picture = "sound.wav fir:taps.txt | mono spectrogram:600,1024",
    .options = fir_options,
    .config_bytes = sizeof(struct gf_taps),
    .bind = fir_bind,
};

static const struct gf_option reverb_options[] = {
    { .name = "response", .type = GF_OPTION_MASK, .offset = offsetof(struct gf_taps, taps), .required = true,
      .sound = true,
      .text = "impulse response of the room: a recording of one channel, or of one for each channel" },
    { .name = "wet", .type = GF_OPTION_NUMBER, .offset = offsetof(struct gf_taps, wet), .by_default = 0.3,
      .least = 0, .most = 1000, .times = 6,
      .text = "gain of the room: 0.3, 30%, -10dB" },
    { .name = "dry", .type = GF_OPTION_NUMBER, .offset = offsetof(struct gf_taps, dry), .by_default = NAN,
      .least = 0, .most = 1000, .key_only = true,
      .text = "gain of the input; by default 1 - wet" },
    { .name = "tail", .type = GF_OPTION_CHOICE, .offset = offsetof(struct gf_taps, tail),
      .by_default = GF_TAPS_KEEP, .choices = gf_taps_tails, .key_only = true,
      .text = "keep: let the room ring out; cut: end with the input" },
    { .name = "norm", .type = GF_OPTION_CHOICE, .offset = offsetof(struct gf_taps, norm),
      .by_default = GF_TAPS_ENERGY, .choices = gf_taps_norms, .key_only = true,
      .text = "divisor of the response, as for fir" },
    { .name = NULL }
};

static int reverb_bind(const void *config, const struct gf_format *in, struct gf_build *build, struct gf_error *err)
{
    const struct gf_taps *r = config;

    if (isnan(r->dry) && r->wet > 1)
        return gf_fail(err, GF_MISUSED, "reverb: wet=%g: the default dry = 1 - wet would be negative; add "
                                        "dry=", r->wet);
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
    .group = GF_GROUP_TIME,
    .summary = "add the sound of a room",
    .text = "    output = dry·x[n] + wet·Σ h[k]·x[n-k]\n\n"
            "The taps h are the impulse response of a room: a recording of a clap or a bursting balloon. "
            "It has one channel, or one for each channel of the input, and the sample rate of the input. "
            "It is divided by √Σ h² first, so that for most audio wet and dry are equally loud. norm=none "
            "uses it as it is.\n\n"
            "The output is longer than the input by the length of the response minus one frame. With "
            "tail=cut it ends with the input. Samples that are not finite count as silence.",
    .examples = reverb_examples,
    .picture = "voice.wav resample:44100 reverb:room.wav,0.7 | waveform:600",
    .options = reverb_options,
    .config_bytes = sizeof(struct gf_taps),
    .bind = reverb_bind,
};
