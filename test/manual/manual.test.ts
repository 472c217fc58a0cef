import { expect, test } from 'bun:test'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { articlesOf } from '../../src/manual/articles.ts'
import { finderOf } from '../../src/manual/finder.ts'
import { openManual } from '../../src/manual/index.ts'
import { QUESTIONS } from './questions.ts'

const manual = openManual()
const docs = join(import.meta.dir, '../../docs')

const articleNames = async (question: string, limit = 4) =>
  (await manual.find(question, limit)).map(({ article }) => article.name)

test('the manual has every page of the docs, in the order of the contents', () => {
  const files = readdirSync(docs).filter((file) => file.endsWith('.md'))
  const names = manual.articles.map(({ name }) => `${name || 'README'}.md`)
  expect([...names].sort()).toEqual(files.sort())
  expect(names[0]).toBe('README.md')
  const contents = manual.articles[0]!.text
  const places = names.slice(1).map((name) => contents.indexOf(`(${name})`))
  expect(places).not.toContain(-1)
  expect(places).toEqual([...places].sort((a, b) => a - b))
})

test('for nine of ten questions the first four sections include one of the right article', async () => {
  expect(QUESTIONS.length).toBeGreaterThanOrEqual(30)
  const articles = new Set(manual.articles.map(({ name }) => name))
  for (const [, expected] of QUESTIONS)
    for (const name of expected.split(' ')) expect(articles).toContain(name)
  const missed: string[] = []
  let first = 0
  for (const [question, expected] of QUESTIONS) {
    const found = await articleNames(question)
    const correct = found.map((name) => expected.split(' ').includes(name))
    if (!correct.includes(true)) missed.push(question)
    if (correct[0]) first++
  }
  if (process.env.CORK_TEST_LOG) console.log({ missed, first, all: QUESTIONS.length })
  expect(missed.length / QUESTIONS.length).toBeLessThanOrEqual(0.1)
  expect(first / QUESTIONS.length).toBeGreaterThanOrEqual(0.7)
})

test('empty or meaningless questions find nothing, and repeated or upper-case words still match', async () => {
  for (const question of ['', ' ', '?!', 'how do I', '🦊', '東京', '\0', '﷽'.repeat(50)])
    expect(await manual.find(question, 4)).toEqual([])
  const long = await manual.find('backup '.repeat(10_000), 4)
  expect(long.map(({ article }) => article.name)).toEqual(await articleNames('backup'))
  expect(await articleNames('BACKUP')).toEqual(await articleNames('backup'))
  expect(await manual.find('backup', 2)).toHaveLength(2)
})

const sampleArticles = articlesOf([
  { name: 'README', text: '# Contents\n\n- [B](b.md)\n- [A](a.md)\n' },
  {
    name: 'a',
    text: '# Apples\n\nRed, once ripe.\n\n## Two `kinds`\n\n```sh\n## no heading\n```\n\n### Sour\n\nGreen.\n\n## Two kinds\n\nAgain.\n',
  },
  { name: 'b', text: '# Pears & more\n\n## Ripe\n\nIn autumn, with apples.\n' },
])

test('articles are split at their headings, with an anchor for each', () => {
  expect(sampleArticles.map(({ name, title }) => [name, title])).toEqual([
    ['', 'Contents'],
    ['b', 'Pears & more'],
    ['a', 'Apples'],
  ])
  expect(sampleArticles[2]!.sections).toEqual([
    { headings: [], anchor: '', text: 'Red, once ripe.' },
    { headings: ['Two kinds'], anchor: 'two-kinds', text: '```sh\n## no heading\n```' },
    { headings: ['Two kinds', 'Sour'], anchor: 'sour', text: 'Green.' },
    { headings: ['Two kinds'], anchor: 'two-kinds-1', text: 'Again.' },
  ])
})

test('a match in a heading ranks first, and an excerpt marks the matching words', async () => {
  const [first, second] = (await finderOf(sampleArticles))('Are they ripe?', 4)
  expect([first?.article.name, second?.article.name]).toEqual(['b', 'a'])
  expect(second?.excerpt).toEqual([
    { text: 'Red, once ', isMatch: false },
    { text: 'ripe', isMatch: true },
    { text: '.', isMatch: false },
  ])
})

test('an excerpt shows code only if the match is in the code alone', async () => {
  const text = '# A\n\n## B\n\n```sh\ncork ripen 1\n```\n\nApples ripen slowly.\n'
  const find = await finderOf(articlesOf([{ name: 'a', text }]))
  const excerptOf = (question: string) =>
    find(question, 1)[0]
      ?.excerpt.map((one) => one.text)
      .join('')
  expect(excerptOf('ripen')).toBe('Apples ripen slowly.')
  expect(excerptOf('cork')).toBe('cork ripen 1 Apples ripen slowly.')
})

test('a misspelt or split word is found', async () => {
  const find = await finderOf(sampleArticles)
  const names = (question: string) => find(question, 1).map(({ section }) => section.anchor)
  expect(names('autum')).toEqual(['ripe'])
  expect(names('autmun')).toEqual(['ripe'])
  expect(names('au tumn')).toEqual(['ripe'])
  expect(names('winter')).toEqual([])
})
