/* The functions of all lessons on a GPU. In a program without CUDA each returns an error. */
#ifndef GF_LESSONS_STEPS_H
#define GF_LESSONS_STEPS_H

#include "kernels/lessons/lesson.h"

#ifdef __cplusplus
extern "C" {
#endif

#define GF_LESSON_STEPS(X) \
    X(errors_unchecked) X(errors_read) X(errors_asked) X(errors_some) X(errors_waited) X(errors_make) X(errors_tell) \
    X(histogram_parts) X(histogram_interleaved) X(histogram_private) \
    X(host_memory_open) X(host_memory_close) X(host_memory_tell) X(host_memory_up_pageable) X(host_memory_up_pinned) \
    X(host_memory_down_pageable) X(host_memory_down_pinned) X(host_memory_both) X(host_memory_pageable) \
    X(host_memory_pinned) X(host_memory_pinned_each) X(host_memory_mapped) \
    X(interop_open) X(interop_bind) X(interop_close) X(interop_tell) \
    X(interop_host) X(interop_copy) X(interop_surface) \
    X(launch_open) X(launch_bind) X(launch_close) X(launch_tell) \
    X(launch_waited) X(launch_stream) X(launch_returned) X(launch_early) X(launch_graph) X(launch_graph_early) \
    X(launch_nested) X(launch_one) \
    X(managed_open) X(managed_close) X(managed_tell) \
    X(managed_copies) X(managed_faults) X(managed_prefetch) X(managed_advice) \
    X(reduce_divergent) X(reduce_contiguous) X(reduce_shuffles) X(reduce_several) \
    X(scan_steps) X(scan_work) X(scan_chained) \
    X(stencil_plain) X(stencil_shared) \
    X(streams_open) X(streams_close) X(streams_copies) X(streams_one) X(streams_depth) X(streams_breadth) \
    X(vector_samples) X(vector_stride) X(vector_wide) X(vector_pageable) X(vector_pinned)

#define GF_LESSON_DECLARE(name) gf_lesson_run gf_lesson_##name;
GF_LESSON_STEPS(GF_LESSON_DECLARE)

#ifdef __cplusplus
}
#endif
#endif
