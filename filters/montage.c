/* montage, append, untile: put many images beside and below each other. */
#include "chain/stage.h"

#define MOST_COLUMNS 1000000
#define MOST_GAP     10000

/* ---- montage ---- */

struct montage {
    int64_t columns, rows;
    struct gf_size size;
    int64_t gap;
    struct gf_colour background;
    bool label;
};

#define GAP(config)                                                                                       \
    { .name = "gap", .type = GF_OPTION_INT, .offset = offsetof(config, gap), .least = 0, .most = MOST_GAP, \
      .unit = "pixels", .key_only = true, .text = "pixels between two images" }
#define BACKGROUND(config)                                                                                \
    { .name = "bg", .type = GF_OPTION_COLOUR, .offset = offsetof(config, background), .key_only = true,    \
      .text = "color around images and under transparent ones; by default transparent if there is alpha, else black" }

static const struct gf_option montage_options[] = {
    { .name = "columns", .type = GF_OPTION_INT, .offset = offsetof(struct montage, columns), .least = 1,
      .most = MOST_COLUMNS, .required = true, .text = "images beside each other" },
    { .name = "size", .type = GF_OPTION_SIZE, .offset = offsetof(struct montage, size), .unit = "pixels",
      .key_only = true, .text = "size of a tile, or one side of a square; by default images keep their sizes" },
    { .name = "rows", .type = GF_OPTION_INT, .offset = offsetof(struct montage, rows), .least = 1,
      .most = MOST_COLUMNS, .by_default = NAN, .key_only = true,
      .text = "rows of a result, if there are more images than it has places; by default all" },
    GAP(struct montage),
    BACKGROUND(struct montage),
    { .name = "label", .type = GF_OPTION_FLAG, .offset = offsetof(struct montage, label), .key_only = true,
      .text = "write the name of the file below each image" },
    { .name = NULL }
};

static void join_montage(const void *config, struct gf_joining *how)
{
    const struct montage *m = config;

    *how = (struct gf_joining) { .kind = GF_JOINING_TILES, .columns = m->columns,
                                 .rows = m->rows > 0 ? m->rows : 0,
                                 .width = m->size.share > 0 ? -1 : m->size.width, .height = m->size.height,
                                 .equal_columns = true, .gap = m->gap, .align = 0.5,
                                 .background = m->background, .labels = m->label };
}

static int bind(const void *config, const struct gf_format *in, struct gf_build *build, struct gf_error *err)
{
    (void)config;
    (void)in;
    return gf_build_keep_floats(build, err);
}

static const char *const montage_examples[] = {
    "gpufilter -i photo.ppm -i scene.ppm -i chart.pgm montage:3,size=160x120,gap=8,label -o contact.png",
    "gpufilter -i photo.ppm -i scene.ppm gray montage:2 sharpen -o both.png",
    "gpufilter -i photo.ppm -i scene.ppm -i chart.pgm montage:1,rows=2 -o 'sheet-{n}.png'",
    "gpufilter --join -i photo.ppm -i scene.ppm -o pages.tif && gpufilter -i pages.tif montage:2 -o sheet.png",
    NULL
};

const struct gf_stage gf_stage_montage = {
    .name = "montage",
    .kind = GF_IMAGE,
    .group = GF_GROUP_COMBINE,
    .keeps_values = true,
    .joins = join_montage,
    .summary = "arrange all images in rows and columns, as a contact sheet",
    .text = "All images of all inputs become one image, row by row: montage:4 puts 4 in each row. Each is in the "
            "middle of a tile. All tiles are as wide as the widest image, and as high as the highest one in their "
            "row. size=160x120 first scales each image to the largest size that fits into that, as "
            "resize:160x120,fit=inside does, and makes the tiles that large. Put a resize with "
            "only=shrink before montage to leave small images as they are. The last row may have fewer images.\n\n"
            "With rows=, there are several results: montage:4,rows=5 puts 20 images on a sheet, and -o 'sheet-{n}.png' "
            "or a format that stores several images, such as TIFF, gets all sheets.\n\n"
            "There are gap= pixels between tiles, and none around them; pad adds a border. With label, the name of "
            "its file is below each image, without folders; further images of the file have a number.\n\n"
            "Stages before montage work on each image, those after it on the result.",
    .examples = montage_examples,
    .picture = "scene.ppm montage:1,size=96x96,label",
    .options = montage_options,
    .config_bytes = sizeof(struct montage),
    .bind = bind,
};

