import { describe, expect, test } from 'bun:test'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../support/source-files.ts'

interface Answer {
  page: string
  heading: string
  grade: number
  nth?: number
}

interface Question {
  id: string
  question: string
  answers: Answer[]
}

const docs = join(root, 'node_modules/bun-types/docs')
const questions: Question[] = readFileSync(join(root, 'bench/search/questions.jsonl'), 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line))

const EXCLUDED_PAGES = /^(lint\/rules\/|snippets\/|README)/

/** The headings of a page in order, without lines of code blocks. */
function headingsOf(page: string): string[] {
  let fence = ''
  const headings: string[] = []
  for (const line of readFileSync(join(docs, page), 'utf8').split('\n')) {
    const fenceMark = /^\s*(`{3,}|~{3,})/.exec(line)?.[1] ?? ''
    if (fenceMark && (!fence || fenceMark.startsWith(fence))) fence = fence ? '' : fenceMark
    const heading = fence ? undefined : /^\s*#{1,6}\s+(.*?)\s*$/.exec(line)?.[1]
    if (heading) headings.push(heading)
  }
  return headings
}

const exists = ({ page, heading, nth = 1 }: Answer): boolean =>
  !EXCLUDED_PAGES.test(page) &&
  existsSync(join(docs, page)) &&
  (heading === '' || headingsOf(page).filter((one) => one === heading).length >= nth)

describe('the questions of the search benchmark', () => {
  test('are at least 150 different ones, each with a relevant answer', () => {
    expect(questions.length).toBeGreaterThanOrEqual(150)
    for (const name of ['id', 'question'] as const)
      expect(new Set(questions.map((one) => one[name])).size).toBe(questions.length)
    const unanswered = questions.filter(({ answers }) => !answers.some(({ grade }) => grade >= 2))
    expect(unanswered).toEqual([])
  })

  test('name existing sections, each once, with a grade from 1 to 3', () => {
    expect(exists({ page: 'runtime/sqlite.mdx', heading: 'Nowhere', grade: 3 })).toBe(false)
    for (const { id, answers } of questions) {
      expect([id, answers.filter((answer) => !exists(answer))]).toEqual([id, []])
      const sections = answers.map(({ page, heading, nth = 1 }) => `${page} ${heading} ${nth}`)
      expect([id, sections.filter((section, at) => sections.indexOf(section) !== at)]).toEqual([
        id,
        [],
      ])
      expect(answers.every(({ grade }) => [1, 2, 3].includes(grade))).toBe(true)
    }
  })
})
