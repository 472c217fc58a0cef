import type { Logger } from 'pino'
import { pathsIn } from '../config/data-folder.ts'
import { bucketOf, type Config, embeddingsOf } from '../config/index.ts'
import { startIndexing } from '../features/search/search/model/index.ts'
import { openFiles } from '../files/index.ts'
import { openFileReader } from '../search/file-text/reader.ts'
import { WorkerIndex } from '../search/passage-index/worker-index.ts'
import type { OpenStore } from '../store/store.ts'

/** In the executable, all code is in the folder of `main.ts`. */
const FOLDER = Bun.isStandaloneExecutable ? './search' : '../search'
const WORKER = new URL(`${FOLDER}/passage-index/worker.ts`, import.meta.url).href

const FILE_WORKER = new URL(`${FOLDER}/file-text/worker.ts`, import.meta.url).href

const STOP_MS = 2000

interface Options {
  config: Config
  store: OpenStore
  log: Logger
}

/** Starts the search index in a worker thread, and the feeder that follows the change log. */
export function openSearchIndex({ config, store, log }: Options) {
  const embeddings = embeddingsOf(config)
  const opening = {
    path: pathsIn(config.data).search,
    memory: config.searchMemory,
    ...(embeddings && { embeddings }),
  }
  // The bench compares one worker with two.
  const workers = process.env.CORK_BENCH_ONE_SEARCH_WORKER ? { workers: 1 } : {}
  const index = new WorkerIndex({ worker: WORKER, opening, log, ...workers })
  const reader = openFileReader(FILE_WORKER)
  const fileTexts = {
    files: openFiles(pathsIn(config.data).files, bucketOf(config)),
    readText: reader.read,
  }
  const { searchIndex, stop } = startIndexing({ store, index, log, fileTexts })
  // A worker that hangs must not keep the process from stopping.
  const stopInTime = () => Promise.race([stop(), Bun.sleep(STOP_MS)])
  return {
    searchIndex,
    index: async () => ({ ...(await index.state()), isBuilding: searchIndex.isBuilding() }),
    /** Stops the feeder. */
    stop: stopInTime,
    /** Stops the workers too. The database may be closed afterwards. */
    async close() {
      await stopInTime()
      reader.close()
      await index.close()
    },
  }
}
