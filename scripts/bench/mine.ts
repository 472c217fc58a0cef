import { answer, call } from './call.ts'
import { inTurn, load, requestOf } from './client.ts'
import { idle } from './fill.ts'
import type { Bench, House } from './house.ts'
import type { Row } from './report.ts'
import { spreadOf, typical } from './sample.ts'
import { environment } from './servers.ts'

const BOARDS = 50
/** Of each board: what one person has to do there, and what they finished. */
const OPEN = 40
const FINISHED = 400
const PAGE = 50
const SOME = 4096
const MOST_MS = 20

const filter = { groups: [{ rules: [{ field: 'label', op: 'any_of', value: ['api', 'risk'] }] }] }
const sorting = [{ mode: 'Priority' }, { mode: 'Title', order: 'Descending' }]
const ASKED = {
  'by due': 'grouping=due',
  'by board': 'grouping=board',
  'filtered and sorted': `board_filters=${JSON.stringify(filter)}&sorting_stack=${JSON.stringify(sorting)}`,
}

/** What is assigned to one person who did much and has much to do, among very many tasks of others. */
export async function mine(bench: Bench): Promise<Row[]> {
  const house = await bench.growing('large')
  const { token, open, finished } = await busiest(bench, house)
  await idle(house)
  const all = `${open} open ones and ${finished} finished in ${bench.sizes.all}`
  const rows: Row[] = []
  for (const [how, query] of Object.entries(ASKED)) {
    // Never in the same words: more than 50 is served as 50, and no answer is one given before.
    const asks = Array.from({ length: SOME }, (_, at) =>
      requestOf('GET', encodeURI(`/api/v1/my-tasks?${query}&limit=${PAGE + at}`), { token }),
    )
    const run = load({ target: house, connections: 1, next: inTurn(asks) })
    const samples = []
    await run(bench.pace.seconds / 2)
    for (let round = 0; round < bench.pace.rounds; round++)
      samples.push(await run(bench.pace.seconds))
    rows.push({
      ...{ group: 'mine', what: `My Tasks ${how}, ${all}` },
      ...{ connections: 1, unit: 'ms', yardstick: 'p95', sample: typical(samples) },
      ...{ figure: spreadOf(samples.map(({ p95 }) => p95)), target: { most: MOST_MS } },
    })
  }
  return rows
}

/** Somebody new, who is given the first tasks of so many boards, finished ones too. */
async function busiest({ binary }: Bench, house: House) {
  const who = ['--email', 'busy@example.com', '--name', 'Busy', '--team', 'Bench']
  const added = Bun.spawnSync(
    [binary, 'user', 'add', ...who, '--role', 'member', '--json', '--data', house.data],
    { env: environment() },
  )
  if (added.exitCode !== 0) throw new Error(`cork user add failed: ${added.stderr}`)
  const { user_id, api_key: token } = JSON.parse(added.stdout.toString())
  let [open, finished] = [0, 0]
  for (const { project_id, sections } of house.boards.slice(0, BOARDS)) {
    const [first, done] = [sections[0]!, sections.at(-1)!]
    open += await assign(house, user_id, { project_id, section_id: first }, OPEN)
    finished += await assign(house, user_id, { project_id, section_id: done }, FINISHED)
  }
  return { token, open, finished }
}

interface Column {
  project_id: number
  section_id: number
}

async function assign(
  { url, api_key }: House,
  user_id: number,
  { project_id, section_id }: Column,
  many: number,
): Promise<number> {
  const path = `/api/v1/tasks?project_id=${project_id}&section_id=${section_id}&limit=${PAGE}`
  let given = 0
  for (let cursor = ''; given < many; ) {
    const { data, page } = await answer(url, api_key, 'GET', path + cursor)
    const ids = (data as { task_id: number }[]).map(({ task_id }) => task_id)
    const task_ids = ids.slice(0, many - given)
    if (!task_ids.length) break
    await call(url, api_key, 'PATCH', '/api/v1/tasks', { task_ids, assignee_ids: [user_id] })
    given += task_ids.length
    if (!page?.next_cursor) break
    cursor = `&cursor=${page.next_cursor}`
  }
  return given
}
