import { describe, expect, test } from 'bun:test'
import { catalog } from '../../../../src/catalog.ts'
import type { AnyOperation } from '../../../../src/kernel/operation.ts'
import { faultOf } from '../../../support/faults.ts'
import { claimTask } from '../../../support/fixtures.ts'
import { samples } from '../../../support/samples.ts'
import { callChat, callMcp, callRest, surfaceCallFor } from '../../../support/surface-calls.ts'
import { databaseContents } from '../../../support/tables.ts'
import { type Actor, world } from '../../../support/world.ts'

const guarded = (catalog as readonly AnyOperation[]).filter(({ guard }) => guard)

async function prepareOperation(op: AnyOperation) {
  const w = await world()
  const mate = await w.addAgent(w.team_id, w.cleo, 'Mate')
  const { inputAsAgent, inputChangingTask, input: anyInput } = samples[op.name]!
  const input = await (inputAsAgent ?? inputChangingTask ?? anyInput)(w)
  const claimAll = async (agent: Actor) => {
    for (const task of [w.tasks.logo, w.tasks.copy]) await claimTask(agent, task)
  }
  const releaseAll = async (agent: Actor) => {
    for (const task of [w.tasks.logo, w.tasks.copy]) {
      const { lease_id } = await claimTask(agent, task)
      await agent['leases.release']({ lease_id })
    }
  }
  return { ...w, mate, input, claimAll, releaseAll }
}

test('exactly the operations that change an existing task require an agent’s lease', () => {
  const expected = catalog.filter(({ name }) => samples[name]!.lease === 'required')
  expect(guarded.map(({ name }) => name)).toEqual(expected.map(({ name }) => name))
})

/** The calls that claim a task, as each surface names them. */
const CLAIMS = {
  rest: [
    'POST /api/mcp/tasks/lease/claim {"ticket_number":',
    'POST /api/v1/projects/{project_id}/next {"claim": true}',
  ],
  mcp: ['svc_tasks claim {"ticket_number":', 'svc_tasks next {"claim": true}'],
  // A chat translates them when it shows the refusal to its model.
  chat: ['POST /api/mcp/tasks/lease/claim {"ticket_number":', 'svc_tasks next {"claim": true}'],
}

for (const op of guarded)
  describe(op.name, () => {
    for (const [surface, send] of [
      ['rest', callRest],
      ['mcp', callMcp],
      ['chat', callChat],
    ] as const) {
      if (!op.on[surface]) continue
      test(`over ${surface}: an agent needs its own live lease; a missing, expired or stale one is refused`, async () => {
        const w = await prepareOperation(op)
        const { bot, mate, input, clock, claimAll, releaseAll } = w
        const before = await databaseContents(w)
        const missing = await send(w, bot, op, input)
        expect(missing.fault?.error).toBe('AgentMutationLeaseMissingError')
        if (surface === 'rest') expect(missing.status).toBe(428)
        for (const call of CLAIMS[surface]) expect(missing.fault?.message).toContain(call)
        expect(await databaseContents(w)).toBe(before)

        await claimAll(mate)
        const withForeignLease = await send(w, bot, op, input)
        expect(withForeignLease.fault).toMatchObject({
          error: 'Conflict',
          details: { holder: 'Mate' },
        })
        expect(withForeignLease.fault?.details.expires_at).toBeString()
        if (surface === 'rest') expect(withForeignLease.status).toBe(409)
        await releaseAll(mate)

        const { lease_id } = await claimTask(bot, w.tasks.logo)
        clock.advance(30 * 60_000)
        const withEndedLease = await send(w, bot, op, { ...input, lease_id })
        expect(withEndedLease.fault?.error).toBe('AgentMutationLeaseMissingError')
        await claimAll(bot)
        const withOldLease = await send(w, bot, op, { ...input, lease_id })
        expect(withOldLease.fault).toMatchObject({
          error: 'Conflict',
          details: { field: 'lease_id' },
        })

        const live = await claimTask(bot, w.tasks.logo)
        const accepted = await send(w, bot, op, { ...input, lease_id: live.lease_id })
        expect(accepted.fault).toBeUndefined()
      })
    }

    test('a person needs no lease, and an agent of another team gets not found', async () => {
      const w = await prepareOperation(op)
      await w.claimAll(w.bot)
      const stranger = await w.addAgent(w.otherTeamId, w.otto, 'Stranger')
      const send = surfaceCallFor(op)
      const response = await send(w, stranger, op, w.input)
      expect(response.fault?.error).toBe('Not found')
      if (samples[op.name]!.inputAsAgent) return
      expect((await send(w, w.ada, op, w.input)).fault).toBeUndefined()
    })
  })

