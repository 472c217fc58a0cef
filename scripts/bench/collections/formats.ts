import { strFromU8, unzipSync } from 'fflate'
import {
  addJudgment,
  type Collection,
  collectionOf,
  type Document,
  type Judgments,
} from './collection.ts'

/** The contents of the files of a collection, in the order in which they are declared. */
export type Files = readonly Uint8Array[]

const textOf = (bytes: Uint8Array) => new TextDecoder().decode(bytes)
const linesOf = (bytes: Uint8Array) => textOf(bytes).split(/\r?\n/)

/** The format of the SMART system: records begin with `.I 7`, and fields with `.T` or `.W`. */
function* smartRecords(bytes: Uint8Array): Generator<{ id: string; fields: Map<string, string> }> {
  for (const record of textOf(bytes)
    .split(/^\.I\s+/m)
    .slice(1)) {
    const [head = '', ...parts] = record.split(/^\.([A-Z])[ \t]*\r?$/m)
    const fields = new Map<string, string>()
    for (let at = 0; at < parts.length; at += 2) fields.set(parts[at]!, parts[at + 1]!.trim())
    yield { id: String(Number.parseInt(head, 10)), fields }
  }
}

/** Documents, queries and judgments of SMART: CISI and CACM. */
export function smart([documents, queries, qrels]: Files): Collection {
  const judgments: Judgments = new Map()
  for (const line of linesOf(qrels!)) {
    const [query, document] = line.trim().split(/\s+/)
    if (document) addJudgment(judgments, String(Number(query)), String(Number(document)), 1)
  }
  return collectionOf(
    [...smartRecords(documents!)].map(({ id, fields }) => ({
      ...{ id, title: fields.get('T') ?? '', text: fields.get('W') ?? '' },
    })),
    [...smartRecords(queries!)].map(({ id, fields }) => [id, fields.get('W') ?? ''] as const),
    judgments,
  )
}

const element = (record: string, name: string) =>
  new RegExp(`<${name}[^>]*>([\\s\\S]*?)(?:</${name}>|$)`).exec(record)?.[1]?.trim() ?? ''

/** Cranfield in the format of TREC. Its judgments number the queries by their order in the file. */
export function trec([documents, queries, qrels]: Files): Collection {
  const judgments: Judgments = new Map()
  for (const line of linesOf(qrels!)) {
    const [query, , document, grade] = line.trim().split(/\s+/)
    if (document) addJudgment(judgments, query!, document, Number(grade))
  }
  const records = (bytes: Uint8Array, name: string) => textOf(bytes).split(`<${name}>`).slice(1)
  return collectionOf(
    records(documents!, 'doc').map((record) => {
      const title = element(record, 'title')
      const text = element(record, 'text')
      const body = text.startsWith(title) ? text.slice(title.length) : text
      return { id: element(record, 'docno'), title, text: body.trim() }
    }),
    records(queries!, 'top').map((record, at) => [`${at + 1}`, element(record, 'title')] as const),
    judgments,
  )
}

interface JsonLine {
  _id: string
  title?: string
  text: string
}

/** The format of BEIR: lines of JSON, and judgments as tab-separated values. */
export function beir([documents, queries, qrels]: Files): Collection {
  const judgments: Judgments = new Map()
  for (const line of linesOf(qrels!)) {
    const [query, document, grade] = line.split('\t')
    if (document && Number.isFinite(Number(grade)))
      addJudgment(judgments, query!, document, Number(grade))
  }
  const parse = (bytes: Uint8Array) =>
    linesOf(bytes)
      .filter(Boolean)
      .map((line) => JSON.parse(line) as JsonLine)
  return collectionOf(
    parse(documents!).map(({ _id, title = '', text }) => ({ id: _id, title, text })),
    parse(queries!).map(({ _id, text }) => [_id, text] as const),
    judgments,
  )
}

const GRADES: Record<string, number> = { '2-Related': 1, '3-Incomplete': 2, '4-Excellent': 3 }

/** Consumer health questions of TREC LiveQA, and judged answers from MedQuAD in a zip archive. */
export function liveQa([archive, questions]: Files): Collection {
  const entries = Object.entries(unzipSync(archive!))
  const file = (ending: string) =>
    strFromU8(entries.find(([name]) => !name.startsWith('_') && name.endsWith(ending))![1])
  const judgments: Judgments = new Map()
  for (const line of file('.txt').split('\n')) {
    const [query, grade, answer] = line.trim().split(' ')
    if (answer) addJudgment(judgments, query!, answer, GRADES[grade!] ?? 0)
  }
  const answers = file('.csv').matchAll(/^([^\n,"]+\.txt),"((?:[^"]|"")*)"/gm)
  const documents = [...answers].map(([, id = '', cell = '']): Document => {
    const [question = '', answer = ''] = cell.replaceAll('""', '"').split(/^Answer: /m)
    const title = question.replace(/^Question: /, '').replace(/^URL:.*$/m, '')
    return { id, title: title.trim(), text: answer.trim() }
  })
  const questionRecords = textOf(questions!).matchAll(
    /<NLM-QUESTION qid="TQ(\d+)">([\s\S]*?)<NIST-/g,
  )
  const texts = [...questionRecords].map(([, id = '', record = '']) => {
    const text = `${element(record, 'SUBJECT')}\n${element(record, 'MESSAGE')}`
    return [id, text.trim()] as const
  })
  return collectionOf(documents, texts, judgments)
}

/** Questions of web users, and the sentences of encyclopedia articles that answer them. */
export function wikiQa(files: Files): Collection {
  const judgments: Judgments = new Map()
  const documents: Document[] = []
  const texts = new Map<string, string>()
  for (const line of files.flatMap((bytes) => linesOf(bytes).slice(1))) {
    const [query, question = '', , title = '', id, text = '', label] = line.split('\t')
    if (!query || !id) continue
    documents.push({ id, title, text })
    texts.set(query, question)
    addJudgment(judgments, query, id, Number(label))
  }
  return collectionOf(documents, texts, judgments)
}

interface Squad {
  data: {
    title: string
    paragraphs: { context: string; qas: { question: string }[] }[]
  }[]
}

const QUESTIONS_OF_A_PARAGRAPH = 2

/** The format of SQuAD. A paragraph answers its own questions; the first ones are used. */
export function squad(files: Files): Collection {
  const articles = files.flatMap((bytes) => (JSON.parse(textOf(bytes)) as Squad).data)
  const documents: Document[] = []
  const texts: [string, string][] = []
  const judgments: Judgments = new Map()
  for (const { paragraphs } of articles)
    for (const { context, qas } of paragraphs) {
      const id = `${documents.length}`
      documents.push({ id, title: '', text: context })
      for (const { question } of qas.slice(0, QUESTIONS_OF_A_PARAGRAPH)) {
        addJudgment(judgments, `${texts.length}`, id, 1)
        texts.push([`${texts.length}`, question])
      }
    }
  return collectionOf(documents, texts, judgments)
}
