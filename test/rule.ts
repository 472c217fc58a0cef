export type Rule = readonly [part: string, rule: string, proof: string]

/** What is not built yet. */
export const later = 'later'
