import { describe, expect, test } from 'bun:test'
import { markdownOfWiki } from '../../src/import/sources/jira/wiki-markup.ts'

const context = {
  person: (id: string) => ({ olga: 'Olga', '5b10a:77': 'Ana Lund' })[id],
  attachment: (name: string) =>
    ({ 'mast.png': 'https://jira.example/a/1/mast.png' })[name] ?? undefined,
  isImported: (key: string) => key === 'BOAT-7',
}
const converted = (text: string) => markdownOfWiki(text, context)

describe('wiki markup becomes markdown', () => {
  const cases: [name: string, wiki: string, markdown: string][] = [
    ['a heading', 'h2. Rigging *now*', '## Rigging **now**'],
    ['bold', 'a *bold* word', 'a **bold** word'],
    ['italic', '_all of it_', '*all of it*'],
    ['a citation', '??Moby Dick??', '*Moby Dick*'],
    ['deleted text', '-gone-', '~~gone~~'],
    ['inserted text', '+new+', '<ins>new</ins>'],
    ['superscript', 'm ^2^', 'm <sup>2</sup>'],
    ['subscript', 'H ~2~ O', 'H <sub>2</sub> O'],
    ['nested marks', '*_both_*', '***both***'],
    ['marks within a word', 'un{*}der{*}way', 'un**der**way'],
    ['monospace', 'run {{sail --now}}', 'run `sail --now`'],
    ['monospace with backticks', '{{a`b}}', '``a`b``'],
    ['a link', '[the chart|https://sea.example/a_b]', '[the chart](https://sea.example/a_b)'],
    ['a link without text', '[https://sea.example]', '<https://sea.example>'],
    ['a smart link', '[x|https://sea.example|smart-link]', '[x](https://sea.example)'],
    ['a mail link', '[mailto:ana@sea.example]', '<mailto:ana@sea.example>'],
    ['a link to an anchor', '[below|#end]', 'below'],
    ['brackets that are no link', 'an [aside] here', 'an \\[aside\\] here'],
    ['a bare address', 'see https://sea.example/x_y_z.', 'see https://sea.example/x_y_z.'],
    ['a person', 'ask [~olga]', 'ask @Olga'],
    ['a person by account', '[~accountid:5b10a:77]', '@Ana Lund'],
    ['an unknown person', '[~ben_b]', '@ben_b'],
    ['an attachment', '[^mast.png]', '[mast.png](https://jira.example/a/1/mast.png)'],
    ['a missing attachment', '[^gone.pdf]', 'gone.pdf'],
    ['an image', '!mast.png|thumbnail!', '![mast.png](https://jira.example/a/1/mast.png)'],
    [
      'an image with text',
      '!mast.png|width=9,alt="Mast"!',
      '![Mast](https://jira.example/a/1/mast.png)',
    ],
    [
      'a remote image',
      '!https://sea.example/i.png!',
      '![https://sea.example/i.png](https://sea.example/i.png)',
    ],
    ['a missing image', '!gone.png!', '*gone.png*'],
    ['exclamation marks', 'Stop! Now! Really!', 'Stop! Now! Really!'],
    ['the key of an imported task', 'as BOAT-7 says', 'as [BOAT-7](task:BOAT-7) says'],
    ['the key of another task', 'as BOAT-8 says', 'as BOAT-8 says'],
    [
      'the address of an imported task',
      '[this|https://jira.example/browse/BOAT-7]',
      '[this](task:BOAT-7)',
    ],
    ['an anchor', 'a{anchor:top}b', 'ab'],
    ['colors', '{color:#ff0000}red *hot*{color} sky', 'red **hot** sky'],
    ['a status', '{status:colour=Green|title=On time}', '**On time**'],
    ['a forced line break', 'one\\\\two', 'one\\\ntwo'],
    ['a network path', 'on \\\\dock\\files', 'on \\\\dock\\\\files'],
    ['a line break', 'one\ntwo', 'one\\\ntwo'],
    ['paragraphs', 'one\n\n\ntwo\r\n\r\nthree', 'one\n\ntwo\n\nthree'],
    ['a rule', 'a\n----\nb', 'a\n\n---\n\nb'],
    ['dashes', 'a -- b --- c - d', 'a -- b --- c - d'],
    ['emoticons', 'ok :) (/) (!)', 'ok 🙂 ✅ ⚠️'],
    ['an escaped mark', 'not \\*bold\\*', 'not \\*bold\\*'],
    ['an escaped brace', '\\{code}', '{code}'],
    ['a quote line', 'bq. he said', '> he said'],
    ['a quote', '{quote}a\n\nb{quote}', '> a\n>\n> b'],
    ['a panel', '{panel:title=Note|bgColor=#fff}x{panel}', '> **Note**\n>\n> x'],
    ['a note', '{info:title=Tide}low{info}', '> **Tide**\n>\n> low'],
    ['an expander', '{expand:More}y{expand}', '> **More**\n>\n> y'],
    ['code', '{code:java}\nint *a* = 1;\n{code}', '```java\nint *a* = 1;\n```'],
    ['code with a title', '{code:title=A.js|borderStyle=solid}x{code}', '**A.js**\n\n```\nx\n```'],
    ['code with fences', '{code}\n```\n{code}', '````\n```\n````'],
    ['code in a line', 'say {code}x{code} now', 'say `x` now'],
    ['code without an end', '{code}\nx\ny', '```\nx\ny\n```'],
    ['raw text', '{noformat}\n*a* [b]\n{noformat}', '```\n*a* [b]\n```'],
    ['a list', '* a\n* b\n** c\n* d', '- a\n- b\n  - c\n- d'],
    ['a numbered list', '# a\n# b\n## c', '1. a\n1. b\n   1. c'],
    ['a mixed list', '# a\n#* b\n#* c\n# d', '1. a\n   - b\n   - c\n1. d'],
    ['a dashed list', '- a\n- b', '- a\n- b'],
    ['a list that skips a level', '** a\n*** b', '- a\n  - b'],
    ['an item of two lines', '* a\nb\n* c', '- a\\\n  b\n- c'],
    ['code in a list', '* a\n{code}\nx\n{code}\n* b', '- a\n\n  ```\n  x\n  ```\n- b'],
    ['a table', '||A||B||\n|1|2|', '| A | B |\n| --- | --- |\n| 1 | 2 |'],
    ['a table without a head', '|1|2|\n|3|', '|  |  |\n| --- | --- |\n| 1 | 2 |\n| 3 |  |'],
    ['a table with a head column', '||A|1|\n||B|2|', '| A | 1 |\n| --- | --- |\n| **B** | **2** |'],
    [
      'bars in a link of a table',
      '||A||\n|[x|https://sea.example]|',
      '| A |\n| --- |\n| [x](https://sea.example) |',
    ],
    ['a cell of two lines', '||A||\n|* b\n* c|', '| A |\n| --- |\n| • b<br>• c |'],
    ['an escaped bar', '||A||\n|b\\|c|', '| A |\n| --- |\n| b\\|c |'],
    ['the marks of markdown', '1 * 2 ` <b> snake_case _', '1 \\* 2 \\` \\<b> snake_case \\_'],
    ['a line that looks like a heading', '#1 of all', '#1 of all'],
    ['a line that looks like a quote', '> quoted', '\\> quoted'],
    ['an underline', 'Title\n=====', 'Title\\\n\\====='],
    ['options of a command', 'tar -x -f a', 'tar -x -f a'],
    ['a day', 'on 2026-03-01 or 02', 'on 2026-03-01 or 02'],
    ['an empty text', '', ''],
    ['only spaces', ' \n \n', ''],
  ]
  test.each(cases)('%s', (_, wiki, markdown) => expect(converted(wiki)).toBe(markdown))
})

