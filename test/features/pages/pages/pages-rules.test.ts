import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { diffTasks, lineDiff } from '../../../../src/features/pages/pages/model/differ.ts'
import {
  isChainTooLong,
  kindOf,
  nestingProblem,
  piecesOf,
  separatorBetween,
  titleFromText,
  titleOf,
} from '../../../../src/features/pages/pages/model/rules.ts'
import { applySteps, sizeOf, stepsBack } from '../../../../src/features/pages/pages/model/steps.ts'
import { startCpuTimer } from '../../../support/time.ts'

/** Lines that repeat in a text, some with characters of two UTF-16 units. */
const line = fc.constantFrom('# One', 'two 👍 three', '👍👎', '', 'x'.repeat(150), 'zwölf\r', '👎')
const text = fc.oneof(
  fc.array(line, { maxLength: 30 }).map((lines) => lines.join('\n')),
  fc.string({ unit: 'grapheme', maxLength: 400 }),
)

test('the steps back restore the previous text after any edit', () => {
  fc.assert(
    fc.property(text, text, (before, after) => {
      for (const diff of [undefined, lineDiff]) {
        const steps = stepsBack(before, after, diff)
        expect(applySteps(steps, after)).toBe(before)
        const { shared: sharedLength, removed: removedLength } = sizeOf(steps)
        expect(sharedLength + removedLength).toBe(before.length)
        for (const step of steps)
          expect((typeof step === 'string' ? step : after.slice(...step)).isWellFormed()).toBeTrue()
      }
    }),
    { numRuns: 500 },
  )
})

test('any chain of edits is restored backwards, version by version', () => {
  fc.assert(
    fc.property(fc.array(text, { minLength: 2, maxLength: 8 }), (texts) => {
      const backwardSteps = texts
        .slice(1)
        .map((after, at) => stepsBack(texts[at]!, after, lineDiff))
      let current = texts.at(-1)!
      for (const [at, steps] of [...backwardSteps.entries()].reverse()) {
        current = applySteps(JSON.parse(JSON.stringify(steps)), current)
        expect(current).toBe(texts[at]!)
      }
    }),
  )
})

test('the steps back store no text for an append, and little for an edit of a few lines', () => {
  const page = Array.from({ length: 4000 }, (_, n) => `Line ${n} of a page that is long 👍.`)
  const before = page.join('\n')
  expect(stepsBack(before, `${before}\n\nAnd so on`, lineDiff)).toEqual([[0, before.length]])
  const edited = page.with(7, 'Another line').toSpliced(3900, 2).toSpliced(50, 0, 'One more')
  const steps = stepsBack(before, edited.join('\n'), lineDiff)
  expect(applySteps(steps, edited.join('\n'))).toBe(before)
  expect(JSON.stringify(steps).length).toBeLessThan(300)
})

test('a text with all of its 40,000 lines changed is restored with little work', () => {
  const many = (word: string) => Array.from({ length: 40_000 }, (_, n) => `${word} ${n}`).join('\n')
  const [before, after] = [many('before it was'), many('after it had')]
  const elapsedCpu = startCpuTimer()
  const steps = stepsBack(before, after, lineDiff)
  expect(applySteps(steps, after)).toBe(before)
  expect(elapsedCpu()).toBeLessThan(2000)
  const { hunks, unified } = diffTasks.compare('a', before, 'b', after)
  expect(hunks).toHaveLength(1)
  expect(hunks[0]).toMatchObject({ old_lines: 40_000, new_lines: 40_000 })
  expect(unified).toStartWith('--- a\n+++ b\n@@ -1,40000 +1,40000 @@\n-before it was 0\n')
})

test('the pieces of a text join to it, stay within the limit and never split a character', () => {
  fc.assert(
    fc.property(fc.nat(40_000), fc.string({ unit: 'grapheme', minLength: 1 }), (many, unit) => {
      const text = unit.repeat(Math.ceil(many / unit.length))
      const pieces = piecesOf(text)
      expect(pieces.join('')).toBe(text)
      for (const piece of pieces) {
        expect(piece.isWellFormed()).toBeTrue()
        expect(piece.length).toBeGreaterThan(0)
        expect(piece.length).toBeLessThanOrEqual(16_384)
      }
    }),
    { numRuns: 50 },
  )
})

