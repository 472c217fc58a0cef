import { afterAll, expect, test } from 'bun:test'
import { join } from 'node:path'
import { waitUntil } from '../support/wait.ts'
import { cleanUp, createFolder, sendRequest } from './cork.ts'
import { createInstallation, createSqliteInstallation } from './installation.ts'
import { createBoard } from './writers.ts'

afterAll(cleanUp)

const SYSTEM_ACTOR = { kind: 'system', name: 'Corkboard' }

test('a server reminds of overdue tasks soon after its start, a restored one not again', async () => {
  const source = await createInstallation()
  const { api_key, team_id } = await source.init()
  const server = await source.serve()
  const project_id = await createBoard(server.url, api_key, team_id)
  const readOverdue = async (url: string) => {
    const { body } = await sendRequest(url, api_key, 'GET', '/api/v1/notifications?kind=overdue')
    return body.data as { actor: object; task: { title: string } }[]
  }
  const createOverdueTask = (url: string, title: string) =>
    sendRequest(url, api_key, 'POST', '/api/v1/tasks', {
      project_id,
      title,
      due_date: '2026-01-31',
    })
  await createOverdueTask(server.url, 'Mow the lawn')
  await waitUntil(async () => (await readOverdue(server.url)).length > 0)
  const settings = { auto_archive_days: 30 }
  await sendRequest(server.url, api_key, 'PATCH', `/api/v1/projects/${project_id}`, settings)
  expect(await server.end()).toBe(0)
  const file = join(createFolder(), 'b.backup')
  await source.runJson(['backup', file])
  for (const target of [createSqliteInstallation(), await createInstallation()]) {
    expect((await target.run(['restore', file])).code).toBe(0)
    const restored = await target.serve()
    const board = await sendRequest(restored.url, api_key, 'GET', `/api/v1/projects/${project_id}`)
    expect(board.body.data).toMatchObject(settings)
    await createOverdueTask(restored.url, 'Paint the fence')
    await waitUntil(async () => (await readOverdue(restored.url)).length > 1)
    const items = await readOverdue(restored.url)
    expect(items.map(({ actor, task }) => [actor, task.title])).toEqual([
      [SYSTEM_ACTOR, 'Paint the fence'],
      [SYSTEM_ACTOR, 'Mow the lawn'],
    ])
    expect(await restored.end()).toBe(0)
  }
}, 240_000)
