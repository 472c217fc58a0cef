import { expect, test } from 'bun:test'
import {
  activityOf,
  recentComments,
} from '../../../../src/features/conversation/comments/model/index.ts'
import { taskById } from '../../../../src/features/tasks/tasks/model/index.ts'
import type { Context } from '../../../../src/kernel/caller.ts'
import { faultOf } from '../../../support/faults.ts'
import { callTool } from '../../../support/surface-calls.ts'
import { type World, world } from '../../../support/world.ts'

const timeline = (w: World, options = {}, actor = w.ada) =>
  actor['comments.list']({ ...w.tasks.copy, include_activity: true, ...options })

/** Formats each entry as author and text, or as actor and summary. */
const format = (items: Awaited<ReturnType<typeof timeline>>['items']) =>
  items.map((one) =>
    one.kind === 'comment'
      ? `${one.author!.name}: ${one.text}`
      : `${one.actor!.name} ${one.summary}`,
  )

/** Returns the world with comments on and changes to a task, one second apart. */
async function createHistory() {
  const w = await world()
  const { tasks, sections, clock, ada, cleo, bot } = w
  const steps = [
    () => cleo['comments.add']({ ...tasks.copy, text: 'I take it' }),
    () => cleo['tasks.assign']({ ...tasks.copy, user_id: cleo.caller.actor_id }),
    () => cleo['tasks.update']({ ...tasks.copy, section_id: sections.Doing, priority: 'High' }),
    () => bot['comments.add']({ ...tasks.copy, text: 'Half done' }),
    () => ada['tasks.update']({ ...tasks.copy, labels: ['bug', 'ui'], due_date: '2026-12-01' }),
    () => ada['tasks.update']({ ...tasks.copy, title: 'Write it', description: '<p>Secret</p>' }),
    () => ada['comments.add']({ ...tasks.logo, text: 'Elsewhere' }),
  ]
  for (const step of steps) {
    clock.advance(1000)
    await step()
  }
  return w
}

const HISTORY = [
  'Ada created this task in Next',
  'Cleo: I take it',
  'Cleo assigned Cleo',
  'Cleo moved this task from Next to Doing; set the priority from None to High',
  'Bot: Half done',
  'Ada added the labels "bug", "ui"; set the due date to 2026-12-01',
  'Ada renamed this task from "Write the copy" to "Write it"; edited the description',
]

test('activity is listed between comments in time order, with readable summaries', async () => {
  const w = await createHistory()
  const { items, page } = await timeline(w)
  expect(format(items)).toEqual(HISTORY)
  expect(page).toMatchObject({ total: 7, has_more: false, next_cursor: null })
  expect(items[3]).toEqual({
    ...{ kind: 'activity', type: 'task.updated', actor: expect.objectContaining({ name: 'Cleo' }) },
    ...{ created_at: '2026-11-20T12:00:03.000Z', changed: ['section_id', 'priority'] },
    before: { section_id: w.sections.Next, section: 'Next', priority: 0 },
    after: { section_id: w.sections.Doing, section: 'Doing', priority: 2 },
    summary: 'moved this task from Next to Doing; set the priority from None to High',
  })
  expect(JSON.stringify(items)).not.toContain('Secret')
  expect((await timeline(w, { include_activity: false })).items).toHaveLength(2)
  expect(format((await timeline(w, { sort: 'createdAt:desc' })).items)).toEqual(
    HISTORY.toReversed(),
  )
  expect(format((await timeline(w, { query: 'half' })).items)).toEqual(['Bot: Half done'])
})

test('relations, attachments, decisions, fields and pull requests have readable summaries', async () => {
  const w = await world()
  const { ada, cleo, tasks } = w
  const { task_id } = tasks.copy
  const pair = { source_task_id: task_id, target_task_id: tasks.logo.task_id }
  await ada['relations.create']({ ...pair, relation_type: 'BlockedBy' })
  const data = Buffer.from('Hi').toString('base64')
  const files = [{ filename: 'note.txt', content_type: 'text/plain', data }]
  await ada['attachments.create']({ task_id, files })
  const { decision_request_id } = await cleo['decision_requests.create']({
    ...{ task_id, question: 'Red?', options: ['Yes', 'No'] },
  })
  await ada['decision_requests.answer']({ decision_request_id, selected_option: 'Yes' })
  await ada['custom_fields.set']({ task_id, field_name: 'Effort', value: 3 })
  const url = 'https://example.com/pull/1'
  await ada['pull_requests.create']({ task_id, url, title: 'Mend it', checks: 'failing' })
  await ada['tasks.update']({ task_id, status: 'Archive', estimate: 5, due_date: null })
  expect(format((await timeline(w)).items).slice(1)).toEqual([
    'Ada added a relation: BlockedBy HP-1',
    'Ada attached note.txt',
    'Cleo requested a decision: Red?',
    'Ada decided: Yes',
    'Ada set "Effort" to 3',
    'Ada added the pull request "Mend it", open, checks failing',
    'Ada set the size from none to L; archived this task',
  ])
})

