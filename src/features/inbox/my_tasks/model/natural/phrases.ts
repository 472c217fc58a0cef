import { type Rule, readRule, WEEKDAYS } from '../../../../../kernel/recurrence/rule.ts'
import { countOf } from './days.ts'
import { OTHER_RULES, RANKS } from './shapes.ts'

/** What a repeat phrase says, without its ending. */
interface Phrase {
  rule: Rule
  /** The only weekday or day of the month in the phrase: `monday`, `the 1st`. */
  weekday?: string | undefined
  nth?: string | undefined
}

const UNIT_RULES: Record<string, string> = {
  day: 'FREQ=DAILY',
  week: 'FREQ=WEEKLY',
  month: 'FREQ=MONTHLY',
  quarter: 'FREQ=MONTHLY;INTERVAL=3',
  year: 'FREQ=YEARLY',
}
const MAX_INTERVAL = 999
const BETWEEN_DAYS = /[\s,&/]+(?:and\s+)?/i

/** Reads the named groups of a match; undefined if no rule has such numbers. */
export function readPhrase(groups: Record<string, string | undefined>): Phrase | undefined {
  const { interval, unit, weekdays, dates, rank, rankday = '', last, ...named } = groups
  const name = Object.keys(named).find((one) => named[one])
  if (name) return { rule: readRule(OTHER_RULES[name] ?? name) }
  const base = readRule(UNIT_RULES[unit?.toLowerCase() ?? (weekdays ? 'week' : 'month')]!)
  const days = weekdays?.split(BETWEEN_DAYS) ?? []
  const numbers = dates?.match(/\d+|first/gi) ?? []
  const nth = rank === undefined ? 0 : rankOf(rank.toLowerCase())
  const count = base.interval * (interval === undefined ? 1 : intervalOf(interval.toLowerCase()))
  if (count < 1 || count > MAX_INTERVAL || nth > RANKS.length) return undefined
  return {
    rule: {
      ...base,
      interval: count,
      weekdays: (nth ? [rankday] : days).map((day) => ({ weekday: numberOf(day), nth })),
      monthDays: last ? [-1] : numbers.map((number) => Number.parseInt(number, 10) || 1),
    },
    weekday: days.length === 1 ? days[0] : undefined,
    nth: numbers.length === 1 ? `the ${dates}` : undefined,
  }
}

const numberOf = (weekday: string) => WEEKDAYS.indexOf(weekday.slice(0, 2).toUpperCase())

const intervalOf = (word: string) =>
  word === 'other' ? 2 : RANKS.indexOf(word) + 1 || Number.parseInt(word, 10) || countOf(word)

function rankOf(word: string): number {
  if (word === 'last') return -1
  return word === 'penultimate' ? -2 : RANKS.indexOf(word) + 1 || Number.parseInt(word, 10)
}
