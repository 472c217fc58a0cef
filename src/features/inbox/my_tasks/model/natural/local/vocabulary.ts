/** A pattern of a language, and what it means in English. */
export type Phrase = readonly [pattern: string, english: string]

/** The words with which a language writes dates, times and repeats. */
export interface Vocabulary {
  /** Words before a day, such as `am`. */
  lead: string
  days: readonly Phrase[]
  /** From Monday on. */
  weekdays: readonly string[]
  next: { before?: string; after?: string }
  /** From January on. */
  months: readonly string[]
  /** A day with its month, where $M stands for the month. */
  date: string
  within: string
  units: readonly Phrase[]
  /** A time with the groups h and m. */
  time: string
  parts: readonly Phrase[]
  repeats: readonly Phrase[]
  every: string
}
