import { marked, samples } from './sample.ts'

const strayTags = samples('stray tags', [
  'a </p> b',
  'a</p>\nb',
  'a\n</p>\nb',
  '</p>\n\na',
  '- a </li> b\n- c </ul> d',
  '# a </h1> b\n\nc',
  '> a </blockquote> b\n> c\n\nd',
  '1. a </ol>\n2. b </li>\n3. c',
  '- a <li> b\n- c',
  '<script> alone',
  '<script>',
  'a <b>bold that is never closed\n\nb',
  '</body></html>',
  '| a </p> | b |\n|---|---|\n| c </li> | d |',
  { text: '`</p>` and </p> and `<p>`', html: '`</p>` and </p> and ``' },
  '    </p> in code\n\nand </p> outside',
  '[a </p> b](https://example.com/)',
])

const fences = samples('code blocks', [
  '```js title="x.ts" {1,3}\nfoo()\n```',
  '~~~ruby startline=3 $%@#$\ndef a\n~~~',
  '```{r, echo=FALSE}\nplot(x)\n```',
  '- item\n\n  ```c++ file <T>\n  code <U>\n  ```\n  - nested\n\n        more',
  '> ```diff a/b.ts\n> - x\n> + y\n> ```',
  { text: '````md\n```js inner\nx\n```\n````', shown: 'js inner x' },
  '```\n[error]: timeout\n| a | b |\n|---|---|\n| 1 | 2 | 3 |\n```\n\n[error]: after',
  '    ```\n\n[error]: after indented code',
  '``` not a fence ``` but code',
  '```text\nnever closed <T>\n| a |\n|---|\n| b | c |',
  '~~~ info with `marks` in it\nx\n~~~',
])

const lineEnds = samples('line ends', [
  'a\r\n```js x y\r\ncode <T>\r\n```\r\n[error]: timeout\r\n',
  'old\r[error]: one\r[error]: two\r| a |\r|---|\r| b | c |\r',
  '```js x\u2028y\ncode\n```',
  '[error]: a\u2028b <T>',
])

const marksAlone = samples(
  'marks alone',
  [...'-+#>*', '1.', '[]()', '- -', '```\n```'].map((text) => ({ text, shown: text })),
)

const rows = samples('tables with bars', [
  '| a | `x|y` |\n|---|---|\n| `a|b` | c |',
  '|a|b|\n|-|-|\n|`\\|`|d|',
  '| a |\n|---|\n| [x](https://example.com/y|z) |',
  '| a | b |\n|---|---|\n| x || y && z | <T> |',
  '- list\n\n  | a | b |\n  |---|---|\n  | 1 | 2 | 3 |',
])

const controls = samples('invisible characters', [
  'family 👩\u200d👩\u200d👧 and flag 🏳️\u200d🌈',
  'line\u2028separator and paragraph\u2029separator',
  'rtl \u202eabc\u202c and \u200fmark\u200e <T>',
  'bom \ufeffx and joiner a\u2060b',
  'bell \u0007 escape \u001b[31mred\u001b[0m',
  'a\tb\tc\n\ttabbed <T>',
  'one\r\ntwo <T>\r\n\r\n```\r\ncode\r\n```\r\n',
  'combining e\u0301 a\u0308 and Z\u0351\u036b\u0343algo',
])

const references = samples('references', [
  marked('&lt;b&gt; &amp;nbsp; &quot;', '<b> &nbsp; "'),
  '&lt without and &nosuch; with',
  '&ampnbsp; &copysign=1 &timesheet',
  '<![CDATA[ a < b ]]> and ]]>',
  '<!DOCTYPE note SYSTEM "x.dtd"> <?pi data?>',
  'a <!- not a comment -> b',
])

const long = samples('long lines', [
  `${'<T>'.repeat(500)}`,
  'a'.repeat(30_000),
  `${'word, '.repeat(3000)}<end>`,
  `| ${'cell | '.repeat(60)}\n|${'---|'.repeat(60)}\n| ${'x<y | '.repeat(60)}`,
])

export const edges = [
  ...strayTags,
  ...fences,
  ...lineEnds,
  ...marksAlone,
  ...rows,
  ...controls,
  ...references,
  ...long,
]
