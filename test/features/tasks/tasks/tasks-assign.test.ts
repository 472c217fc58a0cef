import { expect, test } from 'bun:test'
import { faultOf } from '../../../support/faults.ts'
import { claimTask } from '../../../support/fixtures.ts'
import { world } from '../../../support/world.ts'

test('assigning and unassigning people is idempotent and emits one change per person', async () => {
  const { ada, ben, cleo, tasks, changes, changeTypes } = await world()
  const people = { user_ids: [ben.caller.actor_id, cleo.caller.actor_id] }
  const user_id = ada.caller.actor_id
  const first = await ada['tasks.assign']({ ...tasks.copy, ...people, user_id })
  expect(first.changed).toEqual(['assignees'])
  const again = await ada['tasks.assign']({ ...tasks.copy, ...people, intent: 'assign' })
  expect(again.changed).toEqual([])
  const newChanges = await changes()
  expect(newChanges.map(({ type, data }) => [type, data])).toEqual(
    [ada, ben, cleo].map(({ caller }) => [
      'task.assigned',
      {
        ...{ ticket_number: 'HP-2', title: 'Write the copy' },
        actor: { kind: 'person', user_id: caller.actor_id, name: caller.name },
      },
    ]),
  )
  const unassignInput = { ...tasks.copy, ...people, intent: 'unassign' as const }
  expect((await ada['tasks.assign'](unassignInput)).changed).toEqual(['assignees'])
  expect((await ada['tasks.assign'](unassignInput)).changed).toEqual([])
  expect(await ada['tasks.get'](tasks.copy)).toMatchObject({ assignees: [{ name: 'Ada' }] })
  expect((await changeTypes()).slice(3)).toEqual(['task.unassigned', 'task.unassigned'])
})

test('an agent can be assigned and unassigned only by its owner, an admin or itself', async () => {
  const { ben, cleo, bot, team_id, tasks, addMember, addAgent } = await world()
  const agent_id = bot.caller.agent_id!
  const dora = await addMember(team_id, 'Dora', 'member')
  const other = await addAgent(team_id, cleo, 'Other')
  const { lease_id } = await claimTask(other, tasks.copy)
  for (const actor of [dora, other])
    for (const intent of ['assign', 'unassign'] as const) {
      const call = actor['tasks.assign']({ ...tasks.copy, agent_id, intent })
      expect((await faultOf(call)).code).toBe('forbidden')
    }
  await other['leases.release']({ lease_id })
  await claimTask(bot, tasks.copy)
  const assigned = async () =>
    ((await ben['tasks.get'](tasks.copy)) as { assignees: unknown[] }).assignees
  const inputs = [
    [cleo, { agent_id }],
    [ben, { agent_id: agent_id.toUpperCase() }],
    [bot, { agent_id }],
    [bot, { agent_id: 'self' }],
    [bot, { assign_self: true }],
  ] as const
  for (const [actor, input] of inputs) {
    await actor['tasks.assign']({ ...tasks.copy, ...input })
    expect(await assigned()).toEqual([{ kind: 'agent', agent_id, name: 'Bot' }])
    await actor['tasks.assign']({ ...tasks.copy, ...input, intent: 'unassign' })
    expect(await assigned()).toEqual([])
  }
})

test('an assignment without a valid person or agent is refused with the field', async () => {
  const { ada, gus, otto, tasks, changeTypes } = await world()
  const unknown = crypto.randomUUID()
  const bad = [
    [{}, 'user_id', 'required'],
    [{ assign_self: false }, 'user_id', 'required'],
    [{ user_ids: [] }, 'user_ids', 'required'],
    [{ user_id: 999 }, 'user_id', 'not_found'],
    [{ user_ids: [gus.caller.actor_id] }, 'user_ids', 'not_found'],
    [{ user_id: otto.caller.actor_id }, 'user_id', 'not_found'],
    [{ agent_id: unknown }, 'agent_id', 'not_found'],
    [{ user_id: 'me' }, 'user_id', 'invalid_type'],
    [{ intent: 'maybe', user_id: 1 }, 'intent', 'out_of_range'],
  ] as const
  for (const [input, field, code] of bad) {
    const fault = await faultOf(ada['tasks.assign']({ ...tasks.copy, ...(input as object) }))
    expect([input, fault.details.field, fault.details.code]).toEqual([input, field, code])
  }
  for (const self of [{ assign_self: true }, { agent_id: 'self' }])
    expect((await faultOf(ada['tasks.assign']({ ...tasks.copy, ...self }))).code).toBe('forbidden')
  expect(await changeTypes()).toEqual([])
})

test('a removed member can be unassigned from a task, but not assigned again', async () => {
  const { ada, cleo, team_id, tasks } = await world()
  const user_id = cleo.caller.actor_id
  await ada['teams.remove_member']({ team_id, user_id })
  const reassign = ada['tasks.assign']({ ...tasks.copy, user_id })
  expect((await faultOf(reassign)).details.code).toBe('not_found')
  const receipt = await ada['tasks.assign']({ ...tasks.logo, user_id, intent: 'unassign' })
  expect(receipt.changed).toEqual(['assignees'])
})
