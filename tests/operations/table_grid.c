/* Look-ups in a grid of tables give the same bits for many rows together as for each row alone. */
#include <string.h>

#include "kernels/pixel/table_grid.h"
#include "tests/tap.h"

#define WIDTH 1500
#define ROWS 90
#define MOST 4
#define BINS 256

static uint8_t from[WIDTH * ROWS * MOST];
static float together[MOST][WIDTH * ROWS], alone[MOST][WIDTH * ROWS], tables[64 * BINS];
static uint32_t state = 5;

static uint32_t draw(uint32_t below)
{
    state = state * 1664525u + 1013904223u;
    return (state >> 8) % below;
}

static void run(const struct gf_table_grid *l, int channels, float *to, struct gf_span rows)
{
    struct gf_format f = { .kind = GF_IMAGE, .type = GF_U8, .bits = 8, .maxval = 255, .channels = channels,
                           .width = WIDTH, .units = ROWS };
    const struct gf_work work = { .tables = tables };
    const struct gf_span all = { 0, ROWS };
    struct gf_io io = { .src = gf_block_packed(from, &f, all), .src_units = ROWS };

    f.type = GF_F32;
    io.dst = gf_block_planar(to, &f, all, WIDTH, ROWS);
    io.dst = gf_block_part(&io.dst, rows);
    (void)gf_table_grid_cpu(&work, &io, l, &gf_said);
}

/* A row alone has too few pixels for tables that are rearranged, so it shows what these must equal. */
static void try(int channels, int across, int down)
{
    const struct gf_table_grid l = { .table = 3, .bins = BINS, .across = across, .down = down,
                                     .per_column = (float)across / WIDTH, .per_row = (float)down / ROWS,
                                     .colours = channels >= 3 ? 3 : 1 };
    int different = 0;

    memset(together, 0, sizeof together);
    memset(alone, 1, sizeof alone);
    run(&l, channels, together[0], (struct gf_span) { 0, ROWS });
    for (int y = 0; y < ROWS; y++)
        run(&l, channels, alone[0], (struct gf_span) { y, y + 1 });
    for (int c = 0; c < channels; c++)
        for (int i = 0; i < WIDTH * ROWS; i++)
            different += memcmp(&together[c][i], &alone[c][i], sizeof(float)) != 0;
    gf_is(different, 0, "%d channels, %d by %d tables: rows together and alone", channels, across, down);
}

int main(void)
{
    for (size_t i = 0; i < sizeof from; i++)
        from[i] = (uint8_t)draw(256);
    for (int i = 0; i < 64 * BINS; i++)
        tables[i] = (float)draw(1 << 20) / (1 << 20) - .5f;
    for (int channels = 1; channels <= MOST; channels++) {
        try(channels, 1, 1);
        try(channels, 2, 3);
        try(channels, 8, 7);
        try(channels, 60, 1);
    }
    return gf_tap_end();
}
