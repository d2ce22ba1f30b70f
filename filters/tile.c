/* tile: write the image as many files. */
#include "chain/stage.h"

#include <math.h>

#define MOST_SIDE 1000000000

struct tile {
    int64_t width, height, overlap;
};

static const struct gf_option options[] = {
    { .name = "width", .type = GF_OPTION_INT, .offset = offsetof(struct tile, width), .least = 1, .most = MOST_SIDE,
      .required = true, .unit = "pixels", .joined = true, .text = "width of a tile, without its overlap" },
    { .name = "height", .type = GF_OPTION_INT, .offset = offsetof(struct tile, height), .least = 1, .most = MOST_SIDE,
      .by_default = NAN, .unit = "pixels", .text = "height of a tile; by default its width" },
    { .name = "overlap", .type = GF_OPTION_INT, .offset = offsetof(struct tile, overlap), .least = 0,
      .most = MOST_SIDE / 2, .unit = "pixels", .key_only = true,
      .text = "further pixels on each side that has a neighbor, at most half of the width and of the height" },
    { .name = NULL }
};

static int bind(const void *config, const struct gf_format *in, struct gf_build *build, struct gf_error *err)
{
    const struct tile *t = config;
    const struct gf_tiling tiling = { t->width, t->height >= 0 ? t->height : t->width, t->overlap };
    const int64_t most = (tiling.width < tiling.height ? tiling.width : tiling.height) / 2;

    (void)in;
    if (t->overlap > most)
        return gf_fail(err, GF_MISUSED, "tile: overlap=%lld: must be 0 to %lld for tiles of %lldx%lld",
                       (long long)t->overlap, (long long)most, (long long)tiling.width, (long long)tiling.height);
    gf_build_set_tiling(build, &tiling);
    return 0;
}

static const char *const examples[] = {
    "gpufilter -i photo.ppm gray tile:256x256,overlap=16 -o 'part-{y}-{x}.png'",
    "gpufilter -i photo.ppm tile:200 -o 'tiles/{y:2}/{x:2}.jpg'",
    "gpufilter -i photo.ppm -i chart.pgm tile:320x100 -o '{stem}-{n:3}.png'",
    NULL
};

const struct gf_stage gf_stage_tile = {
    .name = "tile",
    .kind = GF_IMAGE,
    .group = GF_GROUP_GEOMETRY,
    .ends = GF_ENDS_TILES,
    .keeps_values = true,
    .wants_length = true,
    .summary = "divide the image into many files",
    .text = "tile is the last stage of a chain. tile:256 is tile:256x256. The name of the output has "
            "fields for the place of a tile:\n\n"
            "    {x}  column of the tile, from 0, left to right\n"
            "    {y}  row of the tile, from 0, top to bottom\n"
            "    {n}  number of the tile, from 1, row by row\n\n"
            "{x:3} means three digits, and so on. Use {x} and {y}, or {n} alone. {n} alone counts through the images "
            "of an input, such as the pages of a TIFF. Beside {x} and {y}, {n} is the number of the image or, of "
            "several inputs, of the input. Folders in the name are created.\n\n"
            "Tile {x}, {y} begins at column x·WIDTH and row y·HEIGHT. The last column and row of tiles have what is "
            "left, so these tiles may be smaller. With an overlap of N, each tile has N more columns or rows of the "
            "image on each side that has a neighbor, or fewer if the image ends before:\n\n"
            "    columns  max(0, x·WIDTH - N)   to  min(image width, (x + 1)·WIDTH + N)\n"
            "    rows     max(0, y·HEIGHT - N)  to  min(image height, (y + 1)·HEIGHT + N)\n\n"
            "A filter that looks at most N pixels far, such as median with a radius of N, can then work on each "
            "tile. If the overlap is cut off again, so that the pixels from x·WIDTH and y·HEIGHT on remain, at most "
            "WIDTH by HEIGHT, the tiles together are the filtered image. The stage untile does that.\n\n"
            "The image is not kept in memory: the files of one row of tiles are open at a time, with an overlap of two "
            "rows. If that is more than ulimit -n allows, it is an error before anything is written. Several "
            "inputs at a time need as many files each; -j 1 needs fewest.\n\n"
            "A tile appears complete or not at all. The tiles of a row appear when the row is complete, those of the "
            "last row when the image is. If the run fails or is interrupted later, the tiles of complete rows stay; "
            "--strict only keeps back the last row. With --update, an input is skipped if all its tiles exist and "
            "are not older. With --no-clobber, a tile that exists is an error; in a batch, an input whose tiles all "
            "exist is skipped.\n\n"
            "Metadata is that of a part of the image, as after crop: profiles and texts stay. A tile has the face "
            "regions that it shows, and a warning says so if the first tile lacks some. Tiles of video are written "
            "as images, not as Y4M.",
    .examples = examples,
    .options = options,
    .config_bytes = sizeof(struct tile),
    .bind = bind,
};
