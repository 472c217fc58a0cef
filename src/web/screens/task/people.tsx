import { useOperation } from '../../data/cache.ts'
import { sendWrite } from '../../data/write-queue.ts'
import type { Undo } from '../../entities/task/undo.ts'
import { Avatar } from '../../entities/user/avatar.tsx'
import { useMe } from '../../entities/user/me.ts'
import type { Member } from '../../entities/user/members.ts'
import { PickMany } from '../../kit/pick.tsx'
import { t } from '../../messages/t.ts'
import type { PickProps } from './property-rows.tsx'
import { pickerButton, Row } from './row.tsx'
import { useTaskMutation, useTaskUpdate } from './update.ts'

const keyOf = ({ agent_id, user_id }: Pick<Member, 'agent_id' | 'user_id'>) =>
  agent_id ?? user_id ?? 0

/** People and agents. An agent is assigned with an operation of its own, one at a time. */
export function AssigneesRow({ task, pickerState }: PickProps) {
  const assign = useAssign(task)
  const list = useOperation('projects.members', { project_id: task.project_id, limit: 50 })
  const me = useMe()?.profile.user_id
  const { assignees } = task
  const members = [...(list.data?.items ?? [])]
  for (const one of assignees)
    if (!members.some((member) => keyOf(member) === keyOf(one)))
      members.push({ ...one, invited: false } as Member)
  const sorted = members.sort((a, b) => Number(b.user_id === me) - Number(a.user_id === me))
  return (
    <Row name={t('task.assignees')}>
      <PickMany
        label={t('task.assignees')}
        values={assignees.map(keyOf)}
        choices={sorted.map((one) => ({
          value: keyOf(one),
          name: one.user_id === me ? t('task.name_you', { name: one.name }) : one.name,
          mark: <Avatar actor={one} />,
        }))}
        onPick={(keys) => assign(keys, members)}
        source={{ of: list, what: t('task.field_inline', { field: 'members' }) }}
        empty={t('task.no_matching_members')}
        {...pickerState('a')}
        trigger={pickerButton({
          name: t('task.assignees'),
          value: assignees.map(({ name }) => name).join(', ') || t('task.assign_somebody'),
          isSet: assignees.length > 0,
          hint: 'A',
          children: assignees.length
            ? assignees.map((one) => (
                <span key={keyOf(one)} className="label">
                  <Avatar actor={one} busy={isHolder(task.lease, one)} />
                  {one.name}
                </span>
              ))
            : t('task.assign_somebody'),
        })}
      />
    </Row>
  )
}

type Lease = PickProps['task']['lease']
const isHolder = (lease: Lease, one: Pick<Member, 'agent_id' | 'user_id'>) =>
  lease !== null && keyOf(lease.holder) === keyOf(one)

/** People are assigned with `tasks.update`, an agent with `tasks.assign`. */
function useAssign(task: PickProps['task']) {
  const update = useTaskUpdate(task)
  const assign = useTaskMutation('tasks.assign', task)
  const before = task.assignees.map(keyOf)
  return (keys: readonly (string | number)[], members: readonly Member[]) => {
    const shown = { assignees: members.filter((one) => keys.includes(keyOf(one))) }
    const agent = [...keys, ...before].find(
      (key) => typeof key === 'string' && keys.includes(key) !== before.includes(key),
    )
    const undo = undoAssignees(task, keys)
    if (agent === undefined)
      return update({ assignee_ids: keys.filter((key) => typeof key === 'number') }, shown, {
        undo,
      })
    const intent = keys.includes(agent) ? 'assign' : 'unassign'
    assign({ task_id: task.task_id, agent_id: String(agent), intent }, shown, { undo })
  }
}

/** Undoes only the additions and removals of this edit: others may have been assigned meanwhile. */
function undoAssignees(
  { task_id, assignees }: PickProps['task'],
  keys: readonly (string | number)[],
): Undo {
  const before = assignees.map(keyOf)
  const added = keys.filter((key) => !before.includes(key))
  const removed = assignees.filter((one) => !keys.includes(keyOf(one)))
  const assign = (key: string | number, intent: 'assign' | 'unassign') =>
    sendWrite('tasks.assign', {
      ...{ task_id, intent },
      ...(typeof key === 'string' ? { agent_id: key } : { user_id: key }),
    })
  return {
    what: t('task.field_inline', { field: 'assignees' }),
    isUnchanged: () => true,
    fieldsBefore: (current) => ({
      assignees: [...current.assignees.filter((one) => !added.includes(keyOf(one))), ...removed],
    }),
    async revert() {
      for (const key of added) await assign(key, 'unassign')
      for (const one of removed) await assign(keyOf(one), 'assign')
    },
  }
}
