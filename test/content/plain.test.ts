import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { loadConverter, plainOf, proseOf, snippetOf } from '../../src/content/index.ts'
import { documents, fragments } from './documents.ts'

const html: [given: string, words: string][] = [
  ['<p>One <b>bo</b>ld</p><p>Two</p>', 'One bold\nTwo'],
  ['a<br>b<ul><li>c</li><li>d</li></ul>', 'a\nb\nc\nd'],
  ['<table><tr><td>a</td><td>b</td></tr></table>', 'a\nb'],
  [
    'a &amp; b &lt;c&gt; &#x41;&#66; &nbsp; &eacute; &unknown; &#0;',
    'a & b <c> AB é &unknown; \uFFFD',
  ],
  ['a<script>alert("<p>")</script>b<style>p{}</style>c', 'abc'],
  ['<SCRIPT>x</ScRiPt >a', 'a'],
  ['a<!-- <b>c</b> -->d<!doctype html>e', 'ade'],
  ['<a title="x > y" href=\'>\'>a</a>', 'a'],
  ['1 < 2 <3 a<', '1 < 2 <3 a<'],
  ['<p', ''],
  ['a <p title="never closed', 'a'],
  ['<script>never closed', ''],
  ['a<svg><text>b</text></svg>c', 'ac'],
  ['a &toString; &valueOf; b', 'a &toString; &valueOf; b'],
]
for (const [input, text] of html)
  test(`plain text is extracted from HTML: ${input}`, () =>
    expect(plainOf(input, 'html')).toBe(text))

const markdown: [given: string, words: string][] = [
  ['# A *b*\n\n- [x] c\n- d `e`\n', 'A b\nc\nd e'],
  ['[a](https://x.example) ![b](c.png)', 'a'],
  ['| a | b |\n|---|---|\n| c | d |', 'a\nb\nc\nd'],
  ['```js\nlet x = "<b>"\n```', 'let x = "<b>"'],
  ['a <b>c</b> &amp; \\*d\\*', 'a c & *d*'],
]
for (const [input, text] of markdown)
  test(`plain text is extracted from markdown: ${JSON.stringify(input)}`, () =>
    expect(plainOf(input, 'markdown')).toBe(text))

test('prose excludes code blocks and inline code', () => {
  expect(proseOf('a `@b` c\n\n```\n@d\n```\n\n@e', 'markdown')).toBe('a c\n@e')
  expect(proseOf('<p>a <code>@b</code></p><pre>@c</pre>', 'html')).toBe('a')
})

test('a snippet is one line, cut between words and never inside a character', () => {
  expect(snippetOf('<p>a</p><p>b</p>', 'html')).toBe('a b')
  expect(snippetOf('one two three four', 'html', 12)).toBe('one two…')
  expect(snippetOf('x'.repeat(500), 'html')).toBe(`${'x'.repeat(199)}…`)
  const snippet = snippetOf('🙂'.repeat(200), 'html', 10)
  expect([snippet.isWellFormed(), snippet.length <= 10]).toEqual([true, true])
})

test('a text and its cleaned form have the same plain text', async () => {
  const content = await loadConverter()
  fc.assert(
    fc.property(documents, (html) => {
      expect(plainOf(content.html(html, 'html'), 'html')).toBe(plainOf(html, 'html'))
    }),
    { numRuns: 100 },
  )
})

test('plain text is extracted from broken markup, and from a megabyte within two seconds', () => {
  fc.assert(
    fc.property(fragments, (input) => {
      for (const format of ['html', 'markdown'] as const) {
        const text = plainOf(input, format)
        expect(text).toBe(text.trim())
        expect(snippetOf(input, format).length).toBeLessThanOrEqual(200)
      }
    }),
    { numRuns: 300 },
  )
  for (const part of ['<', '<a b="', '<!--', '<script>', '</', ' ', '&', '<p>', '"', '<a\'"'])
    for (const format of ['html', 'markdown'] as const) {
      const startedAt = process.cpuUsage().user
      plainOf(part.repeat(1_000_000 / part.length), format)
      expect([part, process.cpuUsage().user - startedAt < 2_000_000]).toEqual([part, true])
    }
})
