import { startScriptedModel as startModel } from '../../test/ai/scripted-model.ts'

export const LATE = 'What is late here, and what first?'
export const SPLIT = 'Split SR-12 into three steps'

const ANSWER = `Two things are late:

- SR-14 was due first, and without it no one can sign in after the weekend
- SR-12 blocks two others

I would begin with **SR-14**: it is small. Shall I put it at the top of its column?`

const STEPS = [
  { title: 'Measure where the time goes', priority: 'High' },
  { title: 'Write exports in pieces' },
  { title: 'Show how far an export is' },
]

/** Starts a local model with scripted answers for the screenshots. */
export function startScriptedModel() {
  const service = startModel()
  service.play(({ userText, toolResults }) => {
    if (userText.includes(SPLIT) && !toolResults.length)
      return {
        text: 'These three would do. Each can be shipped by itself.',
        calls: [{ tool: 'tasks_create_many', input: { project_id: 1, tasks: STEPS } }],
      }
    if (toolResults.length) return { text: ANSWER }
    return { calls: [{ tool: 'tasks_list', input: { project_id: 1, query: 'is:overdue' } }] }
  })
  return service
}
