import { Avatar } from '../parts/avatar.tsx'
import { PickMany } from '../parts/pick.tsx'
import { useChange, useDeed } from './change.ts'
import { type Member, useMe, useMembers } from './data.ts'
import type { PickProps } from './picks.tsx'
import { opener, Row } from './row.tsx'

const keyOf = ({ agent_id, user_id }: Pick<Member, 'agent_id' | 'user_id'>) =>
  agent_id ?? user_id ?? 0

/** People and agents; an agent is given a task, or it is taken from it, one at a time. */
export function AssigneesRow({ task, opening }: PickProps) {
  const change = useChange(task)
  const assign = useDeed('tasks.assign', task)
  const members = useMembers(task.project_id)
  const me = useMe()?.profile.user_id
  const { task_id, assignees } = task
  const all = [...members]
  for (const one of assignees)
    if (!all.some((member) => keyOf(member) === keyOf(one)))
      all.push({ ...one, invited: false } as Member)
  const sorted = all.sort((a, b) => Number(b.user_id === me) - Number(a.user_id === me))
  const put = (keys: readonly (string | number)[]) => {
    const shown = { assignees: all.filter((one) => keys.includes(keyOf(one))) }
    const before = assignees.map(keyOf)
    const agent = [...keys, ...before].find(
      (key) => typeof key === 'string' && keys.includes(key) !== before.includes(key),
    )
    if (agent === undefined)
      return change({ assignee_ids: keys.filter((key) => typeof key === 'number') }, shown)
    const intent = keys.includes(agent) ? 'assign' : 'unassign'
    assign({ task_id, agent_id: String(agent), intent }, shown)
  }
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
        onPick={put}
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

/** Who works on it now. */
export function LeaseNote({ lease }: { lease: Lease }) {
  if (!lease) return null
  return (
    <p className="at-work" role="status">
      <Avatar actor={lease.holder} busy />
      <span>{lease.holder.name} is at work on this</span>
      <span className="soft">holds it until {clock.format(new Date(lease.expires_at))}</span>
    </p>
  )
}

const clock = new Intl.DateTimeFormat(undefined, { hour: 'numeric', minute: '2-digit' })
