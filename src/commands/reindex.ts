import { forgetSweep, inspectTexts, sweepTexts } from '../features/tasks/index.ts'
import { type Command, DATA } from './command.ts'
import { answer, within } from './house.ts'

export const reindex: Command = {
  summary: 'Build the text index of all tasks anew',
  about: 'For when "cork doctor" says so. The server may run meanwhile, and searches go on.',
  example: 'cork reindex',
  flags: { data: DATA, json: { type: 'boolean', about: 'Print {tasks}' } },
  async run(values) {
    const { texts } = await within(values, async ({ store }) => {
      await store.write(forgetSweep)
      await sweepTexts(store, () => false)
      return store.read(inspectTexts)
    })
    return answer(values, { tasks: texts }, () => `The text index knows ${texts} tasks.`)
  },
}
