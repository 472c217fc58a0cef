import { foldName } from '../../../../boards/projects/model/index.ts'
import { RIGHT } from './shapes.ts'

/** A word after `#` or `@`; it may begin a name of several words. */
export interface Mark {
  from: number
  word: string
}

const BEGINS = '(?<=^|[\\s(\\ue000\\ue001])'
const WORD = '[\\p{L}\\p{N}_][\\p{L}\\p{N}\\p{M}_-]*'
const SIGNS = {
  '#': new RegExp(`${BEGINS}#(${WORD})`, 'gu'),
  '@': new RegExp(`${BEGINS}@(?=\\p{L})(${WORD})`, 'gu'),
}
const PRIORITY = new RegExp(`${BEGINS}!(urgent|high|medium|low|[1-4])${RIGHT}`, 'giu')
const SIZE = new RegExp(`${BEGINS}~(xs|s|m|l|xl)${RIGHT}`, 'giu')

/** Each mark is looked up among all visible objects, so their number is limited. */
const MOST_MARKS = 20

export const findMarks = (line: string, sign: keyof typeof SIGNS): Mark[] =>
  [...line.matchAll(SIGNS[sign])]
    .slice(0, MOST_MARKS)
    .map(({ index, 1: word = '' }) => ({ from: index, word }))

/** All priorities in a line, by number or name. */
export const findPriorities = (line: string) =>
  [...line.matchAll(PRIORITY)].map(({ 0: text, 1: name = '', index }) => ({
    priority: /\d/.test(name) ? Number(name) : name,
    text,
    from: index,
    to: index + text.length,
  }))

/** All sizes in a line, such as `~M`. */
export const findSizes = (line: string) =>
  [...line.matchAll(SIZE)].map(({ 0: text, 1: name = '', index }) => ({
    name: name.toUpperCase(),
    text,
    from: index,
    to: index + text.length,
  }))

/** Characters that continue a word: `#bug-fix` and `@ben's` begin with a name but are not it. */
const CONTINUES = /^(?:[\p{L}\p{N}\p{M}_'’-]|[.:/@&+][\p{L}\p{N}])/u

/** A number after a sign usually refers to something else, such as an issue. */
export const isNumber = ({ word }: Mark) => /^\d+$/.test(word)

/** The name without separators, so that `#home-page` matches "Home page". */
const compactName = (name: string) => foldName(name).replace(/[\s_-]/g, '')

export interface MarkMatch<T> {
  rows: T[]
  to: number
}

/** The rows whose name follows the sign. The longest name wins; several rows are ambiguous. */
export function matchMark<T>(
  line: string,
  { from, word }: Mark,
  rows: readonly T[],
  nameOf: (row: T) => string,
): MarkMatch<T> | undefined {
  const rest = line.slice(from + 1)
  const length = (row: T) => {
    const name = nameOf(row)
    const whole = name && foldName(rest.slice(0, name.length)) === foldName(name)
    if (whole && !CONTINUES.test(rest.slice(name.length))) return name.length
    if (/-$/.test(word) || CONTINUES.test(rest.slice(word.length))) return 0
    return compactName(name) && compactName(name) === compactName(word) ? word.length : 0
  }
  const lengths = rows.map(length)
  const longest = lengths.reduce((longestSoFar, other) => Math.max(longestSoFar, other), 0)
  if (!longest) return undefined
  return { rows: rows.filter((_, at) => lengths[at] === longest), to: from + 1 + longest }
}
