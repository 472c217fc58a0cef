import { useAsk } from '../data/cache.ts'
import { send } from '../data/waiting.ts'
import { Avatar } from '../parts/avatar.tsx'
import { PickMany } from '../parts/pick.tsx'
import { useChange, useDeed } from './change.ts'
import { type Member, useMe } from './data.ts'
import type { PickProps } from './picks.tsx'
import { opener, Row } from './row.tsx'
import type { Undo } from './undo.ts'

const keyOf = ({ agent_id, user_id }: Pick<Member, 'agent_id' | 'user_id'>) =>
  agent_id ?? user_id ?? 0

/** People and agents; an agent is given a task, or it is taken from it, one at a time. */
export function AssigneesRow({ task, opening }: PickProps) {
  const put = useAssign(task)
  const list = useAsk('projects.members', { project_id: task.project_id, limit: 50 })
  const me = useMe()?.profile.user_id
  const { assignees } = task
  const all = [...(list.data?.items ?? [])]
  for (const one of assignees)
    if (!all.some((member) => keyOf(member) === keyOf(one)))
      all.push({ ...one, invited: false } as Member)
  const sorted = all.sort((a, b) => Number(b.user_id === me) - Number(a.user_id === me))
  return (
    <Row name="Assignees">
      <PickMany
        label="Assignees"
        values={assignees.map(keyOf)}
        choices={sorted.map((one) => ({
          value: keyOf(one),
          name: one.user_id === me ? `${one.name} (you)` : one.name,
          mark: <Avatar actor={one} />,
        }))}
        onPick={(keys) => put(keys, all)}
        source={{ of: list, what: 'members' }}
        empty="Nobody on this board has this name"
        {...opening('a')}
        trigger={opener({
          name: 'Assignees',
          value: assignees.map(({ name }) => name).join(', ') || 'Assign somebody',
          isSet: assignees.length > 0,
          hint: 'A',
          children: assignees.length
            ? assignees.map((one) => (
                <span key={keyOf(one)} className="label">
                  <Avatar actor={one} busy={isHolder(task.lease, one)} />
                  {one.name}
                </span>
              ))
            : 'Assign somebody',
        })}
      />
    </Row>
  )
}

type Lease = PickProps['task']['lease']
const isHolder = (lease: Lease, one: Pick<Member, 'agent_id' | 'user_id'>) =>
  lease !== null && keyOf(lease.holder) === keyOf(one)

/** An agent is given the task by an operation of its own. */
function useAssign(task: PickProps['task']) {
  const change = useChange(task)
  const assign = useDeed('tasks.assign', task)
  const before = task.assignees.map(keyOf)
  return (keys: readonly (string | number)[], all: readonly Member[]) => {
    const shown = { assignees: all.filter((one) => keys.includes(keyOf(one))) }
    const agent = [...keys, ...before].find(
      (key) => typeof key === 'string' && keys.includes(key) !== before.includes(key),
    )
    const undo = assigneesBack(task, keys)
    if (agent === undefined)
      return change({ assignee_ids: keys.filter((key) => typeof key === 'number') }, shown, {
        undo,
      })
    const intent = keys.includes(agent) ? 'assign' : 'unassign'
    assign({ task_id: task.task_id, agent_id: String(agent), intent }, shown, { undo })
  }
}

/** Takes back only who was added and removed: others may have been assigned meanwhile. */
function assigneesBack(
  { task_id, assignees }: PickProps['task'],
  keys: readonly (string | number)[],
): Undo {
  const before = assignees.map(keyOf)
  const added = keys.filter((key) => !before.includes(key))
  const removed = assignees.filter((one) => !keys.includes(keyOf(one)))
  const assign = (key: string | number, intent: 'assign' | 'unassign') =>
    send('tasks.assign', {
      ...{ task_id, intent },
      ...(typeof key === 'string' ? { agent_id: key } : { user_id: key }),
    })
  return {
    what: 'assignees',
    isOurs: () => true,
    shown: (now) => ({
      assignees: [...now.assignees.filter((one) => !added.includes(keyOf(one))), ...removed],
    }),
    async put() {
      for (const key of added) await assign(key, 'unassign')
      for (const one of removed) await assign(keyOf(one), 'assign')
    },
  }
}
