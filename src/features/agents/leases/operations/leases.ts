import { Type as t } from '@sinclair/typebox'
import { operation } from '../../../../kernel/operation.ts'
import { address, locateTask, lockTask } from '../../../tasks/tasks/model/index.ts'
import { leaseOf } from '../model/current.ts'
import { CLAIM, holderOf, leaseEnded } from '../model/refusals.ts'
import { isLive } from '../model/rules.ts'
import { LeaseId, LeaseReceipt, ShownLease, term } from '../model/schema.ts'
import * as store from '../model/store.ts'

export const claim = operation({
  name: 'leases.claim',
  summary: 'Claim a task so that no other agent changes it; claiming again renews it',
  needs: 'tasks:write',
  on: {
    rest: `POST ${CLAIM}`,
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

export const heartbeat = operation({
  name: 'leases.heartbeat',
  summary: 'Extend a lease by another ttl from now',
  needs: 'tasks:write',
  on: {
    rest: 'POST /api/mcp/tasks/lease/heartbeat',
    cli: { usage: 'leases heartbeat <lease_id>', example: 'HOM-2 --ttl 600000' },
  },
  input: t.Object({ lease_id: LeaseId, ttl: term.ttl }),
  output: LeaseReceipt,
  async run({ lease_id, ttl }, ctx) {
    const lease = await store.findOwnLease(ctx, lease_id)
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
    cli: { usage: 'leases release <lease_id>', example: 'HOM-2' },
    chat: 'agents',
  },
  input: t.Object({ lease_id: LeaseId }),
  output: t.Object({ released: t.Literal(true) }),
  async run({ lease_id }, ctx) {
    const lease = await store.findOwnLease(ctx, lease_id)
    // The holder can release the lease even if they can no longer see the task.
    await store.release(ctx, await lockTask(ctx.tx, lease.task_id), lease)
    return { released: true as const }
  },
})

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
