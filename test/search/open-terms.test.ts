import { expect, test } from 'bun:test'
import { initialsOf, initialWordOf } from '../../src/search/query/open-terms.ts'
import { parse, type Term } from '../../src/search/query/query.ts'
import { wordsOf } from '../../src/search/words/words.ts'
import { randomSource } from './random-passages.ts'

const WORDS = [
  ...['entries', 'every', 'everything', 'printers', 'movies', 'class', 'classes', 'bus', 'status'],
  ...['Zürich', 'straße', 'Ångström', 'café', 'OAuth2', 'fooBarBaz', 'node.js', 'SHA-256', '1.2.3'],
  ...[
    'HOM-14',
    '#14',
    '東京',
    'バグ',
    '서울',
    'ошибки',
    '🚀',
    "don't",
    "Ana's",
    'x',
    'UI',
    'to',
    'a/b',
  ],
  ...[
    'เชือกผูกเรือ',
    'हिन्दी',
    'Ёлки',
    '👍🏽',
    '⚓️',
    '🇩🇪',
    '1️⃣',
    '👩‍💻',
    'Ærø',
    'Łódź',
    'entries–every',
  ],
  ...['analysis', 'houses', 'keys', 'day', 'city', 'cities', 'https', 'C++', 'ies', 'ies2', 'lies'],
]

/** Whether the title of a task matches a group of alternatives, as the text index decides it. */
function matches(title: string, alternatives: readonly Term[]): boolean {
  const words = wordsOf(title)
  const initials = new Set(initialsOf(title))
  return alternatives.some((term) => {
    if (term.isShort && term.words.length === 1 && initials.has(initialWordOf(term.words[0]!)))
      return true
    const phrase = term.isShort && term.words.length > 1 ? term.words.slice(0, -1) : term.words
    const isPrefix = term.prefix && !term.isShort
    return words.some((_, at) =>
      phrase.every((word, offset) => {
        const found = words[at + offset]
        const isLast = offset === phrase.length - 1
        return isPrefix && isLast ? found?.startsWith(word) : found === word
      }),
    )
  })
}

test('typing the next letter of a title never loses the task, for 5,000 titles', () => {
  const { below, word } = randomSource(7)
  for (let count = 0; count < 5000; count++) {
    const title = Array.from({ length: 1 + below(5) }, () =>
      below(4) ? WORDS[below(WORDS.length)]! : word(4000),
    ).join(' ')
    for (let end = 1; end <= title.length; end++) {
      const typed = title.slice(0, end)
      for (const group of parse(typed, []).words)
        if (!matches(title, group)) throw new Error(`${typed} does not find ${title}`)
    }
  }
})

test('an incomplete word may be longer than the stem of the word that it becomes', () => {
  const words = (text: string) => parse(text, []).words[0]!.map((term) => term.words.at(-1))
  expect(words('entrie')).toEqual(['entrie', 'entri'])
  expect(words('entries')).toEqual(['entries', 'entri'])
  expect(words('every')).toEqual(['every', 'everi'])
})

test('the beginnings of the words of a title are index words of their own', () => {
  expect(initialsOf('Fix É-mail')).toEqual(['ˑˑf', 'ˑˑfi', 'ˑˑe', 'ˑˑm', 'ˑˑma'])
})
