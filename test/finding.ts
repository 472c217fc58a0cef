import { max } from 'drizzle-orm'
import type { Logger } from 'pino'
import { Carrier } from '../src/features/search/index.ts'
import type { Library } from '../src/kernel/outside.ts'
import type { Shelves } from '../src/search/library/index.ts'
import type { OpenStore } from '../src/store/store.ts'
import { changes } from '../src/store/tables.ts'
import { afterwards } from './database.ts'

/** Returns once a library holds all that has happened. */
export async function level(store: OpenStore, carrier: Carrier, shelves: Pick<Shelves, 'place'>) {
  const isBehind = async () => {
    const [row] = await store.read((tx) => tx.select({ seq: max(changes.seq) }).from(changes))
    const place = await shelves.place()
    return (place?.seq ?? -1) < (row?.seq ?? 0)
  }
  for (let tries = 0; !(await carrier.step()) || (await isBehind()); tries++) {
    if (tries > 500) throw new Error('The library does not catch up')
    // What other transactions may still precede is not handed out at once.
    if (carrier.isLevel) await Bun.sleep(10)
  }
}

/** A library that is level whenever it is asked. Who never asks pays nothing. */
export function finding(store: OpenStore, log: Logger): Library {
  let open: Promise<{ shelves: Shelves; carrier: Carrier }> | undefined
  const opened = async () => {
    const { openShelves } = await import('../src/search/library/index.ts')
    const shelves = openShelves({ path: ':memory:', memory: 32e6, log })
    afterwards(() => shelves.close())
    return { shelves, carrier: new Carrier({ store, shelves, log }) }
  }
  return {
    async seek(question) {
      open ??= opened()
      const { carrier, shelves } = await open
      await level(store, carrier, shelves)
      return shelves.seek(question)
    },
    isBuilding: () => false,
  }
}
