export type Rule = readonly [part: string, rule: string, proof: string]

/** Marks a rule that is not implemented yet. */
export const later = 'later'
