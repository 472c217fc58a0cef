import { connectClient } from '../../test/binary/agent-client.ts'
import type { BoardPage } from './board.ts'
import type { Board } from './large-board.ts'
import { type Row, rowOf } from './row.ts'

/** Measures the time from an agent's call until the change is painted. */
export async function measureLiveUpdate(
  { page }: BoardPage,
  board: Board,
  times: number,
): Promise<Row> {
  const { call, url, team_id, project_id } = board
  const { token } = await call('POST', '/api/v1/agents', { team_id, name: 'Scout' })
  const headers = { authorization: `Bearer ${token}` }
  const agent = await connectClient({ type: 'http', url: `${url}/mcp`, headers })
  await page.goto(`${url}/projects/${project_id}`)
  const card = page.locator('article[data-task]').first()
  await card.waitFor()
  await page
    .getByRole('img', { name: /live|connected/i })
    .or(card)
    .first()
    .waitFor()
  const task_id = Number(await card.getAttribute('data-task'))
  await agent.rest('POST', '/api/mcp/tasks/lease/claim', { task_id })
  const durations: number[] = []
  try {
    for (let at = 0; at < times; at++) {
      const title = `Seen by Scout for the ${at + 1}. time`
      const isPainted = `document.querySelector('[data-task="${task_id}"] h3')?.textContent === '${title}'`
      const painted = page.evaluate<number>(
        `clock.painted(() => ${isPainted}).then((at) => performance.timeOrigin + at)`,
      )
      // Makes sure that the observer is installed before the change is made.
      await page.evaluate('0')
      const startedAt = performance.timeOrigin + performance.now()
      await agent.callTool('svc_tasks', 'update', { task_id, title })
      durations.push((await painted) - startedAt)
    }
  } finally {
    await agent.close()
  }
  return rowOf("an agent's call to painted", durations, 1000)
}
