import { Type as t } from '@sinclair/typebox'

/** Amounts are stored in whole micro-dollars, so that sums are exact. */
const MICROS_PER_USD = 1_000_000
/** In dollars. Sums of such amounts stay exact in a double. */
const MAX_USD = 1_000_000

export const toMicros = (usd: number) => Math.round(usd * MICROS_PER_USD)
export const toUsd = (micros: number) => micros / MICROS_PER_USD

const format = new Intl.NumberFormat('en-US', {
  style: 'currency',
  currency: 'USD',
  maximumFractionDigits: 6,
})
/** For people, such as `$1,234.50`. */
export const usdText = (micros: number) => format.format(toUsd(micros))

export const CostUsd = t.Number({
  minimum: 0,
  maximum: MAX_USD,
  description: 'Total cost of the run so far, in US dollars; rounded to 6 decimals',
})
export const BudgetUsd = t.Union([t.Number({ minimum: 0.01, maximum: MAX_USD }), t.Null()], {
  description: 'US dollars that runs may cost in a calendar month (UTC); null: no limit',
})
export const Paused = t.Boolean({ description: 'True pauses, false resumes' })
