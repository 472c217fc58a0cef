import { costOf } from '../kernel/bounds.ts'

/** The beginning of a text that costs a model no more than so many tokens. */
export function within(text: string, tokens: number): string {
  const cost = costOf(text)
  if (cost <= tokens) return text
  let length = Math.floor((text.length * tokens) / cost)
  let kept = text.slice(0, length).toWellFormed()
  while (length > 0 && costOf(kept) > tokens - 2) {
    length = Math.floor(length * 0.9)
    kept = text.slice(0, length).toWellFormed()
  }
  return `${kept}…`
}
