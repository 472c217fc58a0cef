import { DAYS, dayed, type Kind, LEFT, RIGHT, TIMES } from './shapes.ts'

/** A day, a time, or both, as they stand in a line. */
export interface Mentioned {
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

/** A name of something else, or a day told about: the day after one of these is no date. */
const BEFORE = new Set(
  `of since until till before after to than about around between a an the last past via from not per
  every each vs except excluding but and or my our your his her their its once twice times over during like
  usa black good ash palm cyber super easter shrove holy giving bloody boxing casual`.split(/\s+/),
)
const AFTER = /^\s+(?:of|times|club|lights|(?:or|and)\s+(?:less|more|later|so))\b/i
const JOINED = /^\s*(?:,?\s*(?:or|and|to|till|until|through)\s|[-–—/&]\s)\s*$/i

/** Short for a day, but words as well. */
const SHORT = /^(?:mon|wed|sat|sun)$/i
/** Names and verbs that are months as well. */
const MONTH_OR_NOT = /^(?:jan|march|mar|april|may|june|august)\.?\s+\d+$|^\d+\s+(?:march|mar|may)$/i
const AT_END = /^[\s),;:.!?]*(?:$|[\ue000\ue001])/
/** `at 12 Monkeys` is no time. */
const BARE_HOUR = /,?\s+(?:at\s+|@\s?)\d{1,2}$/i
const NAME = /^\s+\p{Lu}/u

/** Every day and time that a line speaks of, in their order. */
export function mentionedIn(line: string): Mentioned[] {
  const days = KINDS.flatMap(([kind, shape]) =>
    [...line.matchAll(shape)].flatMap((match) => ofDay(line, kind, match)),
  )
  const times = CLOCKS.flatMap((shape) =>
    [...line.matchAll(shape)].map(({ 0: text, index }) => ofTime(text, index)),
  )
  const all = apart([...days, ...times])
  const free = all.filter(
    (one, at) => !joins(line, all[at - 1], one) && !joins(line, one, all[at + 1]),
  )
  return free.filter((one) => isMeant(line, one))
}

const ofTime = (text: string, from: number): Mentioned => ({
  ...{ kind: 'time', lead: '', day: '', time: text },
  ...{ text, from, to: from + text.length },
})

function ofDay(
  line: string,
  kind: Kind,
  { 0: text, index, groups = {} }: RegExpExecArray,
): Mentioned[] {
  const { lead = '', before, day = '', after } = groups
  const end = index + text.length
  const cut = after && BARE_HOUR.test(after) && NAME.test(line.slice(end)) ? after.length : 0
  const to = end - cut
  const [part] = day.match(/(?<=^this\s+)(?:morning|afternoon|evening)/i) ?? []
  const late = cut ? undefined : part && after ? `${part} ${after}` : (after ?? part)
  const found = { kind, lead, day, time: late ?? before, to }
  if (!before || !late) return [{ ...found, text: line.slice(index, to), from: index }]
  // Of the times on both sides of a day the last counts, and the first is told of.
  const from = index + text.indexOf(day, lead.length + before.length)
  const first = ofTime(before, index + lead.length)
  return [first, { ...found, text: line.slice(from, to), from, lead }]
}

/** The longest where several begin together, and none inside another. */
const apart = (all: Mentioned[]) =>
  all
    .sort((a, b) => a.from - b.from || b.to - a.to)
    .reduce<Mentioned[]>((kept, one) => {
      if (one.from >= (kept.at(-1)?.to ?? 0)) kept.push(one)
      return kept
    }, [])

/** `tomorrow or friday` and `9am to 10am` are not one date. */
const joins = (line: string, one: Mentioned | undefined, other: Mentioned | undefined) =>
  one !== undefined && other !== undefined && JOINED.test(line.slice(one.to, other.from))

function isMeant(line: string, one: Mentioned): boolean {
  const [word = ''] = line.slice(0, one.from).match(/[\p{L}\p{N}'’]+(?=\s+$)/u) ?? []
  if (BEFORE.has(word.toLowerCase()) || /['’]s$/i.test(word)) return false
  const rest = line.slice(one.to)
  const { kind, lead, day, time } = one
  if (AFTER.test(rest)) return false
  // `Watch Saturday Night Live` names something else.
  if (!lead && kind === 'weekday' && one.from && /^\p{Lu}/u.test(day) && NAME.test(rest))
    return false
  if (lead || (time && kind !== 'time')) return !(/^for/i.test(lead) && /^yesterday$/i.test(day))
  if (kind === 'nth' || (kind === 'weekday' && SHORT.test(day))) return false
  if (kind === 'numbers') return /\d{4}$/.test(day)
  return !MONTH_OR_NOT.test(day) || AT_END.test(rest)
}
