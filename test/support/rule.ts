export type Rule = readonly [part: string, rule: string, proof: string]
