import { placesIn } from '../data.ts'
import { forgetSweep, inspectTexts, sweepTexts } from '../features/tasks/index.ts'
import { forgetFiles } from '../search/library/inspect.ts'
import { type Command, DATA, progress } from './command.ts'
import { answer, within } from './house.ts'

export const reindex: Command = {
  summary: 'Build the text index and the search index anew',
  about: 'For when "cork doctor" says so. The server may run meanwhile, and searches go on.',
  example: 'cork reindex',
  flags: { data: DATA, json: { type: 'boolean', about: 'Print {tasks}' } },
  async run(values) {
    const { texts } = await within(values, async ({ store, config }) => {
      forgetFiles(placesIn(config.data).search)
      await store.write(forgetSweep)
      const { tasks } = await store.read(inspectTexts)
      const told = progress('Indexing', tasks)
      let many = 0
      await sweepTexts(
        store,
        () => false,
        (more) => {
          many += more
          told.at(many)
        },
      )
      const state = await store.read(inspectTexts)
      told.end(`${state.texts} tasks`)
      return state
    })
    return answer(values, { tasks: texts }, () =>
      [
        `The text index knows ${texts} tasks.`,
        'The server builds the search index anew; one that does not run does so when it starts.',
      ].join('\n'),
    )
  },
}
