import { max } from 'drizzle-orm'
import type { Logger } from 'pino'
import { IndexSync } from '../src/features/search/index.ts'
import type { SearchIndex } from '../src/kernel/services.ts'
import type { PassageIndex } from '../src/search/passage-index/index.ts'
import type { OpenStore } from '../src/store/store.ts'
import { changes } from '../src/store/tables.ts'
import { afterwards } from './database.ts'

/** Returns once a library holds all that has happened. */
export async function level(
  store: OpenStore,
  carrier: IndexSync,
  shelves: Pick<PassageIndex, 'position'>,
) {
  const isBehind = async () => {
    const [row] = await store.read((tx) => tx.select({ seq: max(changes.seq) }).from(changes))
    const place = await shelves.position()
    return (place?.seq ?? -1) < (row?.seq ?? 0)
  }
  for (let tries = 0; !(await carrier.step()) || (await isBehind()); tries++) {
    if (tries > 500) throw new Error('The library does not catch up')
    // What other transactions may still precede is not handed out at once.
    if (carrier.isCaughtUp) await Bun.sleep(10)
  }
}

/** A library that is level whenever it is asked. Who never asks pays nothing. */
export function finding(store: OpenStore, log: Logger): SearchIndex {
  let open: Promise<{ shelves: PassageIndex; carrier: IndexSync }> | undefined
  const opened = async () => {
    const { openLocalIndex: openShelves } = await import('../src/search/passage-index/index.ts')
    const shelves = openShelves({ path: ':memory:', memory: 32e6, log })
    afterwards(() => shelves.close())
    return { shelves, carrier: new IndexSync({ store, index: shelves, log }) }
  }
  return {
    async search(question) {
      open ??= opened()
      const { carrier, shelves } = await open
      await level(store, carrier, shelves)
      return shelves.search(question)
    },
    isBuilding: () => false,
  }
}
