import { fault } from '../../kernel/fault.ts'

const SHOWING = 'Give it at least one letter, digit or sign'

/** A title or name as it is kept: one line, and something to see in it. */
export function nameOf(field: string, text: string): string {
  const name = text.normalize('NFC').trim().replace(/\s+/g, ' ')
  if (/[\p{L}\p{N}\p{P}\p{S}]/u.test(name)) return name
  throw fault.invalid(field, 'required', `${field} must not be empty`, text, SHOWING)
}

/** Names that read the same are the same, in every script. */
export const folded = (name: string) =>
  name.normalize('NFC').trim().replace(/\s+/g, ' ').toLowerCase()

const MOST = 5

/** The letters of a new board's tickets, best first: initials, or a word's beginning. */
export function* keysFor(title: string): Generator<string> {
  const stem = stemOf(title)
  yield stem
  for (let number = 2; number < 10_000; number++)
    yield `${stem.slice(0, MOST - String(number).length)}${number}`
}

function stemOf(title: string): string {
  const plain = title.normalize('NFKD').replace(/\p{M}/gu, '').toUpperCase()
  const words = plain.match(/[A-Z0-9]+/g) ?? []
  const letters = words.length > 1 ? words.map((word) => word[0]).join('') : (words[0] ?? '')
  const stem = letters.replace(/^[0-9]+/, '').slice(0, words.length > 1 ? MOST : 3)
  return stem.length > 1 ? stem : (stem + 'BRD').slice(0, 3)
}
