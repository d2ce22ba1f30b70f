/* Prints the tables of formats in the manual, from the descriptors of formats. */
#include "cli/manual.h"

#include "io/format.h"

#include <stdio.h>
#include <string.h>

#define NOTHING "\\-"

static void add_item(char *text, size_t bytes, bool kept, const char *item)
{
    if (kept)
        snprintf(text + strlen(text), bytes - strlen(text), "%s%s", text[0] != '\0' ? ", " : "", item);
}

/* Returns true if an audio writer can store tags. */
static bool keeps_tags(const struct gf_writer_ops *ops)
{
    char key[] = "Title", value[] = "any";
    struct gf_text title = { key, value };
    const struct gf_meta meta = { .text = &title, .texts = 1 };
    const struct gf_writer w = { .ops = ops };

    return ops->kind == GF_AUDIO && ops->bare != GF_BARE_ALWAYS
        && (ops->loses_tag == NULL || !ops->loses_tag(&w, &meta, key));
}

static void list_kept(const struct gf_writer_ops *ops, char *text, size_t bytes)
{
    text[0] = '\0';
    add_item(text, bytes, ops->profile, "color profile");
    add_item(text, bytes, ops->colour_chunks, "gamma and HDR");
    add_item(text, bytes, ops->exif_bytes > 0, "EXIF");
    add_item(text, bytes, ops->xmp_bytes > 0, "XMP");
    add_item(text, bytes, ops->iptc_bytes > 0, "IPTC");
    add_item(text, bytes, ops->keeps_text != NULL, "text");
    add_item(text, bytes, ops->pixel_shape, ops->yuv ? "pixel aspect ratio, frame rate, field order" : "resolution");
    add_item(text, bytes, keeps_tags(ops), "tags");
    add_item(text, bytes, ops->riff, "WAV chunks, speaker layout");
}

static const char *describe_access(bool offered, bool streamed)
{
    return !offered ? NOTHING : streamed ? "streamed" : "whole";
}

void gf_manual_formats(void)
{
    puts(".TS\nbox;\nlb lb lb lb lb\nl lx l l lx.\nFormat\tNames\tRead\tWritten\tKeeps\n_");
    for (int i = 0; i < gf_file_format_count; i++) {
        const struct gf_file_format *f = gf_file_formats[i];
        const struct gf_writer_ops *ops = f->image != NULL ? f->image : f->audio;
        char kept[200] = "";

        if (ops != NULL)
            list_kept(ops, kept, sizeof kept);
        printf("%s\tT{\n%s%s", f->title, f->name, f->arguments ? ":" : "");
        for (const char *const *e = f->endings; *e != NULL; e++)
            printf(", %s", *e);
        printf("\nT}\t%s\t%s\tT{\n%s\nT}\n", describe_access(f->open != NULL, f->streams & GF_STREAMS_IN),
               describe_access(gf_file_format_is_written(f), f->streams & GF_STREAMS_OUT),
               kept[0] != '\0' ? kept : NOTHING);
    }
    puts(".TE");
}

static void print_cell(const char *text, const char *after)
{
    fputs("T{\n", stdout);
    for (const char *c = text != NULL ? text : "-"; *c != '\0'; c++)
        printf("%s%c", *c == '-' ? "\\" : "", *c);
    printf("\nT}%s", after);
}

void gf_manual_notes(void)
{
    puts(".TS\nallbox;\nlb lb lb lb\nlx lx lx lx.\nFormat\tRead\tLost, with a warning\tRefused");
    for (int i = 0; i < gf_file_format_count; i++) {
        const struct gf_file_format *f = gf_file_formats[i];

        if (f->notes.formats == NULL)
            continue;
        print_cell(f->notes.formats, "\t");
        print_cell(f->notes.reads, "\t");
        print_cell(f->notes.loses, "\t");
        print_cell(f->notes.refuses, "\n");
    }
    puts(".TE");
}
