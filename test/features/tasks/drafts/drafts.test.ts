import { expect, test } from 'bun:test'
import { projects } from '../../../../src/features/boards/projects/model/index.ts'
import { faultOf } from '../../../support/faults.ts'
import { claimTask } from '../../../support/fixtures.ts'
import { type Actor, type World, world } from '../../../support/world.ts'

const TEXT = '<p>In three colours.</p>'

async function createDraft(
  w: World,
  overrides: { draft_type?: 'comment'; text?: string } = {},
  author = w.cleo,
) {
  const { task_id } = w.tasks.logo
  return (await author['drafts.create']({ task_id, text: TEXT, ...overrides })).draft_id
}

test('a draft is visible only to its author and leaves the description unchanged', async () => {
  const w = await world()
  const { cleo, ada, bot, tasks } = w
  const { ticket_number, task_id } = tasks.logo
  const receipt = await cleo['drafts.create']({ ticket_number, text: `${TEXT}<script>x</script>` })
  expect(receipt).toEqual({
    draft_id: receipt.draft_id,
    draft_type: 'description',
    task_id,
    ticket_number,
    content_type: 'html',
  })
  const { draft_id } = receipt
  expect(await cleo['drafts.get']({ draft_id })).toMatchObject({ text: TEXT, length: TEXT.length })
  // Neither the owner of the team nor the author’s agent can see the draft.
  for (const otherActor of [ada, bot]) {
    expect((await otherActor['drafts.list']({})).items).toEqual([])
    const calls = [
      () => otherActor['drafts.get']({ draft_id }),
      () => otherActor['drafts.update']({ draft_id, text: 'x' }),
      () => otherActor['drafts.publish']({ draft_id }),
      () => otherActor['drafts.delete']({ draft_id }),
    ]
    for (const call of calls) {
      const fault = await faultOf(call())
      expect([fault.code, fault.details.field]).toEqual(['not_found', 'draft_id'])
    }
  }
  expect(await cleo['tasks.get']({ task_id })).toMatchObject({
    description: '<p>In two colours.</p>',
  })
})

test('draft changes are logged without team, board and text, and an unchanged text logs nothing', async () => {
  const w = await world()
  const draft_id = await createDraft(w)
  await w.cleo['drafts.update']({ draft_id, text: '<p>Four</p>' })
  await w.cleo['drafts.update']({ draft_id, text: '<p>Four</p>' })
  await w.cleo['drafts.delete']({ draft_id })
  const changes = await w.changes()
  const types = ['draft.created', 'draft.updated', 'draft.deleted']
  expect(changes.map(({ type }) => type)).toEqual(types)
  for (const change of changes) {
    expect(change).toMatchObject({ team_id: null, project_id: null, task_id: null })
    expect(change.data).toEqual({
      ...{ draft_id, draft_type: 'description' },
      ...w.tasks.logo,
    })
  }
  expect(JSON.stringify(changes)).not.toContain('colours')
})

test('drafts are filtered by task, type and text, and listed last updated first', async () => {
  const w = await world()
  const { cleo, tasks, clock } = w
  const first = await createDraft(w)
  clock.advance(1000)
  const second = await createDraft(w, { draft_type: 'comment', text: '<b>Why</b> two?' })
  clock.advance(1000)
  const third = (await cleo['drafts.create']({ ...tasks.copy, text: 'Words' })).draft_id
  const ids = async (filter: Parameters<Actor['drafts.list']>[0]) =>
    (await cleo['drafts.list'](filter)).items.map(({ draft_id }) => draft_id)
  expect(await ids({})).toEqual([third, second, first])
  expect(await ids({ ticket_number: 'HP-1' })).toEqual([second, first])
  expect(await ids({ draft_type: 'comment' })).toEqual([second])
  expect(await ids({ ...tasks.copy, draft_type: 'comment' })).toEqual([])
  expect(await ids({ query: 'words' })).toEqual([third])
  clock.advance(1000)
  await cleo['drafts.update']({ draft_id: first, text: '<p>Later</p>' })
  expect(await ids({})).toEqual([first, third, second])
  const page = await cleo['drafts.list']({ limit: 2 })
  expect(page.page).toMatchObject({ total: 3, has_more: true })
  expect(await ids({ limit: 2, cursor: page.page.next_cursor! })).toEqual([second])
  const { items } = await cleo['drafts.list']({ draft_type: 'comment' })
  expect(items).toEqual([
    {
      ...{ draft_id: second, draft_type: 'comment', ...tasks.logo },
      ...{ excerpt: 'Why two?', length: 15, content_type: 'html' },
      created_at: '2026-11-20T12:00:01.000Z',
      updated_at: '2026-11-20T12:00:01.000Z',
    },
  ])
  const texts = await cleo['drafts.list']({ fields: ['text'], draft_type: 'comment' })
  expect(texts.items as unknown).toEqual([{ text: '<b>Why</b> two?' }])
})

