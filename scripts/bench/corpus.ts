import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Glob } from 'bun'
import { splitPassages } from '../../src/search/segments/passages.ts'

const FOLDER = join(import.meta.dir, '../../node_modules/bun-types/docs')
const QUESTIONS = join(import.meta.dir, '../../bench/search/questions.jsonl')

/** A passage of a section of Bun's documentation. */
export interface Passage {
  id: number
  page: string
  section: string
  title: string
  headings: string[]
  text: string
}

export interface Question {
  id: string
  question: string
  /** The grades of the sections that answer the question. */
  grades: Map<string, number>
}

/** Splits all pages into passages. */
export function passagesOfDocs(): Passage[] {
  const passages: Passage[] = []
  const pages = [...new Glob('**/*.mdx').scanSync(FOLDER)].sort()
  for (const page of pages.filter((one) => !/^(?:lint\/rules|snippets)\//.test(one))) {
    const { title, sections } = parsePage(readFileSync(join(FOLDER, page), 'utf8'))
    for (const { heading, nth, path, text } of sections) {
      const section = sectionOf(page, heading, nth)
      const parts = splitPassages(text, 'markdown')
      for (const part of parts.length ? parts : [{ text: '' }])
        passages.push({
          ...{ id: passages.length, page, section, title },
          ...{ headings: path, text: part.text },
        })
    }
  }
  return passages
}

interface Section {
  heading: string
  nth: number
  path: string[]
  text: string
}

function parsePage(file: string): { title: string; sections: Section[] } {
  const [front = '', head = ''] = /^---\n([\s\S]*?)\n---\n/.exec(file) ?? []
  const title = /^title:\s*["']?(.*?)["']?\s*$/m.exec(head)?.[1] ?? ''
  const sections: Section[] = [{ heading: '', nth: 1, path: [], text: '' }]
  const counts = new Map<string, number>()
  let levels: { level: number; heading: string }[] = []
  let fence: string | undefined
  for (const line of file.slice(front.length).split('\n')) {
    const mark = /^\s*(`{3,}|~{3,})/.exec(line)?.[1]
    if (mark && !fence) fence = mark
    else if (mark && fence && line.trim().startsWith(fence)) fence = undefined
    const [, marks, heading] = (!fence && !mark && /^(#{1,6})\s+(.*?)\s*$/.exec(line)) || []
    if (marks === undefined || heading === undefined) {
      sections.at(-1)!.text += `${line}\n`
      continue
    }
    levels = [...levels.filter(({ level }) => level < marks.length)]
    levels.push({ level: marks.length, heading })
    const nth = (counts.get(heading) ?? 0) + 1
    counts.set(heading, nth)
    sections.push({ heading, nth, path: levels.map((one) => one.heading), text: '' })
  }
  return { title, sections }
}

const sectionOf = (page: string, heading: string, nth: number) => `${page}#${heading}#${nth}`

/** A line of questions.jsonl. */
interface QuestionLine {
  id: string
  question: string
  answers: { page: string; heading: string; nth?: number; grade: number }[]
}

/** Half of the questions: odd ones are for tuning, even ones for the final measurement. */
export function questionsOf(half: 'odd' | 'even'): Question[] {
  const lines = readFileSync(QUESTIONS, 'utf8').trim().split('\n')
  return lines
    .map((line) => JSON.parse(line) as QuestionLine)
    .filter(({ id }) => Number(id.split('-')[1]) % 2 === (half === 'odd' ? 1 : 0))
    .map(({ id, question, answers }) => ({
      ...{ id, question },
      grades: new Map(
        answers.map(({ page, heading, nth = 1, grade }) => [sectionOf(page, heading, nth), grade]),
      ),
    }))
}
