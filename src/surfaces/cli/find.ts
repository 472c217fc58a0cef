import { nearest } from '../../kernel/validate.ts'
import { WrongUsage } from './command.ts'

/** Which command the first words of a line name, and what comes after them. */
export interface Found {
  name: string
  rest: string[]
}

/** Nouns that are a command by themselves: `cork my` lists one's tasks. */
const USUAL: Record<string, string> = { my: 'my list' }

/**
 * The command that the words begin with: two of them where there is one of that name. Nothing when
 * they are only a noun, whose verbs are to be shown.
 */
export function find(words: readonly string[], known: readonly string[]): Found | undefined {
  const [first = '', second = ''] = words
  for (const name of [`${first} ${second}`, first])
    if (known.includes(name)) return { name, rest: words.slice(name.split(' ').length) }
  const nouns = new Set(known.map((name) => name.split(' ')[0]!))
  if (!nouns.has(first)) throw unknown(first, [...nouns])
  if (!second || second.startsWith('-')) {
    const usual = USUAL[first]
    if (!usual || words.includes('--help')) return undefined
    return { name: usual, rest: words.slice(1) }
  }
  throw unknown(
    second,
    known.flatMap((name) => (name.startsWith(`${first} `) ? [name.slice(first.length + 1)] : [])),
    first,
  )
}

function unknown(word: string, known: readonly string[], noun?: string): WrongUsage {
  const before = noun ? `cork ${noun}` : 'cork'
  const near = nearest(word, known)
  const next = near ? `; did you mean "${before} ${near}"?` : `; see "${before} --help"`
  return new WrongUsage(
    noun ? `${before} has no verb "${word}"${next}` : `There is no command "${word}"${next}`,
  )
}