test('publishing a description draft updates the description and deletes the draft', async () => {
  const w = await world()
  const draft_id = await createDraft(w)
  const seq = (await w.changes()).at(-1)!.seq
  w.clock.advance(1000)
  const published = await w.cleo['drafts.publish']({ draft_id, if_version: 1 })
  expect(published).toEqual({
    ...{ draft_id, draft_type: 'description', ...w.tasks.logo, description_version: 2 },
    content_type: 'html',
  })
  expect(await w.ada['tasks.get'](w.tasks.logo)).toMatchObject({
    ...{ description: TEXT, content_type: 'html', description_version: 2 },
    updated_at: '2026-11-20T12:00:01.000Z',
  })
  expect(await w.changeTypes(seq)).toEqual(['draft.published', 'task.updated'])
  expect((await w.cleo['drafts.list']({})).items).toEqual([])
  expect((await faultOf(w.cleo['drafts.publish']({ draft_id }))).code).toBe('not_found')
  const { items } = await w.ada['tasks.versions'](w.tasks.logo)
  expect(items[0]).toMatchObject({ version: 2, author: { name: 'Cleo' } })
})

test('publishing a draft with a stale if_version is a conflict and keeps the draft', async () => {
  const w = await world()
  const draft_id = await createDraft(w)
  await w.ben['tasks.update']({ ...w.tasks.logo, description: '<p>Ben was here</p>' })
  const { code, details } = await faultOf(w.cleo['drafts.publish']({ draft_id, if_version: 1 }))
  expect(code).toBe('conflict')
  expect(details).toMatchObject({ version: 2, current: '<p>Ben was here</p>' })
  expect(await w.cleo['drafts.get']({ draft_id })).toMatchObject({ text: TEXT })
  expect(await w.cleo['drafts.publish']({ draft_id, if_version: 2 })).toMatchObject({
    description_version: 3,
  })
})

test('publishing a comment draft creates a comment by its author and deletes the draft', async () => {
  const w = await world()
  const { ben, tasks } = w
  const draft_id = await createDraft(w, { draft_type: 'comment', text: '<p>@Ben, three?</p>' })
  const seq = (await w.changes()).at(-1)!.seq
  const mentions = [{ user_id: ben.caller.actor_id, display_name: 'Ben' }]
  const published = await w.cleo['drafts.publish']({ draft_id, mentions })
  expect(published).toMatchObject({ draft_type: 'comment', ...tasks.logo })
  expect(published.comment_id).toBeNumber()
  expect(published.description_version).toBeUndefined()
  const types = ['draft.published', 'comment.created', 'comment.mention']
  expect(await w.changeTypes(seq)).toEqual(types)
  const [, created] = await w.changes(seq)
  expect(created).toMatchObject({ actor_id: w.cleo.caller.actor_id, task_id: tasks.logo.task_id })
  expect(created!.data).toMatchObject({ comment_id: published.comment_id, snippet: '@Ben, three?' })
  expect((await w.cleo['drafts.list']({})).items).toEqual([])
  expect(await w.ada['tasks.get'](tasks.logo)).toMatchObject({ description_version: 1 })
})

test('publishing a comment draft with if_version is refused and keeps the draft', async () => {
  const w = await world()
  const draft_id = await createDraft(w, { draft_type: 'comment' })
  const fault = await faultOf(w.cleo['drafts.publish']({ draft_id, if_version: 1 }))
  expect(fault.details).toMatchObject({ field: 'if_version', code: 'conflict' })
  expect((await w.cleo['drafts.list']({})).items).toHaveLength(1)
})

test('publishing a description draft logs its mentions, and refuses a mention of a stranger', async () => {
  const w = await world()
  const draft_id = await createDraft(w, { text: '<p>@Ben decides</p>' })
  const seq = (await w.changes()).at(-1)!.seq
  const mentions = [{ user_id: w.ben.caller.actor_id, display_name: 'Ben' }]
  await w.cleo['drafts.publish']({ draft_id, mentions })
  expect(await w.changeTypes(seq)).toContain('task.mentioned')
  const draftId = await createDraft(w)
  const stranger = [{ user_id: w.otto.caller.actor_id, display_name: 'Otto' }]
  const fault = await faultOf(w.cleo['drafts.publish']({ draft_id: draftId, mentions: stranger }))
  expect(fault.details.code).toBe('not_found')
  expect((await w.cleo['drafts.list']({})).items).toHaveLength(1)
})

