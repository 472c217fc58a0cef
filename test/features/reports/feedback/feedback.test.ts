import { expect, test } from 'bun:test'
import pino from 'pino'
import { catalog } from '../../../../src/catalog.ts'
import { readConfig } from '../../../../src/config/index.ts'
import { checkFeedback } from '../../../../src/doctor/feedback.ts'
import {
  feedbackCounts,
  feedbackReports,
} from '../../../../src/features/reports/feedback/model/index.ts'
import { tasks as taskTable } from '../../../../src/features/tasks/tasks/model/index.ts'
import type { Caller } from '../../../../src/kernel/caller.ts'
import type { AnyOperation } from '../../../../src/kernel/operation.ts'
import { createApp } from '../../../../src/server/app.ts'
import { addCleanup } from '../../../support/database.ts'
import { faultOf } from '../../../support/faults.ts'
import { databaseContents } from '../../../support/tables.ts'
import { type Actor, type World, world } from '../../../support/world.ts'

const failure = { tool: 'svc_tasks', status: 500, errorCode: 'internal' }
const HOUR = 60 * 60 * 1000

/** Starts a server on the same store with a feedback board configured, and collects its log. */
function startFeedbackServer(w: World, board: string) {
  const lines: string[] = []
  const log = pino({ level: 'trace' }, { write: (line) => lines.push(line) })
  const config = { ...readConfig({ CORK_FEEDBACK_PROJECT: board }), url: 'http://localhost' }
  const { store, key } = w
  const server = createApp({ config, store, key, log, clock: w.clock.read })
  addCleanup(() => server.feed.close())
  const op = (catalog as readonly AnyOperation[]).find(({ name }) => name === 'feedback.report')!
  const report = async ({ caller }: { caller: Caller }, input: object) =>
    (await server.dispatch(caller, op, input)).data as { new: boolean; count: number }
  return { ...server, report, lines }
}

const listReports = ({ store }: World) => store.read((tx) => tx.select().from(feedbackReports))

/** Returns the tasks that do not belong to the fixtures. */
const listTickets = async ({ store, tasks }: World) => {
  const fixtureIds = Object.values(tasks).map(({ task_id }) => task_id)
  const rows = await store.read((tx) => tx.select().from(taskTable))
  return rows.filter(({ task_id }) => !fixtureIds.includes(task_id))
}

test('a first feedback report is new; one with the same fields only increases the count', async () => {
  const w = await world()
  const sendFeedback = (actor: Actor, input: object) =>
    actor['feedback.report'](input as typeof failure)
  expect(await sendFeedback(w.bot, failure)).toEqual({ reported: true, new: true, count: 1 })
  expect(await sendFeedback(w.ada, failure)).toEqual({ reported: true, new: false, count: 2 })
  expect(await sendFeedback(w.otto, { ...failure, category: 'other' })).toMatchObject({ count: 3 })
  for (const other of [
    { tool: 'svc_tasks' },
    { ...failure, status: 404 },
    { ...failure, errorCode: 'other' },
    { ...failure, category: 'slow' },
  ])
    expect(await sendFeedback(w.bot, other)).toMatchObject({ new: true, count: 1 })
  expect(await listReports(w)).toHaveLength(5)
  expect(await listTickets(w)).toEqual([])
})

