import { ANY_DAY_OF, DAYS, LEFT, RIGHT, SPELT } from './shapes.ts'

/** Text that looks like a date but is not supported. */
export interface Unclear {
  from: number
  to: number
  text: string
  reason: string
}

const re = String.raw

const ZONES =
  re`(?:(?:utc|gmt)(?:[+-]\d{1,2}(?::?\d{2})?)?|[cew]es?t|msk|bst|ist|jst|kst|[ceamp][sd]t|ak[sd]t|` +
  re`hst|sgt|hkt|a[ecw][sd]t|nz[sd]t|[cemp]t)`
/** Time zones that are ordinary words unless written in capitals. */
const WORDS = /(?<!\p{L})(?:[CEMPcemp]t|[Ww]es?t|[Ii]st)$/u

const KINDS = [
  {
    shape: re`(?:${DAYS.moment}|(?:by\s+)?${SPELT})\s*${ZONES}`,
    reason: 'times are always in your own time zone',
  },
  {
    shape: re`(?:at\s+|@\s?)\d{1,3}:\d{2}(?:\s?[ap]m)?|(?:at\s+)?\d{1,3}\s?[ap]m|\d{4}-\d{2}-\d{2}T\d\S*`,
    unless: new RegExp(`^(?:${SPELT}|${DAYS.moment})$`, 'iu'),
    reason: 'this time does not exist',
  },
  {
    shape: ANY_DAY_OF,
    reason: 'this date format is not supported; use 2026-12-24',
  },
].map(({ shape, ...rest }) => ({
  shape: new RegExp(LEFT + `(?:${shape})` + RIGHT, 'giu'),
  unless: WORDS,
  ...rest,
}))

export const findUnclear = (line: string): Unclear[] =>
  KINDS.flatMap(({ shape, unless, reason }) =>
    [...line.matchAll(shape)]
      .filter(({ 0: text }) => !unless.test(text))
      .map(({ 0: text, index }) => ({ text, reason, from: index, to: index + text.length })),
  )
