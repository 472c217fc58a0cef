import { expect, test } from 'bun:test'
import { world } from '../../../support/world.ts'

test('over REST a path takes a task id or key, and minutes outside 1 to 1440 are refused', async () => {
  const w = await world()
  const { task_id, ticket_number } = w.tasks.logo
  const send = async (method: string, path: string, body?: unknown) => {
    const { status, body: answer } = await w.http(w.cleo, method, `/api/v1${path}`, body)
    return [status, (answer.data as Record<string, unknown> | undefined)?.state]
  }
  expect(await send('POST', `/tasks/${ticket_number}/timer/start`)).toEqual([200, 'running'])
  expect(await send('POST', `/tasks/${task_id}/timer/start`)).toEqual([409, undefined])
  expect(await send('POST', `/tasks/${task_id}/timer/pause`)).toEqual([200, 'paused'])
  expect(await send('POST', '/time/resume', {})).toEqual([200, 'running'])
  expect(await send('GET', `/tasks/${task_id}/timer`)).toEqual([200, 'running'])
  expect(await send('POST', `/tasks/${ticket_number}/timer/stop`, {})).toEqual([200, 'stopped'])
  const minutes = (value: unknown) =>
    send('POST', `/tasks/${ticket_number}/time`, { minutes: value })
  expect(await minutes(1440)).toEqual([201, 'logged'])
  for (const invalid of [0, 1441, 1.5, '5', undefined])
    expect(await minutes(invalid)).toEqual([400, undefined])
})
