import { AsyncLocalStorage } from 'node:async_hooks'
import type { Caller } from '../kernel/caller.ts'
import { Fault } from '../kernel/fault.ts'
import {
  chooseLanguage,
  ENGLISH,
  type TextKey,
  type Texts,
  textsOf,
  translateError,
} from '../languages/index.ts'
import { type Html, html } from './html.ts'

const current = new AsyncLocalStorage<Texts>()

type Values = Readonly<Record<string, string | number>>

/** The texts of the language of this request. */
const texts = (): Texts => current.getStore() ?? ENGLISH

export const pageLanguage = () => texts().language

/** A text of a page, in the language of this request. */
export const say = (key: TextKey, values?: Values): string => texts().text(key, values)

/** Surrounds the name of a value. No text contains it. */
const MARK = '\0'

/** A text with markup among its values. */
export function sayHtml(key: TextKey, values: Readonly<Record<string, Html>>): Html {
  const marks = Object.keys(values).map((name) => [name, MARK + name + MARK])
  const parts = say(key, Object.fromEntries(marks)).split(MARK)
  return html`${parts.map((part, at) => (at % 2 ? values[part]! : part))}`
}

/** Runs a handler in the language of the person, or of the browser before somebody signed in. */
export async function inLanguage<T>(
  { headers }: Request,
  caller: Caller | undefined,
  run: () => Promise<T>,
): Promise<T> {
  const accept_language = headers.get('accept-language') ?? undefined
  const { language } = chooseLanguage(caller ?? { accept_language })
  return current.run(await textsOf(language), run)
}

/** A fault in the language of this request. Hints for programs have no translation. */
export function localFault(fault: Fault): Fault {
  const own = texts()
  if (own.language === 'en') return fault
  const { code, message, details, hint } = fault
  const translated = translateError(own, message)
  if (!translated) return fault
  const translatedHint = hint && translateError(own, hint)
  return Object.assign(new Fault(code, translated, details, translatedHint), { cause: fault.cause })
}
