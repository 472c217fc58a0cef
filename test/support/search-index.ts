import { max } from 'drizzle-orm'
import type { Logger } from 'pino'
import { FileTexts } from '../../src/features/search/search/model/feed/file-texts.ts'
import { IndexSync } from '../../src/features/search/search/model/feed/index-sync.ts'
import type { FileStore, SearchIndex } from '../../src/kernel/services.ts'
import { readFile } from '../../src/search/file-text/read-file.ts'
import type { PassageIndex } from '../../src/search/passage-index/index.ts'
import type { OpenStore } from '../../src/store/store.ts'
import { changes } from '../../src/store/tables.ts'
import { addCleanup } from './database.ts'

/** Syncs the index until it contains every change. */
export async function waitForIndex(
  store: OpenStore,
  indexSync: IndexSync,
  index: Pick<PassageIndex, 'position'>,
) {
  const isBehind = async () => {
    const [row] = await store.read((tx) => tx.select({ seq: max(changes.seq) }).from(changes))
    const position = await index.position()
    return (position?.seq ?? -1) < (row?.seq ?? 0)
  }
  for (let tries = 0; !(await indexSync.step()) || (await isBehind()); tries++) {
    if (tries > 500) throw new Error('The search index does not catch up')
    // A change is withheld while an earlier transaction may still commit.
    if (indexSync.isCaughtUp) await Bun.sleep(10)
  }
}

/** Some worlds have thousands of attachments. */
const MAX_READ_MS = 120_000

/** Reads the texts of all files that are known to the index. */
async function readFiles(index: PassageIndex, fileTexts: FileTexts) {
  const deadline = performance.now() + MAX_READ_MS
  while ((await index.unreadFiles()).length) {
    if (performance.now() > deadline) throw new Error('Attached files are not read')
    await fileTexts.step()
    await Bun.sleep(1)
  }
}

interface SearchIndexOptions {
  store: OpenStore
  log: Logger
  files: FileStore
}

/** A search index that is created by the first query and synced before each one. */
export function createSearchIndex({ store, log, files }: SearchIndexOptions): SearchIndex {
  let opening: ReturnType<typeof openIndex> | undefined
  const openIndex = async () => {
    const { LocalIndex } = await import('../../src/search/passage-index/local-index.ts')
    const index = new LocalIndex({ path: ':memory:', memory: 32e6, log })
    addCleanup(() => index.close())
    const options = { store, index, log }
    const fileTexts = new FileTexts({ ...options, files, readText: readFile, onReady: () => {} })
    return { index, indexSync: new IndexSync(options), fileTexts }
  }
  const currentIndex = async () => {
    opening ??= openIndex()
    const { indexSync, index, fileTexts } = await opening
    await waitForIndex(store, indexSync, index)
    await readFiles(index, fileTexts)
    return index
  }
  return {
    async search(query) {
      // New tasks do not wait for the index.
      if (query.minScore !== undefined) return opening ? (await opening).index.search(query) : []
      return (await currentIndex()).search(query)
    },
    find: async (query) => (await currentIndex()).find(query),
    duplicates: async (query) => (await currentIndex()).duplicates(query),
    isBuilding: () => false,
  }
}
