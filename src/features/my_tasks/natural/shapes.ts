/** The forms in which days and times are written; what looks like none of them stays a word. */

const re = String.raw

export const WEEKDAYS =
  'mon(?:day)?|tue(?:s(?:day)?)?|wed(?:s|nesday)?|thu(?:r(?:s(?:day)?)?)?|fri(?:day)?|' +
  'sat(?:urday)?|sun(?:day)?'
const MONTHS =
  '(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|' +
  'sep(?:t(?:ember)?)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)'
const UNITS = '(?:hours?|days?|weeks?|months?|quarters?|years?)'
const COUNT = re`\d{1,3}|an?|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve`
const HOUR = re`(?:[01]?\d|2[0-3])`
const DAY_OF_MONTH = re`(?:[12]\d|3[01]|0?[1-9])`
const ORDINAL = `${DAY_OF_MONTH}(?:st|nd|rd|th)`
const NTH = `${DAY_OF_MONTH}(?:st|nd|rd|th)?`

/** Nothing of the word goes on before it, or after it but the sign that ends a sentence. */
export const LEFT = re`(?<=^|[\s(\ue000\ue001])`
export const RIGHT = re`(?=$|[\s\ue000\ue001]|[),;:.!?]+(?:$|[\s\ue000\ue001]))`

const TWELVE = re`(?:1[0-2]|0?[1-9])(?:[:.][0-5]\d)?`
const CLOCK = re`${HOUR}:[0-5]\d`
const NEAR = `${TWELVE}[ap]m`
const ANY_TIME = re`(?:${TWELVE}\s?(?:[ap]m|[ap]\.m\.)|${CLOCK}|noon)`
const BARE = re`${HOUR}(?:\s?o['’]clock)?`
const AT = re`(?:at\s+|@\s?)`
const SPELT = `(?:${ANY_TIME}|${AT}(?:${ANY_TIME}|${BARE}))`
const PART_OF_DAY = re`(?:(?:in\s+the|at)\s+)?(?:morning|afternoon|evening|night)`

/** A time that needs no day beside it. */
export const TIMES = [
  re`(?:${AT}|by\s+)?${NEAR}`,
  re`(?:${AT}|by\s+)${ANY_TIME}`,
  re`(?<=\ue001\s+)(?:${SPELT}|${PART_OF_DAY})`,
  re`${SPELT}(?=\s+\ue001)`,
]

export type Kind = keyof typeof DAYS

/** `soon` is a moment from now, and `moment` one that is written in full. */
export const DAYS = {
  moment: re`\d{4}-\d{2}-\d{2}T${CLOCK}(?::[0-5]\d)?(?:Z|[+-]\d{2}:?\d{2})?`,
  iso: re`\d{4}-\d{2}-\d{2}`,
  word: re`today|tomorrow|tmrw|tmr|tonight|yesterday|(?:the\s+)?day\s+after\s+tomorrow`,
  weekday: re`(?:(?:next|this|coming)\s+)?(?:${WEEKDAYS})`,
  span: re`next\s+(?:week|weekend|month|year)|this\s+weekend`,
  named: re`(?:${NTH}(?:\s+of\s+|\s+|-)${MONTHS}|${MONTHS}\s+${NTH})(?:,?\s+\d{4})?`,
  numbers: re`\d{1,2}/\d{1,2}(?:/\d{4})?|\d{1,2}\.\d{1,2}\.\d{4}`,
  nth: re`the\s+${ORDINAL}`,
  later: re`in\s+(?:${COUNT})\s+(?:days?|weeks?|months?|years?)`,
  soon: re`in\s+(?:(?:${COUNT})\s+|\d{1,3}|half\s+an\s+)(?:hours?|hrs?|h|minutes?|mins?|m)`,
}

const BEGINS = re`(?:starting|beginning)(?:\s+on)?|(?<=\ue001\s+)from`
const LEAD = re`(?:(?:due(?:\s+(?:on|by))?|on|by|for|${BEGINS})\s+)`

/** One of those days, with what leads to it and the time beside it. */
export const dayed = (day: string) =>
  re`(?<lead>${LEAD}?)(?:(?<before>${SPELT})(?:\s+on)?\s+)?(?<day>${day})` +
  re`(?:(?<after>,?\s+(?:${SPELT}|${PART_OF_DAY}))${RIGHT})?`

const RULES = {
  Daily: re`every\s+(?:(?:single\s+)?day|morning|afternoon|evening|night)`,
  Weekdays: re`every\s+(?:weekday|workday|working\s+day)s?|on\s+weekdays`,
  Weekly: re`every\s+week`,
  Biweekly: re`every\s+(?:other|second|2nd|two|2)\s+weeks?|every\s+fortnight`,
  Monthly: re`every\s+month`,
}
/** These are adjectives as well, so nothing that they could belong to may follow. */
const ADVERBS = {
  Daily: 'daily',
  Weekdays: 'weekdays',
  Weekly: 'weekly',
  Biweekly: 'bi-?weekly|fortnightly',
  Monthly: 'monthly',
}
const FREE =
  re`(?=[\s.!]*$|[),;.!]*\s*\ue000|[),;.!]|\s+(?:at|on|from|starting|beginning|until)\s|` +
  re`\s+(?:${SPELT}|${DAYS.word}|${DAYS.iso}|${DAYS.span})${RIGHT})`
const named = (rules: object, after: string) =>
  Object.entries(rules).map(([rule, words]) => `(?<${rule}>(?:${words})${after})`)

/** Each of the rules in words, in a group by the rule's name. */
export const REPEATS = [
  named(RULES, ''),
  named(ADVERBS, FREE),
  [re`(?<other>every\s+(?:other|second|2nd)\s+)(?<second>${WEEKDAYS})`],
  [re`every\s+(?<weekday>${WEEKDAYS})`],
  [re`(?:on\s+)?(?:the\s+)?(?<nth>${ORDINAL})\s+of\s+(?:every|each)\s+month`],
  [re`every\s+(?<every>${ORDINAL})(?:\s+of\s+the\s+month)?`],
].map((sources) => sources.join('|'))

/** What other programs know, and the five rules do not. */
export const UNKNOWN_REPEATS = [
  re`every\s+(?:${WEEKDAYS})(?:\s*(?:,|and|&|/)\s*(?:${WEEKDAYS}))+`,
  re`every\s+(?:(?:${COUNT}|other|second|third|few|couple\s+of)\s+)${UNITS}`,
  re`every\s+(?:year|quarter|hour|weekend)`,
  re`every\s+${NTH}\s+(?:of\s+)?(?:${MONTHS}|month)`,
  re`every\s+(?:${ORDINAL}|first|third|fourth|last)\s+(?:${WEEKDAYS}|${UNITS}|weekend)`,
  `(?:yearly|annually|quarterly|hourly)${FREE}`,
]
