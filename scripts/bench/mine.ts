import { inTurn, load, requestOf } from './client.ts'
import type { Bench, House } from './house.ts'
import type { Row } from './report.ts'
import { changes } from './requests.ts'
import { spreadOf, typical } from './sample.ts'

const BOARDS = 50
/** Of each board. */
const MINE = 40
const MOST_MS = 20

/** What is assigned to one person who has much to do, among very many tasks of others. */
export async function mine(bench: Bench): Promise<Row[]> {
  const house = await bench.growing('large')
  const total = await assigned(house)
  const rows: Row[] = []
  for (const grouping of ['due', 'board']) {
    const path = `/api/v1/my-tasks?grouping=${grouping}&limit=50`
    const next = inTurn([requestOf('GET', path, { token: house.api_key })])
    // Meanwhile tasks change, so that no answer is one that was given before.
    const run = load({ target: house, connections: 1, next, beside: changes(house) })
    const samples = []
    await run(bench.pace.seconds / 2)
    for (let round = 0; round < bench.pace.rounds; round++)
      samples.push(await run(bench.pace.seconds))
    rows.push({
      group: 'mine',
      what: `My Tasks by ${grouping}, ${total} open ones in ${bench.sizes.all}`,
      ...{ connections: 1, unit: 'ms', yardstick: 'p95', sample: typical(samples) },
      ...{ figure: spreadOf(samples.map(({ p95 }) => p95)), target: { most: MOST_MS } },
    })
  }
  return rows
}

/** Gives the owner the first open tasks of so many boards, and says how many. */
async function assigned(house: House): Promise<number> {
  const headers = {
    authorization: `Bearer ${house.api_key}`,
    'content-type': 'application/json',
  }
  const ask = async (method: string, path: string, body?: unknown) => {
    const sent = body === undefined ? {} : { body: JSON.stringify(body) }
    const response = await fetch(house.url + path, { method, headers, ...sent })
    if (!response.ok) throw new Error(`${path}: ${await response.text()}`)
    return response.json() as Promise<{ data: { task_id: number; done: boolean }[] }>
  }
  let total = 0
  for (const { project_id } of house.boards.slice(0, BOARDS)) {
    const { data } = await ask('GET', `/api/v1/tasks?project_id=${project_id}&limit=50`)
    const task_ids = data.filter(({ done }) => !done).map(({ task_id }) => task_id)
    const body = { task_ids: task_ids.slice(0, MINE), assignee_ids: [house.owner_id] }
    total += (await ask('PATCH', '/api/v1/tasks', body)).data.length
  }
  return total
}