/* ---- append ---- */

struct append {
    int way;
    int64_t gap;
    struct gf_colour background;
    int align;
};

static const char *const ways[] = { "x", "y", NULL };
static const char *const aligns[] = { "start", "center", "end", NULL };

static const struct gf_option append_options[] = {
    { .name = "way", .type = GF_OPTION_CHOICE, .offset = offsetof(struct append, way), .choices = ways,
      .required = true, .text = "x: beside each other; y: below each other" },
    GAP(struct append),
    BACKGROUND(struct append),
    { .name = "align", .type = GF_OPTION_CHOICE, .offset = offsetof(struct append, align), .choices = aligns,
      .key_only = true, .text = "place of images that are less high or wide: above or left, in the middle, or below "
                                "or right" },
    { .name = NULL }
};

static void join_append(const void *config, struct gf_joining *how)
{
    const struct append *a = config;

    *how = (struct gf_joining) { .kind = GF_JOINING_TILES, .columns = a->way == 1, .gap = a->gap,
                                 .align = a->align * 0.5, .background = a->background };
}

static const char *const append_examples[] = {
    "gpufilter -i photo.ppm -i scene.ppm append:x -o beside.png",
    "gpufilter -i photo.ppm -i chart.pgm append:y,gap=10,bg=white,align=center -o below.png",
    NULL
};

const struct gf_stage gf_stage_append = {
    .name = "append",
    .kind = GF_IMAGE,
    .group = GF_GROUP_COMBINE,
    .keeps_values = true,
    .joins = join_append,
    .summary = "put all images beside each other, or below each other",
    .text = "All images of all inputs become one image: append:x puts each at the right of the one before, append:y "
            "below it. Images keep their sizes; the rest of the area has the color bg=.\n\n"
            "Stages before append work on each image, those after it on the result.",
    .examples = append_examples,
    .options = append_options,
    .config_bytes = sizeof(struct append),
    .bind = bind,
};

/* ---- untile ---- */

struct untile {
    int64_t columns, overlap;
};

static const struct gf_option untile_options[] = {
    { .name = "columns", .type = GF_OPTION_INT, .offset = offsetof(struct untile, columns), .least = 1,
      .most = MOST_COLUMNS, .required = true, .text = "tiles beside each other" },
    { .name = "overlap", .type = GF_OPTION_INT, .offset = offsetof(struct untile, overlap), .least = 0,
      .most = MOST_GAP, .unit = "pixels", .key_only = true,
      .text = "pixels that each tile has beyond its own, on sides with a neighbor" },
    { .name = NULL }
};

static void join_untile(const void *config, struct gf_joining *how)
{
    const struct untile *u = config;

    *how = (struct gf_joining) { .kind = GF_JOINING_TILES, .columns = u->columns, .overlap = u->overlap,
                                 .must_match = true };
}

static const char *const untile_examples[] = {
    "gpufilter -i photo.ppm tile:256,overlap=16 -o 'parts/{y}-{x}.png' && gpufilter -i parts blur:4 -o soft/ && "
    "gpufilter -i soft untile:3,overlap=16 -o whole.png",
    NULL
};

const struct gf_stage gf_stage_untile = {
    .name = "untile",
    .kind = GF_IMAGE,
    .group = GF_GROUP_COMBINE,
    .keeps_values = true,
    .joins = join_untile,
    .summary = "join the tiles of an image again",
    .text = "All images of all inputs are tiles of one image, row by row: name them '{y}-{x}.png', not "
            "'{x}-{y}.png'. The tiles of a column must have the same "
            "width, and those of a row the same height; the last ones may be smaller. overlap= is that of tile: so "
            "many pixels are dropped at each side where a tile has a neighbor. It must be given, and be at least as "
            "large as the distance from which stages on tiles take pixels, such as 4 times SIGMA of blur.\n\n"
            "Stages before untile work on each tile, those after it on the whole image.",
    .examples = untile_examples,
    .options = untile_options,
    .config_bytes = sizeof(struct untile),
    .bind = bind,
};
