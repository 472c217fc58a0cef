import type { SearchIndex } from '../../../../../kernel/services.ts'
import type { PassageIndex } from '../../../../../search/passage-index/types.ts'
import { IndexWatcher, type WatcherOptions } from './index-watcher.ts'

const isUnready = (error: unknown) => error instanceof Error && error.name === 'Unready'

/** Keeps the search index up to date with the database until `stop` is called. */
export function startIndexing({ index, ...options }: WatcherOptions & { index: PassageIndex }) {
  const watcher = new IndexWatcher({ ...options, index })
  const invalidate = (error: unknown): never => {
    if (isUnready(error)) watcher.invalidate()
    throw error
  }
  const searchIndex: SearchIndex = {
    search: (question) => index.search(question).catch(invalidate),
    find: (query) => index.find(query).catch(invalidate),
    duplicates: (query) => index.duplicates(query).catch(invalidate),
    isBuilding: () => !watcher.isCaughtUp,
  }
  return { searchIndex, stop: () => watcher.stop() }
}