test('POST /api/v1/tasks with a ticket_number is an update and requires a lease', async () => {
  const { http, bot, tasks } = await world()
  const input = { ticket_number: tasks.logo.ticket_number, title: 'Changed' }
  const first = await http(bot, 'POST', '/api/v1/tasks', input)
  expect([first.status, first.body.error]).toEqual([428, 'AgentMutationLeaseMissingError'])
  const { lease_id } = await claimTask(bot, tasks.logo)
  const second = await http(bot, 'POST', '/api/v1/tasks', { ...input, lease_id })
  expect([second.status, second.body.data.changed]).toEqual([200, ['title']])
})

test('comments, comment drafts, subtasks, pull requests and decision requests need no lease', async () => {
  const { bot, board, tasks, ...w } = await world()
  const { task_id } = tasks.logo
  const { draft_id } = await bot['drafts.create']({
    ...{ task_id, text: '<p>Red?</p>', draft_type: 'comment' as const },
  })
  await bot['drafts.publish']({ draft_id })
  await bot['comments.add']({ task_id, text: 'Blue' })
  await bot['tasks.create']({
    ...{ project_id: board.project_id, title: 'Dry' },
    parent_task_id: task_id,
  })
  await bot['pull_requests.create']({ task_id, url: 'https://git.example.com/pull/1' })
  await bot['decision_requests.create']({ task_id, question: 'Which?', options: ['A', 'B'] })
  expect(await w.changeTypes()).not.toContain('lease.claimed')
})

test('updating several tasks requires a lease on each of them', async () => {
  const { bot, ada, tasks } = await world()
  const { lease_id } = await claimTask(bot, tasks.logo)
  const input = { task_ids: [tasks.logo.task_id, tasks.copy.task_id], priority: 'Low', lease_id }
  const { code, details } = await faultOf(bot['tasks.update_many'](input))
  expect([code, details.ticket_number]).toEqual(['lease_missing', 'HP-2'])
  await claimTask(bot, tasks.copy)
  expect(await bot['tasks.update_many'](input)).toHaveLength(2)
  expect(await ada['tasks.get'](tasks.copy)).toMatchObject({ priority_name: 'Low' })
})

test('an agent cannot move a task while another agent has a lease on its subtask', async () => {
  const w = await world()
  const { ada, bot, board, tasks, team_id } = w
  const mate = await w.addAgent(team_id, w.cleo, 'Mate')
  const { project_id } = await ada['projects.create']({
    ...{ team_id, title: 'Garden', sections: [{ title: 'To do' }] },
  })
  const child = await ada['tasks.create']({
    ...{ project_id: board.project_id, title: 'Dry', parent_task_id: tasks.copy.task_id },
  })
  const { task_id } = child
  await claimTask(bot, tasks.copy)
  const { lease_id } = await claimTask(mate, { task_id })
  const move = { task_id: tasks.copy.task_id, target_project_id: project_id }
  const { code, message } = await faultOf(bot['tasks.move'](move))
  expect([code, message]).toEqual([
    'conflict',
    expect.stringMatching(/^Its subtask HP-5 is leased by Mate until /),
  ])
  await mate['leases.release']({ lease_id })
  await bot['tasks.move'](move)
  expect(await ada['tasks.get']({ task_id })).toMatchObject({ project_id })
  // The moved task keeps its lease on the other board.
  expect((await bot['leases.get'](tasks.copy)).lease).toMatchObject({ holder: { name: 'Bot' } })
})
