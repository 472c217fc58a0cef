import { WEEKDAYS } from '../../../kernel/recurrence/rule.ts'
import { monthNumber } from '../shared/dates.ts'
import { supportedRule } from '../shared/repeat-rules.ts'

export interface RepeatText {
  rule: string
  /** The texts of the first and last day, and of the time of day. */
  start?: string | undefined
  until?: string | undefined
  time?: string | undefined
}

const NAMES = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun']
/** 0 is Monday; undefined if the word is no weekday. */
export function weekdayOf(word: string): number | undefined {
  const isName =
    /^(?:mon(?:day)?|tues?(?:day)?|wed(?:s|nesday)?|thu(?:rs?|rsday)?|fri(?:day)?|sat(?:urday)?|sun(?:day)?)s?$/
  return isName.test(word) ? NAMES.indexOf(word.slice(0, 3)) : undefined
}

const ORDINALS: Readonly<Record<string, number>> = {
  first: 1,
  second: 2,
  third: 3,
  fourth: 4,
  fifth: 5,
  last: -1,
}
const ordinalOf = (word: string): number | undefined =>
  ORDINALS[word] ?? (/^\d{1,2}(?:st|nd|rd|th)$/.test(word) ? Number.parseInt(word, 10) : undefined)

const UNITS: Readonly<Record<string, readonly [frequency: string, factor: number]>> = {
  day: ['DAILY', 1],
  week: ['WEEKLY', 1],
  fortnight: ['WEEKLY', 2],
  month: ['MONTHLY', 1],
  quarter: ['MONTHLY', 3],
  year: ['YEARLY', 1],
}
const WORKDAYS = 'FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR'
const TIMES: Readonly<Record<string, string>> = {
  morning: '09:00',
  afternoon: '12:00',
  evening: '19:00',
  night: '22:00',
}
const TIME = /(?:^| )(?:at |@ ?)?(\d{1,2}(?::\d\d)? ?[ap]m|\d{1,2}:\d\d)(?= |$)/

/** Understands texts such as `every! 3 months starting 1 mar`; undefined for others. */
export function repeatText(text: string): RepeatText | undefined {
  const adverb = /^(dai|week|month|quarter|year)ly\b/.exec(text)?.[1]?.replace('dai', 'day')
  const all = adverb ? text.replace(/^\w+/, `every ${adverb}`) : text
  const opening = /^(?:every|ev|each|after)(!?) (?=\S)/.exec(all)
  if (!opening) return undefined
  let body = all.slice(opening[0].length)
  const take = (form: RegExp) => {
    const found = form.exec(body)
    if (found) body = body.replace(found[0], ' ').replace(/\s+/g, ' ').trim()
    return found?.[1]
  }
  const until = take(/ (?:until|ending|to) (.+?)(?= (?:starting|from) |$)/)
  const start = take(/ (?:starting|from|beginning) (?:on )?(.+)$/)
  const time = take(TIME) ?? TIMES[body]
  const rule = ruleOf(TIMES[body] ? 'day' : body)
  if (!rule) return undefined
  const isAfter = opening[1] === '!' || text.startsWith('after')
  return { rule: isAfter ? `${rule};FROM=COMPLETION` : rule, start, until, time }
}

function ruleOf(body: string): string | undefined {
  if (/^(?:week ?|work ?)days?$/.test(body)) return WORKDAYS
  if (/^weekends?$/.test(body)) return 'FREQ=WEEKLY;BYDAY=SA,SU'
  const rule = intervalRule(body) ?? weekdayRule(body) ?? monthRule(body) ?? yearRule(body)
  return rule && supportedRule(rule)
}

const intervalOf = (word: string | undefined) => (word === 'other' ? 2 : Number(word ?? 1))

function intervalRule(body: string): string | undefined {
  const form =
    /^(?:(\d{1,3}|other) )?(day|week|fortnight|month|quarter|year)s?(?: on (?:the )?(.+))?$/
  const [, count, unit, on] = form.exec(body) ?? []
  if (!unit) return undefined
  const [frequency, factor] = UNITS[unit]!
  const base = `FREQ=${frequency};INTERVAL=${intervalOf(count) * factor}`
  if (!on) return base
  const other = frequency === 'WEEKLY' ? weekdayRule(on) : monthRule(on)
  return other && base + other.replace(/^FREQ=\w+/, '')
}

const listOf = (body: string) => body.split(/,? and |, ?| & | (?=\d)/).map((word) => word.trim())

function weekdayRule(body: string): string | undefined {
  const [, other, list] = /^(other )?(.+)$/.exec(body)!
  const days = listOf(list!).map(weekdayOf)
  if (days.some((day) => day === undefined)) return undefined
  return `FREQ=WEEKLY${other ? ';INTERVAL=2' : ''};BYDAY=${days.map((day) => WEEKDAYS[day!]).join()}`
}

/** 2nd friday, last day, 1st and 15th. */
function monthRule(body: string): string | undefined {
  const plain = body.replace(/^the /, '').replace(/ (?:of|in) (?:the|each|every) month$/, '')
  const items = listOf(plain).map((item) => {
    const [first = '', second, ...others] = item.split(' ')
    const nth = others.length ? undefined : ordinalOf(first)
    const weekday = weekdayOf(second ?? '')
    return nth === undefined || (second && second !== 'day' && weekday === undefined)
      ? undefined
      : { nth, weekday }
  })
  if (items.some((item) => !item)) return undefined
  const byDay = items.filter((item) => item!.weekday !== undefined)
  if (byDay.length && byDay.length < items.length) return undefined
  return byDay.length
    ? `FREQ=MONTHLY;BYDAY=${byDay.map((item) => `${item!.nth}${WEEKDAYS[item!.weekday!]}`).join()}`
    : `FREQ=MONTHLY;BYMONTHDAY=${items.map((item) => item!.nth).join()}`
}

/** 5 january, jan 5th. */
function yearRule(body: string): string | undefined {
  const [, day, name] = /^(\d{1,2})(?:st|nd|rd|th)? (?:of )?(\p{L}+)$/u.exec(body) ?? []
  const [, month, dayOfMonth] = /^(\p{L}+) (\d{1,2})(?:st|nd|rd|th)?$/u.exec(body) ?? []
  const number = monthNumber(name ?? month ?? '')
  return number === undefined
    ? undefined
    : `FREQ=YEARLY;BYMONTH=${number};BYMONTHDAY=${Number(day ?? dayOfMonth)}`
}
