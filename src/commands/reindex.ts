import { placesIn } from '../data.ts'
import { forgetSweep, inspectTexts, sweepTexts } from '../features/tasks/index.ts'
import { forgetFiles } from '../search/library/inspect.ts'
import { type Command, DATA } from './command.ts'
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
      await sweepTexts(store, () => false)
      return store.read(inspectTexts)
    })
    return answer(values, { tasks: texts }, () =>
      [
        `The text index knows ${texts} tasks.`,
        'The server builds the search index anew; one that does not run does so when it starts.',
      ].join('\n'),
    )
  },
}
