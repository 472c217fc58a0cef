/** The patterns of days and times. Text that matches none of them stays in the title. */

const re = String.raw

export const WEEKDAYS =
  'mon(?:day)?|tue(?:s(?:day)?)?|wed(?:s|nesday)?|thu(?:r(?:s(?:day)?)?)?|fri(?:day)?|' +
  'sat(?:urday)?|sun(?:day)?'
export const MONTHS =
  '(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|' +
  'sep(?:t(?:ember)?)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)'
export const UNITS = '(?:hours?|days?|weeks?|months?|quarters?|years?)'
export const COUNT = re`\d{1,3}|an?|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve`
const HOUR = re`(?:[01]?\d|2[0-3])`
const DAY_OF_MONTH = re`(?:[12]\d|3[01]|0?[1-9])`
export const ORDINAL = `${DAY_OF_MONTH}(?:st|nd|rd|th)`
const NTH = `${DAY_OF_MONTH}(?:st|nd|rd|th)?`

/** Word boundaries: a match may be followed only by punctuation that ends a sentence. */
export const LEFT = re`(?<=^|[\s(\ue000\ue001])`
export const RIGHT = re`(?=$|[\s\ue000\ue001]|[),;:.!?]+(?:$|[\s\ue000\ue001]))`

const TWELVE = re`(?:1[0-2]|0?[1-9])(?:[:.][0-5]\d)?`
const CLOCK = re`${HOUR}:[0-5]\d`
const NEAR = `${TWELVE}[ap]m`
const ANY_TIME = re`(?:${TWELVE}\s?(?:[ap]m|[ap]\.m\.)|${CLOCK}|noon)`
const BARE = re`${HOUR}(?:\s?o['’]clock)?`
const AT = re`(?:at\s+|@\s?)`
export const SPELT = `(?:${ANY_TIME}|${AT}(?:${ANY_TIME}|${BARE}))`
export const PART_OF_DAY = re`(?:(?:in\s+the|at)\s+)?(?:morning|afternoon|evening|night)`
const IN_PART = re`(?:in\s+the\s+(?:morning|afternoon|evening)|at\s+night)`
const TIME_OF_DAY = re`(?:${SPELT}(?:\s+${IN_PART})?|${PART_OF_DAY}(?:,?\s+${SPELT})?)`
/** An abbreviated month may have a dot before more of the date. */
const DOT = re`(?:\.(?=\s+(?:at\s|@|\d)))?`

/** Times that are recognized without a day. */
export const TIMES = [
  re`(?:${AT}|by\s+)?${NEAR}`,
  re`(?:${AT}|by\s+)${ANY_TIME}`,
  re`(?:${AT}|by\s+)(?:${ANY_TIME}|${BARE})\s+${IN_PART}`,
  re`(?<=\ue001\s+)${TIME_OF_DAY}`,
  re`${SPELT}(?=\s+\ue001)`,
]

export type Kind = keyof typeof DAYS

/** `soon` is relative to now, `moment` is a full ISO 8601 date-time. */
export const DAYS = {
  moment: re`\d{4}-\d{2}-\d{2}T${CLOCK}(?::[0-5]\d)?(?:Z|[+-]\d{2}:?\d{2})?`,
  iso: re`\d{4}-\d{2}-\d{2}`,
  word: re`today|tomorrow|tmrw|tmr|tonight|yesterday|(?:the\s+)?day\s+after\s+tomorrow|this\s+(?:morning|afternoon|evening)`,
  weekday: re`(?:(?:next|this|coming)\s+)?(?:${WEEKDAYS})`,
  span: re`next\s+(?:week|weekend|month|year)|this\s+weekend`,
  named:
    re`(?:(?:${NTH}|the\s+${ORDINAL})(?:\s+of\s+|\s+|-)${MONTHS}${DOT}|` +
    re`${MONTHS}${DOT}\s+${NTH})(?:,?\s+\d{4})?`,
  numbers: re`\d{1,2}/\d{1,2}(?:/\d{4})?|\d{1,2}\.\d{1,2}\.\d{4}`,
  nth: re`the\s+${ORDINAL}`,
  later: re`in\s+(?:${COUNT})\s+(?:days?|weeks?|months?|years?)`,
  soon: re`in\s+(?:(?:${COUNT})\s+|\d{1,3}|half\s+an\s+)(?:hours?|hrs?|h|minutes?|mins?|m)`,
}

/** Days described without a month, which are not supported. */
export const ANY_DAY_OF =
  re`(?:on|by|for|due)\s+the\s+(?:${ORDINAL}|first|last)\s+of\s+(?!${MONTHS}\b)(?:(?:next|this|the)\s+)?\p{L}+|` +
  re`(?:${WEEKDAYS})\s+of\s+(?:next|this|the)\s+\p{L}+|` +
  re`${DAYS.named}\s+(?:of\s+\d{4}|['’]\d{2})`

const BEGINS = re`(?:starting|beginning)(?:\s+on)?|(?<=\ue001\s+)from`
const LEAD = re`(?:(?:due(?:\s+(?:on|by))?|on|by|for|${BEGINS})\s+)`

/** A day with its preposition and the time beside it. */
export const dayed = (day: string) =>
  re`(?<lead>${LEAD}?)(?:(?<before>${SPELT})(?:\s+on)?\s+)?(?<day>${day})` +
  re`(?:(?<after>,?\s+${TIME_OF_DAY})${RIGHT})?`

