/*
 * Sorting networks for medians of small squares, in two steps. Columns are sorted first; each
 * serves all the squares that contain it. Then the rows of a square of sorted columns are sorted as
 * far as needed; samples that are certainly below or above the median are skipped. Comparisons that
 * never matter for sorted columns were found by trying all patterns of zeros and ones, and are left
 * out.
 * S(a, b) puts the smaller into a and the larger into b; L(i) or L(row, column) is a sample.
 */
#ifndef GF_KERNELS_RANK_NETWORK_H
#define GF_KERNELS_RANK_NETWORK_H

#define GF_RANK_COLUMN_3(T, L, S) \
    T v0 = L(0), v1 = L(1), v2 = L(2); \
    S(v0, v1) S(v1, v2) S(v0, v1)

#define GF_RANK_COLUMN_5(T, L, S) \
    T v0 = L(0), v1 = L(1), v2 = L(2), v3 = L(3), v4 = L(4); \
    S(v0, v3) S(v1, v4) S(v0, v2) S(v1, v3) S(v0, v1) S(v2, v4) S(v1, v2) S(v3, v4) S(v2, v3)

#define GF_RANK_COLUMN_7(T, L, S) \
    T v0 = L(0), v1 = L(1), v2 = L(2), v3 = L(3), v4 = L(4), v5 = L(5), v6 = L(6); \
    S(v0, v6) S(v2, v3) S(v4, v5) S(v0, v2) S(v1, v4) S(v3, v6) S(v0, v1) S(v2, v5) S(v3, v4) S(v1, v2) \
    S(v4, v6) S(v2, v3) S(v4, v5) S(v1, v2) S(v3, v4) S(v5, v6)

#define GF_RANK_COLUMN_9(T, L, S) \
    T v0 = L(0), v1 = L(1), v2 = L(2), v3 = L(3), v4 = L(4), v5 = L(5), v6 = L(6), v7 = L(7), v8 = L(8); \
    S(v0, v3) S(v1, v7) S(v2, v5) S(v4, v8) S(v0, v7) S(v2, v4) S(v3, v8) S(v5, v6) S(v0, v2) S(v1, v3) \
    S(v4, v5) S(v7, v8) S(v1, v4) S(v3, v6) S(v5, v7) S(v0, v1) S(v2, v4) S(v3, v5) S(v6, v8) S(v2, v3) \
    S(v4, v5) S(v6, v7) S(v1, v2) S(v3, v4) S(v5, v6)

/* 12 smaller or larger ones; the median is v11. */
#define GF_RANK_SQUARE_3(T, L, S) \
    T v00 = L(0, 0), v01 = L(0, 1), v02 = L(0, 2), v10 = L(1, 0), v11 = L(1, 1), v12 = L(1, 2), v20 = L(2, 0), \
    v21 = L(2, 1), v22 = L(2, 2); \
    S(v00, v01) S(v01, v02) S(v21, v22) S(v20, v21) S(v10, v11) S(v11, v12) S(v10, v11) S(v02, v11) S(v11, v20) \
    S(v02, v11)
#define GF_RANK_MEDIAN_3 v11

/* 86 smaller or larger ones; the median is v13. */
#define GF_RANK_SQUARE_5(T, L, S) \
    T v00 = L(0, 0), v01 = L(0, 1), v02 = L(0, 2), v03 = L(0, 3), v04 = L(0, 4), v10 = L(1, 0), v11 = L(1, 1), \
    v12 = L(1, 2), v13 = L(1, 3), v14 = L(1, 4), v20 = L(2, 0), v21 = L(2, 1), v22 = L(2, 2), v23 = L(2, 3), \
    v24 = L(2, 4), v30 = L(3, 0), v31 = L(3, 1), v32 = L(3, 2), v33 = L(3, 3), v34 = L(3, 4), v40 = L(4, 0), \
    v41 = L(4, 1), v42 = L(4, 2), v43 = L(4, 3), v44 = L(4, 4); \
    S(v00, v03) S(v01, v04) S(v00, v01) S(v02, v04) S(v01, v02) S(v03, v04) S(v02, v03) S(v10, v13) S(v11, v14) \
    S(v11, v13) S(v10, v11) S(v12, v14) S(v11, v12) S(v13, v14) S(v12, v13) S(v20, v23) S(v21, v24) S(v20, v22) \
    S(v21, v23) S(v20, v21) S(v22, v24) S(v21, v22) S(v23, v24) S(v22, v23) S(v30, v33) S(v31, v34) S(v30, v32) \
    S(v31, v33) S(v30, v31) S(v32, v34) S(v31, v32) S(v32, v33) S(v40, v43) S(v41, v44) S(v40, v42) S(v41, v43) \
    S(v40, v41) S(v42, v44) S(v41, v42) S(v03, v31) S(v21, v04) S(v30, v13) S(v12, v40) S(v31, v14) S(v22, v31) \
    S(v13, v32) S(v40, v23) S(v22, v13) S(v04, v40) S(v13, v31) S(v40, v41) S(v22, v04) S(v13, v40) S(v04, v31) \
    S(v04, v13)
