import { expect, test } from 'bun:test'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { htmlToMarkdown } from '../../src/web/entities/editor/rich/paste/html-to-markdown.ts'

const FIXTURES = join(import.meta.dir, 'fixtures/clipboard')
const names = readdirSync(FIXTURES).filter((name) => name.endsWith('.txt'))

for (const name of names)
  test(`a paste from ${name.replace(/\.txt$/, '').replaceAll('-', ' ')} becomes clean markdown`, async () => {
    const html = await Bun.file(join(FIXTURES, name)).text()
    const expected = await Bun.file(join(FIXTURES, name.replace(/txt$/, 'md'))).text()
    expect(`${htmlToMarkdown(html)}\n`).toBe(expected)
  })

test('a picture in the pasted markup is collected for an upload', () => {
  const images: string[] = []
  const html = '<p>Look: <img src="data:image/png;base64,iVBORw0KGgo="> there</p>'
  expect(htmlToMarkdown(html, images)).toBe('Look: there')
  expect(images).toEqual(['data:image/png;base64,iVBORw0KGgo='])
})

test('a link that runs code becomes its text', () => {
  expect(htmlToMarkdown('<a href="javascript:alert(1)">tap</a>')).toBe('tap')
})

test('markup that is larger than 2 MB is not converted', () => {
  expect(htmlToMarkdown(`<b>${'x'.repeat(2_000_001)}</b>`)).toBeUndefined()
})
