import { LocalIndex } from '../../../src/search/passage-index/local-index.ts'
import type { Document } from './collection.ts'
import { DEPTH } from './measures.ts'
import type { DocumentRanking } from './rivals.ts'

const BOARD = 1
const BATCH = 200
const MEMORY = 1 << 30
const PASSAGES = 200
const WRITTEN_AT = new Date(0)
/** The index merges its segments after a second without updates. */
const MERGE_MS = 1200

const NOTHING = { put: [], deleted: [], from: undefined, position: undefined }
const log = { info() {}, warn() {}, error() {} }

/** Indexes documents as a server does, in batches, and ranks them by their best passages. */
export async function corkboard(
  documents: readonly Document[],
): Promise<{ rank: DocumentRanking; close(): Promise<void> }> {
  const index = new LocalIndex({ path: ':memory:', memory: MEMORY, log })
  for (let at = 0; at < documents.length; at += BATCH) {
    const put = documents.slice(at, at + BATCH).map(({ title, text }, offset) => ({
      ...{ kind: 'page' as const, id: at + offset + 1, task_id: 0, project_id: BOARD },
      ...{ author_id: 1, written_at: WRITTEN_AT, title, text, format: 'markdown' as const },
    }))
    await index.apply({ ...NOTHING, put })
  }
  await Bun.sleep(MERGE_MS)
  // Updates wait for the merges before them.
  await index.apply(NOTHING)
  return {
    rank: async (query) => {
      const projects = [BOARD]
      const passages = await index.search({ text: query, projects, limit: PASSAGES })
      const ids = new Set(passages.map(({ id }) => documents[id - 1]!.id))
      return [...ids].slice(0, DEPTH)
    },
    close: () => index.close(),
  }
}
