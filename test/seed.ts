/** Every random choice of a test derives from this number: with the same one a test does the same. */
export const seed = Number(process.env.CORK_TEST_SEED ?? 1)

/** Which sample of a long suite runs; `npm test` always names the same one. */
export const sample = Number(process.env.CORK_TEST_SAMPLE ?? 0)
