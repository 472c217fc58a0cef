import { afterAll, beforeAll, expect, test } from 'bun:test'
import { lastSeq } from '../../../../src/store/log.ts'
import { NOT_UNDERSTOOD, UNDERSTOOD, UNTOUCHED } from '../../../support/quick-add.ts'
import { type World, world } from '../../../support/world.ts'

const lines = (text: string) => text.trim().split('\n')

interface Answer {
  understood: {
    title: string
    due_date: string | null
    recurrence: string | null
    priority: number
    parts: { text: string; from: number; to: number }[]
  }
}

let w: World
let startedAt: number
beforeAll(async () => {
  w = await world()
  const { team_id } = w
  await w.ada['projects.create']({ team_id, title: 'Garden', sections: [{ title: 'To do' }] })
  startedAt = await w.store.read(lastSeq)
})

async function read(title: string) {
  const { project_id } = w.board
  const input = { title, project_id, natural: true, dry_run: true }
  return ((await w.cleo['my_tasks.add'](input)) as Answer).understood
}

test.each(lines(UNDERSTOOD))('quick-add understands: %s', async (row) => {
  const [line = '', expected = ''] = row.split(' > ')
  const [title = '', due = '', repeats = '', priority = '0'] = expected.split(/ ?\| ?/)
  const understood = await read(line)
  const { due_date, recurrence } = understood
  expect({
    ...{ title: understood.title, due: due_date?.slice(0, 16).replace('T', ' ') ?? '' },
    ...{ repeats: recurrence ?? '', priority: String(understood.priority) },
  }).toEqual({ title, due, repeats, priority })
  for (const { text, from, to } of understood.parts) expect(line.slice(from, to)).toBe(text)
})

test.each(lines(UNTOUCHED))('quick-add leaves unchanged: %s', async (line) => {
  expect(await read(line)).toMatchObject({
    title: line,
    due_date: null,
    recurrence: null,
    parts: [],
  })
})

test.each(lines(NOT_UNDERSTOOD))('quick-add leaves unchanged with a warning: %s', async (title) => {
  const { project_id } = w.board
  const input = { title, project_id, natural: true, dry_run: true }
  const { body } = await w.http(w.cleo, 'POST', '/api/v1/my-tasks', input)
  expect(body).toMatchObject({
    data: { understood: { title, due_date: null, recurrence: null, parts: [] } },
    warnings: [{ code: 'not_supported' }],
  })
})

test('the tables have at least 120 understood and 40 unchanged lines', () => {
  expect(lines(UNDERSTOOD).length).toBeGreaterThanOrEqual(120)
  expect(lines(UNTOUCHED).length).toBeGreaterThanOrEqual(40)
})

afterAll(async () => expect(await w.changeTypes(startedAt)).toEqual([]))
