import type { Logger } from 'pino'
import { type Config, embeddingsOf } from './config.ts'
import { placesIn } from './data.ts'
import { startFeeding } from './features/search/index.ts'
import { Remote } from './search/library/remote.ts'
import type { OpenStore } from './store/store.ts'

/** Named from here, because in the executable all that is imported lies where `main.ts` does. */
const WORKER = new URL('./search/library/work.ts', import.meta.url).href

const STOP_MS = 2000

interface Parts {
  config: Config
  store: OpenStore
  log: Logger
}

/** What was written, to be found by what it means: a thread of its own follows the change log. */
export function openLibrary({ config, store, log }: Parts) {
  const embeddings = embeddingsOf(config)
  const opening = {
    ...{ path: placesIn(config.data).search, memory: config.searchMemory },
    ...(embeddings && { embeddings }),
  }
  const shelves = new Remote({ worker: WORKER, opening, log })
  const { library, stop } = startFeeding({ store, shelves, log })
  // A worker that hangs keeps nobody from stopping.
  const stopped = () => Promise.race([stop(), Bun.sleep(STOP_MS)])
  return {
    library,
    index: async () => ({ ...(await shelves.state()), isBuilding: library.isBuilding() }),
    /** Nothing more is taken in. */
    stop: stopped,
    /** The database may be closed after it. */
    async close() {
      await stopped()
      await shelves.close()
    },
  }
}
