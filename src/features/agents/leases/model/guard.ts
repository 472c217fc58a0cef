import type { Guard } from '../../../../kernel/dispatch.ts'
import { Fault } from '../../../../kernel/fault.ts'
import { type Task, taskById } from '../../../tasks/tasks/model/index.ts'
import { type Lease, leaseOf } from './current.ts'
import { CLAIM, leaseHeld, NEXT, staleLease } from './refusals.ts'
import { guardVerdict } from './rules.ts'

/**
 * Agents need a lease for every task that they change. People need none, but a lease_id that they
 * send must be of a live lease of theirs.
 */
export const guard: Guard = async (ctx, taskIds, lease_id) => {
  const { kind, actor_id } = ctx.caller
  if (kind !== 'agent' && lease_id === undefined) return
  const ids = await taskIds()
  const ownLeases: Lease[] = []
  for (const task_id of ids) {
    const lease = await leaseOf(ctx, task_id)
    const verdict = guardVerdict(lease, actor_id, ctx.now)
    if (verdict === 'allowed') ownLeases.push(lease!)
    else if (kind === 'agent') {
      const task = (await taskById(ctx.tx, task_id))!
      throw verdict === 'held' ? await leaseHeld(ctx, task, lease!) : leaseMissing(task, lease_id)
    }
  }
  if (lease_id === undefined || !ids.length) return
  if (!ownLeases.some((lease) => lease.lease_id === lease_id))
    throw staleLease(ownLeases[0], lease_id)
}

function leaseMissing({ ticket_number, task_id }: Task, lease_id: string | undefined) {
  const reason =
    lease_id === undefined
      ? `An agent needs its own lease to change ${ticket_number}`
      : `lease_id is not your current lease on ${ticket_number}`
  return new Fault(
    'lease_missing',
    `${reason}: claim it with POST ${CLAIM} {"ticket_number": "${ticket_number}"}, or claim the next task with ${NEXT}; then retry`,
    { field: 'lease_id', code: 'required', task_id, ticket_number },
    `POST ${CLAIM} {"ticket_number": "${ticket_number}"}, then retry`,
  )
}
