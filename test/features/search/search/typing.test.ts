import { expect, test } from 'bun:test'
import { generatedTitles } from '../../../support/titles.ts'
import { world } from '../../../support/world.ts'

const LETTER = /[\p{L}\p{M}\p{N}\p{Extended_Pictographic}\p{Regional_Indicator}]/u

test('typing one more letter of a title never loses its task', async () => {
  const { cleo, board } = await world()
  const { project_id } = board
  for (const title of generatedTitles(25)) {
    const { task_id } = await cleo['tasks.create']({ project_id, title })
    let typed = ''
    for (const character of title) {
      typed += character
      if (!LETTER.test(character)) continue
      const { items } = await cleo['search.tasks']({
        query: typed,
        limit: 50,
        fields: 'task_id,partial',
      })
      const found = items.find((task) => task.task_id === task_id)
      expect([title, typed, found?.partial]).toEqual([title, typed, false])
    }
  }
})

test('one letter finds the words that begin with it in titles, not in descriptions', async () => {
  const { cleo, board } = await world()
  const { project_id } = board
  await cleo['tasks.create']({ project_id, title: 'Plan migrations', description: 'Quarterly' })
  const find = async (query: string) => {
    const { items } = await cleo['search.tasks']({ query })
    return items.filter(({ partial }) => !partial).map(({ title }) => title)
  }
  expect(await find('migrations p')).toEqual(['Plan migrations'])
  expect(await find('migrations q')).toEqual([])
  expect(await find('migrations qua')).toEqual(['Plan migrations'])
  expect(await find('migrations -p')).toEqual(['Plan migrations'])
})

test('emoji are words', async () => {
  const { cleo, board } = await world()
  const { project_id } = board
  await cleo['tasks.create']({ project_id, title: 'Rope 🧵', description: 'and an anchor ⚓️' })
  for (const query of ['🧵', '⚓', 'rope ⚓️'])
    expect((await cleo['search.tasks']({ query })).items[0]).toMatchObject({
      ...{ title: 'Rope 🧵', partial: false },
    })
  expect((await cleo['search.tasks']({ query: '🎈' })).items).toEqual([])
})

test('#14 and HP14 mean the task HP-14', async () => {
  const { cleo } = await world()
  for (const query of ['#2', 'HP2', 'hp2', 'HP-2']) {
    const { items } = await cleo['search.tasks']({ query })
    expect([query, items[0]?.ticket_number]).toEqual([query, 'HP-2'])
    expect(items[0]!.partial).toBe(false)
  }
})
