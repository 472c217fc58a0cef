import { afterAll, expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ask, folder, sweep } from './cork.ts'
import { type Ground, ground } from './ground.ts'
import { linesOf, textOf } from './team.ts'

afterAll(sweep)

const TASKS = 250

/** The number of tasks that contain a word, once the index is complete. */
async function searched(place: Ground, key: string, query: string): Promise<number> {
  const server = await place.serve()
  try {
    for (;;) {
      const path = `/api/v1/search/tasks?query=${encodeURIComponent(query)}`
      const { body } = await ask(server.url, key, 'GET', path)
      if (!body.warnings) return body.page.total
      expect(body.warnings[0].code).toBe('incomplete')
      await Bun.sleep(50)
    }
  } finally {
    expect(await server.end()).toBe(0)
  }
}

const doctor = async (place: Ground) =>
  (await place.run(['doctor'])).out.split('\n').filter((line) => line.includes('text index'))

test('imported tasks are found, also after a restore of their backup and after cork reindex', async () => {
  const here = await ground()
  const { api_key } = await here.init()
  const team = join(folder(), 'team.jsonl')
  writeFileSync(team, textOf(linesOf(TASKS)))
  await here.json(['import', team])
  const found = await searched(here, api_key, 'task')
  expect(found).toBeGreaterThan(TASKS / 2)
  const [whole] = await doctor(here)
  expect(whole).toContain('ok       text index: has all')

  const file = join(folder(), 'b.backup')
  await here.json(['backup', file])
  const there = await ground()
  await there.json(['restore', file])
  expect(await searched(there, api_key, 'task')).toBe(found)
  expect(await doctor(there)).toEqual([whole!])
  const { tasks } = await there.json(['reindex'])
  expect(whole).toContain(`has all ${tasks} tasks`)
  expect(await searched(there, api_key, 'task')).toBe(found)
}, 60_000)
