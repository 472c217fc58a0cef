import type { Input } from '../data/client.ts'
import { send } from '../data/waiting.ts'
import { write } from './change.ts'
import { type Card, whileWriting } from './data.ts'

type Fields = Omit<Input<'tasks.update_many'>, 'task_ids' | 'ticket_numbers'>
export type Pair = readonly [before: Card, after: Card]

const NONE: readonly never[] = []
const isPerson = (key: string | number): key is number => typeof key === 'number'
const isAgent = (key: string | number): key is string => typeof key === 'string'
const lacking = <T>(some: readonly T[], others: readonly T[]) =>
  some.filter((one) => !others.includes(one))

/** Whose, what about and part of what: what a lane can be of. */
function fieldsOf([before, after]: Pair): Fields {
  const [people, others] = [before, after].map(({ assignees = NONE }) => assignees.filter(isPerson))
  const [on, off] = [
    lacking(after.labels ?? NONE, before.labels ?? NONE),
    lacking(before.labels ?? NONE, after.labels ?? NONE),
  ]
  return {
    ...(people!.join() !== others!.join() && { assignee_ids: others! }),
    ...(on.length > 0 && { add_labels: on }),
    ...(off.length > 0 && { remove_labels: off }),
    ...(before.parent_task_id !== after.parent_task_id && {
      parent_task_id: after.parent_task_id ?? null,
    }),
  }
}

/** Agents are given a task, or it is taken from them, one at a time. */
async function handOver([before, after]: Pair) {
  const { task_id } = before
  const [was, is] = [before, after].map(({ assignees = NONE }) => assignees.filter(isAgent))
  for (const agent_id of lacking(is!, was!))
    await send('tasks.assign', { task_id, agent_id, intent: 'assign' })
  for (const agent_id of lacking(was!, is!))
    await send('tasks.assign', { task_id, agent_id, intent: 'unassign' })
}

/** Makes one card of another, with `more` in the same write: those that need the same together. */
export const rewrite = (pairs: readonly Pair[], more: Fields = {}) =>
  whileWriting(
    pairs.map(([{ task_id }]) => task_id),
    async () => {
      const alike = Map.groupBy(pairs, (pair) => JSON.stringify({ ...fieldsOf(pair), ...more }))
      for (const [fields, some] of alike)
        if (fields !== '{}')
          await write(
            some.map(([before]) => before),
            JSON.parse(fields),
          )
      for (const pair of pairs) await handOver(pair)
    },
  )
