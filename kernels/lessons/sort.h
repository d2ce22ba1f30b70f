/* The lesson on sorting: what plain C and the kernels share. */
#ifndef GF_LESSONS_SORT_H
#define GF_LESSONS_SORT_H

#define GF_LESSON_SORT_TILE 8192         /* keys of a block */
#define GF_LESSON_SORT_DIGITS 256        /* at most */

#endif
