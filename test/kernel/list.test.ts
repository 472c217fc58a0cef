import { expect, test } from 'bun:test'
import { projects } from '../../src/features/boards/projects/model/index.ts'
import type { Tx } from '../../src/kernel/caller.ts'
import { NOON, world } from '../support/world.ts'

interface Board {
  team_id: number
  created_by: number
  key: string
  title: string
  created_at: Date
}

const insertBoards = (tx: Tx, boards: Board[]) =>
  tx.insert(projects).values(
    boards.map((board) => ({
      ...board,
      access: 'team' as const,
      status: 'Normal' as const,
      next_number: 1,
      definition_of_done: [],
      playbook_version: 1,
      updated_at: NOON,
    })),
  )

/** A world with this many boards, whose titles and times repeat. */
async function worldWithBoards(count: number) {
  const w = await world({ hasBoard: false })
  const created_by = w.ada.caller.actor_id
  const boards = Array.from({ length: count }, (_, i) => ({
    team_id: w.team_id,
    created_by,
    key: `B${i}`,
    title: `Board ${i % 7}`,
    created_at: new Date(NOON.getTime() + (i % 5)),
  }))
  await w.store.write(async (tx) => {
    for (let from = 0; from < count; from += 500)
      await insertBoards(tx, boards.slice(from, from + 500))
  })
  return w
}

for (const sort of ['title', 'createdAt', 'updatedAt', 'lastUsedAt', 'title:desc'])
  test(`paging by ${sort} returns every board once`, async () => {
    const { ada } = await worldWithBoards(45)
    const ids: number[] = []
    let cursor: string | undefined
    do {
      const { items, page } = await ada['projects.list']({ sort, limit: 7, cursor })
      ids.push(...items.map(({ project_id }) => project_id))
      expect(page.total).toBe(45)
      cursor = page.next_cursor ?? undefined
    } while (cursor)
    expect(ids).toHaveLength(45)
    expect(new Set(ids).size).toBe(45)
  })

test('a list over REST returns the requested fields and has_more if rows follow', async () => {
  const { ada, http } = await worldWithBoards(3)
  const { status, body } = await http(ada, 'GET', '/api/v1/projects?limit=2&fields=title,key')
  expect(status).toBe(200)
  expect(body.data).toEqual([
    { title: 'Board 0', key: 'B0' },
    { title: 'Board 1', key: 'B1' },
  ])
  expect(body.page.has_more).toBe(true)
})

test('a cursor is refused with another sort, and so is a malformed cursor', async () => {
  const { ada, http } = await worldWithBoards(5)
  const { page } = await ada['projects.list']({ sort: 'title', limit: 2 })
  const other = await http(ada, 'GET', `/api/v1/projects?sort=createdAt&cursor=${page.next_cursor}`)
  expect(other.status).toBe(400)
  expect(other.body.details).toMatchObject({ field: 'cursor', code: 'conflict' })
  for (const broken of ['', 'x', 'W10', 'bnVsbA', `${page.next_cursor}x`.slice(3)]) {
    const { status, body } = await http(ada, 'GET', `/api/v1/projects?sort=title&cursor=${broken}`)
    expect([broken, status, body.details?.field]).toEqual([broken, 400, 'cursor'])
  }
})

test('a limit above 50 is reduced to 50 with a warning', async () => {
  const { ada, http } = await worldWithBoards(60)
  const { body } = await http(ada, 'GET', '/api/v1/projects?limit=500')
  expect(body.data).toHaveLength(50)
  expect(body.page).toMatchObject({ limit: 50, total: 60, has_more: true })
  expect(body.warnings).toMatchObject([{ field: 'limit', code: 'out_of_range' }])
})

test('an offset skips rows, and the cursor continues from there', async () => {
  const { ada } = await worldWithBoards(12)
  const all = await ada['projects.list']({ sort: 'createdAt:asc', limit: 50 })
  const middle = await ada['projects.list']({ sort: 'createdAt:asc', limit: 4, offset: 5 })
  const remaining = await ada['projects.list']({
    sort: 'createdAt:asc',
    limit: 50,
    cursor: middle.page.next_cursor!,
  })
  expect([...middle.items, ...remaining.items]).toEqual(all.items.slice(5))
  expect(middle.page).toMatchObject({ total: 12, offset: 5 })
})

test('sort equals sort_by with sort_order, and invalid or contradicting values are refused', async () => {
  const { ada, http } = await worldWithBoards(3)
  const bySort = await ada['projects.list']({ sort: 'title:desc' })
  const byBoth = await ada['projects.list']({ sort_by: 'title', sort_order: 'desc' })
  expect(byBoth.items).toEqual(bySort.items)
  for (const query of [
    'sort=colour',
    'sort=title:up',
    'sort=title&sort_by=createdAt',
    'sort=title:asc&sort_order=desc',
    'sort_by=dueDate',
  ])
    expect([query, (await http(ada, 'GET', `/api/v1/projects?${query}`)).status]).toEqual([
      query,
      400,
    ])
})

test('with more than 10,000 rows the total is a lower bound', async () => {
  const { ada } = await worldWithBoards(10_050)
  const { page } = await ada['projects.list']({ limit: 1 })
  expect(page).toMatchObject({ total: null, total_at_least: 10_000, has_more: true })
})

test('a row created while paging repeats and skips no other row', async () => {
  const { ada, store, team_id, clock } = await worldWithBoards(10)
  const first = await ada['projects.list']({ sort: 'createdAt', limit: 5 })
  clock.advance(1000)
  await store.write((tx) =>
    insertBoards(tx, [
      {
        team_id,
        created_by: ada.caller.actor_id,
        key: 'NEW',
        title: 'New',
        created_at: clock.now,
      },
    ]),
  )
  const remaining = await ada['projects.list']({
    sort: 'createdAt',
    limit: 50,
    cursor: first.page.next_cursor!,
  })
  const ids = [...first.items, ...remaining.items].map(({ project_id }) => project_id)
  expect(new Set(ids).size).toBe(10)
})
