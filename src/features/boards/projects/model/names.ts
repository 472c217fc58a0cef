import { fault } from '../../../../kernel/fault.ts'

const EMPTY_HINT = 'Enter at least one letter, digit or symbol'

/** Normalizes a title or name to one line, and refuses one without visible characters. */
export function cleanName(field: string, text: string): string {
  const name = text.normalize('NFC').trim().replace(/\s+/g, ' ')
  if (/[\p{L}\p{N}\p{P}\p{S}]/u.test(name)) return name
  throw fault.invalid(field, 'required', `${field} must not be empty`, text, EMPTY_HINT)
}

/** The form in which names are compared, regardless of case and spacing, in every script. */
export const foldName = (name: string) =>
  name.normalize('NFC').trim().replace(/\s+/g, ' ').toLowerCase()

const MAX_KEY_LENGTH = 5

/**
 * Candidates for the key of a new board, best first: initials, or the beginning of a word, then
 * numbered.
 */
export function* keyCandidates(title: string): Generator<string> {
  const stem = keyStem(title)
  yield stem
  for (let number = 2; number < 10_000; number++)
    yield `${stem.slice(0, MAX_KEY_LENGTH - String(number).length)}${number}`
}

function keyStem(title: string): string {
  const plain = title.normalize('NFKD').replace(/\p{M}/gu, '').toUpperCase()
  const words = plain.match(/[A-Z0-9]+/g) ?? []
  const initials = words.length > 1 ? words.map((word) => word[0]).join('') : (words[0] ?? '')
  const stem = initials.replace(/^[0-9]+/, '').slice(0, words.length > 1 ? MAX_KEY_LENGTH : 3)
  return stem.length > 1 ? stem : (stem + 'BRD').slice(0, 3)
}
