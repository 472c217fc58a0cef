import { expect, test } from 'bun:test'
import { projects } from '../../src/features/projects/index.ts'
import type { Tx } from '../../src/kernel/caller.ts'
import { NOON, world } from '../world.ts'

const boards = async (many: number) => {
  const played = await world()
  await played.store.write(async (tx: Tx) => {
    for (let i = 0; i < many; i++)
      await tx.insert(projects).values({
        team_id: played.team_id,
        key: `B${i}`,
        title: `Board ${i % 7}`,
        access: 'team',
        status: 'Normal',
        next_number: 1,
        definition_of_done: [],
        playbook_version: 1,
        created_by: played.ada.caller.actor_id,
        created_at: new Date(NOON.getTime() + (i % 5)),
        updated_at: NOON,
      })
  })
  return played
}

for (const sort of ['title', 'createdAt', 'updatedAt', 'lastUsedAt', 'title:desc'])
  test(`pages by ${sort} give every board once`, async () => {
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

test('a list over REST', async () => {
  const { ada, http } = await boards(3)
  const { status, body } = await http(ada, 'GET', '/api/v1/projects?limit=2&fields=title,key')
  expect(status).toBe(200)
  expect(body.data).toEqual([
    { title: 'Board 0', key: 'B0' },
    { title: 'Board 1', key: 'B1' },
  ])
  expect(body.page.has_more).toBe(true)
  console.log(
    body,
    await http(ada, 'GET', '/api/v1/projects?limt=2'),
    await http(undefined, 'GET', '/api/v1/projects'),
    (await http(ada, 'POST', '/api/v1/projects')).text,
  )
})
