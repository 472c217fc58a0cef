import type { Context } from '../kernel/caller.ts'
import type { Format } from './content.ts'
import * as plain from './plain.ts'
import { Cache } from './pool/cache.ts'

/** Reading the words of a shorter text takes less than 2 ms, whatever is in it. */
const SHORT = 1000
/** How much of a text its plain words are read of. */
const MOST_READ = 200_000
/** Reading so much for a snippet takes a few ms at most; HTML may begin with long styles. */
const BEGINNING = { html: 16_000, markdown: 2000 }

/** The words of a long text, which take time to read. */
export interface Words {
  plain: string
  /** Without code; empty where nobody can be mentioned. */
  prose: string
}

const known = { html: new Cache(), markdown: new Cache() } satisfies Record<Format, Cache>

/** Slow for a long text. */
export function wordsOf(text: string, format: Format): Words | undefined {
  if (text.length <= SHORT) return undefined
  const prose = /[@&]/.test(text) ? plain.proseOf(text, format) : ''
  return { plain: plain.plainOf(text.slice(0, MOST_READ), format), prose }
}

export function rememberWords(text: string, format: Format, words: Words | undefined): void {
  if (words) known[format].set(text, words)
}

interface Described {
  description: string | null
  content_type: Format
}

/**
 * Reads the words of descriptions that a transaction is about to index, except those that were read
 * when the text was cleaned.
 */
export function readWords(ctx: Context, ...tasks: Described[]): void {
  const missing = tasks.filter(({ description: text, content_type }) =>
    text && text.length > SHORT ? !known[content_type].get(text) : false,
  )
  if (!missing.length) return
  const key = JSON.stringify(missing.map((one) => [one.content_type, one.description]))
  const { caller, server } = ctx
  const read = ctx.resolve(`words ${key}`, async () => {
    const words: unknown[] = []
    for (const { description: text, content_type } of missing)
      words.push(
        await server.texts.run(caller.credential, {
          ...{ name: 'words', args: [text!, content_type], field: 'description' },
        }),
      )
    return words as Words[]
  })
  for (const [at, { description: text, content_type }] of missing.entries())
    rememberWords(text!, content_type, read[at])
}

const found = (text: string, format: Format) =>
  text.length > SHORT ? (known[format].get(text) as Words | undefined) : undefined

/**
 * The words of a text, a line for each block, without tags and marks; of a long one those of its
 * first 200,000 characters. For indexes, snippets and look-ups; never shown as HTML.
 */
export const plainOf = (text: string, format: Format): string =>
  found(text, format)?.plain ?? plain.plainOf(text.slice(0, MOST_READ), format)

/** The same of the whole text without code, in which an @ or a # calls nobody. */
export const proseOf = (text: string, format: Format): string =>
  found(text, format)?.prose ?? plain.proseOf(text, format)

/** The beginning of a text in one line, cut between two words. */
export function snippetOf(text: string, format: Format, length = 200): string {
  const words = found(text, format)?.plain
  return words === undefined
    ? plain.snippetOf(text.slice(0, BEGINNING[format]), format, length)
    : plain.briefly(words, length)
}
