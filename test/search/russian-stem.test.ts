import { expect, test } from 'bun:test'
import { russianStem } from '../../src/search/words/russian-stem.ts'
import { termsOf } from '../../src/search/words/terms.ts'
import { fold } from '../../src/search/words/words.ts'

test('the forms of a Russian word have one stem', () => {
  const families = [
    ['задача', 'задачи', 'задачу', 'задачами', 'задач'],
    ['важный', 'важная', 'важного', 'важными'],
    ['сделать', 'сделала', 'сделали'],
    ['пользователь', 'пользователи', 'пользователями'],
    ['возможность', 'возможности'],
  ]
  for (const forms of families)
    expect(new Set(forms.map((form) => russianStem(fold(form)))).size).toBe(1)
})

test('different Russian words have different stems, and short ones stay', () => {
  const words = ['задача', 'важный', 'дом', 'кот', 'сеть', 'день']
  expect(new Set(words.map((word) => russianStem(fold(word)))).size).toBe(words.length)
  expect(russianStem('дом')).toBe('дом')
  expect(russianStem('в')).toBe('в')
})

test('a Russian text is found by other forms of its words', () => {
  expect(termsOf('важными задачами')).toEqual(termsOf('важная задача'))
})
