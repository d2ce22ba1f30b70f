/*
 * Measured costs: tables of light operations for each sample, by the parameter that matters most.
 * tests/bench/costs.py measures them, and prints the rows.
 */
#ifndef GF_KERNELS_COST_H
#define GF_KERNELS_COST_H

#ifdef __cplusplus
extern "C" {
#endif

/* The cost at one value of the parameter. */
struct gf_cost_row {
    double at, light;
};

/*
 * Returns the light operations at `at`, on the line between its neighbors in a table that is sorted by `at`. After the
 * last row, the line of the last two goes on; before the first row, the first counts.
 */
static inline double gf_cost_light(const struct gf_cost_row *row, int rows, double at)
{
    int k = 1;

    while (k < rows - 1 && at > row[k].at)
        k++;
    if (at <= row[0].at)
        return row[0].light;
    return row[k - 1].light + (row[k].light - row[k - 1].light) * (at - row[k - 1].at) / (row[k].at - row[k - 1].at);
}

#define GF_COST_LIGHT(table, at) gf_cost_light(table, (int)(sizeof(table) / sizeof *(table)), at)

#ifdef __cplusplus
}
#endif
#endif
