import type { ReactNode } from 'react'
import type messages from './en.json'
import { hashOf } from './hash.ts'

type KeyOf<Catalog> = {
  [Area in keyof Catalog & string]: `${Area}.${keyof Catalog[Area] & string}`
}[keyof Catalog & string]

/** A message of the catalog: its area and its name there. */
export type MessageKey = KeyOf<typeof messages>

type Values<Value> = Readonly<Record<string, Value>>

/** A text, in which the characters from \ue000 on stand for values, or a function of the values. */
type Translation = string | ((...values: unknown[]) => string)

/** The file of the language sets it before the app runs. English has no file. */
const { corkLanguage: language } = globalThis as {
  corkLanguage?: Readonly<Record<string, Translation>>
}

/**
 * A message of the catalog, in the language of the page. `scripts/messages.ts` compiles each call,
 * so a key is always written out, and a part of the app loads only its own messages.
 */
export const t = compiled as (
  key: MessageKey,
  values?: Values<string | number | null | undefined>,
) => string

/** A compiled message: t`Add ${name}`, or t('id', English, { name }) if the text is no key. */
function compiled(source: TemplateStringsArray | string, ...values: unknown[]): string {
  if (typeof source === 'string') return format(language?.[source] ?? values[0], values.slice(1))
  const translation = language?.[hashOf(source.join('\0'))]
  if (translation !== undefined) return format(translation, values)
  return source.length > 1 ? String.raw({ raw: source }, ...values) : source[0]!
}

const format = (message: unknown, values: unknown[]): string =>
  typeof message === 'function'
    ? message(...values)
    : (message as string).replace(
        /[\ue000-\ue00f]/g,
        (mark) => `${values[mark.charCodeAt(0) & 15]}`,
      )

/** Surrounds the name of a value. No message contains it. */
const MARK = '\0'

/** A message with elements among its values, such as a name in bold. */
export const rich = compiledRich as unknown as (
  key: MessageKey,
  values: Values<ReactNode>,
) => ReactNode[]

function compiledRich(id: string, english: unknown, values: Values<ReactNode>): ReactNode[] {
  const marked = Object.entries(values).map(([name, value]) =>
    // Plurals depend on the numbers.
    [name, typeof value === 'number' ? value : MARK + name + MARK],
  )
  return compiled(id, english, Object.fromEntries(marked))
    .split(MARK)
    .map((part, at) => (at % 2 ? values[part] : part))
}
