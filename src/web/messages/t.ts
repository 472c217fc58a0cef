import type { ReactNode } from 'react'
import type messages from './en.json'

type KeyOf<Catalog> = {
  [Area in keyof Catalog & string]: `${Area}.${keyof Catalog[Area] & string}`
}[keyof Catalog & string]

/** A message of the catalog: its area and its name there. */
export type MessageKey = KeyOf<typeof messages>

type Values<Value> = Readonly<Record<string, Value>>

/**
 * A message of the catalog, `en.json`. `scripts/messages.ts` replaces each call by the compiled
 * message, so a key is always written out, and a part of the app loads only its own messages.
 */
export function t(key: MessageKey, _values?: Values<string | number | null | undefined>): string {
  throw new Error(`${key} was not compiled: see scripts/messages.ts`)
}

/** Surrounds the name of a value. No message contains it. */
const MARK = '\0'

/** A message with elements among its values, such as a name in bold. */
export function rich(message: MessageKey, values: Values<ReactNode>): ReactNode[] {
  const marked = Object.entries(values).map(([name, value]) =>
    // Plurals depend on the numbers.
    [name, typeof value === 'number' ? value : MARK + name + MARK],
  )
  const compiled = message as unknown as (marks: object) => string
  return compiled(Object.fromEntries(marked))
    .split(MARK)
    .map((part, at) => (at % 2 ? values[part] : part))
}
