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
    const cleaned = clean(text, 'html')
    expect(visible(cleaned.text)).toBe(shownOfHtml(sample))
    expect(visible(html(cleaned.text, 'html'))).toBe(shownOfHtml(sample))
    const asMarkdown = markdown(cleaned.text, 'html')
    expect(visible(html(asMarkdown, 'markdown'))).toBe(shownOfHtml(sample))
    expect(cleaned.removed).toEqual([])
  })
  test(`${name}: as markdown, the text is stored verbatim and rendered completely`, () => {
    expect(clean(text, 'markdown')).toEqual({ text, format: 'markdown', removed: [] })
    expect(markdown(text, 'markdown')).toBe(text)
    const rendered = html(text, 'markdown')
    expect(unmarked(visible(rendered))).toBe(shownOfMarkdown(sample))
    expect(visible(html(markdown(rendered, 'html'), 'markdown'))).toBe(visible(rendered))
  })
  test(`${name}: without a format, no visible character is lost`, () => {
    const cleaned = clean(text, undefined)
    if (cleaned.format === 'markdown') expect(cleaned.text).toBe(text)
    else expect(visible(cleaned.text)).toBe(shownOfHtml(sample))
    const plainText = plainOf(cleaned.text, cleaned.format).replace(/\s/g, '')
    const visibleText = visible(html(cleaned.text, cleaned.format))
    const alt = sample.text.includes('alt=') || sample.text.includes('![')
    if (!alt) expect(plainText.replace(/[\s\u00ad\u200b\ufeff]/g, '')).toBe(visibleText)
  })
}
