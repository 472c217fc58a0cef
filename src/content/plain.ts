import { decodeHTMLStrict } from 'entities'
import type { Format } from './content.ts'
import { rendered } from './render.ts'

/** Elements that do not part the words around them. */
const INLINE = new Set(
  (
    'a abbr b bdi bdo big cite code data del dfn em font i ins kbd label mark q rb rp rt ruby s ' +
    'samp small span strike strong sub sup time tt u var wbr'
  ).split(' '),
)

/** Elements whose content nobody reads. */
const UNREAD = new Set(
  (
    'script style template textarea title svg math iframe noembed noframes noscript object xmp ' +
    'plaintext select'
  ).split(' '),
)
const CODE = new Set([...UNREAD, 'code', 'pre', 'kbd', 'samp'])

/**
 * The words of a text, a line for each block, without tags and marks. For indexes, snippets and
 * look-ups; what it answers is not HTML and is never shown as such.
 */
export const plainOf = (text: string, format: Format): string =>
  wordsOf(asMarkup(text, format), UNREAD)

/** A heading's level is 1 to 6, that of all other blocks 0. */
export interface Block {
  level: number
  text: string
}

/** The blocks of a text: code keeps its lines, and the cells of a row stand in one. */
export const blocksOf = (text: string, format: Format): Block[] =>
  readBlocks(asMarkup(text, format), UNREAD, true)

/** The same without code, in which an @ or a # calls nobody. */
export const proseOf = (text: string, format: Format): string =>
  wordsOf(asMarkup(text, format), CODE)

const asMarkup = (text: string, format: Format) =>
  format === 'markdown' ? rendered(text).html : text

/** The beginning of a text in one line, cut between two words. */
export const snippetOf = (text: string, format: Format, length = 200): string =>
  briefly(plainOf(text, format), length)

/** The same of words without tags or marks. */
export function briefly(words: string, length = 200): string {
  const line = words.replaceAll('\n', ' ')
  if (line.length <= length) return line
  const cut = line.slice(0, length - 1)
  const space = cut.lastIndexOf(' ')
  const end = space > length / 2 ? space : cut.length
  return `${cut.slice(0, end).replace(/[\uD800-\uDBFF]$/, '')}…`
}

const wordsOf = (markup: string, unread: ReadonlySet<string>) =>
  readBlocks(markup, unread)
    .map(({ text }) => text)
    .join('\n')

/** One pass over the text: whatever is malformed, nothing is looked at twice. */
function readBlocks(markup: string, unread: ReadonlySet<string>, keepsForm = false): Block[] {
  const blocks: Block[] = []
  let block = ''
  let level = 0
  let isCode = false
  let at = 0
  const flush = () => {
    const words = decoded(block)
    const text = isCode ? trimmed(words) : words.replace(/\s+/g, ' ').trim()
    if (text) blocks.push({ level, text })
    block = ''
  }
  while (at < markup.length) {
    const open = markup.indexOf('<', at)
    if (open < 0) break
    block += markup.slice(at, open)
    const tag = tagAt(markup, open)
    if (tag.name === '') block += markup.slice(open, tag.end)
    else if (keepsForm && isCell(tag.name)) block += tag.opens && block.trim() ? ' | ' : ''
    else if (parts(tag.name)) {
      flush()
      if (isHeading(tag.name)) level = tag.opens ? Number(tag.name[1]) : 0
      if (tag.name === 'pre') isCode = keepsForm && tag.opens
    }
    at = tag.opens && unread.has(tag.name) ? closeOf(markup, tag.name, tag.end) : tag.end
  }
  block += markup.slice(at)
  flush()
  return blocks
}

const isHeading = (name: string) => /^h[1-6]$/.test(name)
const isCell = (name: string) => name === 'td' || name === 'th'
const trimmed = (code: string) => code.replace(/^(?:[^\S\n]*\n)+/, '').trimEnd()
const parts = (name: string) => name !== '!' && !INLINE.has(name) && !UNREAD.has(name)

interface Tag {
  /** Empty where `<` is only a character; `!` of a comment. */
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
    return { name: '!', opens: false, end: past(markup, '>', start) }
  NAME.lastIndex = start
  const name = NAME.exec(markup)?.[1]?.toLowerCase()
  if (name === undefined) return { name: '', opens: false, end: start }
  return { name, opens: markup[start] !== '/', end: endOfTag(markup, NAME.lastIndex) }
}

const comment = (markup: string, start: number): Tag => ({
  name: '!',
  opens: false,
  end: markup.startsWith('!-->', start) ? start + 4 : past(markup, '-->', start + 3),
})

/** A quote means something only after `=`; in it a `>` ends nothing. */
function endOfTag(markup: string, from: number): number {
  let at = from
  while (at < markup.length) {
    TO_QUOTE_OR_END.lastIndex = at
    TO_QUOTE_OR_END.exec(markup)
    const stop = TO_QUOTE_OR_END.lastIndex
    const mark = markup[stop]
    if (mark === undefined || mark === '>') return Math.min(stop + 1, markup.length)
    at = /=\s?$/.test(markup.slice(stop - 2, stop)) ? past(markup, mark, stop + 1) : stop + 1
  }
  return markup.length
}

function past(markup: string, mark: string, from: number): number {
  const found = markup.indexOf(mark, from)
  return found < 0 ? markup.length : found + mark.length
}

/** Where an element that is not read ends; an unclosed one takes all that follows. */
function closeOf(markup: string, name: string, from: number): number {
  const close = new RegExp(`</${name}(?=[\\s/>])`, 'gi')
  close.lastIndex = from
  return close.exec(markup)?.index ?? markup.length
}

const decoded = (text: string) =>
  text.includes('&') ? decodeHTMLStrict(text).replaceAll('\u00ad', '') : text
