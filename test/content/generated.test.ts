import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { converter } from '../../src/content/convert.ts'
import { scaleCount } from '../support/scale.ts'
import { corpus } from './corpus/index.ts'
import { documents } from './documents.ts'
import { shownOfHtml, shownOfMarkdown, unmarked, visible } from './visible.ts'

const { clean, html, markdown } = converter

const RUNS = { numRuns: scaleCount(200, 5000) }
const LONG = 120_000

const TOKENS =
  'alpha Grün 漢字 שלום 😀 42 x_y C++ a*b <T> </T> <K,V> <foo> <foo-bar> <a:b> <b <b> <i> <em> ' +
  '<title> <script> <textarea> <div </div> </span> <!-- <?x <!y <![CDATA[ ]]> < > << >> <= >= <> </> ' +
  '-> => && || & &x; &amp &copy=1 &#; " \' { } ( ) ; , . ! ? / \\ | = + - @ada #tag $x % ^ ~ ` ' +
  '<div\u00a0x={y}> <p\u00a0{...q}> <a\u00a0b\u00a0c> List<P> Map<string, a<b c>d <3 <ada@ ada@x.example </p> </li> </ul> </h2> </blockquote> <ol> <li> ```{x\u00a0y'
const token = fc.constantFrom(...TOKENS.split(' ').map((one) => one.replaceAll('\u00a0', ' ')))
const separator = fc.constantFrom(' ', ' ', '', '\n', '\t', '\r\n', ' \n\n')
/** Random words that only look like markup. */
const words = fc
  .array(fc.tuple(token, separator), { minLength: 1, maxLength: 30 })
  .map((parts) => `w${parts.map((pair) => pair.join('')).join('')}`)

/** Whether the text has a pair of tags, a comment or a character reference, which are markup. */
const isMarkup = (text: string) => /<(\w+)>[\s\S]*<\/\1>|-->|&amp;/i.test(text)

const bare = (text: string) => text.replace(/[\s\u00ad]/g, '')
/** The letters and digits of a text, which every format keeps. */
const alphanumeric = (text: string) => text.replace(/[^\p{L}\p{N}]/gu, '')

test(
  'words that look like markup are unchanged when sent as HTML and read as HTML or markdown',
  () => {
    fc.assert(
      fc.property(words, (text) => {
        const cleaned = clean(text, 'html')
        fc.pre(!isMarkup(text))
        expect(visible(cleaned.text)).toBe(bare(text))
        expect(cleaned.removed).toEqual([])
        expect(visible(html(markdown(cleaned.text, 'html'), 'markdown'))).toBe(bare(text))
      }),
      RUNS,
    )
  },
  LONG,
)

test(
  'words that look like markup lose no letter when sent as markdown or without a format',
  () => {
    fc.assert(
      fc.property(words, (text) => {
        fc.pre(!isMarkup(text))
        expect(alphanumeric(visible(html(text, 'markdown')))).toBe(alphanumeric(text))
        const cleaned = clean(text, undefined)
        expect(alphanumeric(visible(html(cleaned.text, cleaned.format)))).toBe(alphanumeric(text))
      }),
      RUNS,
    )
  },
  LONG,
)

test(
  'documents lose no visible character as HTML, or converted to markdown and back',
  () => {
    fc.assert(
      fc.property(documents, (text) => {
        const cleaned = clean(text, 'html').text
        expect(visible(cleaned)).toBe(visible(text))
        expect(visible(html(markdown(cleaned, 'html'), 'markdown'))).toBe(visible(text))
      }),
      RUNS,
    )
  },
  LONG,
)

test(
  'texts of the corpus lose nothing when they are joined into one text',
  () => {
    const plain = corpus.filter(
      ({ name, text, html: asHtml }) =>
        !asHtml && !name.startsWith('marks alone') && !/<\/?\w+[ >]|-->|<!/.test(text),
    )
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...plain), { minLength: 2, maxLength: 6 }), (parts) => {
        const text = parts.map((one) => one.text).join('\n\n')
        expect(visible(clean(text, 'html').text)).toBe(parts.map(shownOfHtml).join(''))
        const isOpen = parts.some((one) => /^(?:`{3}|~{3}|\s{4}|\[)/m.test(one.text))
        if (isOpen) return
        const visibleText = unmarked(visible(html(text, 'markdown')))
        expect(alphanumeric(visibleText)).toBe(alphanumeric(parts.map(shownOfMarkdown).join('')))
      }),
      RUNS,
    )
  },
  LONG,
)
