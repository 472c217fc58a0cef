/** Compares the catalogs of a language with the English ones, for translators and for `check`. */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { parse, type Token } from '@messageformat/parser'

import { type Catalog, messageAt } from './messages.ts'

const root = join(import.meta.dir, '..')
/** The folder with the catalogs of the app. */
export const WEB = 'src/web/messages'
/** The folders with a catalog for each language: of the app, and of emails, pages and errors. */
const FOLDERS = [WEB, 'src/languages/messages']
/** Categories that no catalog needs, because they concern only numbers such as a million. */
const OPTIONAL: Readonly<Record<string, readonly string[]>> = {
  ...{ es: ['many'], fr: ['many'], it: ['many'], 'pt-BR': ['many'] },
}

/** The languages that the app is translated to. */
export const languages = readdirSync(join(root, WEB))
  .flatMap((file) => /^(.+)\.json$/.exec(file)?.[1] ?? [])
  .filter((language) => language !== 'en')
  .sort()

export const catalogOf = (folder: string, language: string): Promise<Catalog> =>
  Bun.file(join(root, folder, `${language}.json`)).json()

interface Result {
  missing: string[]
  problems: string[]
}

/** What is missing in the catalogs of a language, and what is wrong in them. */
export async function checkLanguage(language: string): Promise<Result> {
  const result: Result = { missing: [], problems: [] }
  for (const folder of FOLDERS) {
    const [english, translated] = [await catalogOf(folder, 'en'), await catalogOf(folder, language)]
    for (const [key, message] of entriesOf(english)) {
      const translation = messageAt(translated, key)
      if (!translation) result.missing.push(`${folder} ${key}`)
      else
        for (const problem of problemsOf(message, translation, language))
          result.problems.push(`${folder} ${key}: ${problem}`)
    }
    for (const [key] of entriesOf(translated))
      if (messageAt(english, key) === undefined)
        result.problems.push(`${folder} ${key}: unknown key`)
  }
  return result
}

const entriesOf = (catalog: Catalog) =>
  Object.entries(catalog).flatMap(([area, messages]) =>
    Object.entries(messages).map(([name, message]) => [`${area}.${name}`, message] as const),
  )

function problemsOf(english: string, translation: string, language: string): string[] {
  try {
    const [one, other] = [shapeOf(english, 'en'), shapeOf(translation, language)]
    return [
      ...differences('placeholders', one.names, other.names),
      ...differences('tags', tagsOf(english), tagsOf(translation)),
      ...differences('options of select', one.options, other.options),
      ...other.lacks.map((category) => `the plural category ${category} is missing`),
      ...(edgesOf(english) === edgesOf(translation) ? [] : ['space at the start or end differs']),
    ]
  } catch (error) {
    return [`not valid: ${String((error as Error).message).split('\n')[0]}`]
  }
}

function differences(what: string, english: readonly string[], translation: readonly string[]) {
  const missing = english.filter((one) => !translation.includes(one))
  const extra = translation.filter((one) => !english.includes(one))
  return [
    ...(missing.length ? [`${what} missing: ${missing.join(', ')}`] : []),
    ...(extra.length ? [`${what} that English does not have: ${extra.join(', ')}`] : []),
  ]
}

const tagsOf = (message: string) => [...new Set(message.match(/<\/?[a-z][^>]*>/g) ?? [])]
const edgesOf = (message: string) => message.replace(/\S(?:.*\S)?/s, '.')

const categoriesOf = (language: string, type: Intl.PluralRuleType) =>
  new Intl.PluralRules(language, { type }).resolvedOptions().pluralCategories

/** The parts of a message that its translation needs too. */
interface Shape {
  names: string[]
  options: string[]
  /** Plural categories that are missing. */
  lacks: string[]
}

function shapeOf(message: string, language: string): Shape {
  const cardinal = categoriesOf(language, 'cardinal')
  const ordinal = categoriesOf(language, 'ordinal')
  const shape: Shape = { names: [], options: [], lacks: [] }
  collect(parse(message, { cardinal, ordinal, strict: false }))
  return shape

  function collect(tokens: readonly Token[]) {
    for (const token of tokens) {
      if (!('arg' in token)) continue
      shape.names.push(token.arg)
      if (!('cases' in token)) continue
      const keys = token.cases.map(({ key }) => key)
      if (token.type === 'select') shape.options.push(...keys)
      else {
        const needed = token.type === 'plural' ? cardinal : ordinal
        shape.lacks.push(
          ...needed.filter((one) => !keys.includes(one) && !OPTIONAL[language]?.includes(one)),
        )
      }
      for (const { tokens: inner } of token.cases) collect(inner)
    }
  }
}

/** Prints the result for one language or all. Returns whether nothing is wrong. */
export async function printCheck(only?: string): Promise<boolean> {
  let isCorrect = true
  for (const language of only ? [only] : languages) {
    const { missing, problems } = await checkLanguage(language)
    isCorrect &&= !problems.length && !missing.length
    console.log(`${language}: ${missing.length} missing, ${problems.length} problems`)
    for (const problem of problems) console.log(`  ${problem}`)
    if (only) for (const key of missing) console.log(`  ${key}: missing`)
  }
  return isCorrect
}
