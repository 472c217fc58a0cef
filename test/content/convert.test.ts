import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { loadConverter } from '../../src/content/index.ts'
import { scaleCount } from '../support/scale.ts'
import { documents, fragments } from './documents.ts'
import { rendered } from './rendered.ts'

const content = await loadConverter()
const RUNS = { numRuns: scaleCount(150, 3000) }
const LONG = 120_000

test(
  'HTML is the same after conversion to markdown and back',
  () => {
    const toMarkdown = (html: string) => content.markdown(html, 'html')
    fc.assert(
      fc.property(documents, (html) => {
        const clean = content.clean(html, 'html').text
        expect(rendered(content.html(toMarkdown(clean), 'markdown'))).toEqual(rendered(clean))
      }),
      RUNS,
    )
  },
  LONG,
)

test(
  'markdown renders the same after conversion to HTML and back',
  () => {
    const means = (markdown: string) => rendered(content.html(markdown, 'markdown'))
    fc.assert(
      fc.property(documents, (html) => {
        const markdown = content.markdown(html, 'html')
        const roundTrip = content.markdown(content.html(markdown, 'markdown'), 'html')
        expect(means(roundTrip)).toEqual(means(markdown))
      }),
      RUNS,
    )
  },
  LONG,
)

test(
  'converted HTML is unchanged when it is cleaned again, whatever the input',
  () => {
    fc.assert(
      fc.property(fc.oneof(documents, fragments), (text) => {
        for (const format of ['html', 'markdown'] as const) {
          const clean = content.html(text, format)
          expect(content.html(clean, 'html')).toBe(clean)
          expect(content.markdown(clean, 'html')).toBeString()
        }
      }),
      RUNS,
    )
  },
  LONG,
)

for (const text of ['<li><form><li>a', '<li><table><li>a', '<p>a<form><p>b</form>c'])
  test(`${text} is stable after it was cleaned once`, () => {
    const clean = content.html(text, 'html')
    expect(content.html(clean, 'html')).toBe(clean)
  })

const conversions: [what: string, html: string, markdown: string][] = [
  [
    'a table',
    '<table><thead><tr><th align="right">a</th></tr></thead><tbody><tr><td align="right">1|2</td></tr></tbody></table>',
    '| a |\n| -: |\n| 1\\|2 |\n',
  ],
  ['tasks', '<ul><li><input type="checkbox" disabled checked> done</li></ul>', '- [x] done\n'],
  ['nested lists', '<ol><li>a<ul><li>b</li></ul></li></ol>', '1. a\n   - b\n'],
  ['code', '<pre><code class="language-js">a\n\nb\n</code></pre>', '```js\na\n\nb\n```\n'],
  [
    'keys',
    '<p>Press <kbd>Esc</kbd>, H<sub>2</sub>O, <mark>so</mark></p>',
    'Press <kbd>Esc</kbd>, H<sub>2</sub>O, <mark>so</mark>\n',
  ],
  [
    'details',
    '<details open=""><summary>More</summary><p>in <strong>it</strong></p></details>',
    '<details open><summary>More</summary>\n\nin **it**\n\n</details>\n',
  ],
  ['what only looks like a tag', '<p>a &lt;b&gt; *c* [d](e)</p>', 'a \\<b> \\*c\\* \\[d]\\(e)\n'],
  [
    'a cell over two columns',
    '<table><tr><td colspan="2"><pre>a\n\nb</pre></td></tr></table>',
    '<table><tbody><tr><td colspan="2"><pre>a&#10;&#10;b</pre></td></tr></tbody></table>\n',
  ],
]

for (const [name, html, markdown] of conversions)
  test(`${name} converts to markdown and back to the same HTML`, () => {
    expect(content.markdown(html, 'html')).toBe(markdown)
    const roundTrip = content.html(markdown, 'markdown')
    expect(rendered(roundTrip)).toEqual(rendered(content.clean(html, 'html').text))
  })

test('task lists, autolinks and strikethrough in markdown are rendered as HTML', () => {
  const markdown = '# Plan\n\n- [ ] write to a@b.example\n- [x] see www.example.com ~~now~~\n'
  expect(content.html(markdown, 'markdown')).toBe(
    '<h1>Plan</h1>\n<ul>\n' +
      '<li class="task-list-item"><input type="checkbox" disabled>write to ' +
      '<a href="mailto:a@b.example" rel="noopener nofollow ugc">a@b.example</a></li>\n' +
      '<li class="task-list-item"><input type="checkbox" disabled checked>see ' +
      '<a href="http://www.example.com" rel="noopener nofollow ugc">www.example.com</a> ' +
      '<del>now</del></li>\n</ul>\n',
  )
  expect(content.markdown(markdown, 'markdown')).toBe(markdown)
})

const asHtml = (markdown: string) => content.html(markdown, 'markdown')

test('words after the language of a code block are shown in a line above it', () => {
  expect(asHtml('```js title="a b" {1}\nx\n```\n')).toBe(
    '<p><code>title="a b" {1}</code></p>\n<pre><code class="language-js">x\n</code></pre>\n',
  )
  expect(asHtml('```{r, echo=FALSE}\nx\n```\n')).toBe(
    '<p><code>{r, echo=FALSE}</code></p>\n<pre><code>x\n</code></pre>\n',
  )
  expect(asHtml('~~~c++\nx\n~~~\n')).toBe('<pre><code class="language-c++">x\n</code></pre>\n')
})

test('an end tag without its start tag is shown as text', () => {
  expect(asHtml('a</p>\nb')).toBe('<p>a&lt;/p>\nb</p>\n')
  expect(asHtml('- a</ul>\n- b')).toBe('<ul>\n<li>a&lt;/ul></li>\n<li>b</li>\n</ul>\n')
  expect(asHtml('> a </blockquote>\n\nb')).toContain('<p>a &lt;/blockquote></p>\n</blockquote>')
  expect(asHtml('`</p>` and <p\t\tlang="de">c</p>')).toContain('<code>&lt;/p></code>')
  expect(asHtml('<h1>Title</h1>\n\n<ul>\n<li>one</li>\n</ul>\n')).toBe(
    '<h1>Title</h1>\n<ul>\n<li>one</li>\n</ul>\n',
  )
})

test('marks alone are shown as text, marks beside text keep their meaning, invisible HTML is empty', () => {
  for (const text of ['-', '#', '1.', '>', '```', '[]()']) {
    expect(content.clean(text, undefined)).toEqual({ text, format: 'markdown', removed: [] })
    expect(asHtml(text)).toBe(`<p>${text}</p>\n`)
  }
  expect(asHtml('-\n\na')).toBe('<ul>\n<li></li>\n</ul>\n<p>a</p>\n')
  for (const text of ['<br>', '&nbsp;', '<!-- -->'])
    expect(content.clean(text, undefined).text).toBe('')
})

test('noncharacters are replaced, and the text around them is unchanged', () => {
  expect(asHtml('```js a b\nx\n```\n\n\ufdd20\ufdd2 \ufdd0a\ufdd1')).toBe(
    '<p><code>a b</code></p>\n<pre><code class="language-js">x\n</code></pre>\n<p>�0� �a�</p>\n',
  )
})