/** Phrases without further parts, by the rule in the list below. */
const RULES = {
  Daily: re`every\s+(?:(?:single\s+)?day|morning|afternoon|evening|night)`,
  Weekdays:
    re`every\s+(?:weekday|workday|working\s+day)s?|on\s+weekdays|` +
    re`every\s+mon(?:day)?(?:\s+(?:to|through|until|till|-|–)\s+|[-–])fri(?:day)?`,
  Weekly: re`every\s+week`,
  Biweekly: re`every\s+(?:other|second|2nd|two|2)\s+weeks?|every\s+fortnight`,
  Monthly: re`every\s+month`,
  Quarterly: re`every\s+quarter`,
  Yearly: re`every\s+year`,
}
/** These are also adjectives, so no noun may follow. */
const ADVERBS = {
  Daily: 'daily',
  Weekdays: 'weekdays',
  Weekly: 'weekly',
  Biweekly: 'bi-?weekly|fortnightly',
  Monthly: 'monthly',
  Quarterly: 'quarterly',
  Yearly: 'yearly|annually',
}
/** The rules of the phrases that are none of the five names. */
export const OTHER_RULES: Record<string, string> = {
  Quarterly: 'FREQ=MONTHLY;INTERVAL=3',
  Yearly: 'FREQ=YEARLY',
}

export const COMPLETION = re`(?:after|from)\s+completion`
export const TIMES_LEFT = re`(?:for\s+)?(?<count>${COUNT})\s+times`
const FREE =
  re`(?=[\s.!]*$|[),;.!]*\s*\ue000|[),;.!]|\s+(?:at|on|from|starting|beginning|until|till|except|excluding|but)\s|` +
  re`\s+(?:${SPELT}|${DAYS.word}|${DAYS.iso}|${DAYS.span}|${COMPLETION}|(?:for\s+)?(?:${COUNT})\s+times)${RIGHT})`
const named = (rules: object, after: string) =>
  Object.entries(rules).map(([rule, words]) => `(?<${rule}>(?:${words})${after})`)

export const RANKS = ['first', 'second', 'third', 'fourth', 'fifth']
export const RANK = `${ORDINAL}|${RANKS.join('|')}|last|penultimate`

const AND = re`(?:\s*,\s*(?:and\s+)?|\s+and\s+|\s*[&/]\s*)`
const listed = (item: string) => `(?:${item})(?:${AND}(?:${item}))*`
const INTERVAL = `(?<interval>${COUNT}|${ORDINAL}|other|second|third)`
const DATES = re`(?<dates>(?:first|${ORDINAL})(?:${AND}(?:the\s+)?${ORDINAL})*)`
const MONTHLY = re`(?:every\s+(?:${INTERVAL}\s+)?(?<unit>month)s?|monthly)`
const OF_MONTH = re`of\s+(?:every|each)\s+month`
const NTH_WEEKDAY = re`(?<rank>${RANK})\s+(?<rankday>${WEEKDAYS})`

/** All supported repeat phrases, of which the named groups are the parts. */
export const REPEATS = [
  named(RULES, '').join('|'),
  named(ADVERBS, FREE).join('|'),
  re`every\s+${INTERVAL}\s+(?<unit>day|week|month|quarter|year)s?`,
  re`every\s+(?:(?<interval>other|second)\s+)?(?<weekdays>${listed(WEEKDAYS)})`,
  re`(?:every\s+(?:${INTERVAL}\s+)?(?<unit>week)s?|weekly)\s+on\s+(?<weekdays>${listed(WEEKDAYS)})`,
  re`(?:on\s+)?(?:the\s+)?${DATES}\s+${OF_MONTH}`,
  re`${MONTHLY}\s+on\s+(?:the\s+|(?!first))${DATES}`,
  re`every\s+(?!first)${DATES}(?:\s+of\s+the\s+month)?`,
  re`every\s+(?!second)${NTH_WEEKDAY}`,
  re`every\s+${NTH_WEEKDAY}\s+(?:of|in)\s+(?:the|each|every|a)\s+month`,
  re`(?:on\s+)?the\s+${NTH_WEEKDAY}\s+${OF_MONTH}`,
  re`${MONTHLY}\s+on\s+(?:the\s+)?${NTH_WEEKDAY}`,
  re`${MONTHLY}\s+on\s+the\s+(?<last>last)\s+day`,
  re`(?:on\s+)?the\s+(?<last>last)\s+day\s+${OF_MONTH}`,
]

/** Repeat phrases that no rule expresses. */
export const UNKNOWN_REPEATS = [
  re`every\s+(?:(?:${COUNT}|other|second|third|few|couple\s+of)\s+)${UNITS}`,
  re`every\s+(?:hour|weekend)`,
  re`every\s+${NTH}\s+(?:of\s+)?(?:${MONTHS}|month)`,
  re`every\s+(?:${RANK})\s+(?:${WEEKDAYS}|${UNITS}|weekend)`,
  re`every\s+(?:${RANK})\s+(?:${WEEKDAYS})\s+(?:of|in)\s+(?:the|each|every|a)\s+\p{L}+`,
  re`(?:(?:on|at|by)\s+)?(?:the\s+)?(?:(?:${ORDINAL}|${RANK})\s+)?[\p{L}-]+\s+of\s+(?:every|each)\s+(?:${UNITS}|${WEEKDAYS})`,
  re`every\s+(?:${WEEKDAYS})(?:\s*(?:,|and|or|&|/)\s*(?:${WEEKDAYS}))+`,
  re`${SPELT}\s*(?:,|and|or|&)\s*(?:${SPELT}|${BARE})\s+every\s+(?:week)?(?:${UNITS}|${WEEKDAYS})`,
  re`(?:twice|(?:${COUNT})\s+times|\d{1,2}\s?x)\s+(?:every|each)\s+${UNITS}`,
  `hourly${FREE}`,
]
