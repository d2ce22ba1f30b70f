/* The steps that call CUB: how much memory they have. */
#ifndef GF_LESSONS_LIBRARIES_H
#define GF_LESSONS_LIBRARIES_H

#include <stddef.h>
#include <stdint.h>

/*
 * The bytes that scratch needs for CUB. A sum needs little, a scan a state for each tile of more than 512
 * values, a sort another array of keys and a count of each digit for each tile of more than 1024 keys. The
 * steps ask CUB itself before they begin.
 */
static inline size_t gf_lesson_sum_room(void) { return (size_t)1 << 20; }
static inline size_t gf_lesson_scan_room(int64_t count) { return (size_t)count / 16 + ((size_t)1 << 20); }
static inline size_t gf_lesson_sort_room(int64_t count) { return (size_t)count * 5 + ((size_t)4 << 20); }

#endif