test('a draft is not found while its author cannot see the task, and returns with access', async () => {
  const w = await world()
  const draft_id = await createDraft(w)
  const access = (level: 'team' | 'invited') =>
    w.store.write((tx) => tx.update(projects).set({ access: level }))
  await w.ada['projects.invite_member']({
    ...{ project_id: w.board.project_id, member_identifier: w.gus.caller.actor_id },
  })
  await access('invited')
  expect((await w.cleo['drafts.list']({})).items).toEqual([])
  for (const call of [
    () => w.cleo['drafts.get']({ draft_id }),
    () => w.cleo['drafts.publish']({ draft_id }),
    () => w.cleo['drafts.delete']({ draft_id }),
  ])
    expect((await faultOf(call())).details).toMatchObject({ field: 'draft_id', code: 'not_found' })
  await access('team')
  expect((await w.cleo['drafts.list']({})).items).toHaveLength(1)
})

test('an agent creates and publishes its own drafts, which its owner cannot see', async () => {
  const w = await world()
  const draft_id = await createDraft(w, {}, w.bot)
  expect((await w.cleo['drafts.list']({})).items).toEqual([])
  await claimTask(w.bot, w.tasks.logo)
  await w.bot['drafts.publish']({ draft_id })
  const { items } = await w.cleo['tasks.versions'](w.tasks.logo)
  expect(items[0]).toMatchObject({ author: { kind: 'agent', name: 'Bot' } })
})

test('concurrent requests to publish one draft publish it once', async () => {
  const w = await world()
  const draft_id = await createDraft(w, { draft_type: 'comment' })
  const outcomes = await Promise.allSettled(
    Array.from({ length: 8 }, () => w.cleo['drafts.publish']({ draft_id })),
  )
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  const types = await w.changeTypes()
  expect(types.filter((type) => type === 'comment.created')).toHaveLength(1)
  expect(types.filter((type) => type === 'draft.published')).toHaveLength(1)
})

test('drafts over REST: create, read, update, list, publish, delete, and 400 for invalid input', async () => {
  const w = await world()
  const { cleo, tasks } = w
  const { ticket_number } = tasks.logo
  const created = await w.http(cleo, 'POST', '/api/v1/drafts', { ticket_number, text: TEXT })
  expect(created.status).toBe(201)
  const path = `/api/v1/drafts/${created.body.data.draft_id}`
  const changed = await w.http(cleo, 'PATCH', path, { text: '<p>Four</p>' })
  expect(changed.status).toBe(200)
  expect((await w.http(cleo, 'GET', path)).body.data.text).toBe('<p>Four</p>')
  const listed = await w.http(cleo, 'GET', `/api/v1/drafts?ticket_number=${ticket_number}`)
  expect(listed.body.page.total).toBe(1)
  expect((await w.http(cleo, 'POST', `${path}/publish`)).status).toBe(200)
  expect((await w.http(cleo, 'GET', path)).status).toBe(404)
  const secondDraft = await w.http(cleo, 'POST', '/api/v1/drafts', { ticket_number, text: TEXT })
  const deleted = await w.http(cleo, 'DELETE', `/api/v1/drafts/${secondDraft.body.data.draft_id}`)
  expect(deleted.status).toBe(200)
  const invalidInputs: [object, string, string][] = [
    [{ ticket_number }, 'text', 'required'],
    [{ ticket_number, text: '' }, 'text', 'required'],
    [{ ticket_number, text: '<p> </p>' }, 'text', 'required'],
    [{ ticket_number, text: 5 }, 'text', 'invalid_type'],
    [{ text: TEXT }, 'ticket_number', 'required'],
    [{ ticket_number, text: TEXT, content_type: 'markdown' }, 'content_type', 'unknown_field'],
    [
      { ticket_number, text: `${'<div>'.repeat(101)}x${'</div>'.repeat(101)}` },
      'text',
      'invalid_format',
    ],
  ]
  for (const [body, field, code] of invalidInputs) {
    const { status, body: answer } = await w.http(cleo, 'POST', '/api/v1/drafts', body)
    expect([status, answer.details]).toMatchObject([400, { field, code }])
  }
  const type = { ticket_number, text: TEXT, draft_type: 'page' }
  const fault = await w.http(cleo, 'POST', '/api/v1/drafts', type)
  expect([fault.status, fault.body.details.field]).toEqual([400, 'draft_type'])
})
