import { player } from '../../test/binary/players.ts'
import type { Seat } from './board.ts'
import type { Crowd } from './crowd.ts'
import { type Row, rowOf } from './row.ts'

/** From the call that an agent makes to what is seen of it. */
export async function live({ page }: Seat, crowd: Crowd, times: number): Promise<Row> {
  const { call, url, team_id, project_id } = crowd
  const { token } = await call('POST', '/api/v1/agents', { team_id, name: 'Scout' })
  const headers = { authorization: `Bearer ${token}` }
  const agent = await player({ type: 'http', url: `${url}/mcp`, headers })
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
  const took: number[] = []
  try {
    for (let at = 0; at < times; at++) {
      const title = `Seen by Scout for the ${at + 1}. time`
      const isThere = `document.querySelector('[data-task="${task_id}"] h3')?.textContent === '${title}'`
      const seen = page.evaluate<number>(
        `clock.painted(() => ${isThere}).then((at) => performance.timeOrigin + at)`,
      )
      // The question is asked before the change is made.
      await page.evaluate('0')
      const began = performance.timeOrigin + performance.now()
      await agent.tool('svc_tasks', 'update', { task_id, title })
      took.push((await seen) - began)
    }
  } finally {
    await agent.close()
  }
  return rowOf("an agent's call to painted", took, 1000)
}
