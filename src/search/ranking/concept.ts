export interface WeightedTerm {
  term: number
  weight: number
}

/** A concept of a question with its alternative terms. Only the best matching term counts. */
export interface Concept {
  terms: WeightedTerm[]
  weight: number
}
