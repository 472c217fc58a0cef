import { afterAll, expect, test } from 'bun:test'
import { removeTemporaryFolders } from '../../support/terminal.ts'
import { syncWorld } from './sync-world.ts'

afterAll(removeTemporaryFolders)

const FILE = '.beads/issues.jsonl'
const issue = (id: string, title: string, more = '') =>
  `{"id":"Harbour-${id}","title":"${title}","description":"A \\u003cb\\u003e","status":"open","priority":2,"issue_type":"task","created_at":"2026-03-01T09:00:00Z","updated_at":"2026-03-01T09:00:00Z","moon":{"full":true}${more}}`
const PAINT = issue('a1', 'Paint the hull', ',"notes":"Two coats.","labels":["hull"]')
const ORDER = issue('b2', 'Order paint')
const SELL = issue('c3', 'Sell the old boat')
const files = { [FILE]: `${PAINT}\n${ORDER}\n${SELL}\n` }

const lines = (text: string) => text.trimEnd().split('\n')

test('changes of both sides come to the other one, and other lines stay as they are', async () => {
  const s = await syncWorld('beads', files)
  expect((await s.sync()).code).toBe(0)
  expect(s.read(FILE)).toBe(files[FILE]!)
  expect(await s.sync()).toMatchObject({ code: 0, out: [] })
  const { 'Paint the hull': paint, 'Order paint': order } = await s.tasks()
  const { ticket_number } = paint!
  await s.w.ada['tasks.update']({ ticket_number, title: 'Paint it', priority: 'Urgent' })
  await s.w.ada['comments.add']({ ticket_number, text: 'Which red?' })
  s.edit(FILE, '"title":"Order paint"', '"title":"Order red paint"')
  expect(await s.sync()).toMatchObject({
    code: 0,
    out: [`← ${ticket_number} title, priority, comments`, '→ Harbour-b2 title'],
  })
  const [first, ...others] = lines(s.read(FILE))
  const { comments, updated_at } = JSON.parse(first!)
  expect(first).toBe(
    PAINT.replace('"Paint the hull"', '"Paint it"')
      .replace('"priority":2', '"priority":0')
      .replace(/"updated_at":"[^"]*"/, `"updated_at":"${updated_at}"`)
      .replace(/\}$/, `,"comments":${JSON.stringify(comments)}}`),
  )
  expect(comments).toMatchObject([{ author: 'Ada', text: 'Which red?', issue_id: 'Harbour-a1' }])
  expect(others).toEqual([ORDER.replace('Order paint', 'Order red paint'), SELL])
  expect((await s.get(order!.ticket_number)).title).toBe('Order red paint')
  expect(await s.sync()).toMatchObject({ code: 0, out: [] })
})

test('a description changes in the members of an issue that it consists of', async () => {
  const s = await syncWorld('beads', files)
  await s.sync()
  const { ticket_number } = (await s.tasks())['Paint the hull']!
  const { description } = await s.get(ticket_number)
  await s.w.ada['tasks.update']({
    ticket_number,
    description: description!.replace('Two coats.', 'Three coats.'),
    content_type: 'markdown',
  })
  expect(await s.sync()).toMatchObject({ code: 0, out: [`← ${ticket_number} description`] })
  const [first] = lines(s.read(FILE))
  expect(JSON.parse(first!)).toMatchObject({ description: 'A <b>', notes: 'Three coats.' })
  expect(first).toContain('"description":"A \\u003cb\\u003e"')
  expect(await s.sync()).toMatchObject({ code: 0, out: [], err: 'Both sides are the same.' })
})

test('new, closed and deleted tasks come to the other side; both deleted and changed conflict', async () => {
  const s = await syncWorld('beads', files)
  await s.sync()
  const tasks = await s.tasks()
  const [paint, order, sell] = ['Paint the hull', 'Order paint', 'Sell the old boat'].map(
    (title) => tasks[title]!,
  )
  const { project_id } = paint!
  const { ticket_number } = await s.w.ada['tasks.create']({
    ...{ project_id, title: 'Clean it', parent_task_id: paint!.task_id },
  })
  await s.w.ada['relations.create']({
    source_ticket_number: ticket_number,
    relation_type: 'BlockedBy',
    target_ticket_number: sell!.ticket_number,
  })
  await s.w.ada['tasks.update']({ ticket_number: order!.ticket_number, status: 'Deleted' })
  s.write(FILE, `${s.read(FILE)}${issue('d4', 'Launch')}\n`)
  expect(await s.sync()).toMatchObject({
    code: 0,
    out: [
      `← ${order!.ticket_number} deleted`,
      `← ${ticket_number} new: Clean it (Harbour-a1.1)`,
      '→ Harbour-d4 new: Launch',
    ],
  })
  const written = lines(s.read(FILE)).map((line) => JSON.parse(line))
  expect(written.map(({ id, status }) => [id, status])).toEqual([
    ['Harbour-a1', 'open'],
    ['Harbour-b2', 'tombstone'],
    ['Harbour-c3', 'open'],
    ['Harbour-d4', 'open'],
    ['Harbour-a1.1', 'open'],
  ])
  expect(written[4].dependencies).toMatchObject([
    { depends_on_id: 'Harbour-c3', type: 'blocks' },
    { depends_on_id: 'Harbour-a1', type: 'parent-child' },
  ])
  expect(await s.sync()).toMatchObject({ code: 0, out: [] })
  await s.w.ada['tasks.update']({ ticket_number: sell!.ticket_number, title: 'Sell it' })
  s.write(FILE, s.read(FILE).replace(`${SELL}\n`, ''))
  const conflict = await s.sync()
  expect(conflict.code).toBe(3)
  expect(conflict.out[0]).toContain('(Harbour-c3) task: files "deleted", board "changed"')
  expect(await s.sync('--prefer', 'board')).toMatchObject({ code: 0 })
  expect(s.read(FILE)).toContain('"id":"Harbour-c3","title":"Sell it"')
  expect((await s.sync()).code).toBe(0)
  s.write(FILE, s.read(FILE).replace(/^.*Harbour-d4.*\n/m, ''))
  expect(await s.sync()).toMatchObject({ code: 0, out: ['→ Harbour-d4 deleted'] })
})
