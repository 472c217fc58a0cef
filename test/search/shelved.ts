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

export function emptyPlace(): string {
  const folder = mkdtempSync(join(tmpdir(), 'cork-search-'))
  folders.push(folder)
  return join(folder, 'search.db')
}

/** A log that collects its messages. */
export function listening() {
  const said: string[] = []
  const hear = (_: object, text: string) => void said.push(text)
  return { said, log: { info: hear, warn: hear, error: hear } }
}

/** A search index that is closed when the test ends. */
export function shelves(path = MEMORY, memory = 32e6) {
  const { said, log } = listening()
  const made = new LocalIndex({ path, memory, log })
  open.push(made)
  return Object.assign(made, { said, ...handy(made) })
}

export function handy(made: PassageIndex) {
  /** The kind and id of each result. */
  const answers = async (text: string, asked: Partial<PassageQuery> = {}) => {
    const found = await made.search({ text, projects: [1, 2, 3], limit: 10, ...asked })
    return found.map(({ kind, id }) => `${kind} ${id}`)
  }
  return {
    answers,
    best: async (text: string, asked: Partial<PassageQuery> = {}) =>
      (await answers(text, { ...asked, limit: 1 }))[0],
    /** Applies an update that continues from the current position unless `from` is given. */
    give: async (delivery: Partial<IndexUpdate>) =>
      made.apply({
        ...{ put: [], deleted: [], position: undefined },
        from: 'from' in delivery ? delivery.from : await made.position(),
        ...delivery,
      }),
  }
}

const NOON = new Date('2026-11-20T12:00:00.000Z')

/** A page on the first board, unless `more` names another one. */
export const page = (
  id: number,
  text: string,
  more: Partial<SearchableText> = {},
): SearchableText => ({
  ...{ kind: 'page', id, task_id: id, project_id: 1, author_id: 1, written_at: NOON },
  ...{ title: `Page ${id}`, text, format: 'markdown', ...more },
})

/** Paragraphs under headings of their own, so that each becomes a passage. */
export const sections = (...texts: string[]) =>
  texts.map((text, at) => `## Part ${at + 1}\n\n${text}`).join('\n\n')
