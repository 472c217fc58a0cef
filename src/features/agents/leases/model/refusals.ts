import type { Context } from '../../../../kernel/caller.ts'
import { fault } from '../../../../kernel/fault.ts'
import { type Actor, actorsOf, asActor } from '../../../identity/people/model/index.ts'
import type { Task } from '../../../tasks/tasks/model/index.ts'
import type { Lease } from './current.ts'

export const CLAIM = '/api/mcp/tasks/lease/claim'
export const NEXT = 'svc_tasks next {"claim": true}'

export const holderOf = async (
  { tx }: Pick<Context, 'tx'>,
  { holder_id }: Pick<Lease, 'holder_id'>,
) => asActor((await actorsOf(tx, [holder_id])).get(holder_id)!) satisfies Actor

/** The caller as a public actor. */
export const callerAsActor = ({ caller }: Context): Actor => ({
  kind: caller.kind,
  ...(caller.agent_id ? { agent_id: caller.agent_id } : { user_id: caller.actor_id }),
  name: caller.name,
})

export const notClaimable = ({ ticket_number, task_id }: Task, reason: string) =>
  fault.conflict(
    `${ticket_number} ${reason}, so it cannot be claimed`,
    { field: 'ticket_number', value: ticket_number, task_id },
    reason === 'is done'
      ? 'Ask a person to move it to an open column, or create a task for what is left to do'
      : 'Ask a person to restore it (update with status Normal), or claim another task',
  )

/** Names the holder and the expiry, and never the lease_id. */
export async function leaseHeld(ctx: Context, { ticket_number, task_id }: Task, lease: Lease) {
  const { name } = await holderOf(ctx, lease)
  const { owner_id } = lease
  const expires_at = lease.expires_at.toISOString()
  const isOwn = lease.holder_id === ctx.caller.actor_id
  const worker = isOwn ? `you${owner_id === null ? '' : ` as ${owner_id}`}` : name
  return fault.conflict(
    `${ticket_number} is leased by ${worker} until ${expires_at}`,
    { field: 'ticket_number', value: ticket_number, task_id, holder: name, expires_at },
    isOwn
      ? 'Claim it with the same owner_id to keep it, or release it first'
      : `Claim another task (${NEXT}), or claim this one once it is free`,
  )
}

export function leaseEnded({ ticket_number, task_id }: Task, lease: Lease) {
  const at = (lease.ended_at ?? lease.expires_at).toISOString()
  return fault.conflict(
    `Your lease on ${ticket_number} ended at ${at}`,
    { field: 'lease_id', value: lease.lease_id, task_id, ticket_number },
    `Claim the task again: POST ${CLAIM}`,
  )
}

export const staleLease = (lease: Lease | undefined, lease_id: string) =>
  fault.conflict(
    lease
      ? 'lease_id is not your current lease on this task'
      : 'lease_id is not a lease that you hold on this task',
    { field: 'lease_id', value: lease_id, task_id: lease?.task_id },
    lease
      ? 'Read the task again before you write, and send the lease_id of your current lease'
      : 'Leave lease_id out, or claim the task first',
  )

export const notHeld = ({ ticket_number, task_id }: Task) =>
  fault.conflict(
    `You do not hold ${ticket_number}`,
    { field: 'ticket_number', value: ticket_number, task_id },
    `Claim it first: POST ${CLAIM} {"ticket_number": "${ticket_number}"}`,
  )
