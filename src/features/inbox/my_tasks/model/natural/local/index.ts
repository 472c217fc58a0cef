import { LEFT, RIGHT } from '../shapes.ts'
import { german } from './de.ts'
import { spanish } from './es.ts'
import { french } from './fr.ts'
import type { Phrase, Vocabulary } from './vocabulary.ts'

/** The languages, besides English, in which a line may name dates and repeats. */
const VOCABULARIES: Readonly<Record<string, Vocabulary>> = {
  ...{ de: german, es: spanish, fr: french },
}

/** A phrase of a line, and what it is in English, which the parser understands. */
export interface LocalPhrase {
  from: number
  to: number
  english: string
}

const DAYS = 'monday tuesday wednesday thursday friday saturday sunday'.split(' ')
const MONTHS =
  'january february march april may june july august september october november december'.split(' ')

/** The longest phrase about a date, a time or a repeat. The last one wins, as in English. */
export function findLocalPhrase(line: string, language: string): LocalPhrase | undefined {
  const words = VOCABULARIES[language]
  if (!words) return undefined
  const time = `(?<time>${words.time})|${partsOf(words)}`
  const phrases = patternsOf(words).flatMap((pattern) => {
    const lead = `(?:(?:${words.lead})\\s+)?`
    const source = `${LEFT}${lead}(?<what>${pattern})(?:,?\\s+(?:${time}))?${RIGHT}`
    return [...line.matchAll(new RegExp(source, 'giu'))].map((match) => phraseIn(match, words))
  })
  const alone = [...line.matchAll(new RegExp(`${LEFT}(?<time>${words.time})${RIGHT}`, 'giu'))]
  const found = [...phrases, ...alone.map((match) => phraseIn(match, words))]
  return found.toSorted((a, b) => a.to - a.from - (b.to - b.from) || a.from - b.from).at(-1)
}

const anyOf = (phrases: readonly Phrase[]) => phrases.map(([pattern]) => pattern).join('|')
const partsOf = ({ parts }: Vocabulary) => `(?<part>${anyOf(parts)})`

/** The shapes of days and repeats. Each counts once, because names of groups do. */
function patternsOf({ days, weekdays, next, months, ...words }: Vocabulary): string[] {
  const weekday = `(?<weekday>${weekdays.join('|')})`
  const unit = `(?<unit>${anyOf(words.units)})`
  const before = next.before ? `(?:(?<next>${next.before})\\s+)?` : ''
  const after = next.after ? `(?:\\s+(?<after>${next.after}))?` : ''
  return [
    `(?<repeat>${anyOf(words.repeats)})`,
    `(?<every>${words.every})\\s+(?:(?<count>\\d{1,3})\\s+${unit}|${weekday})`,
    `(?<word>${anyOf(days)})`,
    `${before}${weekday}${after}`,
    words.date.replace('$M', `(?<month>${months.join('|')})`),
    `(?:${words.within})\\s+(?<count>\\d{1,3})\\s+${unit}`,
  ]
}

function phraseIn(
  { 0: text, index, groups = {} }: RegExpExecArray,
  words: Vocabulary,
): LocalPhrase {
  const english = [dayIn(groups, words), timeIn(groups, words)].filter(Boolean).join(' ')
  return { from: index, to: index + text.length, english }
}

type Groups = Record<string, string | undefined>

function dayIn(groups: Groups, words: Vocabulary): string {
  const { repeat, every, count, unit, word, weekday, month, d, y } = groups
  if (repeat) return meaningOf(repeat, words.repeats)
  if (word) return meaningOf(word, words.days)
  if (month) return `${Number(d)} ${nameOf(month, words.months, MONTHS)} ${y ?? ''}`.trim()
  if (count) return `${every ? 'every' : 'in'} ${count} ${meaningOf(unit!, words.units)}`
  if (!weekday) return ''
  const day = nameOf(weekday, words.weekdays, DAYS)
  if (every) return `every ${day}`
  return groups.next || groups.after ? `next ${day}` : day
}

/** A time alone or after a day. */
function timeIn({ time, part, h, h2, m, m2, m3 }: Groups, { parts }: Vocabulary): string {
  if (part) return meaningOf(part, parts)
  if (!time) return ''
  return `at ${(h ?? h2)!.padStart(2, '0')}:${m ?? m2 ?? m3 ?? '00'}`
}

const isWhole = (pattern: string, text: string) => new RegExp(`^(?:${pattern})$`, 'iu').test(text)

const meaningOf = (text: string, phrases: readonly Phrase[]) =>
  phrases.find(([pattern]) => isWhole(pattern, text))![1]

const nameOf = (text: string, patterns: readonly string[], names: readonly string[]) =>
  names[patterns.findIndex((pattern) => isWhole(pattern, text))]!
