import { afterAll, expect, test } from 'bun:test'
import { join } from 'node:path'
import { until } from '../mailbox.ts'
import { ask, folder, sweep } from './cork.ts'
import { ground, inFolder } from './ground.ts'
import { boardIn } from './writers.ts'

afterAll(sweep)

const HOUSE = { kind: 'system', name: 'Corkboard' }

test('a server reminds of overdue tasks soon after its start, a restored one not again', async () => {
  const from = await ground()
  const { api_key, team_id } = await from.init()
  const server = await from.serve()
  const project_id = await boardIn(server.url, api_key, team_id)
  const told = async (url: string) => {
    const { body } = await ask(url, api_key, 'GET', '/api/v1/notifications?kind=overdue')
    return body.data as { actor: object; task: { title: string } }[]
  }
  const late = (url: string, title: string) =>
    ask(url, api_key, 'POST', '/api/v1/tasks', { project_id, title, due_date: '2026-01-31' })
  await late(server.url, 'Mow the lawn')
  await until(async () => (await told(server.url)).length > 0, 65_000)
  const days = { auto_archive_days: 30 }
  await ask(server.url, api_key, 'PATCH', `/api/v1/projects/${project_id}`, days)
  expect(await server.end()).toBe(0)
  const file = join(folder(), 'b.backup')
  await from.json(['backup', file])
  for (const to of [inFolder(), await ground()]) {
    expect((await to.run(['restore', file])).code).toBe(0)
    const again = await to.serve()
    const board = await ask(again.url, api_key, 'GET', `/api/v1/projects/${project_id}`)
    expect(board.body.data).toMatchObject(days)
    await late(again.url, 'Paint the fence')
    await until(async () => (await told(again.url)).length > 1, 65_000)
    const items = await told(again.url)
    expect(items.map(({ actor, task }) => [actor, task.title])).toEqual([
      [HOUSE, 'Paint the fence'],
      [HOUSE, 'Mow the lawn'],
    ])
    expect(await again.end()).toBe(0)
  }
}, 240_000)