test('the free text of feedback is neither stored nor logged, and the reporter stays anonymous', async () => {
  const w = await world()
  const { app, lines } = startFeedbackServer(w, 'HP')
  const body = { ...failure, error: 'the launch code is marmalade', note: 'tell nobody: zebra' }
  for (const actor of [w.bot, w.otto]) {
    const request = new Request('http://localhost/api/v1/feedback', {
      method: 'POST',
      headers: { authorization: `Bearer ${actor.secret}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    expect((await app.handle(request)).status).toBe(200)
  }
  const databaseText = await databaseContents(w)
  expect(databaseText).toContain('svc_tasks')
  expect(lines.join()).toContain('/api/v1/feedback')
  for (const word of ['marmalade', 'zebra']) {
    expect(databaseText).not.toContain(word)
    expect(lines.join()).not.toContain(word)
  }
  // Every change is logged with the team’s owner as its actor, who is the author of the ticket.
  const changes = await w.changes()
  expect(changes.length).toBeGreaterThan(0)
  expect(new Set(changes.map(({ actor_id }) => actor_id))).toEqual(new Set([w.ada.caller.actor_id]))
  const [report] = await listReports(w)
  expect(report!.last_day.toISOString()).toBe('2026-11-20T00:00:00.000Z')
  expect(Object.keys(report!).filter((name) => /actor|by$|credential/.test(name))).toEqual([])
})

test('an account may send ten new and thirty repeated feedback reports an hour', async () => {
  const w = await world()
  for (let i = 0; i < 10; i++) await w.bot['feedback.report']({ tool: `tool_${i}` })
  const [path, body] = ['/api/v1/feedback', { tool: 'tool_10' }]
  const response = await w.http(w.bot, 'POST', path, body)
  expect([response.status, response.body.error]).toEqual([429, 'Too many requests'])
  expect(response.headers.get('retry-after')).toBe('3600')
  for (let i = 0; i < 30; i++) await w.bot['feedback.report']({ tool: 'tool_1' })
  expect(await faultOf(w.bot['feedback.report']({ tool: 'tool_1' }))).toMatchObject({
    ...{ code: 'rate_limited', details: { retry_after: 3600 } },
  })
  // Refused reports are not stored.
  const storedReports = await listReports(w)
  expect(storedReports).toHaveLength(10)
  expect(storedReports.find(({ tool }) => tool === 'tool_1')!.count).toBe(31)
  // An agent shares the limit of its owner; other accounts have their own.
  expect(await faultOf(w.cleo['feedback.report'](body))).toMatchObject({ code: 'rate_limited' })
  expect(await w.ada['feedback.report'](body)).toMatchObject({ new: true })
  w.clock.advance(HOUR - 1)
  expect(await faultOf(w.bot['feedback.report']({ tool: 'x' }))).toMatchObject({
    details: { retry_after: 1 },
  })
  w.clock.advance(1)
  expect(await w.bot['feedback.report']({ tool: 'x' })).toMatchObject({ new: true })
})

test('feedback rate counts are deleted when their hour is over', async () => {
  const w = await world()
  await w.bot['feedback.report'](failure)
  await w.ada['feedback.report'](failure)
  w.clock.advance(HOUR)
  await w.otto['feedback.report'](failure)
  const rows = await w.store.read((tx) => tx.select().from(feedbackCounts))
  expect(rows).toMatchObject([{ actor_id: w.otto.caller.actor_id, fresh: 0, bumps: 1 }])
})

test('concurrent identical reports are all counted, only one is new, and they share one ticket', async () => {
  const w = await world()
  const { report } = startFeedbackServer(w, 'HP')
  const results = await Promise.all(
    Array.from({ length: 12 }, (_, i) => report([w.bot, w.ada, w.ben, w.otto][i % 4]!, failure)),
  )
  expect(results.filter((result) => result.new)).toHaveLength(1)
  expect(results.map(({ count }) => count).sort((a, b) => a - b)).toEqual(
    Array.from({ length: 12 }, (_, i) => i + 1),
  )
  expect((await listTickets(w)).map(({ title }) => title)).toEqual([
    'svc_tasks: other, 500, internal ×12',
  ])
})

test('concurrent feedback reports do not exceed the hourly limit', async () => {
  const w = await world()
  const results = await Promise.allSettled(
    Array.from({ length: 15 }, (_, i) => w.bot['feedback.report']({ tool: `tool_${i}` })),
  )
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(10)
  expect(await listReports(w)).toHaveLength(10)
})

test('with a feedback board a report opens a ticket, and repeats update the count in its title', async () => {
  const w = await world()
  const { report } = startFeedbackServer(w, String(w.board.project_id))
  await report(w.bot, { ...failure, category: 'call_failed' })
  const [ticket] = await listTickets(w)
  const { task_id } = ticket!
  expect(await w.ada['tasks.get']({ task_id })).toMatchObject({
    ...{ title: 'svc_tasks: call_failed, 500, internal', section: 'Inbox' },
    ...{ created_by: { name: 'Ada' }, project_id: w.board.project_id },
    description: expect.stringContaining('anonymous'),
  })
  // The count is updated even after somebody renamed the ticket.
  await w.ada['tasks.update']({ task_id, title: 'The list breaks' })
  await report(w.otto, { ...failure, category: 'call_failed' })
  expect(await w.ada['tasks.get']({ task_id })).toMatchObject({ title: 'The list breaks ×2' })
  await report(w.bot, { ...failure, category: 'call_failed' })
  expect((await listTickets(w)).map(({ title }) => title)).toEqual(['The list breaks ×3'])
})

test('a repeated report reopens a done or archived ticket, but not a deleted one', async () => {
  const w = await world()
  const { report } = startFeedbackServer(w, 'hp')
  await report(w.bot, failure)
  const [ticket] = await listTickets(w)
  const { task_id } = ticket!
  const state = async () => {
    const { section, status, title } = (await w.ada['tasks.get']({ task_id })) as {
      section: string
      status: string
      title: string
    }
    return [section, status, title.match(/×\d+$/)?.[0]]
  }
  await w.ada['tasks.update']({ task_id, section_id: w.sections.Done })
  await report(w.bot, failure)
  expect(await state()).toEqual(['Inbox', 'Normal', '×2'])
  await w.ada['tasks.update']({ task_id, status: 'Archive', section_id: w.sections.Doing })
  await report(w.bot, failure)
  expect(await state()).toEqual(['Doing', 'Normal', '×3'])
  await w.ada['tasks.update']({ task_id, status: 'Deleted' })
  expect(await report(w.bot, failure)).toMatchObject({ count: 4 })
  expect(await state()).toEqual(['Doing', 'Deleted', '×3'])
  expect(await listTickets(w)).toHaveLength(1)
})

test('for an unknown or ambiguous feedback board reports are only counted, and the doctor warns', async () => {
  const w = await world()
  await w.otto['projects.create']({
    ...{ team_id: w.otherTeamId, title: 'Home page', sections: [{ title: 'Now' }] },
  })
  for (const board of ['999999', 'NOPE', 'HP'])
    expect(await startFeedbackServer(w, board).report(w.bot, { tool: 'svc_time' })).toMatchObject({
      reported: true,
    })
  expect((await listReports(w)).map(({ count }) => count)).toEqual([3])
  // The doctor reports a wrong setting, which nobody would notice otherwise.
  const runCheck = (board?: string) => w.store.read((tx) => checkFeedback(tx, board))
  expect(await runCheck()).toEqual([])
  expect(await runCheck('HP')).toMatchObject([{ state: 'warning' }])
  expect(await runCheck(String(w.board.project_id))).toMatchObject([{ state: 'ok' }])
  expect(await w.store.read((tx) => tx.select().from(taskTable))).toHaveLength(4)
})

test('invalid feedback is refused with its field, and nothing is stored', async () => {
  const w = await world()
  for (const [body, field, code] of [
    [{}, 'tool', 'required'],
    [{ tool: '' }, 'tool', 'required'],
    [{ tool: 'my task: buy milk' }, 'tool', 'invalid_format'],
    [{ tool: 'x'.repeat(61) }, 'tool', 'too_long'],
    [{ tool: 'svc_tasks', status: 5 }, 'status', 'out_of_range'],
    [{ tool: 'svc_tasks', status: '500' }, 'status', 'invalid_type'],
    [{ tool: 'svc_tasks', errorCode: 'a b' }, 'errorCode', 'invalid_format'],
    [{ tool: 'svc_tasks', category: 'angry' }, 'category', 'out_of_range'],
    [{ tool: 'svc_tasks', note: 'x'.repeat(10_001) }, 'note', 'too_long'],
    [{ tool: 'svc_tasks', arguments: {} }, 'arguments', 'unknown_field'],
  ] as const) {
    const { status, body: error } = await w.http(w.bot, 'POST', '/api/v1/feedback', body)
    expect([status, error.details.field, error.details.code]).toEqual([400, field, code])
  }
  expect(await listReports(w)).toEqual([])
})
