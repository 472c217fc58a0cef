import { expect, test } from 'bun:test'
import { projects } from '../../src/features/projects/index.ts'
import type { Tx } from '../../src/kernel/caller.ts'
import { NOON, world } from '../world.ts'

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

/** A new team with that many boards, whose titles and times repeat. */
async function boards(many: number) {
  const played = await world({ furnished: false })
  const created_by = played.ada.caller.actor_id
  const all = Array.from({ length: many }, (_, i) => ({
    team_id: played.team_id,
    created_by,
    key: `B${i}`,
    title: `Board ${i % 7}`,
    created_at: new Date(NOON.getTime() + (i % 5)),
  }))
  await played.store.write(async (tx) => {
    for (let from = 0; from < many; from += 500) await insertBoards(tx, all.slice(from, from + 500))
  })
  return played
}

for (const sort of ['title', 'createdAt', 'updatedAt', 'lastUsedAt', 'title:desc'])
  test(`paging by ${sort} returns every board once`, async () => {
    const { ada } = await boards(45)
    const seen: number[] = []
    let cursor: string | undefined
    do {
      const { items, page } = await ada['projects.list']({ sort, limit: 7, cursor })
      seen.push(...items.map(({ project_id }) => project_id))
      expect(page.total).toBe(45)
      cursor = page.next_cursor ?? undefined
    } while (cursor)
    expect(seen).toHaveLength(45)
    expect(new Set(seen).size).toBe(45)
  })

test('a list over REST returns the requested fields and tells that more rows follow', async () => {
  const { ada, http } = await boards(3)
  const { status, body } = await http(ada, 'GET', '/api/v1/projects?limit=2&fields=title,key')
  expect(status).toBe(200)
  expect(body.data).toEqual([
    { title: 'Board 0', key: 'B0' },
    { title: 'Board 1', key: 'B1' },
  ])
  expect(body.page.has_more).toBe(true)
})

test('a cursor is refused with another sort, and so is a malformed cursor', async () => {
  const { ada, http } = await boards(5)
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
  const { ada, http } = await boards(60)
  const { body } = await http(ada, 'GET', '/api/v1/projects?limit=500')
  expect(body.data).toHaveLength(50)
  expect(body.page).toMatchObject({ limit: 50, total: 60, has_more: true })
  expect(body.warnings).toMatchObject([{ field: 'limit', code: 'out_of_range' }])
})

test('an offset skips rows, and the cursor continues from there', async () => {
  const { ada } = await boards(12)
  const all = await ada['projects.list']({ sort: 'createdAt:asc', limit: 50 })
  const some = await ada['projects.list']({ sort: 'createdAt:asc', limit: 4, offset: 5 })
  const rest = await ada['projects.list']({
    sort: 'createdAt:asc',
    limit: 50,
    cursor: some.page.next_cursor!,
  })
  expect([...some.items, ...rest.items]).toEqual(all.items.slice(5))
  expect(some.page).toMatchObject({ total: 12, offset: 5 })
})

test('sort equals sort_by with sort_order, and invalid or contradicting values are refused', async () => {
  const { ada, http } = await boards(3)
  const bySort = await ada['projects.list']({ sort: 'title:desc' })
  const byBoth = await ada['projects.list']({ sort_by: 'title', sort_order: 'desc' })
  expect(byBoth.items).toEqual(bySort.items)
  for (const bad of [
    'sort=colour',
    'sort=title:up',
    'sort=title&sort_by=createdAt',
    'sort=title:asc&sort_order=desc',
    'sort_by=dueDate',
  ])
    expect([bad, (await http(ada, 'GET', `/api/v1/projects?${bad}`)).status]).toEqual([bad, 400])
})

test('with more than 10,000 rows the total is a lower bound', async () => {
  const { ada } = await boards(10_050)
  const { page } = await ada['projects.list']({ limit: 1 })
  expect(page).toMatchObject({ total: null, total_at_least: 10_000, has_more: true })
})

test('a row created while paging repeats and skips no other row', async () => {
  const { ada, store, team_id, clock } = await boards(10)
  const first = await ada['projects.list']({ sort: 'createdAt', limit: 5 })
  clock.pass(1000)
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
  const rest = await ada['projects.list']({
    sort: 'createdAt',
    limit: 50,
    cursor: first.page.next_cursor!,
  })
  const ids = [...first.items, ...rest.items].map(({ project_id }) => project_id)
  expect(new Set(ids).size).toBe(10)
})
