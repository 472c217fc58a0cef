import { expect, test } from 'bun:test'
import {
  chooseLanguage,
  type LanguagePreferences,
  textsOf,
  translateError,
} from '../../src/languages/index.ts'

const chosen = (preferences: LanguagePreferences) => {
  const { language, locale } = chooseLanguage(preferences)
  return `${language} ${locale}`
}

test('the choice of a person comes before the browser, and the browser before the team', () => {
  const accept_language = 'fr-CA,fr;q=0.9,en;q=0.5'
  expect(chosen({ locale: 'de', accept_language, team_locale: 'ja' })).toBe('de de')
  expect(chosen({ locale: 'auto', accept_language, team_locale: 'ja' })).toBe('fr fr-CA')
  expect(chosen({ locale: 'auto', team_locale: 'ja' })).toBe('ja ja')
  expect(chosen({})).toBe('en en')
  expect(chosen({ locale: 'not a tag', team_locale: 'auto' })).toBe('en en')
})

test('a language without texts falls back to the next one, and a chosen one has its own dates', () => {
  expect(chosen({ accept_language: 'nl, es;q=0.4, it;q=0.8' })).toBe('it it')
  expect(chosen({ accept_language: 'nl', team_locale: 'ko' })).toBe('ko ko')
  expect(chosen({ locale: 'nl' })).toBe('en nl')
})

test('variants share texts, but readers of traditional Chinese get no simplified characters', () => {
  expect(chosen({ locale: 'pt-PT' })).toBe('pt-BR pt-PT')
  expect(chosen({ locale: 'zh-Hans-SG' })).toBe('zh-CN zh-Hans-SG')
  expect(chosen({ accept_language: 'zh-TW' })).toBe('en en')
})

test('a chosen language without a region gets that of the browser', () => {
  expect(chosen({ locale: 'en', accept_language: 'de, en-GB;q=0.5' })).toBe('en en-GB')
})

test('a malformed Accept-Language header is ignored', () => {
  for (const accept_language of ['', '*', ';;q=', 'x'.repeat(5000), 'de;q=2', '"><script>'])
    expect(chosen({ accept_language })).toBe('en en')
})

test('an error is found by its pattern with its values, and an unknown one is not', async () => {
  const texts = await textsOf('en')
  for (const message of [
    'Wrong email or password',
    'There is no board 7 that you can see',
    'This board already has a label "Bug (old)"',
    'title must have at most 200 characters',
  ])
    expect(translateError(texts, message)).toBe(message)
  expect(translateError(texts, 'The moon is full')).toBeUndefined()
})
