import { expect, test } from 'bun:test'
import { faultOf } from '../../../support/faults.ts'
import { type World, world } from '../../../support/world.ts'

const URL = 'https://ci.example.com/build/12'

const attachFile = async ({ bot, tasks }: World, task = tasks.logo) => {
  const upload = { filename: 'log.txt', content_type: 'text/plain', data: 'SGk=' }
  const receipt = await bot['attachments.create']({ task_id: task.task_id, files: [upload] })
  return receipt.attachments[0]!
}

test('evidence of every kind is listed newest first, filtered, and part of the task context', async () => {
  const w = await world()
  const { task_id } = w.tasks.logo
  const { attachment_id, url } = await attachFile(w)
  for (const evidence of [
    { kind: 'link', summary: 'The build is green', url: URL },
    { kind: 'file', summary: 'What it printed', attachment_id },
    { kind: 'test_result', summary: ' All 214 tests pass ' },
    { kind: 'note', summary: 'Looked at it on a phone', url: URL },
  ] as const) {
    w.clock.advance(1000)
    await w.bot['evidence.add']({ task_id, ...evidence })
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
  const changes = await w.changes()
  expect(changes.map(({ type, data }) => [type, data.evidence_id, data.kind])).toEqual([
    ['evidence.added', evidence_id, 'note'],
    ['evidence.removed', evidence_id, 'note'],
  ])
  for (const { data } of changes) expect(String(data.summary).length).toBeLessThanOrEqual(200)
})

test('invalid evidence is refused with its field, and nothing is stored', async () => {
  const w = await world()
  const { task_id } = w.tasks.logo
  const otherAttachment = await attachFile(w, w.tasks.copy)
  const before = await w.changeTypes()
  for (const [fields, field, code] of [
    [{ kind: 'link' }, 'url', 'required'],
    [{ kind: 'file' }, 'attachment_id', 'required'],
    [{ kind: 'file', attachment_id: otherAttachment.attachment_id }, 'attachment_id', 'not_found'],
    [{ kind: 'note', url: URL, attachment_id: 1 }, 'attachment_id', 'conflict'],
    [{ kind: 'link', url: 'javascript:alert(1)' }, 'url', 'invalid_format'],
    [{ kind: 'link', url: 'https://ada:pw@example.com/' }, 'url', 'invalid_format'],
    [{ kind: 'link', url: 'ftp://example.com/x' }, 'url', 'invalid_format'],
    [{ kind: 'note', summary: '   ' }, 'summary', 'invalid_format'],
    [{ kind: 'rumour' }, 'kind', 'out_of_range'],
  ] as const)
    expect(
      await faultOf(w.bot['evidence.add']({ task_id, summary: 'See', ...fields } as never)),
    ).toMatchObject({ code: 'invalid', details: { field, code } })
  expect(await w.changeTypes()).toEqual(before)
  expect((await w.ada['evidence.list']({ task_id })).items).toEqual([])
})

test('evidence is deleted by managers, not by other members, and outlives its attachment', async () => {
  const w = await world()
  const { task_id } = w.tasks.logo
  const { attachment_id } = await attachFile(w)
  const summary = 'What it printed'
  const add = () => w.bot['evidence.add']({ task_id, kind: 'file', summary, attachment_id })
  const { evidence_id } = await add()
  expect(await faultOf(w.cleo['evidence.delete']({ task_id, evidence_id }))).toMatchObject({
    code: 'forbidden',
  })
  const other = { task_id: w.tasks.copy.task_id, evidence_id }
  expect(await faultOf(w.ada['evidence.delete'](other))).toMatchObject({ code: 'not_found' })
  expect(await w.ben['evidence.delete']({ task_id, evidence_id })).toMatchObject({ deleted: true })
  expect(await faultOf(w.ben['evidence.delete']({ task_id, evidence_id }))).toMatchObject({
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
  const response = await w.http(w.bot, 'POST', path, { kind: 'link', summary: 'See', url: URL })
  expect([response.status, response.body.data.url]).toEqual([201, URL])
  const { evidence_id } = response.body.data
  const deletion = await w.http(w.bot, 'DELETE', `${path}/${evidence_id}`)
  expect([deletion.status, deletion.body.data]).toEqual([
    ...[200, { evidence_id, ticket_number: 'HP-1', deleted: true }],
  ])
})
