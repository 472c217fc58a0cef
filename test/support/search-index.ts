import { max } from 'drizzle-orm'
import type { Logger } from 'pino'
import { IndexSync } from '../../src/features/search/search/model/feed/index-sync.ts'
import type { SearchIndex } from '../../src/kernel/services.ts'
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

/** A search index that is created by the first query and synced before each one. */
export function createSearchIndex(store: OpenStore, log: Logger): SearchIndex {
  let opening: Promise<{ index: PassageIndex; indexSync: IndexSync }> | undefined
  const openIndex = async () => {
    const { LocalIndex } = await import('../../src/search/passage-index/local-index.ts')
    const index = new LocalIndex({ path: ':memory:', memory: 32e6, log })
    addCleanup(() => index.close())
    return { index, indexSync: new IndexSync({ store, index, log }) }
  }
  return {
    async search(query) {
      opening ??= openIndex()
      const { indexSync, index } = await opening
      await waitForIndex(store, indexSync, index)
      return index.search(query)
    },
    isBuilding: () => false,
  }
}
