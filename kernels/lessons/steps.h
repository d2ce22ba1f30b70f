/* The functions of all lessons on a GPU. In a program without CUDA each returns an error. */
#ifndef GF_LESSONS_STEPS_H
#define GF_LESSONS_STEPS_H

#include "kernels/lessons/lesson.h"

#ifdef __cplusplus
extern "C" {
#endif

#define GF_LESSON_STEPS(X) \
    X(atomics_memory) X(atomics_warps) X(atomics_shared) X(atomics_registers) X(atomics_tell) \
    X(coalesce_structs) X(coalesce_shifted) X(coalesce_writes) X(coalesce_staged) X(coalesce_arrays) \
    X(coalesce_tell) \
    X(divergence_branch) X(divergence_both) X(divergence_numbers) X(divergence_sorted) X(divergence_loops) \
    X(divergence_sorted_loops) \
    X(divergence_tell) \
    X(errors_unchecked) X(errors_read) X(errors_asked) X(errors_some) X(errors_waited) X(errors_make) X(errors_tell) \
    X(first_thread) X(first_block) X(first_blocks) X(first_stride) X(first_square) X(first_wide) X(first_copies) \
    X(first_copy) X(first_whole) X(first_slices) X(first_tell) \
    X(grid_launches) X(grid_hand) X(grid_groups) X(grid_block) \
    X(halo_plain) X(halo_constant) X(halo_inner) X(halo_tiled) X(halo_cached) X(halo_separable) X(halo_several) \
    X(histogram_parts) X(histogram_interleaved) X(histogram_by_block) X(histogram_near_parts) X(histogram_near) \
    X(histogram_wide) X(histogram_by_warp) X(histogram_runs) X(histogram_half) X(histogram_tell) \
    X(host_memory_open) X(host_memory_close) X(host_memory_tell) X(host_memory_up_pageable) X(host_memory_up_pinned) \
    X(host_memory_down_pageable) X(host_memory_down_pinned) X(host_memory_both) X(host_memory_pageable) \
    X(host_memory_pinned) X(host_memory_pinned_each) X(host_memory_mapped) \
    X(instructions_rolled) X(instructions_unrolled) X(instructions_pointers) X(instructions_restrict) \
    X(instructions_double) X(instructions_words) \
    X(instructions_division) X(instructions_fast_division) X(instructions_sine) X(instructions_fast_sine) \
    X(interop_open) X(interop_bind) X(interop_close) X(interop_tell) X(interop_host) X(interop_copy) \
    X(interop_surface) X(interop_vertices) \
    X(ladder_open) X(ladder_registers) X(ladder_shared) X(ladder_loads) X(ladder_second) X(ladder_tell) \
    X(launch_open) X(launch_bind) X(launch_close) X(launch_tell) X(launch_waited) X(launch_stream) \
    X(launch_returned) X(launch_early) X(launch_graph) X(launch_graph_early) X(launch_nested) X(launch_recursive) \
    X(launch_one) \
    X(loads_1) X(loads_4) X(loads_8) X(loads_16) X(loads_several) X(loads_wide_several) X(loads_tell) \
    X(managed_open) X(managed_close) X(managed_tell) X(managed_copies) X(managed_faults) X(managed_prefetch) \
    X(managed_advice) \
    X(mask_open) X(mask_close) X(mask_global) X(mask_ldg) X(mask_shared) X(mask_constant) X(mask_parameter) \
    X(mask_texture) X(mask_tell) \
    X(matmul_open) X(matmul_bind) X(matmul_close) X(matmul_tell) X(matmul_naive) X(matmul_tiled_8) X(matmul_tiled_16) \
    X(matmul_tiled) X(matmul_rectangular) X(matmul_registers) \
    X(matmul_wide) X(matmul_tensor_waiting) X(matmul_tensor) X(matmul_cublas) X(matmul_cublas_tf32) \
    X(matmul_cublas_bf16) \
    X(mipmap_open) X(mipmap_bind) X(mipmap_close) X(mipmap_one) X(mipmap_all) X(mipmap_built) X(mipmap_ready) \
    X(occupancy_open) X(occupancy_tell) X(occupancy_one) X(occupancy_one_quarter) X(occupancy_eight) \
    X(occupancy_eight_quarter) X(occupancy_many) X(occupancy_many_capped) \
    X(reduce_divergent) X(reduce_gaps) X(reduce_contiguous) X(reduce_two) X(reduce_shuffles) X(reduce_several) \
    X(reduce_cub) X(reduce_thrust) \
    X(scan_steps) X(scan_work) X(scan_padded) X(scan_chained) X(scan_totals) X(scan_exclusive) X(scan_segmented) \
    X(scan_cub) X(scan_thrust) \
    X(sort_one) X(sort_four) X(sort_eight) X(sort_runs) X(sort_cub) X(sort_thrust) \
    X(stencil_plain) X(stencil_shared) X(stencil_registers) \
    X(streams_open) X(streams_close) X(streams_copies) X(streams_one) X(streams_depth) X(streams_breadth) \
    X(streams_callbacks) X(streams_tell) X(streams_queue) \
    X(texture_open) X(texture_bind) X(texture_close) X(texture_hand) X(texture_pitched) X(texture_array) \
    X(texture_hand_wrapped) X(texture_array_wrapped) X(texture_array_mirrored) X(texture_array_bordered) \
    X(texture_tell) \
    X(transpose_writes) X(transpose_reads) X(transpose_tile) X(transpose_padded) X(transpose_swizzled) \
    X(vector_samples) X(vector_stride) X(vector_wide) X(vector_pageable) X(vector_pinned) \
    X(wrong_atomics) X(wrong_blocks) X(wrong_warps) X(wrong_tell) \
    X(warps_sum_shared) X(warps_sum_shuffles) X(warps_sum_instruction) X(warps_sum_group) X(warps_rank_shared) \
    X(warps_rank_shuffles) X(warps_rank_ballot) X(warps_rank_group) X(warps_equal_shared) X(warps_equal_ballots) \
    X(warps_equal_match)

#define GF_LESSON_DECLARE(name) gf_lesson_run gf_lesson_##name;
GF_LESSON_STEPS(GF_LESSON_DECLARE)

/*
 * The bytes that scratch needs for CUB. A sum needs little, a scan a state for each tile of more than 512
 * values, a sort another array of keys and a count of each digit for each tile of more than 1024 keys. The
 * steps ask CUB itself before they begin.
 */
static inline size_t gf_lesson_sum_room(void) { return (size_t)1 << 20; }
static inline size_t gf_lesson_scan_room(int64_t count) { return (size_t)count / 16 + ((size_t)1 << 20); }
static inline size_t gf_lesson_sort_room(int64_t count) { return (size_t)count * 5 + ((size_t)4 << 20); }

#ifdef __cplusplus
}
#endif
#endif
