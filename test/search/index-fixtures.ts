import { afterEach } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { PassageQuery } from '../../src/kernel/services.ts'
import { MEMORY } from '../../src/search/passage-index/file.ts'
import type {
  IndexUpdate,
  PassageIndex,
  SearchableText,
} from '../../src/search/passage-index/index.ts'
import { LocalIndex } from '../../src/search/passage-index/local-index.ts'

const open: PassageIndex[] = []
const folders: string[] = []
afterEach(async () => {
  for (const one of open.splice(0)) await one.close().catch(() => {})
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
})

export function newIndexPath(): string {
  const folder = mkdtempSync(join(tmpdir(), 'cork-search-'))
  folders.push(folder)
  return join(folder, 'search.db')
}

/** A log that collects its messages. */
export function collectingLog() {
  const messages: string[] = []
  const record = (_: object, text: string) => void messages.push(text)
  return { messages, log: { info: record, warn: record, error: record } }
}

/** A search index that is closed when the test ends. */
export function openIndex(path = MEMORY, memory = 32e6) {
  const { messages, log } = collectingLog()
  const index = new LocalIndex({ path, memory, log })
  open.push(index)
  return Object.assign(index, { messages, ...indexHelpers(index) })
}

export function indexHelpers(index: PassageIndex) {
  /** The kind and id of each result. */
  const results = async (text: string, filter: Partial<PassageQuery> = {}) => {
    const passages = await index.search({ text, projects: [1, 2, 3], limit: 10, ...filter })
    return passages.map(({ kind, id }) => `${kind} ${id}`)
  }
  return {
    results,
    bestResult: async (text: string, filter: Partial<PassageQuery> = {}) =>
      (await results(text, { ...filter, limit: 1 }))[0],
    /** Applies an update that continues from the current position unless `from` is given. */
    update: async (delivery: Partial<IndexUpdate>) =>
      index.apply({
        ...{ put: [], deleted: [], position: undefined },
        from: 'from' in delivery ? delivery.from : await index.position(),
        ...delivery,
      }),
  }
}

const NOON = new Date('2026-11-20T12:00:00.000Z')

/** A page on the first board, unless `fields` names another one. */
export const page = (
  id: number,
  text: string,
  fields: Partial<SearchableText> = {},
): SearchableText => ({
  ...{ kind: 'page', id, task_id: id, project_id: 1, author_id: 1, written_at: NOON },
  ...{ title: `Page ${id}`, text, format: 'markdown', ...fields },
})

/** Paragraphs under headings of their own, so that each becomes a passage. */
export const sections = (...texts: string[]) =>
  texts.map((text, at) => `## Part ${at + 1}\n\n${text}`).join('\n\n')
