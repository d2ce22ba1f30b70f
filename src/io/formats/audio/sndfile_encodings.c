/* Properties of the encodings that libsndfile decodes. */
#include "io/formats/audio/sndfile_encodings.h"

#include "io/format.h"

/* Containers and their names for --from. If there are two, the first bytes of the file decide between them. */
static const struct { int type; const char *name, *other; } containers[] = {
    { SF_FORMAT_WAV, "wav", "rf64" }, { SF_FORMAT_WAVEX, "wav", "rf64" }, { SF_FORMAT_RF64, "wav", "rf64" },
    { SF_FORMAT_AIFF, "aiff", "aifc" }, { SF_FORMAT_OGG, "ogg", "opus" }, { SF_FORMAT_FLAC, "flac", "" },
    { SF_FORMAT_MPEG, "mp3", "" }, { SF_FORMAT_CAF, "caf", "" }, { SF_FORMAT_W64, "w64", "" },
    { SF_FORMAT_AU, "au", "" }, { SF_FORMAT_VOC, "voc", "" }, { SF_FORMAT_SVX, "svx", "" },
    { SF_FORMAT_NIST, "nist", "" },
};

bool gf_sndfile_is_named(int format, const char *from)
{
    for (size_t i = 0; i < sizeof containers / sizeof *containers; i++)
        if (containers[i].type == (format & SF_FORMAT_TYPEMASK))
            return gf_file_format_list_has(from, containers[i].name)
                || gf_file_format_list_has(from, containers[i].other);
    return false;
}

void gf_sndfile_set_type(struct gf_format *f, int subtype)
{
    switch (subtype) {
    case SF_FORMAT_PCM_S8: case SF_FORMAT_PCM_U8: case SF_FORMAT_DPCM_8:
        f->type = GF_S16;
        f->bits = 8;
        break;
    case SF_FORMAT_PCM_24: case SF_FORMAT_DWVW_24: case SF_FORMAT_ALAC_20: case SF_FORMAT_ALAC_24:
        f->type = GF_S32;
        f->bits = 24;
        break;
    case SF_FORMAT_PCM_32: case SF_FORMAT_ALAC_32:
        f->type = GF_S32;
        f->bits = 32;
        break;
    case SF_FORMAT_DOUBLE:
        f->type = GF_F64;
        f->bits = 64;
        break;
    case SF_FORMAT_FLOAT: case SF_FORMAT_VORBIS: case SF_FORMAT_OPUS:
    case SF_FORMAT_MPEG_LAYER_I: case SF_FORMAT_MPEG_LAYER_II: case SF_FORMAT_MPEG_LAYER_III:
        f->type = GF_F32;
        f->bits = 32;
        break;
    default:
        f->type = GF_S16;
        f->bits = 16;
    }
}

bool gf_sndfile_seeks_exactly(int subtype)
{
    switch (subtype) {
    case SF_FORMAT_PCM_S8: case SF_FORMAT_PCM_U8: case SF_FORMAT_PCM_16: case SF_FORMAT_PCM_24:
    case SF_FORMAT_PCM_32: case SF_FORMAT_FLOAT: case SF_FORMAT_DOUBLE: case SF_FORMAT_ULAW: case SF_FORMAT_ALAW:
        return true;
    default:
        return false;
    }
}

/* Returns the bytes per sample of an encoding, or 0 if they vary. */
static int sample_bytes(int subtype)
{
    switch (subtype) {
    case SF_FORMAT_PCM_S8: case SF_FORMAT_PCM_U8: case SF_FORMAT_ULAW: case SF_FORMAT_ALAW:
        return 1;
    case SF_FORMAT_PCM_16:
        return 2;
    case SF_FORMAT_PCM_24:
        return 3;
    case SF_FORMAT_PCM_32: case SF_FORMAT_FLOAT:
        return 4;
    case SF_FORMAT_DOUBLE:
        return 8;
    default:
        return 0;
    }
}

int64_t gf_sndfile_stated_frames(const struct gf_stated_length *stated, const SF_INFO *info)
{
    const int64_t unit = (int64_t)sample_bytes(info->format & SF_FORMAT_SUBMASK) * info->channels;
    double scaled;

    if (stated->frames > 0 || stated->bytes <= stated->there)
        return stated->frames;
    if (unit > 0)
        return stated->bytes / unit;
    scaled = stated->there > 0 ? (double)info->frames * (double)stated->bytes / (double)stated->there : 0;
    return scaled < 1e15 ? (int64_t)scaled : 0;
}
