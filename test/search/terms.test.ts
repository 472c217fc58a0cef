import { expect, test } from 'bun:test'
import { synonymsOf } from '../../src/search/words/synonyms.ts'
import { hashOf, readWords, termsOf } from '../../src/search/words/terms.ts'

const stems = (text: string) => readWords(text).map(({ stem }) => stem)

const equivalents: [string, string][] = [
  ['deleting', 'deleted'],
  ['connections', 'connect'],
  ['entries', 'entry'],
  ['organised', 'organize'],
  ['Café', 'CAFE'],
]
for (const [one, other] of equivalents)
  test(`${one} and ${other} have the same term`, () => {
    expect(termsOf(one)).toEqual(termsOf(other))
  })

test('a camelCase name becomes a whole term and its parts, other names only their parts', () => {
  expect(stems('readFileSync')).toEqual(['readfilesync', 'read', 'file', 'sync'])
  expect(stems('HTMLRewriter')).toEqual(['htmlrewrit', 'html', 'rewrit'])
  expect(stems('max_open.files')).toEqual(['max', 'open', 'file'])
})

test('words of other scripts and emoji become terms', () => {
  expect(stems('東京 привет 🚀')).toEqual(['東', '東京', '京', 'привет', '🚀'])
})

test('in scripts without spaces, neighbouring characters are a term too, but not across spaces', () => {
  expect(stems('東京都 駅')).toEqual(['東', '東京', '京', '京都', '都', '駅'])
  expect(stems('กิน')).toEqual(['กิ', 'กิน', 'น'])
})

test('a long vowel mark belongs to the character before it', () => {
  expect(stems('サーバー')).toEqual(['サー', 'サーバー', 'バー'])
})

test('stop words are dropped from a sentence, but kept where there are no other words', () => {
  const some = 'the printer is on the table and the paper is in the tray below it'
  expect([...termsOf(some)]).toEqual(['printer', 'tabl', 'paper', 'trai'].map(hashOf))
  expect([...termsOf('to be or not')]).toEqual(['to', 'be', 'or', 'not'].map(hashOf))
  expect(termsOf('to be or not '.repeat(20))).toHaveLength(80)
  expect(termsOf('')).toHaveLength(0)
})

test('folder has the synonym directory, and an unknown word has none', () => {
  expect(synonymsOf(stems('folder')[0]!)).toContain(stems('directory')[0]!)
  expect(synonymsOf('nothingsuch').size).toBe(0)
})
