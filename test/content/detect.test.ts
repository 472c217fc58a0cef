import { expect, test } from 'bun:test'
import { converter } from '../../src/content/convert.ts'
import { detect } from '../../src/content/detect.ts'

const { clean } = converter

const html = [
  '<p>a</p>',
  '  \n<h2>a</h2>\n\n- b',
  '<ul><li>a</li></ul>',
  '<table><tr><td>a</td></tr></table>',
  '<div># a</div>',
  '<hr>a',
  '<!doctype html><title>a</title><p>b',
  '<html><head><style>p{}</style></head><body>a</body></html>',
  'a <b>b</b> c',
  'Press <kbd>Esc</kbd>',
  'a<br>b',
  '<img src="/a.png" alt="b">',
  '<center>a</center>',
  '<details><summary>a</summary>b</details>',
  'List<T> is <i>generic</i>',
  'a <img src=x onerror=alert(1)>',
]
for (const text of html)
  test(`HTML is detected: ${JSON.stringify(text)}`, () => expect(detect(text)).toBe('html'))

const markdown = [
  'a',
  'a < b',
  'List<T>',
  'if (a<b && c>d) {}',
  '<https://example.com/x>',
  'press <b> twice',
  '<p',
  '<p>a',
  'a **b** <kbd>c</kbd>',
  '# a\n<br>\nb',
  '- a <b>b</b>',
  '> a <b>b</b>',
  '1. a <b>b</b>',
  '`<b>a</b>`',
  '```\n<p>a</p>\n```',
  '[a](b) <b>c</b>',
  '| a | b |\n|---|---|\n| <b>c</b> | d |',
  'a <b>b</b>\n\nc',
  '<details><summary>a</summary>\n\n- b\n\n</details>',
  '<script>alert(1)</script>',
  'Add <script src="a.js"></script> to <b>head</b>',
  '<template><p>a</p></template>',
  '<note><to>Tove</to></note>',
]
for (const text of markdown)
  test(`markdown is detected and stored verbatim: ${JSON.stringify(text)}`, () =>
    expect(clean(text, undefined)).toEqual({ text, format: 'markdown', removed: [] }))

test('the format of a megabyte of repeated syntax is detected within four seconds', () => {
  const parts = [
    '<',
    '<b ',
    '<b x="',
    '`',
    '**',
    '[',
    '[a](',
    '\n',
    ' \n',
    '-',
    '|-',
    '<p>',
    '*a',
    '~~',
  ]
  for (const part of parts) {
    const { user } = process.cpuUsage()
    detect(`<b>a</b>${part.repeat(1_000_000 / part.length)}`)
    expect([part, process.cpuUsage().user - user < 4_000_000]).toEqual([part, true])
  }
})

const removed: [html: string, names: string[]][] = [
  ['<p>a</p><script>b</script>', ['<script>']],
  ['<p onclick="x()" onfocus=y>a</p>', ['the event handler onclick', 'the event handler onfocus']],
  ['<iframe src="/x"></iframe>a', ['<iframe>']],
  ['<style>p{}</style><p style="color:red">a</p>', ['<style>', 'styles']],
  ['<a href="javascript:x()">a</a>', ['a javascript: address']],
  ['<a href=" java&#10;script:x()">a</a>', ['a javascript: address']],
  ['<img src="data:image/png;base64,AA==" alt="a">', ['a data: address']],
  ['<form><input name="a"><button>b</button></form>', ['<form>', '<input>', '<button>']],
  ['a<!-- b -->', ['comments']],
  ['a<svg><circle r="1"/></svg>', ['<svg>']],
  ['<object data="x">a</object>', ['<object>']],
  ['<p class="a" id="b" data-c="d">e</p>', []],
  ['<center>a</center><font color="red">b</font><section>c</section>', []],
  ['List<T> and <b', []],
]
for (const [text, names] of removed)
  test(`cleaning ${text} reports as removed: ${names.join(', ') || 'nothing'}`, () =>
    expect(clean(text, 'html').removed).toEqual(names))
