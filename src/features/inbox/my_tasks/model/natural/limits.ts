import {
  COUNT,
  LEFT,
  MONTHS,
  ORDINAL,
  PART_OF_DAY,
  RANK,
  RIGHT,
  SPELT,
  UNITS,
  WEEKDAYS,
} from './shapes.ts'

/**
 * Phrases that restrict or extend a repeat beyond what is supported. Such a repeat is left in the
 * title.
 */

const re = String.raw

const JOIN = re`(?:,?\s+(?:and|or|plus)\s+|\s*[&/]\s*)`
const AND = re`(?:${JOIN}|\s*(?:,|[-–])\s*)`
const DAY = re`(?:${WEEKDAYS}|weekdays?|weekends?|today|tomorrow|tonight)s?`
const WHEN = re`(?:(?:next|this|the)\s+)?(?:${DAY}|${ORDINAL}|${MONTHS}|\d{1,4}\S*|${UNITS}|end)`
const AT = re`(?:at\s+|@\s?)?`
const CLOCK = re`(?:\d{1,2}[:.]\d{2}(?:\s?[ap]\.?m)?|\d{1,2}\s?[ap]\.?m|noon)`
/** A number counts as an hour only at the end of a phrase: `and 2 eggs` names none. */
const LAST_HOUR = re`\d{1,2}(?=[\s.!)]*$|[,;)]|\s*\ue000)`
const HOUR = re`${AT}(?:${CLOCK}|\d{1,2})`

/** Words allowed between a repeat and its limit. */
export const TIME = re`(?:,?\s+(?:${SPELT}|${PART_OF_DAY}))?`
const BETWEEN = re`${TIME}[\s,(]+`
const EXCEPT = re`(?:except(?:ing)?|excluding|apart\s+from|other\s+than|unless)`
const UNTIL = re`(?:until|till|til)`
const ON = re`(?:on\s+)?(?:the\s+)?`
const DAYS = re`(?:${DAY}|${ORDINAL})`

const LIMITS = [
  re`${BETWEEN}${EXCEPT}\s+(?:(?:for|on|in|the)\s+){0,2}(?:${WHEN}|\p{L}+)`,
  re`${BETWEEN}${UNTIL}\s+(?:${WHEN}|\p{L}+)`,
  re`${BETWEEN}(?:but(?:\s+not)?|through|thru|up\s+to)\s+(?:on\s+)?${WHEN}`,
  re`${BETWEEN}(?:for|over)\s+(?:the\s+next\s+)?(?:${COUNT}|few)\s+${UNITS}`,
  re`${BETWEEN}(?:twice|thrice|(?:${COUNT})\s+times|\d{1,3}\s?x)`,
  re`${BETWEEN}(?:in|during)\s+(?:${MONTHS}|(?:the\s+)?(?:summer|winter|spring|autumn|holidays?))`,
  re`${BETWEEN}(?:this|next)\s+(?:week|month|quarter|year)`,
  re`${BETWEEN}from\s+${WHEN}(?:${AND}|\s+(?:to|through|${UNTIL})\s+)${WHEN}`,
  re`${BETWEEN}${ON}(?:${RANK})\s+(?:(?:working|business)\s+)?(?:${DAY}|${UNITS}|workday)`,
  re`${BETWEEN}${ON}${DAYS}(?:${AND}${ON}${DAYS})+`,
  re`${BETWEEN}on\s+(?:the\s+)?weekends?`,
  re`\s+${ORDINAL}`,
  re`${TIME}${JOIN}${ON}${DAYS}(?:${AND}${DAYS})*(?:\s+${SPELT})?`,
  re`\s+or\s+(?:so|${COUNT})`,
  re`,?\s+${HOUR}(?:\s*,\s*${HOUR})*${JOIN}${AT}(?:${CLOCK}|${LAST_HOUR})`,
].map((limit) => new RegExp(`${limit}${RIGHT}`, 'iuy'))

/** The end of the limit that follows a repeat ending at `to`. */
export function limitAt(line: string, to: number): number | undefined {
  for (const limit of LIMITS) {
    limit.lastIndex = to
    if (limit.test(line)) return limit.lastIndex
  }
  return undefined
}

const ANYWHERE = new RegExp(
  re`${LEFT}(?:${UNTIL}|${EXCEPT})\s+(?:(?:for|on|the)\s+){0,2}${WHEN}${RIGHT}`,
  'iu',
)

/** Matches a limit anywhere in the line, as in `Every day call mum until friday`. */
export const isLimited = (line: string) => ANYWHERE.test(line)
