import type { Context } from '../kernel/caller.ts'
import type { Format } from './content.ts'
import * as plain from './plain.ts'
import { Cache } from './pool/cache.ts'

/** Texts up to this length are read at once: reading their words takes less than 2 ms. */
const MAX_INLINE = 1000
/** Plain words are read from this many characters of a text. */
const MAX_READ = 200_000
/** Characters read for a snippet, which takes a few ms. HTML may begin with long styles. */
const BEGINNING = { html: 16_000, markdown: 2000 }

/** The words of a long text, cached because they take time to read. */
export interface Words {
  plain: string
  /** Without code; empty if the text has no @ or & and therefore no mentions. */
  prose: string
}

const cache = { html: new Cache(), markdown: new Cache() } satisfies Record<Format, Cache>

/** Reads the words of a long text, which is slow; undefined for a short one. */
export function wordsOf(text: string, format: Format): Words | undefined {
  if (text.length <= MAX_INLINE) return undefined
  const prose = /[@&]/.test(text) ? plain.proseOf(text, format) : ''
  return { plain: plain.plainOf(text.slice(0, MAX_READ), format), prose }
}

export function rememberWords(text: string, format: Format, words: Words | undefined): void {
  if (words) cache[format].set(text, words)
}

interface TextOwner {
  description: string | null
  content_type: Format
}

/**
 * Reads the words of descriptions that a transaction is about to index, except those that were read
 * when the text was cleaned.
 */
export function readWords(ctx: Context, ...tasks: TextOwner[]): void {
  const missing = tasks.filter(({ description: text, content_type }) =>
    text && text.length > MAX_INLINE ? !cache[content_type].get(text) : false,
  )
  if (!missing.length) return
  const key = JSON.stringify(missing.map((task) => [task.content_type, task.description]))
  const { caller, server } = ctx
  const words = ctx.resolve(`words ${key}`, async () => {
    const words: unknown[] = []
    for (const { description: text, content_type } of missing)
      words.push(
        await server.textTasks.run(caller.credential, {
          name: 'words',
          args: [text!, content_type],
          field: 'description',
        }),
      )
    return words as Words[]
  })
  for (const [index, { description: text, content_type }] of missing.entries())
    rememberWords(text!, content_type, words[index])
}

const cachedWords = (text: string, format: Format) =>
  text.length > MAX_INLINE ? (cache[format].get(text) as Words | undefined) : undefined

/**
 * The words of a text without markup, one line per block; only the first 200,000 characters are
 * read. For indexes, snippets and look-ups; never shown as HTML.
 */
export const plainOf = (text: string, format: Format): string =>
  cachedWords(text, format)?.plain ?? plain.plainOf(text.slice(0, MAX_READ), format)

/** The same for the whole text without code, since an @ in code mentions nobody. */
export const proseOf = (text: string, format: Format): string =>
  cachedWords(text, format)?.prose ?? plain.proseOf(text, format)

/** The beginning of a text in one line, cut between two words. */
export function snippetOf(text: string, format: Format, length = 200): string {
  const words = cachedWords(text, format)?.plain
  return words === undefined
    ? plain.snippetOf(text.slice(0, BEGINNING[format]), format, length)
    : plain.truncate(words, length)
}