test('damaged markup keeps its words', () => {
  for (const text of [
    '*open',
    '{quote}open',
    '{panel:title=x}open',
    '[open|https://sea.example',
    '|open',
    '||',
    '{{open}',
    '!open.png',
    '{*}open{_}',
    '{color:red}open',
    '* \n** open',
    '\\\\\nopen',
    '[~]open',
    '[|]open',
    '[|https://sea.example]open',
  ])
    if (text.includes('open')) expect(converted(text)).toContain('open')
})

/** A small generator of pseudo-random numbers, so that a failure can be repeated. */
function numbers(seed: number) {
  let state = seed
  return (below: number) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff
    return (state >> 8) % below
  }
}

const PIECES = [
  ...['*', '_', '-', '+', '^', '~', '??', '{{', '}}', '[', ']', '|', '||', '!', '\\', '\\\\'],
  ...['\n', '\n', '\n\n', ' ', ' ', ' ', '\n* ', '\n## ', '\n#* ', '\n- ', '\nh1. ', '\nbq. '],
  ...['{quote}', '{code}', '{code:js}', '{noformat}', '{color:#abc}', '{color}', '{panel}'],
  ...['\n----\n', '\n|', '|\n', '\n||', '[~', '[^', '(', ')', '<', '>', '`', '```', '#', '{*}'],
  ...['{info}', '{expand}', ':)', '&', '"', '\t', '1. ', '\uFDD00\uFDD1'],
]

test('no word is lost, whatever marks surround it', () => {
  for (let seed = 1; seed <= 3000; seed++) {
    const random = numbers(seed)
    let text = ''
    const words: string[] = []
    for (let length = 2 + random(24); length > 0; length--) {
      for (let pieces = random(4); pieces > 0; pieces--) text += PIECES[random(PIECES.length)]
      words.push(`word${words.length}x`)
      text += words.at(-1)
    }
    const markdown = converted(text)
    const missing = words.filter((word) => !markdown.includes(word))
    expect({ seed, text, missing }).toEqual({ seed, text, missing: [] })
  }
})

test('long runs of marks without an end are converted within seconds', () => {
  const start = performance.now()
  for (const piece of ['*a ', '[a ', '{{a ', '!a ', '|a', '{*}a ', '{quote}a ', '{code ', '\n* a'])
    converted(piece.repeat(30_000 / piece.length))
  expect(performance.now() - start).toBeLessThan(4000)
})
