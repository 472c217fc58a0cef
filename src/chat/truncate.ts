import { estimateTokens } from '../kernel/token-budget.ts'

/** Truncates a text to at most this many tokens. */
export function truncateToTokens(text: string, tokens: number): string {
  const cost = estimateTokens(text)
  if (cost <= tokens) return text
  let length = Math.floor((text.length * tokens) / cost)
  let truncated = text.slice(0, length).toWellFormed()
  while (length > 0 && estimateTokens(truncated) > tokens - 2) {
    length = Math.floor(length * 0.9)
    truncated = text.slice(0, length).toWellFormed()
  }
  return `${truncated}…`
}
