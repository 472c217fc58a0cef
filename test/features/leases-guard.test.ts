import { describe, expect, test } from 'bun:test'
import { catalog } from '../../src/catalog.ts'
import type { AnyOperation } from '../../src/kernel/operation.ts'
import { overChat, overMcp, overRest, sendFor } from '../ask.ts'
import { claimed } from '../furniture.ts'
import { refused } from '../refused.ts'
import { samples } from '../samples.ts'
import { everything } from '../tables.ts'
import { type Actor, type World, world } from '../world.ts'

const guarded = (catalog as readonly AnyOperation[]).filter(({ guard }) => guard)

/** Inputs that only the agent itself can use, because a draft belongs to its author. */
const own: Record<string, (w: World) => Promise<Record<string, unknown>>> = {
  'drafts.publish': async ({ bot, tasks }) => {
    const { task_id } = tasks.logo
    const { draft_id } = await bot['drafts.create']({ task_id, text: '<p>In one colour.</p>' })
    return { draft_id }
  },
}

/** Inputs that change the column of the task that every operation is tried on. */
const telling: Record<string, (w: World) => Record<string, unknown>> = {
  'sections.update': ({ board: { project_id }, sections: { Doing: section_id } }) => ({
    ...{ project_id, section_id, is_done: true },
  }),
  'sections.delete': ({ board: { project_id }, sections }) => ({
    ...{ project_id, section_id: sections.Doing, move_tasks_to_section_id: sections.Next },
  }),
}

async function asked(op: AnyOperation) {
  const w = await world()
  const mate = await w.agent(w.team_id, w.cleo, 'Mate')
  const input = await (own[op.name] ?? telling[op.name] ?? samples[op.name]!)(w)
  const takeAll = async (agent: Actor) => {
    for (const task of [w.tasks.logo, w.tasks.copy]) await claimed(agent, task)
  }
  const letGo = async (agent: Actor) => {
    for (const task of [w.tasks.logo, w.tasks.copy]) {
      const { lease_id } = await claimed(agent, task)
      await agent['leases.release']({ lease_id })
    }
  }
  return { ...w, mate, input, takeAll, letGo }
}

test('exactly the operations that change an existing task require an agent’s lease', () => {
  expect(guarded.map(({ name }) => name).sort()).toEqual([
    ...['custom_fields.set', 'drafts.publish', 'relations.create', 'relations.delete'],
    ...['sections.delete', 'sections.update'],
    ...['tasks.add_label', 'tasks.assign', 'tasks.assign_to', 'tasks.move', 'tasks.place'],
    ...['tasks.remove_label', 'tasks.restore', 'tasks.set_recurrence', 'tasks.set_start_date'],
    ...['tasks.snooze', 'tasks.unassign', 'tasks.update', 'tasks.update_many'],
  ])
})

for (const op of guarded)
  describe(op.name, () => {
    for (const [surface, send] of [
      ['rest', overRest],
      ['mcp', overMcp],
      ['chat', overChat],
    ] as const) {
      if (!op.on[surface]) continue
      test(`over ${surface}: an agent needs its own live lease; a missing, expired or stale one is refused`, async () => {
        const w = await asked(op)
        const { bot, mate, input, clock, takeAll, letGo } = w
        const before = await everything(w)
        const missing = await send(w, bot, op, input)
        expect(missing.fault?.error).toBe('AgentMutationLeaseMissingError')
        if (surface === 'rest') expect(missing.status).toBe(428)
        expect(missing.fault?.message).toContain('POST /api/mcp/tasks/lease/claim')
        expect(missing.fault?.message).toContain('svc_tasks next {"claim": true}')
        expect(await everything(w)).toBe(before)

        await takeAll(mate)
        const held = await send(w, bot, op, input)
        expect(held.fault).toMatchObject({ error: 'Conflict', details: { holder: 'Mate' } })
        expect(held.fault?.details.expires_at).toBeString()
        if (surface === 'rest') expect(held.status).toBe(409)
        await letGo(mate)

        const { lease_id } = await claimed(bot, w.tasks.logo)
        clock.pass(30 * 60_000)
        const late = await send(w, bot, op, { ...input, lease_id })
        expect(late.fault?.error).toBe('AgentMutationLeaseMissingError')
        await takeAll(bot)
        const stale = await send(w, bot, op, { ...input, lease_id })
        expect(stale.fault).toMatchObject({ error: 'Conflict', details: { field: 'lease_id' } })

        const live = await claimed(bot, w.tasks.logo)
        const done = await send(w, bot, op, { ...input, lease_id: live.lease_id })
        expect(done.fault).toBeUndefined()
      })
    }

    test('a person needs no lease, and an agent of another team gets not found', async () => {
      const w = await asked(op)
      await w.takeAll(w.bot)
      const stranger = await w.agent(w.elsewhere, w.otto, 'Stranger')
      const send = sendFor(op)
      const unseen = await send(w, stranger, op, w.input)
      expect(unseen.fault?.error).toBe('Not found')
      if (op.name in own) return
      expect((await send(w, w.ada, op, w.input)).fault).toBeUndefined()
    })
  })

test('POST /api/v1/tasks with a ticket_number is an update and requires a lease', async () => {
  const { http, bot, tasks } = await world()
  const sent = { ticket_number: tasks.logo.ticket_number, title: 'Anew' }
  const first = await http(bot, 'POST', '/api/v1/tasks', sent)
  expect([first.status, first.body.error]).toEqual([428, 'AgentMutationLeaseMissingError'])
  const { lease_id } = await claimed(bot, tasks.logo)
  const then = await http(bot, 'POST', '/api/v1/tasks', { ...sent, lease_id })
  expect([then.status, then.body.data.changed]).toEqual([200, ['title']])
})

test('comments, comment drafts, sub-tasks, pull requests and decision requests need no lease', async () => {
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
  expect(await w.emitted()).not.toContain('lease.claimed')
})

test('updating several tasks requires a lease on each of them', async () => {
  const { bot, ada, tasks } = await world()
  const { lease_id } = await claimed(bot, tasks.logo)
  const many = { task_ids: [tasks.logo.task_id, tasks.copy.task_id], priority: 'Low', lease_id }
  const { code, details } = await refused(bot['tasks.update_many'](many))
  expect([code, details.ticket_number]).toEqual(['lease_missing', 'HP-2'])
  await claimed(bot, tasks.copy)
  expect(await bot['tasks.update_many'](many)).toHaveLength(2)
  expect(await ada['tasks.get'](tasks.copy)).toMatchObject({ priority_name: 'Low' })
})

test('an agent cannot move a task while another agent has a lease on its sub-task', async () => {
  const w = await world()
  const { ada, bot, board, tasks, team_id } = w
  const mate = await w.agent(team_id, w.cleo, 'Mate')
  const { project_id } = await ada['projects.create']({
    ...{ team_id, title: 'Garden', sections: [{ title: 'To do' }] },
  })
  const child = await ada['tasks.create']({
    ...{ project_id: board.project_id, title: 'Dry', parent_task_id: tasks.copy.task_id },
  })
  const { task_id } = child
  await claimed(bot, tasks.copy)
  const { lease_id } = await claimed(mate, { task_id })
  const move = { task_id: tasks.copy.task_id, target_project_id: project_id }
  const { code, message } = await refused(bot['tasks.move'](move))
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
