import { useMemo } from 'react'
import type { Board } from '../../../entities/board/data.ts'
import { type Filter, type Rule, valuesOf } from '../../../entities/task/condition/filter.ts'
import type { NewTaskDefaults } from './create-task.ts'

/** The initial values of a new task, so that the active filter does not hide it. */
export const useNewTaskDefaults = (
  filter: Filter,
  me: number | undefined,
  board: Pick<Board, 'labels' | 'actors'>,
): NewTaskDefaults => {
  const { labels, actors } = board
  return useMemo(() => defaultsOf(filter, me, { labels, actors }), [filter, me, labels, actors])
}

/** The values of the rules that each task must match. */
function defaultsOf(
  { match, groups }: Filter,
  me: number | undefined,
  { labels, actors }: Pick<Board, 'labels' | 'actors'>,
): NewTaskDefaults {
  const required = groups.flatMap(({ match: within, rules }) =>
    (match === 'ALL' || groups.length === 1) && (within !== 'ANY' || rules.length === 1)
      ? rules
      : [],
  )
  const first = (name: string) => {
    const isThis = ({ field, op }: Rule) => field === name && (op === 'is' || op === 'any_of')
    const rule = required.find(isThis)
    return rule && valuesOf(rule)[0]?.toLowerCase()
  }
  const [priority, size, label, assignee] = ['priority', 'size', 'label', 'assignee'].map(first)
  const label_id = labels.find(
    (one) => String(one.label_id) === label || one.name?.toLowerCase() === label,
  )?.label_id
  const actor = actors.find(
    ({ user_id, agent_id, name }) =>
      String(agent_id ?? user_id) === assignee || name.toLowerCase() === assignee,
  )
  const person = assignee === 'me' ? me : (actor?.user_id ?? Number(assignee))
  return {
    ...(Number(priority) && { priority: Number(priority) }),
    ...(Number(size) && { estimate: Number(size) }),
    ...(label_id && { labels: [label_id] }),
    ...(person && { assignee_ids: [person] }),
  }
}
