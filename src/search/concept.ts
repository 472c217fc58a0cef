export interface Weighted {
  term: number
  weight: number
}

/** One thing that is asked for: of the terms that may say it, the one that says it best counts. */
export interface Concept {
  terms: Weighted[]
  weight: number
}
