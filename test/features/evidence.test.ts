import { expect, test } from 'bun:test'
import { refused } from '../refused.ts'
import { type World, world } from '../world.ts'

const URL = 'https://ci.example.com/build/12'

const file = async ({ bot, tasks }: World, task = tasks.logo) => {
  const note = { filename: 'log.txt', content_type: 'text/plain', data: 'SGk=' }
  const made = await bot['attachments.create']({ task_id: task.task_id, files: [note] })
  return made.attachments[0]!
}

test('evidence of every kind is listed newest first, filtered, and part of the task context', async () => {
  const w = await world()
  const { task_id } = w.tasks.logo
  const { attachment_id, url } = await file(w)
  for (const one of [
    { kind: 'link', summary: 'The build is green', url: URL },
    { kind: 'file', summary: 'What it printed', attachment_id },
    { kind: 'test_result', summary: ' All 214 tests pass ' },
    { kind: 'note', summary: 'Looked at it on a phone', url: URL },
  ] as const) {
    w.clock.pass(1000)
    await w.bot['evidence.add']({ task_id, ...one })
  }
  const { items, page } = await w.cleo['evidence.list']({ task_id })
  expect(page.total).toBe(4)
  expect(items.map(({ kind, summary }) => [kind, summary])).toEqual([
    ['note', 'Looked at it on a phone'],
    ['test_result', 'All 214 tests pass'],
    ['file', 'What it printed'],
    ['link', 'The build is green'],
  ])
  expect(items[2]).toMatchObject({
    attachment: { attachment_id, filename: 'log.txt', url },
    ...{ url: null, created_by: { name: 'Bot' }, created_at: '2026-11-20T12:00:02.000Z' },
  })
  const context = (await w.bot['tasks.context']({ task_id })) as { evidence: unknown[] }
  expect(context.evidence).toEqual(items.toReversed())
  const links = await w.ada['evidence.list']({ task_id, kind: 'link', query: 'BUILD' })
  expect(links.items).toEqual([items[3]!])
})

test('adding and deleting evidence log a change each, with a shortened summary', async () => {
  const w = await world()
  const { task_id } = w.tasks.logo
  const summary = 'very '.repeat(300)
  const { evidence_id } = await w.bot['evidence.add']({ task_id, kind: 'note', summary })
  await w.bot['evidence.delete']({ task_id, evidence_id })
  const told = await w.changes()
  expect(told.map(({ type, data }) => [type, data.evidence_id, data.kind])).toEqual([
    ['evidence.added', evidence_id, 'note'],
    ['evidence.removed', evidence_id, 'note'],
  ])
  for (const { data } of told) expect(String(data.summary).length).toBeLessThanOrEqual(200)
})

test('invalid evidence is refused with its field, and nothing is stored', async () => {
  const w = await world()
  const { task_id } = w.tasks.logo
  const elsewhere = await file(w, w.tasks.copy)
  const before = await w.emitted()
  for (const [given, field, code] of [
    [{ kind: 'link' }, 'url', 'required'],
    [{ kind: 'file' }, 'attachment_id', 'required'],
    [{ kind: 'file', attachment_id: elsewhere.attachment_id }, 'attachment_id', 'not_found'],
    [{ kind: 'note', url: URL, attachment_id: 1 }, 'attachment_id', 'conflict'],
    [{ kind: 'link', url: 'javascript:alert(1)' }, 'url', 'invalid_format'],
    [{ kind: 'link', url: 'https://ada:pw@example.com/' }, 'url', 'invalid_format'],
    [{ kind: 'link', url: 'ftp://example.com/x' }, 'url', 'invalid_format'],
    [{ kind: 'note', summary: '   ' }, 'summary', 'invalid_format'],
    [{ kind: 'rumour' }, 'kind', 'out_of_range'],
  ] as const)
    expect(
      await refused(w.bot['evidence.add']({ task_id, summary: 'See', ...given } as never)),
    ).toMatchObject({ code: 'invalid', details: { field, code } })
  expect(await w.emitted()).toEqual(before)
  expect((await w.ada['evidence.list']({ task_id })).items).toEqual([])
})

test('evidence is deleted by managers, not by other members, and outlives its attachment', async () => {
  const w = await world()
  const { task_id } = w.tasks.logo
  const { attachment_id } = await file(w)
  const summary = 'What it printed'
  const add = () => w.bot['evidence.add']({ task_id, kind: 'file', summary, attachment_id })
  const { evidence_id } = await add()
  expect(await refused(w.cleo['evidence.delete']({ task_id, evidence_id }))).toMatchObject({
    code: 'forbidden',
  })
  const other = { task_id: w.tasks.copy.task_id, evidence_id }
  expect(await refused(w.ada['evidence.delete'](other))).toMatchObject({ code: 'not_found' })
  expect(await w.ben['evidence.delete']({ task_id, evidence_id })).toMatchObject({ deleted: true })
  expect(await refused(w.ben['evidence.delete']({ task_id, evidence_id }))).toMatchObject({
    code: 'not_found',
  })
  await add()
  await w.bot['attachments.delete']({ attachment_id })
  const { items } = await w.ada['evidence.list']({ task_id })
  expect(items).toMatchObject([{ kind: 'file', summary, attachment: null }])
})

test('over REST adding evidence returns 201 and deleting it 200', async () => {
  const w = await world()
  const path = '/api/v1/tasks/HP-1/evidence'
  const made = await w.http(w.bot, 'POST', path, { kind: 'link', summary: 'See', url: URL })
  expect([made.status, made.body.data.url]).toEqual([201, URL])
  const { evidence_id } = made.body.data
  const gone = await w.http(w.bot, 'DELETE', `${path}/${evidence_id}`)
  expect([gone.status, gone.body.data]).toEqual([
    ...[200, { evidence_id, ticket_number: 'HP-1', deleted: true }],
  ])
})