test('markdown texts are joined with one blank line, HTML texts without a separator', () => {
  for (const [before, after, between] of [
    ['a', 'b', '\n\n'],
    ['a\n', 'b', '\n'],
    ['a\n\n', 'b', ''],
    ['a\n', '\nb', ''],
    ['a', '\nb', '\n'],
    ['a\n\n\n', '\nb', ''],
  ] as const) {
    expect(separatorBetween(before, after, 'markdown')).toBe(between)
    expect(separatorBetween(before, after, 'html')).toBe('')
  }
})

test('a version chain is too long by its number of steps, or by its size relative to the text', () => {
  const chain = { chain_steps: 499, chain_size: 8192 + 4 * 1000 }
  expect(isChainTooLong(chain, 1000)).toBeFalse()
  expect(isChainTooLong({ ...chain, chain_steps: 500 }, 1000)).toBeTrue()
  expect(isChainTooLong(chain, 999)).toBeTrue()
})

test('the kind of a page comes from its kind field or its title, and its title shows the kind', () => {
  for (const [kind, title, content, expected] of [
    [undefined, 'Colours', 'page', 'Colours'],
    [undefined, ' Two   words\n', 'page', 'Two words'],
    [undefined, 'exploration of caches', 'exploration', '#Exploration of caches'],
    ['page', 'The #Exploration', 'exploration', 'The #Exploration'],
    ['exploration', 'Caches', 'exploration', '#Exploration Caches'],
    [undefined, 'Explorations', 'page', 'Explorations'],
    ['description', 'Exploration', 'description', '#Exploration'],
    ['description', '#Draw a logo', 'description', '#Draw a logo'],
  ] as const) {
    const named = { title, ...(kind && { kind }) }
    expect([kindOf(named), titleOf(kindOf(named), title)]).toEqual([content, expected])
  }
  const long = titleOf('exploration', '👍'.repeat(250))
  expect(long.length).toBeLessThanOrEqual(500)
  expect(long.isWellFormed()).toBeTrue()
})

test('without a title a page is named by its first heading, or else its first words', () => {
  for (const [type, text, title] of [
    ['markdown', 'Some words.\n\n## The *plan* #\n\nMore', 'The plan'],
    ['markdown', '```sh\n# no heading\n```\nWords **first**', '# no heading Words first'],
    ['markdown', '```\n# never closed', '# never closed'],
    ['markdown', '![](https://example.com/x.png)', 'Untitled'],
    ['html', '<p>Words</p><h2 title="x">The <em>plan</em></h2>', 'The plan'],
    ['html', '<p>Only &amp; words</p>', 'Only & words'],
    ['html', '<h1></h1><p>Words</p>', 'Words'],
    ['html', `<style>${'p{}'.repeat(5000)}</style><title>A plan</title><h1>Plan</h1>`, 'A plan'],
    ['html', `<style>${'p{}'.repeat(5000)}</style><p>Words</p>`, 'Words'],
  ] as const)
    expect(titleFromText(text, type)).toBe(title)
  const longTitle = titleFromText('word '.repeat(100), 'markdown')
  expect(longTitle.length).toBeLessThanOrEqual(80)
  expect(longTitle).toEndWith('…')
})

test('a page can be nested under any page except itself and its descendants, up to ten levels', () => {
  const chain = Array.from({ length: 10 }, (_, at) => ({
    page_id: at + 1,
    parent_page_id: at || null,
  }))
  const pages = [
    ...chain,
    { page_id: 20, parent_page_id: null },
    { page_id: 21, parent_page_id: 20 },
  ]
  expect(nestingProblem(pages, 1, 1)).toBe('cycle')
  expect(nestingProblem(pages, 2, 9)).toBe('cycle')
  expect(nestingProblem(pages, undefined, 9)).toBeUndefined()
  expect(nestingProblem(pages, undefined, 10)).toBe('too deep')
  expect(nestingProblem(pages, 20, 8)).toBeUndefined()
  expect(nestingProblem(pages, 20, 9)).toBe('too deep')
  expect(nestingProblem(pages, 21, 9)).toBeUndefined()
  expect(nestingProblem(pages, 9, 20)).toBeUndefined()
})
