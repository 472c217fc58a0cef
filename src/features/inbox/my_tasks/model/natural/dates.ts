import { DAYS, dayed, type Kind, LEFT, RIGHT, TIMES } from './shapes.ts'

/** A day, a time, or both, as written in a line. */
export interface DateMention {
  from: number
  to: number
  text: string
  lead: string
  kind: Kind | 'time'
  day: string
  time: string | undefined
}

const KINDS = Object.entries(DAYS).map(
  ([kind, day]) => [kind as Kind, new RegExp(LEFT + dayed(day) + RIGHT, 'giu')] as const,
)
const CLOCKS = TIMES.map((time) => new RegExp(LEFT + time + RIGHT, 'giu'))

/**
 * Words before a day that make it a name (`Good Friday`) or part of a description, not a due date.
 */
const BEFORE = new Set(
  `of since until till before after to than about around between a an the last past via from not per
  every each vs except excluding but and or my our your his her their its once twice times over during like
  usa black good ash palm cyber super easter shrove holy giving bloody boxing casual`.split(/\s+/),
)
const AFTER = /^\s+(?:of|times|club|lights|(?:or|and)\s+(?:less|more|later|so))\b/i
const JOINED = /^\s*(?:,?\s*(?:or|and|to|till|until|through)\s|[-–—/&]\s)\s*$/i

/** Abbreviations of days that are also words. */
const SHORT = /^(?:mon|wed|sat|sun)$/i
/** Months that are also names or verbs. */
const MONTH_OR_NOT = /^(?:jan|march|mar|april|may|june|august)\.?\s+\d+$|^\d+\s+(?:march|mar|may)$/i
const AT_END = /^[\s),;:.!?]*(?:$|[\ue000\ue001])/
/** In `at 12 Monkeys`, the number is no time. */
const BARE_HOUR = /,?\s+(?:at\s+|@\s?)\d{1,2}$/i
const NAME = /^\s+\p{Lu}/u

/** All days and times in a line, in their order. */
export function findDates(line: string): DateMention[] {
  const days = KINDS.flatMap(([kind, shape]) =>
    [...line.matchAll(shape)].flatMap((match) => dayMentions(line, kind, match)),
  )
  const times = CLOCKS.flatMap((shape) =>
    [...line.matchAll(shape)].map(({ 0: text, index }) => timeMention(text, index)),
  )
  const mentions = withoutOverlaps([...days, ...times])
  const unjoined = mentions.filter(
    (mention, at) =>
      !joins(line, mentions[at - 1], mention) && !joins(line, mention, mentions[at + 1]),
  )
  return unjoined.filter((mention) => isMeant(line, mention))
}

const timeMention = (text: string, from: number): DateMention => ({
  kind: 'time',
  lead: '',
  day: '',
  time: text,
  text,
  from,
  to: from + text.length,
})

function dayMentions(
  line: string,
  kind: Kind,
  { 0: text, index, groups = {} }: RegExpExecArray,
): DateMention[] {
  const { lead = '', before, day = '', after } = groups
  const end = index + text.length
  const trimmed = after && BARE_HOUR.test(after) && NAME.test(line.slice(end)) ? after.length : 0
  const to = end - trimmed
  const [part] = day.match(/(?<=^this\s+)(?:morning|afternoon|evening)/i) ?? []
  const following = trimmed ? undefined : part && after ? `${part} ${after}` : (after ?? part)
  const found = { kind, lead, day, time: following ?? before, to }
  if (!before || !following) return [{ ...found, text: line.slice(index, to), from: index }]
  // With a time on both sides of a day, the last one counts and the first is reported.
  const from = index + text.indexOf(day, lead.length + before.length)
  const first = timeMention(before, index + lead.length)
  return [first, { ...found, text: line.slice(from, to), from, lead }]
}

/** Keeps the longest of overlapping mentions. */
const withoutOverlaps = (mentions: DateMention[]) =>
  mentions
    .sort((a, b) => a.from - b.from || b.to - a.to)
    .reduce<DateMention[]>((result, mention) => {
      if (mention.from >= (result.at(-1)?.to ?? 0)) result.push(mention)
      return result
    }, [])

/** Whether words like `or` and `to` join two mentions, which then are no single date. */
const joins = (line: string, one: DateMention | undefined, other: DateMention | undefined) =>
  one !== undefined && other !== undefined && JOINED.test(line.slice(one.to, other.from))

function isMeant(line: string, mention: DateMention): boolean {
  const [word = ''] = line.slice(0, mention.from).match(/[\p{L}\p{N}'’]+(?=\s+$)/u) ?? []
  if (BEFORE.has(word.toLowerCase()) || /['’]s$/i.test(word)) return false
  const rest = line.slice(mention.to)
  const { kind, lead, day, time } = mention
  if (AFTER.test(rest)) return false
  // A capitalized day before another capitalized word is a name: `Watch Saturday Night Live`.
  if (!lead && kind === 'weekday' && mention.from && /^\p{Lu}/u.test(day) && NAME.test(rest))
    return false
  if (lead || (time && kind !== 'time')) return !(/^for/i.test(lead) && /^yesterday$/i.test(day))
  if (kind === 'nth' || (kind === 'weekday' && SHORT.test(day))) return false
  if (kind === 'numbers') return /\d{4}$/.test(day)
  return !MONTH_OR_NOT.test(day) || AT_END.test(rest)
}
