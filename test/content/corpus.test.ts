import { expect, test } from 'bun:test'
import { converter } from '../../src/content/convert.ts'
import { plainOf } from '../../src/content/index.ts'
import { corpus } from './corpus/index.ts'
import { shownOfHtml, shownOfMarkdown, unmarked, visible } from './visible.ts'

const { clean, html, markdown } = converter

test('the corpus has at least 200 texts, and no name or text occurs twice', () => {
  expect(corpus.length).toBeGreaterThanOrEqual(200)
  expect(new Set(corpus.map(({ name }) => name)).size).toBe(corpus.length)
  expect(new Set(corpus.map(({ text }) => text)).size).toBe(corpus.length)
})

for (const sample of corpus) {
  const { name, text } = sample
  test(`${name}: as HTML, and converted to markdown, no visible character is lost`, () => {
    const kept = clean(text, 'html')
    expect(visible(kept.text)).toBe(shownOfHtml(sample))
    expect(visible(html(kept.text, 'html'))).toBe(shownOfHtml(sample))
    const asMarkdown = markdown(kept.text, 'html')
    expect(visible(html(asMarkdown, 'markdown'))).toBe(shownOfHtml(sample))
    expect(kept.removed).toEqual([])
  })
  test(`${name}: as markdown, the text is stored verbatim and rendered completely`, () => {
    expect(clean(text, 'markdown')).toEqual({ text, format: 'markdown', removed: [] })
    expect(markdown(text, 'markdown')).toBe(text)
    const shown = html(text, 'markdown')
    expect(unmarked(visible(shown))).toBe(shownOfMarkdown(sample))
    expect(visible(html(markdown(shown, 'html'), 'markdown'))).toBe(visible(shown))
  })
  test(`${name}: without a format, no visible character is lost`, () => {
    const kept = clean(text, undefined)
    if (kept.format === 'markdown') expect(kept.text).toBe(text)
    else expect(visible(kept.text)).toBe(shownOfHtml(sample))
    const words = plainOf(kept.text, kept.format).replace(/\s/g, '')
    const seen = visible(html(kept.text, kept.format))
    const alt = sample.text.includes('alt=') || sample.text.includes('![')
    if (!alt) expect(words.replace(/[\s\u00ad\u200b\ufeff]/g, '')).toBe(seen)
  })
}
