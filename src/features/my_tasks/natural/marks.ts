import { folded } from '../../projects/index.ts'
import { RIGHT } from './shapes.ts'

/** A word behind a sign, which may be the beginning of a name of several words. */
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

/** Each is looked up among all that the caller sees. */
const MOST_MARKS = 20

export const marksIn = (line: string, sign: keyof typeof SIGNS): Mark[] =>
  [...line.matchAll(SIGNS[sign])]
    .slice(0, MOST_MARKS)
    .map(({ index, 1: word = '' }) => ({ from: index, word }))

/** Each priority that a line names, by its number or name. */
export const prioritiesIn = (line: string) =>
  [...line.matchAll(PRIORITY)].map(({ 0: text, 1: name = '', index }) => ({
    priority: /\d/.test(name) ? Number(name) : name,
    ...{ text, from: index, to: index + text.length },
  }))

/** What a word may go on with: `#bug-fix` and `@ben's` begin with a name and are none. */
const GOES_ON = /^(?:[\p{L}\p{N}\p{M}_'’-]|[.:/@&+][\p{L}\p{N}])/u

/** A number behind a sign is mostly that of something else. */
export const isNumber = ({ word }: Mark) => /^\d+$/.test(word)

/** One word for a name of several: `#home-page`. */
const joined = (name: string) => folded(name).replace(/[\s_-]/g, '')

export interface Called<T> {
  rows: T[]
  to: number
}

/** Those whose name stands behind the sign, the longest name first; several are ambiguous. */
export function calledBy<T>(
  line: string,
  { from, word }: Mark,
  rows: readonly T[],
  nameOf: (row: T) => string,
): Called<T> | undefined {
  const rest = line.slice(from + 1)
  const length = (row: T) => {
    const name = nameOf(row)
    const whole = name && folded(rest.slice(0, name.length)) === folded(name)
    if (whole && !GOES_ON.test(rest.slice(name.length))) return name.length
    if (/-$/.test(word) || GOES_ON.test(rest.slice(word.length))) return 0
    return joined(name) && joined(name) === joined(word) ? word.length : 0
  }
  const lengths = rows.map(length)
  const longest = lengths.reduce((one, other) => Math.max(one, other), 0)
  if (!longest) return undefined
  return { rows: rows.filter((_, at) => lengths[at] === longest), to: from + 1 + longest }
}
