import type { Guard } from '../../kernel/dispatch.ts'
import { Fault, fault } from '../../kernel/fault.ts'
import { type Lease, leaseOf, type Task, taskById } from '../tasks/index.ts'
import { CLAIM, held, NEXT } from './refusals.ts'
import { guarded } from './rules.ts'

/** People need no lease; but whoever names one means to write under that and no other. */
export const guard: Guard = async (ctx, about, lease_id) => {
  const { kind, actor_id } = ctx.caller
  if (kind !== 'agent' && lease_id === undefined) return
  const ids = await about()
  const found: Lease[] = []
  for (const task_id of ids) {
    const lease = await leaseOf(ctx, task_id)
    const verdict = guarded(lease, actor_id, ctx.now)
    if (verdict === 'allowed') found.push(lease!)
    else if (kind === 'agent') {
      const task = (await taskById(ctx.tx, task_id))!
      throw verdict === 'held' ? await held(ctx, task, lease!) : missing(task, lease_id)
    }
  }
  if (lease_id === undefined || !ids.length) return
  if (!found.some((lease) => lease.lease_id === lease_id)) throw stale(found[0], lease_id)
}

function missing({ ticket_number, task_id }: Task, lease_id: string | undefined) {
  const why =
    lease_id === undefined
      ? `An agent changes ${ticket_number} only under a lease of its own`
      : `The lease_id is of no lease that you hold on ${ticket_number} now`
  return new Fault(
    'lease_missing',
    `${why}: claim it with POST ${CLAIM} {"ticket_number": "${ticket_number}"}, or take what is next with ${NEXT}; then retry`,
    { field: 'lease_id', code: 'required', task_id, ticket_number, claim: `POST ${CLAIM}` },
    `POST ${CLAIM} {"ticket_number": "${ticket_number}"}, then the same again`,
  )
}

const stale = (lease: Lease | undefined, lease_id: string) =>
  fault.conflict(
    lease
      ? 'The lease_id is not of the lease that you hold on this task now, but of an earlier one or none'
      : 'The lease_id is of no lease that you hold on this task now',
    { field: 'lease_id', value: lease_id, task_id: lease?.task_id },
    lease
      ? 'Read the task again before you write, and send the lease_id of the lease you hold now'
      : 'Leave lease_id out, or claim the task first',
  )
