import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parse, type Token } from '@messageformat/parser'
import { buildLanguages, findHomonyms } from '../../scripts/languages.ts'
import { type Catalog, compileMessages, type Lookups } from '../../scripts/messages.ts'
import en from '../../src/web/messages/en.json'
import { readFiles } from './source-files.ts'

const ACCENTS: Readonly<Record<string, string>> = {
  ...{ a: 'á', c: 'ç', d: 'ð', e: 'é', i: 'í', n: 'ñ', o: 'ó', r: 'ř', s: 'š', u: 'ú', y: 'ý' },
  ...{ A: 'Á', C: 'Ç', D: 'Ð', E: 'É', I: 'Í', N: 'Ñ', O: 'Ó', R: 'Ř', S: 'Š', U: 'Ú', Y: 'Ý' },
}
const GROWTH = 1.4

/** The text with accents and, because vowels repeat, two fifths longer. */
export function pseudo(text: string): string {
  let missing = Math.ceil(text.length * GROWTH) - text.length
  const accented = [...text].map((character) => {
    const shown = ACCENTS[character] ?? character
    if (missing <= 0 || !/[aeiouy]/i.test(character)) return shown
    missing -= 1
    return shown + shown.toLowerCase()
  })
  // Short words have few vowels.
  return accented
    .join('')
    .replace(/(\p{L})(?=\P{L}*$)/u, (last) => last + '~'.repeat(Math.max(missing, 0)))
}

const quoted = (text: string) => text.replaceAll("'", "''").replace(/[{}#]/g, "'$&'")

/** A message in the pseudo-language. Its values and plurals stay. */
const pseudoMessage = (message: string): string => serialize(parse(message, { strict: false }))

function serialize(tokens: readonly Token[]): string {
  const texts = tokens.map((token) => {
    if (token.type === 'content') return quoted(pseudo(token.value))
    if (token.type === 'octothorpe') return '#'
    if (token.type === 'argument') return `{${token.arg}}`
    if (token.type === 'function') return `{${token.arg}, ${token.key}}`
    const cases = token.cases.map(({ key, tokens: inner }) => `${key} {${serialize(inner)}}`)
    return `{${token.arg}, ${token.type}, ${cases.join(' ')}}`
  })
  return texts.join('')
}

const pseudoCatalog = (): Catalog =>
  Object.fromEntries(
    Object.entries(en).map(([area, messages]) => [
      area,
      Object.fromEntries(
        Object.entries(messages).map(([name, message]) => [name, pseudoMessage(message)]),
      ),
    ]),
  )

/** The source of the file of the pseudo-language, which no build contains. */
export async function pseudoLanguage(): Promise<string> {
  const lookups: Lookups = new Map()
  const homonyms = await findHomonyms()
  const modules = readFiles('src/web/**/*.{ts,tsx}').filter(
    ({ path }) => !/\.d\.ts$|^src\/web\/messages\//.test(path),
  )
  for (const { path, text } of modules)
    compileMessages(text, { isTsx: path.endsWith('x'), homonyms, lookups })
  const outdir = join(tmpdir(), `pseudo-${process.pid}`)
  const { en: address } = await buildLanguages(outdir, lookups, [['en', pseudoCatalog()]])
  return Bun.file(join(outdir, address!.replace('/assets/', ''))).text()
}
