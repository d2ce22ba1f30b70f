/* Convolution on tiles of one channel. */
#include "kernels/neighbourhood/conv_block_tiles.cuh"

int gf_conv_tiles_1(const struct gf_work *work, const struct gf_io *io, const struct conv_task *t,
                    struct gf_error *err)
{
    return launch_tiles<1>(work, io, t, err);
}
