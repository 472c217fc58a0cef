import { expect, test } from 'bun:test'
import { fold, tokensOf, wordsOf } from '../../src/search/words/words.ts'
import { startCpuTimer } from '../support/time.ts'

const cases: [string, string[]][] = [
  ['Buy the Domain, now!', ['buy', 'the', 'domain', 'now']],
  ['printers printer classes status', ['printer', 'printer', 'classe', 'status']],
  ['story stories entry entries', ['stori', 'stori', 'entri', 'entri']],
  ["Ada's printer’s toner isn't", ['ada', 'printer', 'toner', 'isn', 't']],
  ['OPS-12 v2.3 snake_case', ['ops', '12', 'v2', '3', 'snake', 'case']],
  ['Café Łódź STRASSE Straße', ['cafe', 'lodz', 'strasse', 'strasse']],
  ['Ёлка Ωμέγα', ['елка', 'ωμεγα']],
  ['東京タワーに行く', ['東', '京', 'タ', 'ワ', 'ー', 'に', '行', 'く']],
  ['한국어 검색', ['한국어', '검색']],
  ['हिन्दी खोज', ['हिन्दी', 'खोज']],
  ['', []],
  ['… ?! —', []],
]

for (const [text, words] of cases)
  test(`wordsOf splits and folds "${text}"`, () => {
    expect(wordsOf(text)).toEqual(words)
  })

test('a token spans combining marks, and fold ignores case and accents', () => {
  const text = 'Cafe\u0301 au lait'
  expect([...tokensOf(text)].map(({ start, end }) => text.slice(start, end))).toEqual([
    ...['Cafe\u0301', 'au', 'lait'],
  ])
  expect(fold('Cafe\u0301')).toBe(fold('CAFÉ'))
})

test('words are limited in number and to 60 characters, and splitting long texts takes little work', () => {
  expect(wordsOf('a b c d', 2)).toEqual(['a', 'b'])
  expect(wordsOf('x'.repeat(5000))[0]).toHaveLength(60)
  const elapsedCpu = startCpuTimer()
  wordsOf('é'.repeat(1_000_000))
  wordsOf(`${'日'.repeat(300_000)}`)
  expect(elapsedCpu()).toBeLessThan(2000)
})
