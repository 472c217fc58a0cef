import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { Fault } from '../../src/kernel/fault.ts'
import { parse, type Query } from '../../src/search/query/query.ts'
import { startCpuTimer } from '../support/time.ts'

const OPERATORS = ['is', 'label', 'due', 'assignee']
const read = (text: string) => parse(text, OPERATORS)

/** In short form: + joins the words of a phrase, * marks a prefix and | joins alternatives. */
const short = ({ words, without, filters: parsedFilters }: Query) => ({
  words: words.map((any) => any.map(termOf).join('|')),
  without: without.map(termOf),
  asks: parsedFilters.map((any) =>
    any.map(({ operator, values, not }) => `${not ? '-' : ''}${operator}:${values}`).join('|'),
  ),
})
const termOf = (term: Query['words'][number][number]) =>
  term.words.join('+') + (term.prefix ? '*' : '')

const cases: [string, Partial<ReturnType<typeof short>>][] = [
  ['broken printer', { words: ['broken', 'printer*'] }],
  // A word before a space is complete.
  ['broken printer ', { words: ['broken', 'printer'] }],
  ['broken pr', { words: ['broken', 'pr*'] }],
  ['broken printers', { words: ['broken', 'printers*|printer'] }],
  ['movie', { words: ['movie*|movi'] }],
  ['pri* broken ', { words: ['pri*', 'broken'] }],
  ['"broken printers"', { words: ['broken+printer'] }],
  ['"broken prin', { words: ['broken+prin'] }],
  ['-toner paper', { words: ['paper*'], without: ['toner'] }],
  ['-"red toner" x', { words: ['x*'], without: ['red+toner'] }],
  ['a OR b c', { words: ['a|b', 'c*'] }],
  ['a OR b OR "c d"', { words: ['a|b|c+d'] }],
  ['OR a', { words: ['a*'] }],
  ['a OR', { words: ['a'] }],
  ['a or b ', { words: ['a', 'or', 'b'] }],
  ['x-ray ada@example.com ', { words: ['x+ray', 'ada+example+com'] }],
  ['label:bug is:open', { asks: ['label:bug', 'is:open'] }],
  ['LABEL:bug,ui', { asks: ['label:bug,ui'] }],
  ['-label:"two words, one"', { asks: ['-label:two words, one'] }],
  ['is:open OR is:done x', { asks: ['is:open|is:done'], words: ['x*'] }],
  ['due:<=2026-12-01', { asks: ['due:<=2026-12-01'] }],
  [
    'http://example.com/a 10:30 std::vector ',
    { words: ['http+example+com+a', '10+30', 'std+vector'] },
  ],
  ['note: this ', { words: ['note', 'thi'] }],
]

for (const [text, expected] of cases)
  test(`parse reads ${text}`, () => {
    expect(short(read(text))).toEqual({ words: [], without: [], asks: [], ...expected })
  })

const faultOf = (text: string): Fault => {
  try {
    read(text)
  } catch (error) {
    if (error instanceof Fault) return error
    throw error
  }
  throw new Error(`The query was not refused: ${text}`)
}

test('an unknown operator is refused with the nearest, all known ones and how to quote it', () => {
  const { details, hint } = faultOf('lable:bug')
  expect(details).toMatchObject({ field: 'query', code: 'unknown_field', value: 'lable:bug' })
  expect(hint).toBe(
    'Did you mean label:? Operators are is: label: due: assignee:; to search for the words themselves, write "lable:bug"',
  )
})

test('mixed OR, OR with an exclusion, empty filters and too many terms are refused', () => {
  for (const text of ['a OR is:open', 'is:open OR a', 'a OR -b'])
    expect([text, faultOf(text).details.code]).toEqual([text, 'invalid_format'])
  expect(faultOf('label:""').details.code).toBe('required')
  expect(faultOf(`label:${Array(21).fill('a').join()}`).details.code).toBe('too_long')
  expect(faultOf(Array(41).fill('a').join(' ')).details.code).toBe('too_long')
})

test('any input is parsed or refused with a fault, and repeated operators are parsed fast', () => {
  const piece = fc.constantFrom(
    '"',
    '-',
    ':',
    'OR',
    ' ',
    'a',
    'is:',
    'label:x',
    '*',
    ',',
    '日本',
    '\u0301',
    "'",
    '\\',
    '(',
    '/',
  )
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 60 }), (pieces) => {
      try {
        const { words, without } = read(pieces.join(''))
        for (const { words: terms } of [...words.flat(), ...without]) {
          expect(terms.length).toBeGreaterThan(0)
          for (const word of terms) expect(word).toMatch(/^[\p{L}\p{M}\p{N}]+$/u)
        }
      } catch (error) {
        expect(error).toBeInstanceOf(Fault)
      }
    }),
  )
  const elapsedCpu = startCpuTimer()
  for (const mark of ['"', '-', ':', 'a:', '- "']) {
    try {
      read(mark.repeat(1000))
    } catch (error) {
      expect(error).toBeInstanceOf(Fault)
    }
  }
  expect(elapsedCpu()).toBeLessThan(500)
})
