import type MessageFormat from '@messageformat/core'
import { packCatalogs } from './catalogs.ts' with { type: 'macro' }
import { unpackCatalogs } from './catalogs.ts'
import type { Language } from './choose.ts'
import en from './messages/en.json'

type Catalog = Readonly<Record<string, Readonly<Record<string, string>>>>
type Values = Readonly<Record<string, string | number>>

type KeyOf<Messages> = {
  [Area in keyof Messages & string]: `${Area}.${keyof Messages[Area] & string}`
}[keyof Messages & string]

/** A text of the catalog: its area and its name there. */
export type TextKey = KeyOf<typeof en>

/** The texts of a language. Missing ones are English. */
export interface Texts {
  language: Language
  text(key: TextKey, values?: Values): string
}

/** The only form of plurals in the English catalog. */
const PLURAL = /\{(\w+), plural, one \{([^}]*)\} other \{([^}]*)\}\}/g

type Catalogs = Readonly<Record<Exclude<Language, 'en'>, Catalog>>

let catalogs: Catalogs | undefined

/** Needs neither a file nor the formatter, because its plurals have one form only. */
export const ENGLISH: Texts = {
  language: 'en',
  text: (key, values = {}) =>
    messageAt(en, key)!
      .replace(PLURAL, (_, name: string, one: string, other: string) =>
        (values[name] === 1 ? one : other).replace('#', String(values[name])),
      )
      .replace(/\{(\w+)\}/g, (_, name: string) => String(values[name])),
}

const loaded = new Map<Language, Promise<Texts>>([['en', Promise.resolve(ENGLISH)]])

/** Loads the texts of a language, once. */
export function textsOf(language: Language): Promise<Texts> {
  const before = loaded.get(language)
  if (before) return before
  const texts = load(language as Exclude<Language, 'en'>)
  loaded.set(language, texts)
  return texts
}

async function load(language: Exclude<Language, 'en'>): Promise<Texts> {
  const { default: Format } = await import('@messageformat/core')
  catalogs ??= unpackCatalogs(packCatalogs()) as Catalogs
  const catalog = catalogs[language]
  const compile = compiler(new Format(language))
  return {
    language,
    text(key, values = {}) {
      const translated = messageAt(catalog, key)
      return translated ? compile(translated)(values) : ENGLISH.text(key, values)
    },
  }
}

function messageAt(catalog: Catalog, key: TextKey): string | undefined {
  const [area = '', name = ''] = key.split('.')
  return catalog[area]?.[name]
}

/** Compiles each message when it is first used. */
function compiler(format: MessageFormat) {
  const compiled = new Map<string, (values: Values) => string>()
  return (message: string) => {
    const before = compiled.get(message)
    if (before) return before
    const run = format.compile(message) as (values: Values) => string
    compiled.set(message, run)
    return run
  }
}
