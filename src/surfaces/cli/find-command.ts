import { closestWord } from '../../kernel/validate.ts'
import { UsageError } from './command.ts'

/** The command that the first words name, and the remaining words. */
export interface FoundCommand {
  name: string
  rest: string[]
}

/** The default command of a noun: `cork my` runs `cork my list`. */
const DEFAULT_VERBS: Record<string, string> = { my: 'my list' }

/**
 * Finds the command that the words begin with, by two words if possible, otherwise by one. Returns
 * undefined for a noun alone, whose verbs are then shown.
 */
export function findCommand(
  words: readonly string[],
  names: readonly string[],
): FoundCommand | undefined {
  const [first = '', second = ''] = words
  for (const name of [`${first} ${second}`, first])
    if (names.includes(name)) return { name, rest: words.slice(name.split(' ').length) }
  const nouns = new Set(names.map((name) => name.split(' ')[0]!))
  if (!nouns.has(first)) throw unknownWord(first, [...nouns])
  if (!second || second.startsWith('-')) {
    const defaultCommand = DEFAULT_VERBS[first]
    if (!defaultCommand || words.includes('--help')) return undefined
    return { name: defaultCommand, rest: words.slice(1) }
  }
  throw unknownWord(
    second,
    names.flatMap((name) => (name.startsWith(`${first} `) ? [name.slice(first.length + 1)] : [])),
    first,
  )
}

function unknownWord(word: string, words: readonly string[], noun?: string): UsageError {
  const prefix = noun ? `cork ${noun}` : 'cork'
  const suggestion = closestWord(word, words)
  const advice = suggestion
    ? `; did you mean "${prefix} ${suggestion}"?`
    : `; see "${prefix} --help"`
  return new UsageError(
    noun ? `${prefix} has no verb "${word}"${advice}` : `There is no command "${word}"${advice}`,
  )
}
