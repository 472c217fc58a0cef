import { expect, test } from 'bun:test'
import { faultOf } from '../../../support/faults.ts'
import { claimTask } from '../../../support/fixtures.ts'
import { callTool } from '../../../support/surface-calls.ts'
import { databaseContents } from '../../../support/tables.ts'
import { type Actor, world } from '../../../support/world.ts'

const note = 'The sketch is done; **the colours** are missing.'

/** Bot, an agent of Cleo, holds the task of the logo and is assigned to it together with Cleo. */
async function holdLogo() {
  const w = await world()
  const { bot, tasks } = w
  const { task_id, ticket_number } = tasks.logo
  await claimTask(bot, tasks.logo)
  await bot['tasks.assign']({ task_id, assign_self: true })
  const handOver = (actor: Actor, overrides: object = {}) =>
    actor['tasks.hand_over']({ task_id, to: 'owner', note, ...overrides })
  const stateOf = async () => {
    const [task] = [await w.ada['tasks.get']({ task_id })].flat()
    const { items } = await w.ada['comments.list']({ task_id })
    const { lease } = await w.ada['leases.get']({ task_id })
    return { assignees: task!.assignees.map(({ name }) => name), comments: items.length, lease }
  }
  return { ...w, task_id, ticket_number, handOver, stateOf }
}

test('an agent hands a task over to its owner: the note is a comment, the lease ends, the owner is assigned', async () => {
  const { bot, handOver, stateOf, changeTypes, ticket_number } = await holdLogo()
  const before = (await changeTypes()).length
  const receipt = await handOver(bot)
  expect(receipt).toMatchObject({
    ...{ ticket_number, handed_to: { name: 'Cleo' }, released: true, changed: ['assignees'] },
    comment_id: expect.any(Number),
  })
  expect(await stateOf()).toEqual({ assignees: ['Cleo'], comments: 1, lease: null })
  expect((await changeTypes()).slice(before).sort()).toEqual([
    'comment.created',
    'lease.released',
    'task.unassigned',
  ])
})

test('a task can be handed over to another agent of the same owner, but not to one of somebody else', async () => {
  const w = await holdLogo()
  const { bot, handOver, stateOf } = w
  const foreign = await w.addAgent(w.team_id, w.ben, 'Rover')
  const contents = await databaseContents(w)
  const fault = await faultOf(handOver(bot, { to: 'Rover' }))
  expect([fault.code, fault.hint]).toEqual(['forbidden', expect.stringContaining('"to": "owner"')])
  expect(await databaseContents(w)).toBe(contents)
  await w.addAgent(w.team_id, w.cleo, 'Mate')
  expect(await handOver(bot, { to: 'mate' })).toMatchObject({ handed_to: { name: 'Mate' } })
  expect(await stateOf()).toMatchObject({ assignees: ['Cleo', 'Mate'], lease: null })
  expect(await handOver(w.ben, { to: foreign.caller.agent_id })).toMatchObject({ released: false })
})

test('handing over to yourself, to an unknown or an ambiguous name is refused and writes nothing', async () => {
  const w = await holdLogo()
  for (const name of ['Kim', 'Kim'])
    await w.addMember(w.team_id, name, 'member').catch(() => undefined)
  const contents = await databaseContents(w)
  for (const [to, code] of [
    ['Bot', 'out_of_range'],
    ['Nobody', 'not_found'],
  ]) {
    const { details } = await faultOf(w.handOver(w.bot, { to }))
    expect([to, details.field, details.code]).toEqual([to, 'to', code])
  }
  expect(await databaseContents(w)).toBe(contents)
})

test('a person hands over without a lease, and the lease of an agent stays', async () => {
  const { cleo, handOver, stateOf } = await holdLogo()
  expect(await handOver(cleo, { to: 'ben@example.com' })).toMatchObject({ released: false })
  expect(await stateOf()).toMatchObject({
    assignees: ['Ben', 'Bot'],
    lease: { holder: { name: 'Bot' } },
  })
})

test('with section_id the task also moves, and a done column completes it', async () => {
  const { bot, ada, task_id, handOver, sections } = await holdLogo()
  const receipt = await handOver(bot, { to: 'Ada', section_id: sections.Done })
  expect(receipt).toMatchObject({ section: 'Done', handed_to: { name: 'Ada' } })
  expect(receipt.changed).toEqual(expect.arrayContaining(['section_id', 'assignees']))
  const [task] = [await ada['tasks.get']({ task_id })].flat()
  expect(task!.done).toBe(true)
})

test('over MCP an agent claims, renews, releases and hands over by the ticket number alone', async () => {
  const { bot, handOver, stateOf, ticket_number, ...w } = await holdLogo()
  const call = async (action: string, input: object = {}) => {
    const args = { action, input: { ticket_number, ...input } }
    return (await callTool(w, bot, 'svc_tasks', args)).body.result.structuredContent
  }
  w.clock.advance(60_000)
  const renewed = await call('heartbeat', { ttl: 120_000 })
  expect(renewed.data).toMatchObject({ ticket_number, ttl: 120_000, fencing_token: 1 })
  expect((await call('release')).data).toEqual({ released: true })
  const late = await call('heartbeat')
  expect([late.error, late.hint]).toEqual(['Conflict', expect.stringContaining('svc_tasks claim')])
  expect((await call('claim')).data).toMatchObject({ ticket_number, fencing_token: 2 })
  expect((await call('hand_over', { to: 'owner', note })).data).toMatchObject({ released: true })
  expect(await stateOf()).toMatchObject({ assignees: ['Cleo'], lease: null })
  const nameless = await callTool(w, bot, 'svc_tasks', { action: 'release', input: {} })
  expect(nameless.body.result.structuredContent.details.field).toBe('lease_id')
})
