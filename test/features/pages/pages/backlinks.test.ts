import { expect, test } from 'bun:test'
import { world } from '../../../support/world.ts'

async function worldWithLinks() {
  const w = await world()
  const { ada, tasks } = w
  const { task_id } = tasks.logo
  const create = async (title: string, content: string) =>
    (await ada['pages.create']({ task_id, title, content })).page_id
  const page_id = await create('Colours', 'Red')
  return { ...w, create, page_id, task_id }
}

test('backlinks are the pages and tasks of the board that link to a page by either of its ids', async () => {
  const { ada, create, page_id, task_id } = await worldWithLinks()
  const { public_id } = await ada['pages.get']({ page_id })
  const byNumber = await create('By number', `[c](/p/${page_id})`)
  const byName = await create('By name', `https://cork.example/p/${public_id}`)
  await create('Another page', `[c](/p/${page_id}9)`)
  await ada['tasks.update']({ task_id, description: `See [c](/p/${page_id}#red)` })
  const found = await ada['pages.backlinks']({ page_id })
  expect(new Set(found.map((one) => one.page_id))).toEqual(new Set([byNumber, byName, null]))
  expect(found.at(-1)).toMatchObject({ kind: 'task', page_id: null })
})

test('archived pages are no backlinks', async () => {
  const { ada, create, page_id } = await worldWithLinks()
  const link = await create('Old', `[c](/p/${page_id})`)
  await ada['pages.archive']({ page_id: link })
  expect(await ada['pages.backlinks']({ page_id })).toEqual([])
})
