/** Builds the file of each language, which the app loads before it runs, unless it is English. */
import { mkdir, rm } from 'node:fs/promises'
import { basename, join } from 'node:path'
import MessageFormat from '@messageformat/core'
// @ts-expect-error It has no types.
import compileModule from '@messageformat/core/compile-module.js'
import { parse } from '@messageformat/parser'
import en from '../src/web/messages/en.json'
import {
  type Catalog,
  type Lookup,
  type Lookups,
  messageAt,
  partsOf,
  textKeyOf,
} from './messages.ts'
import { catalogOf, languages, WEB } from './messages-check.ts'

const root = join(import.meta.dir, '..')
const sources = join(root, 'dist/languages')

const catalogs = () =>
  Promise.all(
    languages.map(async (language) => [language, await catalogOf(WEB, language)] as const),
  )

/**
 * Messages with the English text of another one, whose translation differs in a language. They
 * cannot be looked up by their text.
 */
export async function findHomonyms(english: Catalog = en): Promise<ReadonlySet<string>> {
  const homonyms = new Set<string>()
  const translated = await catalogs()
  const first = new Map<string, string>()
  for (const [area, messages] of Object.entries(english))
    for (const [name, message] of Object.entries(messages)) {
      const [key, parts] = [`${area}.${name}`, partsOf(message)]
      if (!parts) continue
      const text = textKeyOf(parts)
      const other = first.get(text)
      if (other === undefined) first.set(text, key)
      else if (translated.some(([, catalog]) => differ(english, catalog, key, other)))
        homonyms.add(key)
    }
  return homonyms
}

function differ(english: Catalog, catalog: Catalog, ...keys: [string, string]): boolean {
  const [one, other] = keys.map((key) => {
    const translation = messageAt(catalog, key)
    const names = partsOf(messageAt(english, key)!)!.filter((_, at) => at % 2)
    return translation && withMarks(translation, names)
  })
  return one !== undefined && other !== undefined && one !== other
}

/** A translation with a character instead of each value. Undefined if it needs a function. */
function withMarks(translation: string, order: readonly string[]): string | undefined {
  const tokens = parse(translation, { strict: false })
  const texts = tokens.map((token) => {
    if (token.type === 'content') return token.value
    return token.type === 'argument' && order.includes(token.arg)
      ? String.fromCharCode(0xe000 + order.indexOf(token.arg))
      : undefined
  })
  return texts.includes(undefined) ? undefined : texts.join('')
}

/** The source of the file of a language. Messages without a translation are left out. */
export function languageSource(language: string, catalog: Catalog, lookups: Lookups): string {
  const functions: Record<string, string> = {}
  const entries = [...lookups].flatMap(([hash, { key, order }]) => {
    const translation = messageAt(catalog, key)
    if (!translation) return []
    const text = withMarks(translation, order ?? [])
    if (text !== undefined) return `${JSON.stringify(hash)}:${JSON.stringify(text)}`
    functions[`m${hash}`] = translation
    return `${JSON.stringify(hash)}:${callOf(`__messages.m${hash}`, order)}`
  })
  const compiled: string = compileModule(new MessageFormat(language), functions)
  const source = compiled
    .replace('export default', 'const __messages =')
    // All texts of the app contain European digits.
    .replaceAll('number("ar"', 'number("ar-u-nu-latn"')
  return `${source}\nglobalThis.corkLanguage = {${entries.join(',\n')}}\n`
}

/** A function whose values are passed in this order, or by name. */
function callOf(name: string, order: Lookup['order']): string {
  if (!order) return name
  const values = order.map((one, at) => `${JSON.stringify(one)}: values[${at}]`)
  return `(...values) => ${name}({${values.join(', ')}})`
}

/** Writes the files. Returns the address of each language. */
export async function buildLanguages(
  outdir: string,
  lookups: Lookups,
  translated?: readonly (readonly [string, Catalog])[],
): Promise<Record<string, string>> {
  await mkdir(sources, { recursive: true })
  const entrypoints: string[] = []
  for (const [language, catalog] of translated ?? (await catalogs())) {
    const path = join(sources, `${language}.js`)
    await Bun.write(path, languageSource(language, catalog, lookups))
    entrypoints.push(path)
  }
  const naming = 'language-[name]-[hash].[ext]'
  const { outputs } = await Bun.build({
    ...{ entrypoints, outdir, naming },
    ...{ target: 'browser', format: 'iife', minify: true },
  })
  await rm(sources, { recursive: true })
  const nameOf = (path: string) => /^language-(.+)-[^-]+\.js$/.exec(basename(path))![1]!
  return Object.fromEntries(
    outputs.map(({ path }) => [nameOf(path), `/assets/${basename(path)}`]).sort(),
  )
}
