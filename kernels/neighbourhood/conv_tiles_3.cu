/* Convolution on tiles of three channels. */
#include "kernels/neighbourhood/conv_block_tiles.cuh"

int gf_conv_tiles_3(const struct gf_work *work, const struct gf_io *io, const struct conv_task *t,
                    struct gf_error *err)
{
    return launch_tiles<3>(work, io, t, err);
}
