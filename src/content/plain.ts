import { decodeHTMLStrict } from 'entities'
import type { Format } from './content.ts'
import { renderMarkdown } from './render.ts'

/** Elements that do not separate the words around them. */
const INLINE = new Set(
  (
    'a abbr b bdi bdo big cite code data del dfn em font i ins kbd label mark q rb rp rt ruby s ' +
    'samp small span strike strong sub sup time tt u var wbr'
  ).split(' '),
)

/** Elements whose content is not readable text. */
const SKIPPED = new Set(
  (
    'script style template textarea title svg math iframe noembed noframes noscript object xmp ' +
    'plaintext select'
  ).split(' '),
)
const CODE = new Set([...SKIPPED, 'code', 'pre', 'kbd', 'samp'])

/**
 * The words of a text without markup, one line per block. For indexes, snippets and look-ups; the
 * result is not HTML and is never shown as such.
 */
export const plainOf = (text: string, format: Format): string =>
  wordsOf(asMarkup(text, format), SKIPPED)

/** A block of text. The level is 1 to 6 for headings and 0 for all others. */
export interface Block {
  level: number
  text: string
}

/** The blocks of a text. Code keeps its lines, and the cells of a row are joined by bars. */
export const blocksOf = (text: string, format: Format): Block[] =>
  readBlocks(asMarkup(text, format), SKIPPED, true)

/** The same without code, since an @ in code mentions nobody. */
export const proseOf = (text: string, format: Format): string =>
  wordsOf(asMarkup(text, format), CODE)

const asMarkup = (text: string, format: Format) =>
  format === 'markdown' ? renderMarkdown(text).html : text

/** The beginning of a text in one line, cut between two words. */
export const snippetOf = (text: string, format: Format, length = 200): string =>
  truncate(plainOf(text, format), length)

/** Truncates plain words to one line, between two words if possible. */
export function truncate(words: string, length = 200): string {
  const line = words.replaceAll('\n', ' ')
  if (line.length <= length) return line
  const head = line.slice(0, length - 1)
  const space = head.lastIndexOf(' ')
  const end = space > length / 2 ? space : head.length
  return `${head.slice(0, end).replace(/[\uD800-\uDBFF]$/, '')}…`
}

const wordsOf = (markup: string, skipped: ReadonlySet<string>) =>
  readBlocks(markup, skipped)
    .map(({ text }) => text)
    .join('\n')

/** Reads the text in a single pass, so that malformed markup takes no more than linear time. */
function readBlocks(markup: string, skipped: ReadonlySet<string>, keepsLayout = false): Block[] {
  const blocks: Block[] = []
  let block = ''
  let level = 0
  let isCode = false
  let at = 0
  const flush = () => {
    const words = decodeReferences(block)
    const text = isCode ? trimCode(words) : words.replace(/\s+/g, ' ').trim()
    if (text) blocks.push({ level, text })
    block = ''
  }
  while (at < markup.length) {
    const open = markup.indexOf('<', at)
    if (open < 0) break
    block += markup.slice(at, open)
    const tag = tagAt(markup, open)
    if (tag.name === '') block += markup.slice(open, tag.end)
    else if (keepsLayout && isCell(tag.name)) block += tag.opens && block.trim() ? ' | ' : ''
    else if (isSeparator(tag.name)) {
      flush()
      if (isHeading(tag.name)) level = tag.opens ? Number(tag.name[1]) : 0
      if (tag.name === 'pre') isCode = keepsLayout && tag.opens
    }
    at = tag.opens && skipped.has(tag.name) ? endTagStart(markup, tag.name, tag.end) : tag.end
  }
  block += markup.slice(at)
  flush()
  return blocks
}

const isHeading = (name: string) => /^h[1-6]$/.test(name)
const isCell = (name: string) => name === 'td' || name === 'th'
const trimCode = (code: string) => code.replace(/^(?:[^\S\n]*\n)+/, '').trimEnd()
const isSeparator = (name: string) => name !== '!' && !INLINE.has(name) && !SKIPPED.has(name)

interface Tag {
  /** Empty if `<` is only a character; `!` for a comment. */
  name: string
  opens: boolean
  end: number
}

const NAME = /\/?([a-z][^\s/>]*)/iy
const TO_QUOTE_OR_END = /[^>"']*/y

function tagAt(markup: string, open: number): Tag {
  const start = open + 1
  if (markup.startsWith('!--', start)) return comment(markup, start)
  if (markup[start] === '!' || markup[start] === '?')
    return { name: '!', opens: false, end: endAfter(markup, '>', start) }
  NAME.lastIndex = start
  const name = NAME.exec(markup)?.[1]?.toLowerCase()
  if (name === undefined) return { name: '', opens: false, end: start }
  return { name, opens: markup[start] !== '/', end: tagEnd(markup, NAME.lastIndex) }
}

const comment = (markup: string, start: number): Tag => ({
  name: '!',
  opens: false,
  end: markup.startsWith('!-->', start) ? start + 4 : endAfter(markup, '-->', start + 3),
})

/** The end of a tag. A quote counts only after `=`, and a `>` in quotes does not end the tag. */
function tagEnd(markup: string, from: number): number {
  let at = from
  while (at < markup.length) {
    TO_QUOTE_OR_END.lastIndex = at
    TO_QUOTE_OR_END.exec(markup)
    const stop = TO_QUOTE_OR_END.lastIndex
    const character = markup[stop]
    if (character === undefined || character === '>') return Math.min(stop + 1, markup.length)
    at = /=\s?$/.test(markup.slice(stop - 2, stop))
      ? endAfter(markup, character, stop + 1)
      : stop + 1
  }
  return markup.length
}

function endAfter(markup: string, delimiter: string, from: number): number {
  const found = markup.indexOf(delimiter, from)
  return found < 0 ? markup.length : found + delimiter.length
}

/** Where the end tag of a skipped element begins; without one, the rest of the text is skipped. */
function endTagStart(markup: string, name: string, from: number): number {
  const close = new RegExp(`</${name}(?=[\\s/>])`, 'gi')
  close.lastIndex = from
  return close.exec(markup)?.index ?? markup.length
}

const decodeReferences = (text: string) =>
  text.includes('&') ? decodeHTMLStrict(text).replaceAll('\u00ad', '') : text
