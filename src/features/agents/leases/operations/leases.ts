import { type Static, Type as t } from '@sinclair/typebox'
import type { Context } from '../../../../kernel/caller.ts'
import { fault } from '../../../../kernel/fault.ts'
import { operation } from '../../../../kernel/operation.ts'
import { address, locateTask, lockTask } from '../../../tasks/tasks/model/index.ts'
import { type Lease, leaseOf } from '../model/current.ts'
import { CLAIM, holderOf, leaseEnded, notHeld, staleLease } from '../model/refusals.ts'
import { isLive } from '../model/rules.ts'
import { LeaseId, LeaseReceipt, ShownLease, term } from '../model/schema.ts'
import * as store from '../model/store.ts'

export const claim = operation({
  name: 'leases.claim',
  summary: 'Claim a task so that no other agent changes it; claiming again renews it',
  needs: 'tasks:write',
  on: {
    rest: `POST ${CLAIM}`,
    mcp: 'svc_tasks.claim',
    cli: { usage: 'leases claim <ticket_number>', example: 'HOM-1 --ttl 600000' },
    chat: 'agents',
  },
  input: t.Object({ ...address, ...term }),
  output: LeaseReceipt,
  async run({ owner_id, ttl, ...taskRef }, ctx) {
    const { task } = await locateTask(ctx, taskRef)
    return store.receiptOf(task, await store.claim(ctx, task, { owner_id, ttl }))
  },
})

/** A lease by its id, or by its task if the caller holds it. */
const leaseRef = { lease_id: t.Optional(LeaseId), ...address }

export const heartbeat = operation({
  name: 'leases.heartbeat',
  summary: 'Extend your lease of a task by another ttl from now',
  needs: 'tasks:write',
  on: {
    rest: 'POST /api/mcp/tasks/lease/heartbeat',
    mcp: 'svc_tasks.heartbeat',
    cli: { usage: 'leases heartbeat <ticket_number>', example: 'HOM-2 --ttl 600000' },
  },
  input: t.Object({ ...leaseRef, ttl: term.ttl }),
  output: LeaseReceipt,
  async run({ ttl, ...ref }, ctx) {
    const lease = await findLease(ctx, ref)
    const { task } = await locateTask(ctx, { task_id: lease.task_id })
    const renewed = await store.renew(ctx, lease, ttl)
    if (!renewed) throw leaseEnded(task, lease)
    return store.receiptOf(task, renewed)
  },
})

export const release = operation({
  name: 'leases.release',
  summary: 'Release a task; no effect if the lease has already ended',
  needs: 'tasks:write',
  on: {
    rest: 'POST /api/mcp/tasks/lease/release',
    mcp: 'svc_tasks.release',
    cli: { usage: 'leases release <ticket_number>', example: 'HOM-2' },
    chat: 'agents',
  },
  input: t.Object(leaseRef),
  output: t.Object({ released: t.Literal(true) }),
  async run(ref, ctx) {
    const lease = await findLease(ctx, ref)
    // The holder can release the lease even if they can no longer see the task.
    await store.release(ctx, await lockTask(ctx.tx, lease.task_id), lease)
    return { released: true as const }
  },
})

type LeaseRef = Static<ReturnType<typeof t.Object<typeof leaseRef>>>

/** The lease that an input names by its id, or the caller's last one of the task that it names. */
async function findLease(ctx: Context, { lease_id, ...taskRef }: LeaseRef): Promise<Lease> {
  const isNamed = Object.values(taskRef).some((value) => value !== undefined)
  if (!isNamed) return store.findOwnLease(ctx, lease_id ?? refuseNameless())
  const { task } = await locateTask(ctx, taskRef)
  const lease = await leaseOf(ctx, task.task_id)
  const isOwn = lease?.holder_id === ctx.caller.actor_id
  if (isOwn && (lease_id ?? lease.lease_id) === lease.lease_id) return lease
  throw isOwn ? staleLease(lease, lease_id!) : notHeld(task)
}

function refuseNameless(): never {
  throw fault.invalid(
    'lease_id',
    'required',
    'lease_id is required, or the task as ticket_number, task_id, or unique_index with project_id',
  )
}

export const get = operation({
  name: 'leases.get',
  summary: 'Who holds a task now, and until when',
  needs: 'tasks:read',
  dependsOn: [{ about: 'task', changes: ['lease'] }],
  on: {
    rest: 'GET /api/v1/tasks/:task/lease',
    cli: { usage: 'leases get <task>', example: 'HOM-1' },
  },
  input: t.Object(address),
  output: t.Object({
    task_id: t.Integer(),
    ticket_number: t.String(),
    lease: t.Union([ShownLease, t.Null()]),
  }),
  async run(taskRef, ctx) {
    const { task } = await locateTask(ctx, taskRef)
    const { task_id, ticket_number } = task
    const lease = await leaseOf(ctx, task_id)
    if (!lease || !isLive(lease, ctx.now)) return { task_id, ticket_number, lease: null }
    const { lease_id, owner_id, claimed_at, expires_at, fencing_token } = lease
    return {
      task_id,
      ticket_number,
      lease: {
        ...(lease.holder_id === ctx.caller.actor_id && { lease_id }),
        holder: await holderOf(ctx, lease),
        owner_id,
        claimed_at: claimed_at.toISOString(),
        expires_at: expires_at.toISOString(),
        fencing_token,
      },
    }
  },
})
