import { pathsIn } from '../config/data-folder.ts'
import {
  backfillIndex,
  inspectIndex,
  resetBackfill,
} from '../features/search/text_index/model/index.ts'
import { resetIndexFiles } from '../search/passage-index/inspect.ts'
import { type Command, DATA, progress } from './command.ts'
import { printResult, withLocalContext } from './local-context.ts'

/** A running server waits this long at most, when it writes. */
const WRITE_MS = 50

export const reindex: Command = {
  summary: 'Rebuild the text index and the search index',
  about:
    'Use it when "cork doctor" says so. The server can keep running, and search keeps working.',
  example: 'cork reindex',
  flags: { data: DATA, json: { type: 'boolean', about: 'Print {tasks}' } },
  async run(values) {
    const { texts } = await withLocalContext(values, async ({ store, config }) => {
      resetIndexFiles(pathsIn(config.data).search)
      await store.write(resetBackfill)
      const { tasks } = await store.read(inspectIndex)
      const bar = progress('Indexing', tasks)
      let indexed = 0
      await backfillIndex(store, () => false, {
        writeMs: WRITE_MS,
        onProgress(count) {
          indexed += count
          bar.at(indexed)
        },
      })
      const state = await store.read(inspectIndex)
      bar.end(`${state.texts} tasks`)
      return state
    })
    return printResult(values, { tasks: texts }, () =>
      [
        `The text index has ${texts} tasks.`,
        'A running server rebuilds the search index now, a stopped one when it starts.',
      ].join('\n'),
    )
  },
}
