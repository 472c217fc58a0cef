/**
 * What the disk and SQLite can do when nothing stands before them: the rows of a created task,
 * written with prepared statements, and one synced commit for all callers that wait.
 *
 *   bun scripts/bench/raw.ts <database> <facts as JSON>
 *
 * Reads a line `<seconds> <callers> <plain|rich>` at a time and answers each with a sample.
 */
import { Database } from 'bun:sqlite'
import { generateKeyBetween } from 'fractional-indexing'
import { draftAt } from './drafts.ts'
import type { Board, Facts } from './facts.ts'
import { CHANGE_FIELDS, inserter, TASK_FIELDS, VERSION_FIELDS } from './inserts.ts'
import { sampleOf } from './sample.ts'

const [, , path = '', told = '{}'] = process.argv
const facts: Facts = JSON.parse(told)
const board: Board = facts.boards[0]!
const { team_id, owner_id } = facts
const { project_id, key } = board
const section_id = board.sections[0]!

const database = new Database(path)
database.run('PRAGMA journal_mode=WAL')
database.run('PRAGMA synchronous=FULL')
database.run('PRAGMA foreign_keys=ON')
const task = inserter(database, 'tasks', TASK_FIELDS)
const change = inserter(database, 'changes', CHANGE_FIELDS)
const version = inserter(database, 'description_versions', VERSION_FIELDS)
const label = inserter(database, 'task_labels', ['team_id', 'task_id', 'label_id'])
const assignee = inserter(database, 'task_assignees', ['team_id', 'task_id', 'actor_id'])
const number = database.prepare<{ next_number: number }, [number]>(
  'update projects set next_number = next_number + 1 where project_id = ? returning next_number',
)
const lowest = database
  .query<{ rank: string }, [number]>(
    'select rank from tasks where section_id = ? order by rank desc limit 1',
  )
  .get(section_id)
let rank = lowest?.rank ?? null
let made = 0

function create(rich: boolean) {
  const now = Date.now()
  const draft = draftAt(board, made++, rich ? facts.people : [])
  const unique_index = number.get(project_id)!.next_number - 1
  const ticket_number = `${key}-${unique_index}`
  rank = generateKeyBetween(rank, null)
  const description = draft.description ?? null
  const task_id = task({
    ...{ team_id, project_id, section_id, unique_index, ticket_number, title: draft.title },
    ...{ description, content_type: 'html', description_version: description ? 1 : 0 },
    ...{ priority: draft.priority, estimate: 0, status: 'Normal', rank, created_by: owner_id },
    ...{ created_at: now, updated_at: now },
  })
  const { title, labels = [], assignee_ids = [] } = draft
  const about = { team_id, project_id, task_id, actor_id: owner_id, created_at: now }
  if (description) {
    const text = { version: 1, content: description, content_type: 'html' }
    version({ ...{ team_id, task_id, created_at: now }, ...text, author_id: owner_id })
  }
  for (const label_id of labels) label({ team_id, task_id, label_id })
  const data = JSON.stringify({ ticket_number, title, section_id })
  change({ ...about, type: 'task.created', data })
  for (const actor_id of assignee_ids) {
    assignee({ team_id, task_id, actor_id })
    change({ ...about, type: 'task.assigned', data: JSON.stringify({ ticket_number, actor_id }) })
  }
}

/** Every caller asks again as soon as its own create is on disk. */
async function run(seconds: number, callers: number, rich: boolean) {
  const times: number[] = []
  let waiting: (() => void)[] = []
  const began = performance.now()
  const ends = began + seconds * 1000
  const caller = async () => {
    while (performance.now() < ends) {
      const asked = performance.now()
      await new Promise<void>((done) => waiting.push(done))
      times.push(performance.now() - asked)
    }
  }
  const { user, system } = process.cpuUsage()
  const all = Promise.all(Array.from({ length: callers }, caller))
  while (waiting.length) {
    const group = waiting
    waiting = []
    database.run('BEGIN IMMEDIATE')
    for (const _ of group) create(rich)
    database.run('COMMIT')
    for (const done of group) done()
    await new Promise((next) => setImmediate(next))
  }
  await all
  const elapsed = (performance.now() - began) / 1000
  const spent = process.cpuUsage({ user, system })
  const server = (spent.user + spent.system) / 1e6 / elapsed
  return sampleOf(times, elapsed, { client: 0, server })
}

for await (const line of console) {
  const [seconds, callers, kind] = line.split(' ')
  console.log(JSON.stringify(await run(Number(seconds), Number(callers), kind === 'rich')))
}
