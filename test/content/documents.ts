import fc from 'fast-check'

const WORDS =
  'alpha beta Grün naïve 漢字 Zug 42 x_y C++ a*b 1. # [x] <i> & &amp; `c` | ~ \\ > - + $5 @ada'
const word = fc.constantFrom(...WORDS.split(' '))
const words = fc.array(word, { minLength: 1, maxLength: 5 }).map((parts) => parts.join(' '))

const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
const wrap = (tag: string) => (inner: string) => `<${tag}>${inner}</${tag}>`

const link = fc
  .tuple(words, fc.constantFrom('https://example.com/a?b=c&d', '/t/HOM-1', 'mailto:a@b.example'))
  .map(
    ([text, href]) => `<a href="${escaped(href)}" rel="noopener nofollow ugc">${escaped(text)}</a>`,
  )
const image = words.map((alt) => `<img src="/a.png" alt="${escaped(alt).replaceAll('"', '')}">`)

const MARKS = ['strong', 'em', 'del', 'code', 'kbd', 'sub', 'sup', 'mark', 'u']
const marked = fc
  .tuple(fc.constantFrom(...MARKS), words)
  .map(([tag, text]) => wrap(tag)(escaped(text)))

/** Words and marks alternate, because markdown cannot tell two adjacent marks apart. */
const inline = fc
  .array(fc.tuple(words, fc.oneof(marked, link, image)), { minLength: 0, maxLength: 3 })
  .chain((pairs) =>
    words.map((end) => [...pairs.flatMap(([text, mark]) => [escaped(text), mark]), escaped(end)]),
  )
  .map((parts) => parts.join(' '))

const paragraph = inline.map(wrap('p'))
const heading = fc
  .tuple(fc.integer({ min: 1, max: 6 }), inline)
  .map(([level, text]) => wrap(`h${level}`)(text))
const line = fc.stringMatching(/^[a-z{}()<>&*_#` |-]{0,20}$/)
const code = fc
  .tuple(
    fc.constantFrom('', 'js', 'c++', 'objective-c'),
    fc.array(line, { minLength: 1, maxLength: 4 }),
  )
  .map(([language, lines]) => {
    const name = language && ` class="language-${language}"`
    return `<pre><code${name}>${escaped([...lines, 'end'].join('\n'))}\n</code></pre>`
  })
const cells = (tag: string) =>
  fc
    .tuple(inline, inline)
    .map((pair) => pair.map(wrap(tag)).join(''))
    .map(wrap('tr'))
const table = fc
  .tuple(cells('th'), fc.array(cells('td'), { minLength: 1, maxLength: 3 }))
  .map(([head, rows]) => `<table><thead>${head}</thead><tbody>${rows.join('')}</tbody></table>`)
const unusualTable = fc
  .tuple(inline, fc.constantFrom('<td colspan="2">', '<td>', '<td><ul><li>a</li></ul><br>'))
  .map(([text, cell]) => `<table><tbody><tr>${cell}${text}</td></tr></tbody></table>`)

const { list } = fc.letrec<{ list: string; item: string }>((ref) => ({
  item: fc
    .tuple(fc.constantFrom('', '', 'todo', 'done'), inline, fc.option(ref('list'), { freq: 4 }))
    .map(([box, text, inner]) => {
      const input = box && `<input type="checkbox"${box === 'done' ? ' checked' : ''} disabled>`
      return `<li>${input}${box && ' '}${text}${inner ?? ''}</li>`
    }),
  list: fc
    .tuple(fc.constantFrom('ul', 'ol'), fc.array(ref('item'), { minLength: 1, maxLength: 3 }))
    .map(([tag, items]) => wrap(tag)(items.join(''))),
}))

const block = fc.oneof(paragraph, heading, code, table, unusualTable, list, fc.constant('<hr>'))
const quote = fc.array(block, { minLength: 1, maxLength: 2 }).map((parts) => parts.join(''))
const details = fc
  .tuple(words, quote)
  .map(([title, body]) => `<details><summary>${escaped(title)}</summary>${body}</details>`)

/** HTML as an editor writes it, with the elements of a description, nested as people nest them. */
export const documents = fc
  .array(fc.oneof(block, quote.map(wrap('blockquote')), details), { minLength: 1, maxLength: 5 })
  .map((blocks) => blocks.join('\n'))

/** Random fragments, mostly tags and markdown marks. */
export const fragments = fc
  .array(
    fc.oneof(
      fc.constantFrom(...'< > " \' = & ; / ! - [ ] ( ) * _ ` ~ # | \n \t \\ :'.split(' '), ' '),
      fc.constantFrom(
        ...'<a <b> </b> <p> </p> <table> <td> <pre> <li> <svg> <math> <style>'.split(' '),
      ),
      fc.constantFrom(
        ...'<script> </script> <!-- --> <details> <summary> <select> <form>'.split(' '),
      ),
      fc.constantFrom('onerror=x', 'href=javascript:x', '&#x0;', '&lt;', 'style=x', 'id=x', '\n\n'),
      word,
    ),
    { maxLength: 40 },
  )
  .map((parts) => parts.join(''))