test('pages of any size and direction return each entry once, even with equal timestamps', async () => {
  const w = await createHistory()
  const { tasks, cleo } = w
  for (const section_id of [w.sections.Review, w.sections.Next]) {
    await cleo['tasks.update']({ ...tasks.copy, section_id })
    await cleo['comments.add']({ ...tasks.copy, text: 'Same moment' })
  }
  for (const sort of ['createdAt:asc', 'createdAt:desc']) {
    const all = format((await timeline(w, { sort })).items)
    expect(all).toHaveLength(11)
    for (const limit of [1, 2, 3, 5, 10]) {
      const listed: string[] = []
      let cursor: string | null = null
      do {
        const options = cursor === null ? {} : { cursor }
        const { items, page } = await timeline(w, { sort, limit, ...options })
        expect(page).toMatchObject({ total: 11, limit, offset: listed.length })
        listed.push(...format(items))
        expect(page.has_more).toBe(listed.length < 11)
        cursor = page.next_cursor
      } while (cursor !== null)
      expect(listed).toEqual(all)
    }
    expect(format((await timeline(w, { sort, offset: 4, limit: 2 })).items)).toEqual(
      all.slice(4, 6),
    )
  }
})

test('a comment added while paging is listed once, and a foreign or forged cursor is refused', async () => {
  const w = await createHistory()
  const first = await timeline(w, { limit: 3 })
  w.clock.advance(1000)
  await w.cleo['comments.add']({ ...w.tasks.copy, text: 'Late' })
  const rest = await timeline(w, { limit: 50, cursor: first.page.next_cursor! })
  expect(format([...first.items, ...rest.items])).toEqual([...HISTORY, 'Cleo: Late'])
  const fault = await faultOf(
    timeline(w, { sort: 'createdAt:desc', cursor: first.page.next_cursor! }),
  )
  expect(fault.details).toMatchObject({ field: 'cursor', code: 'conflict' })
  const forgeCursor = (value: unknown, id: number) => {
    const [sortKey] = JSON.parse(Buffer.from(first.page.next_cursor!, 'base64url').toString())
    return Buffer.from(JSON.stringify([sortKey, value, id, 3])).toString('base64url')
  }
  for (const cursor of [
    forgeCursor('x', 0),
    forgeCursor([1e300, 1], 1),
    forgeCursor([0, 1], 7),
    forgeCursor([0], 1),
  ])
    expect((await faultOf(timeline(w, { limit: 3, cursor }))).details).toMatchObject({
      ...{ field: 'cursor', code: 'invalid_format' },
    })
})

test('activity needs only tasks:read and still names a deleted column', async () => {
  const w = await createHistory()
  const { project_id } = w.board
  await w.ben['sections.delete']({
    ...{ project_id, section_id: w.sections.Next, move_tasks_to_section_id: w.sections.Inbox },
  })
  const reader = await w.addAgent(w.team_id, w.cleo, 'Reader', ['tasks:read'])
  const [created] = format((await timeline(w, {}, reader)).items)
  expect(created).toBe('Ada created this task in Next')
})

test('activity does not name a board that the reader cannot see', async () => {
  const w = await world()
  const { project_id, sections } = await w.ada['projects.create']({
    ...{ team_id: w.team_id, title: 'Hidden plans', sections: [{ title: 'Cellar' }] },
    access: 'invited',
  })
  const { task_id } = await w.ada['tasks.create']({
    ...{ project_id, section_id: sections[0]!.section_id, title: 'Dig' },
  })
  await w.ada['tasks.update']({ task_id, project_id: w.board.project_id })
  const activityAsText = async (actor: World['ada']) =>
    JSON.stringify((await actor['comments.list']({ task_id, include_activity: true })).items)
  expect(await activityAsText(w.ada)).toContain('from Hidden plans to Home page')
  expect(await activityAsText(w.cleo)).not.toMatch(/Hidden|Cellar/)
  expect(await activityAsText(w.cleo)).toContain('from another board to Home page')
})

test('REST and MCP list the same entries, and the concise format omits fields', async () => {
  const w = await createHistory()
  const path = '/api/v1/tasks/HP-2/comments?include_activity=true&sort=createdAt:desc&limit=2'
  const { body } = await w.http(w.bot, 'GET', path)
  expect(body).toMatchObject({ page: { total: 7, has_more: true } })
  expect(format(body.data)).toEqual(HISTORY.toReversed().slice(0, 2))
  const fields = `${path}&fields=kind,summary`
  expect((await w.http(w.bot, 'GET', fields)).body.data[0]).toEqual({
    kind: 'activity',
    summary: 'renamed this task from "Write the copy" to "Write it"; edited the description',
  })
  const input = { ...w.tasks.copy, include_activity: true, sort: 'createdAt:desc' }
  const call = (response_format: string) =>
    callTool(w, w.bot, 'svc_comments', { action: 'list', input, limit: 2, response_format })
  const detailed = (await call('detailed')).body.result.structuredContent
  expect(detailed.data).toEqual(body.data)
  const [first] = (await call('concise')).body.result.structuredContent.data
  expect(Object.keys(first)).toEqual(['kind', 'type', 'actor', 'created_at', 'summary'])
})

test('recentComments and activityOf return the newest entries of a task', async () => {
  const w = await createHistory()
  const [comments, activity] = await w.store.read(async (tx) => {
    const { caller } = w.ada
    const ctx = { caller, tx, server: { url: '' } } as unknown as Context
    const task = (await taskById(tx, w.tasks.copy.task_id))!
    return [await recentComments(ctx, task, 1), await activityOf(ctx, task, 2)]
  })
  expect(comments.map(({ text }) => text)).toEqual(['Half done'])
  expect(activity.map(({ summary }) => summary)).toEqual(
    HISTORY.slice(-2).map((line) => line.replace('Ada ', '')),
  )
})

test('activity about a run names the run', async () => {
  const w = await world()
  const { task_id } = w.tasks.copy
  const { run_id } = await w.bot['runs.create']({ task_id, prompt: 'Draw it' })
  const { items } = await w.ada['comments.list']({ task_id, include_activity: true })
  expect(items.find(({ type }) => type === 'run.created')).toMatchObject({ run_id })
})
