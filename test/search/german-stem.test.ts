import { expect, test } from 'bun:test'
import { rank } from '../../src/search/ranking/rank.ts'
import { buildSegment } from '../../src/search/segments/segment.ts'
import { germanStem, isGerman } from '../../src/search/words/german-stem.ts'
import { readWords, termsOf } from '../../src/search/words/terms.ts'
import { combine } from '../../src/search/words/vocabulary.ts'
import { fold } from '../../src/search/words/words.ts'
import { passage } from './random-passages.ts'

test('the forms of a German word have one stem', () => {
  const families = [
    ['Aufgabe', 'Aufgaben'],
    ['Haus', 'Häuser', 'Häusern', 'Hauses'],
    ['Drucker', 'Druckern', 'Druckers'],
    ['wichtig', 'wichtige', 'wichtigen', 'wichtiger', 'wichtigem', 'wichtiges'],
  ]
  for (const forms of families)
    expect(new Set(forms.map((form) => germanStem(fold(form)))).size).toBe(1)
})

test('different German words have different stems, and short ones stay', () => {
  const words = ['Aufgabe', 'Haus', 'Hose', 'Zeit', 'Ziel', 'Maus']
  expect(new Set(words.map((word) => germanStem(fold(word)))).size).toBe(words.length)
  expect(germanStem('es')).toBe('es')
})

test('a text with two German words is German, but not one with words like "die" and "was"', () => {
  const words = (text: string) => text.split(' ').map((word) => ({ word }))
  expect(isGerman(words('der drucker ist kaputt'))).toBe(true)
  expect(isGerman(words('der der drucker'))).toBe(false)
  expect(isGerman(words('el servidor es de von neumann'))).toBe(false)
  expect(isGerman(words('the server was about to die in the war'))).toBe(false)
})

test('the words of an English text have English stems', () => {
  expect(readWords('planes and waters')[0]!.stem).toBe('plane')
})

test('a German text is found by other forms of its words, also by a word alone', () => {
  const texts = [
    'Die Häuser und der Garten sind mit den Straßen im Plan.',
    'Der Termin mit dem Kunden ist am Montag und nicht am Freitag.',
  ]
  const passages = texts.map((text, at) => passage(at + 1, text))
  const source = {
    segments: [{ segment: buildSegment(passages), isDeleted: () => false }],
    vocabulary: combine([]),
  }
  const found = (text: string) => rank({ text, limit: 5 }, source).map(({ id }) => id)
  expect(found('Haus')[0]).toBe(1)
  expect(found('Terminen')[0]).toBe(2)
  expect(found('Häusern Gärten')[0]).toBe(1)
  expect(termsOf('das Haus und der Garten')).toEqual(termsOf('das Hauses und der Gärten'))
})
