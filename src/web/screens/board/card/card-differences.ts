import type { Input } from '../../../data/client.ts'
import { sendWrite } from '../../../data/write-queue.ts'
import { type Card, whileWriting } from '../../../entities/board/data.ts'
import { write } from '../change.ts'

type ChangedFields = Omit<Input<'tasks.update_many'>, 'task_ids' | 'ticket_numbers'>
export type Pair = readonly [before: Card, after: Card]

const NONE: readonly never[] = []
const isPerson = (key: string | number): key is number => typeof key === 'number'
const isAgent = (key: string | number): key is string => typeof key === 'string'
const missingFrom = <T>(values: readonly T[], others: readonly T[]) =>
  values.filter((excluded) => !others.includes(excluded))

/** The fields that moving between lanes can change: assignees, labels and parent. */
function fieldsOf([before, after]: Pair): ChangedFields {
  const [people, others] = [before, after].map(({ assignees = NONE }) => assignees.filter(isPerson))
  const [added, removed] = [
    missingFrom(after.labels ?? NONE, before.labels ?? NONE),
    missingFrom(before.labels ?? NONE, after.labels ?? NONE),
  ]
  return {
    ...(people!.join() !== others!.join() && { assignee_ids: others! }),
    ...(added.length > 0 && { add_labels: added }),
    ...(removed.length > 0 && { remove_labels: removed }),
    ...(before.parent_task_id !== after.parent_task_id && {
      parent_task_id: after.parent_task_id ?? null,
    }),
  }
}

/** Assigns and unassigns agents, with one call each. */
async function updateAgents([before, after]: Pair) {
  const { task_id } = before
  const [agentsBefore, agentsAfter] = [before, after].map(({ assignees = NONE }) =>
    assignees.filter(isAgent),
  )
  for (const agent_id of missingFrom(agentsAfter!, agentsBefore!))
    await sendWrite('tasks.assign', { task_id, agent_id, intent: 'assign' })
  for (const agent_id of missingFrom(agentsBefore!, agentsAfter!))
    await sendWrite('tasks.assign', { task_id, agent_id, intent: 'unassign' })
}

/**
 * Writes the differences of card pairs together with `extraFields`; pairs with the same differences
 * share a call.
 */
export const writeDifferences = (pairs: readonly Pair[], extraFields: ChangedFields = {}) =>
  whileWriting(
    pairs.map(([{ task_id }]) => task_id),
    async () => {
      const groups = Map.groupBy(pairs, (pair) =>
        JSON.stringify({ ...fieldsOf(pair), ...extraFields }),
      )
      for (const [fields, group] of groups)
        if (fields !== '{}')
          await write(
            group.map(([before]) => before),
            JSON.parse(fields),
          )
      for (const pair of pairs) await updateAgents(pair)
    },
  )