#define GF_RANK_MEDIAN_5 v13

/* 262 smaller or larger ones; the median is v51. */
#define GF_RANK_SQUARE_7(T, L, S) \
    T v00 = L(0, 0), v01 = L(0, 1), v02 = L(0, 2), v03 = L(0, 3), v04 = L(0, 4), v05 = L(0, 5), v06 = L(0, 6), \
    v10 = L(1, 0), v11 = L(1, 1), v12 = L(1, 2), v13 = L(1, 3), v14 = L(1, 4), v15 = L(1, 5), v16 = L(1, 6), \
    v20 = L(2, 0), v21 = L(2, 1), v22 = L(2, 2), v23 = L(2, 3), v24 = L(2, 4), v25 = L(2, 5), v26 = L(2, 6), \
    v30 = L(3, 0), v31 = L(3, 1), v32 = L(3, 2), v33 = L(3, 3), v34 = L(3, 4), v35 = L(3, 5), v36 = L(3, 6), \
    v40 = L(4, 0), v41 = L(4, 1), v42 = L(4, 2), v43 = L(4, 3), v44 = L(4, 4), v45 = L(4, 5), v46 = L(4, 6), \
    v50 = L(5, 0), v51 = L(5, 1), v52 = L(5, 2), v53 = L(5, 3), v54 = L(5, 4), v55 = L(5, 5), v56 = L(5, 6), \
    v60 = L(6, 0), v61 = L(6, 1), v62 = L(6, 2), v63 = L(6, 3), v64 = L(6, 4), v65 = L(6, 5), v66 = L(6, 6); \
    S(v00, v06) S(v02, v03) S(v04, v05) S(v00, v02) S(v01, v04) S(v03, v06) S(v02, v05) S(v03, v04) S(v01, v02) \
    S(v04, v06) S(v02, v03) S(v04, v05) S(v03, v04) S(v05, v06) S(v10, v16) S(v12, v13) S(v14, v15) S(v10, v12) \
    S(v11, v14) S(v13, v16) S(v10, v11) S(v12, v15) S(v13, v14) S(v11, v12) S(v14, v16) S(v12, v13) S(v14, v15) \
    S(v13, v14) S(v15, v16) S(v20, v26) S(v22, v23) S(v24, v25) S(v20, v22) S(v21, v24) S(v23, v26) S(v20, v21) \
    S(v22, v25) S(v23, v24) S(v21, v22) S(v24, v26) S(v22, v23) S(v24, v25) S(v21, v22) S(v23, v24) S(v25, v26) \
    S(v30, v36) S(v32, v33) S(v34, v35) S(v30, v32) S(v31, v34) S(v33, v36) S(v30, v31) S(v32, v35) S(v33, v34) \
    S(v31, v32) S(v34, v36) S(v32, v33) S(v34, v35) S(v31, v32) S(v33, v34) S(v35, v36) S(v40, v46) S(v42, v43) \
    S(v44, v45) S(v40, v42) S(v41, v44) S(v43, v46) S(v40, v41) S(v42, v45) S(v43, v44) S(v41, v42) S(v44, v46) \
    S(v42, v43) S(v44, v45) S(v41, v42) S(v43, v44) S(v50, v56) S(v52, v53) S(v54, v55) S(v50, v52) S(v51, v54) \
    S(v53, v56) S(v50, v51) S(v52, v55) S(v53, v54) S(v51, v52) S(v54, v56) S(v52, v53) S(v54, v55) S(v51, v52) \
    S(v53, v54) S(v60, v66) S(v62, v63) S(v64, v65) S(v60, v62) S(v61, v64) S(v63, v66) S(v60, v61) S(v62, v65) \
    S(v63, v64) S(v61, v62) S(v62, v63) S(v61, v62) S(v05, v42) S(v50, v33) S(v31, v25) S(v60, v52) S(v04, v22) \
    S(v05, v14) S(v50, v23) S(v60, v15) S(v13, v51) S(v06, v32) S(v16, v43) S(v24, v62) S(v33, v35) S(v25, v44) \
    S(v22, v16) S(v41, v24) S(v14, v42) S(v61, v25) S(v15, v52) S(v51, v34) S(v32, v26) S(v40, v60) S(v14, v51) \
    S(v23, v32) S(v24, v52) S(v42, v34) S(v33, v26) S(v60, v24) S(v51, v53) S(v60, v41) S(v06, v23) S(v61, v16) \
    S(v15, v24) S(v51, v42) S(v32, v33) S(v22, v14) S(v41, v23) S(v61, v51) S(v15, v32) S(v16, v42) S(v24, v33) \
    S(v23, v24) S(v14, v61) S(v23, v15) S(v51, v16) S(v32, v24) S(v61, v15) S(v51, v32) S(v16, v24) S(v23, v51) \
    S(v15, v16) S(v15, v51)
