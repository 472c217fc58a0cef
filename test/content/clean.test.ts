import { expect, test } from 'bun:test'
import { type Format, loadConverter } from '../../src/content/index.ts'
import { Fault } from '../../src/kernel/fault.ts'

const content = await loadConverter()
const clean = (html: string) => content.clean(html, 'html').text
const REL = 'rel="noopener nofollow ugc"'

const unchanged = [
  '<h2>a</h2><p>b <strong>c</strong> <em>d</em> <u>e</u> <mark>f</mark> <kbd>g</kbd></p>',
  'H<sub>2</sub>O, x<sup>2</sup>, <del>no</del> <ins>yes</ins>',
  '<ul><li class="task-list-item"><input type="checkbox" checked disabled> a</li></ul>',
  '<ol start="3"><li value="4">a<ol><li>b</li></ol></li></ol>',
  '<pre><code class="language-c++">a &lt; b\n</code></pre>',
  '<table><thead><tr><th scope="col">a</th></tr></thead><tbody><tr><td colspan="2">b</td></tr></tbody></table>',
  '<details open><summary>a</summary><p>b</p></details>',
  '<blockquote cite="https://example.com/">a</blockquote><hr>',
  '<figure><img src="/a.png" alt="b" width="10"><figcaption>c</figcaption></figure>',
  `<a href="/t/HOM-1" ${REL}>a</a> <a href="mailto:a@b.example" ${REL}>b</a>`,
  '<p dir="rtl" lang="he">a</p><dl><dt>b</dt><dd>c</dd></dl>',
]
for (const html of unchanged)
  test(`clean HTML is unchanged: ${JSON.stringify(html)}`, () => expect(clean(html)).toBe(html))

const changed: [given: string, made: string][] = [
  ['<p onclick="x()" style="color:red" id="root" class="x" name="y">a</p>', '<p>a</p>'],
  ['<a href="javascript:alert(1)">a</a>', '<a>a</a>'],
  ['<a href="java\tscript:alert(1)" target="_top" rel="opener">a</a>', '<a>a</a>'],
  ['<a href="https://x.example" rel="opener">a</a>', `<a href="https://x.example" ${REL}>a</a>`],
  ['<a href=" https://x.example/\n\ta ">a</a>', `<a href="https://x.example/a" ${REL}>a</a>`],
  [`<a href="/${'x'.repeat(8192)}">a</a>`, '<a>a</a>'],
  ['<img src="data:image/png;base64,AA==" alt="a">', '<img alt="a">'],
  ['<img src=x onerror=alert(1)>', '<img src="x">'],
  ['a<script>b</script><style>c</style><svg><a>d</a></svg><math><mi>e</mi></math>f', 'adef'],
  ['<iframe src="/x">a</iframe><form action="/x"><button>b</button>c</form>', 'bc'],
  [
    '<textarea><p>a</p></textarea><title>b</title><template><p>c</p></template>d',
    '<div>&lt;p>a&lt;/p></div><div>b</div><p>c</p>d',
  ],
  ['<input type="text" value="a"><p>b</p>', '<p>b</p>'],
  ['<article><h1>a</h1></article><font color="red">b</font>', '<div><h1>a</h1></div>b'],
  ['<td>a</td><ul><li>b', 'a&lt;ul>&lt;li>b'],
  ['<center>a</center>', 'a'],
  ['<p>a<!-- b -->c</p><?php d ?>', '<p>ac</p>&lt;?php d ?>'],
  ['<b>a<p>b</b>c', '<b>a</b><p><b>b</b>c</p>'],
  ['<code class="language-js evil x">a</code>', '<code class="language-js">a</code>'],
  ['<ol start="1e9" type="javascript"><li>a</li></ol>', '<ol><li>a</li></ol>'],
]
for (const [input, output] of changed)
  test(`HTML is cleaned, and cleaning again changes nothing: ${input.slice(0, 80)}`, () => {
    expect(clean(input)).toBe(output)
    expect(clean(output)).toBe(output)
  })

test('markdown is stored verbatim, and unsafe HTML in it is removed or escaped when rendered', () => {
  const markdown = 'a <b onclick=x>b</b> [c](javascript:alert(1)) <script>d</script>\n'
  expect(content.clean(markdown, 'markdown').text).toBe(markdown)
  expect(content.html(markdown, 'markdown')).toBe(
    '<p>a <b>b</b> <a>c</a> &lt;script>d&lt;/script></p>\n',
  )
})

const MB = 1_000_000
const times = (text: string) => text.repeat(MB / text.length)
const attributes = Array.from({ length: 150_000 }, (_, i) => `a${i}=x`).join(' ')
const formats = Array.from({ length: 60_000 }, (_, i) => `<p><b a${i}></p>`).join('')

/** Inputs that make parsers run for hours or exhaust the memory. */
const slowTexts: [what: string, text: string, format: Format][] = [
  ...['<div>', '<b>', '<b><p>', '<table><tr><td>', '<ul><li>', '<font a><p>', '<a href=x>'].map(
    (tags): [string, string, Format] => [`a megabyte of ${tags}`, times(tags), 'html'],
  ),
  ['a tag with 150,000 attributes', `<p ${attributes}>x`, 'html'],
  ['attributes behind a quoted >', `<p x=">" ${attributes}>x`, 'html'],
  ['formats that are never closed', formats, 'html'],
  ['a megabyte of >', times('>'), 'markdown'],
  ['a megabyte of lists in lists', times('1. '), 'markdown'],
  ['a megabyte of marks', times('**a'), 'markdown'],
  ['a megabyte of quotes', times('"'), 'markdown'],
]
for (const [name, text, format] of slowTexts)
  test(`${name} is refused within two seconds`, () => {
    const startedAt = process.cpuUsage().user
    const attempt = () => content.clean(text, format, 'description')
    expect(attempt).toThrow(Fault)
    expect(process.cpuUsage().user - startedAt).toBeLessThan(2_000_000)
    try {
      attempt()
    } catch (fault) {
      const { field, code } = (fault as Fault).details
      expect([field, ['too_long', 'invalid_format'].includes(code!)]).toEqual(['description', true])
    }
  })

const heavy = ['[', '![](', '[a](', '_a ', 'a*', '`a', '<', '&lt;', '</p>', '<!--', 'www.', 'x\n']
for (const part of heavy)
  test(`a megabyte of ${JSON.stringify(part)} is cleaned or refused within four seconds`, () => {
    for (const format of ['html', 'markdown'] as const) {
      const startedAt = process.cpuUsage().user
      try {
        content.clean(times(part), format)
      } catch (fault) {
        expect(fault).toBeInstanceOf(Fault)
      }
      expect(process.cpuUsage().user - startedAt).toBeLessThan(4_000_000)
    }
  })

test('HTML with too many marks to escape stays HTML in markdown; ordinary prose is converted', () => {
  for (const part of ['*', '[', '![', '_', '`', 'a*_'])
    expect(content.markdown(times(part), 'html', 'description')).toBe(`<div>${times(part)}</div>\n`)
  const prose = `<p>${'Some *words*, as people write them. '.repeat(20_000)}</p>`
  expect(content.markdown(prose, 'html').length).toBeGreaterThan(prose.length)
})

test('a text that exceeds a megabyte only after cleaning is refused', () => {
  const links = '<a href=/>a</a> '.repeat(6000)
  expect(clean(links).length).toBeGreaterThan(links.length)
  expect(() => clean(`${links}${'x'.repeat(900_000)}`)).toThrow('after cleaning')
})