#define GF_RANK_MEDIAN_7 v51

/* 568 smaller or larger ones; the median is v43. */
#define GF_RANK_SQUARE_9(T, L, S) \
    T v00 = L(0, 0), v01 = L(0, 1), v02 = L(0, 2), v03 = L(0, 3), v04 = L(0, 4), v05 = L(0, 5), v06 = L(0, 6), \
    v07 = L(0, 7), v08 = L(0, 8), v10 = L(1, 0), v11 = L(1, 1), v12 = L(1, 2), v13 = L(1, 3), v14 = L(1, 4), \
    v15 = L(1, 5), v16 = L(1, 6), v17 = L(1, 7), v18 = L(1, 8), v20 = L(2, 0), v21 = L(2, 1), v22 = L(2, 2), \
    v23 = L(2, 3), v24 = L(2, 4), v25 = L(2, 5), v26 = L(2, 6), v27 = L(2, 7), v28 = L(2, 8), v30 = L(3, 0), \
    v31 = L(3, 1), v32 = L(3, 2), v33 = L(3, 3), v34 = L(3, 4), v35 = L(3, 5), v36 = L(3, 6), v37 = L(3, 7), \
    v38 = L(3, 8), v40 = L(4, 0), v41 = L(4, 1), v42 = L(4, 2), v43 = L(4, 3), v44 = L(4, 4), v45 = L(4, 5), \
    v46 = L(4, 6), v47 = L(4, 7), v48 = L(4, 8), v50 = L(5, 0), v51 = L(5, 1), v52 = L(5, 2), v53 = L(5, 3), \
    v54 = L(5, 4), v55 = L(5, 5), v56 = L(5, 6), v57 = L(5, 7), v58 = L(5, 8), v60 = L(6, 0), v61 = L(6, 1), \
    v62 = L(6, 2), v63 = L(6, 3), v64 = L(6, 4), v65 = L(6, 5), v66 = L(6, 6), v67 = L(6, 7), v68 = L(6, 8), \
    v70 = L(7, 0), v71 = L(7, 1), v72 = L(7, 2), v73 = L(7, 3), v74 = L(7, 4), v75 = L(7, 5), v76 = L(7, 6), \
    v77 = L(7, 7), v78 = L(7, 8), v80 = L(8, 0), v81 = L(8, 1), v82 = L(8, 2), v83 = L(8, 3), v84 = L(8, 4), \
    v85 = L(8, 5), v86 = L(8, 6), v87 = L(8, 7), v88 = L(8, 8); \
    S(v00, v03) S(v01, v07) S(v02, v05) S(v04, v08) S(v00, v07) S(v02, v04) S(v03, v08) S(v05, v06) S(v00, v02) \
    S(v01, v03) S(v04, v05) S(v07, v08) S(v01, v04) S(v03, v06) S(v05, v07) S(v02, v04) S(v03, v05) S(v06, v08) \
    S(v04, v05) S(v06, v07) S(v05, v06) S(v10, v13) S(v11, v17) S(v12, v15) S(v14, v18) S(v10, v17) S(v12, v14) \
    S(v13, v18) S(v15, v16) S(v10, v12) S(v11, v13) S(v14, v15) S(v17, v18) S(v11, v14) S(v13, v16) S(v15, v17) \
    S(v12, v14) S(v13, v15) S(v16, v18) S(v12, v13) S(v14, v15) S(v16, v17) S(v13, v14) S(v15, v16) S(v20, v23) \
    S(v21, v27) S(v22, v25) S(v24, v28) S(v20, v27) S(v22, v24) S(v23, v28) S(v25, v26) S(v20, v22) S(v21, v23) \
    S(v24, v25) S(v27, v28) S(v21, v24) S(v23, v26) S(v25, v27) S(v22, v24) S(v23, v25) S(v26, v28) S(v22, v23) \
    S(v24, v25) S(v26, v27) S(v23, v24) S(v25, v26) S(v30, v33) S(v31, v37) S(v32, v35) S(v34, v38) S(v30, v37) \
    S(v32, v34) S(v33, v38) S(v35, v36) S(v30, v32) S(v31, v33) S(v34, v35) S(v37, v38) S(v31, v34) S(v33, v36) \
    S(v35, v37) S(v32, v34) S(v33, v35) S(v36, v38) S(v32, v33) S(v34, v35) S(v36, v37) S(v33, v34) S(v35, v36) \
    S(v40, v43) S(v41, v47) S(v42, v45) S(v44, v48) S(v40, v47) S(v42, v44) S(v43, v48) S(v45, v46) S(v40, v42) \
    S(v41, v43) S(v44, v45) S(v47, v48) S(v41, v44) S(v43, v46) S(v45, v47) S(v40, v41) S(v42, v44) S(v43, v45) \
    S(v46, v48) S(v42, v43) S(v44, v45) S(v46, v47) S(v41, v42) S(v43, v44) S(v45, v46) S(v50, v53) S(v51, v57) \
    S(v52, v55) S(v54, v58) S(v50, v57) S(v52, v54) S(v53, v58) S(v55, v56) S(v50, v52) S(v51, v53) S(v54, v55) \
    S(v57, v58) S(v51, v54) S(v53, v56) S(v55, v57) S(v50, v51) S(v52, v54) S(v53, v55) S(v56, v58) S(v52, v53) \
    S(v54, v55) S(v56, v57) S(v51, v52) S(v53, v54) S(v55, v56) S(v60, v63) S(v61, v67) S(v62, v65) S(v64, v68) \
    S(v60, v67) S(v62, v64) S(v63, v68) S(v65, v66) S(v60, v62) S(v61, v63) S(v64, v65) S(v67, v68) S(v61, v64) \
    S(v63, v66) S(v65, v67) S(v60, v61) S(v62, v64) S(v63, v65) S(v62, v63) S(v64, v65) S(v61, v62) S(v63, v64) \
    S(v70, v73) S(v71, v77) S(v72, v75) S(v74, v78) S(v70, v77) S(v72, v74) S(v73, v78) S(v75, v76) S(v70, v72) \
    S(v71, v73) S(v74, v75) S(v77, v78) S(v71, v74) S(v73, v76) S(v75, v77) S(v70, v71) S(v72, v74) S(v73, v75) \
    S(v72, v73) S(v74, v75) S(v71, v72) S(v73, v74) S(v80, v83) S(v81, v87) S(v82, v85) S(v84, v88) S(v80, v87) \
    S(v82, v84) S(v83, v88) S(v85, v86) S(v80, v82) S(v81, v83) S(v84, v85) S(v87, v88) S(v81, v84) S(v83, v86) \
    S(v85, v87) S(v80, v81) S(v82, v84) S(v83, v85) S(v82, v83) S(v84, v85) S(v81, v82) S(v83, v84) S(v60, v36) \
    S(v06, v45) S(v70, v54) S(v80, v37) S(v05, v33) S(v50, v17) S(v07, v52) S(v08, v25) S(v80, v43) S(v15, v62) \
    S(v41, v34) S(v51, v27) S(v16, v44) S(v17, v82) S(v71, v36) S(v52, v63) S(v18, v45) S(v25, v73) S(v62, v83) \
    S(v27, v64) S(v60, v14) S(v07, v51) S(v06, v61) S(v70, v16) S(v08, v42) S(v80, v24) S(v33, v62) S(v17, v34) \
    S(v71, v26) S(v52, v27) S(v18, v72) S(v81, v44) S(v25, v53) S(v43, v35) S(v28, v83) S(v82, v38) S(v36, v46) \
    S(v45, v55) S(v54, v47) S(v73, v74) S(v15, v33) S(v14, v71) S(v61, v18) S(v16, v81) S(v42, v25) S(v24, v43) \
    S(v62, v28) S(v34, v82) S(v26, v36) S(v27, v63) S(v44, v54) S(v35, v37) S(v14, v42) S(v51, v24) S(v33, v18) \
    S(v17, v81) S(v71, v25) S(v52, v43) S(v62, v72) S(v34, v44) S(v26, v53) S(v27, v35) S(v28, v45) S(v82, v54) \
    S(v36, v73) S(v63, v37) S(v61, v62) S(v16, v34) S(v42, v26) S(v24, v27) S(v18, v28) S(v81, v82) S(v25, v36) \
    S(v43, v63) S(v53, v46) S(v61, v33) S(v16, v17) S(v42, v71) S(v24, v52) S(v18, v62) S(v81, v34) S(v25, v26) \
    S(v43, v27) S(v72, v28) S(v44, v82) S(v53, v36) S(v35, v63) S(v16, v24) S(v33, v71) S(v17, v52) S(v18, v25) \
    S(v81, v43) S(v62, v26) S(v34, v27) S(v72, v53) S(v44, v35) S(v24, v81) S(v71, v62) S(v52, v34) S(v25, v72) \
    S(v43, v44) S(v71, v18) S(v52, v81) S(v25, v62) S(v43, v34) S(v26, v72) S(v27, v44) S(v71, v52) S(v18, v81) \
    S(v25, v43) S(v62, v34) S(v26, v27) S(v72, v44) S(v52, v26) S(v81, v72) S(v81, v62) S(v43, v26) S(v43, v62)
#define GF_RANK_MEDIAN_9 v43

#endif
