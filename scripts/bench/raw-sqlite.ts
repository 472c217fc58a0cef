/**
 * A baseline for SQLite: inserts the rows of created tasks with prepared statements, and shares one
 * synced commit among all waiting callers.
 *
 *   bun scripts/bench/raw-sqlite.ts <database> <fixture as JSON>
 *
 * Reads a line `<seconds> <callers> <plain|detailed>` at a time and prints a sample for each.
 */
import { Database } from 'bun:sqlite'
import { generateKeyBetween } from 'fractional-indexing'
import type { Board, Fixture } from './fixture.ts'
import {
  ASSIGNEE_FIELDS,
  CHANGE_FIELDS,
  inserter,
  LABEL_FIELDS,
  TASK_FIELDS,
  VERSION_FIELDS,
} from './inserter.ts'
import { sampleOf } from './sample.ts'
import { taskInputAt } from './task-inputs.ts'

const [, , path = '', fixtureJson = '{}'] = process.argv
const fixture: Fixture = JSON.parse(fixtureJson)
const board: Board = fixture.boards[0]!
const { team_id, owner_id } = fixture
const { project_id, key } = board
const section_id = board.sections[0]!

const database = new Database(path)
database.run('PRAGMA journal_mode=WAL')
database.run('PRAGMA synchronous=FULL')
database.run('PRAGMA foreign_keys=ON')
const task = inserter(database, 'tasks', TASK_FIELDS)
const change = inserter(database, 'changes', CHANGE_FIELDS)
const version = inserter(database, 'description_versions', VERSION_FIELDS)
const label = inserter(database, 'task_labels', LABEL_FIELDS)
const assignee = inserter(database, 'task_assignees', ASSIGNEE_FIELDS)
const number = database.prepare<{ next_number: number }, [number]>(
  'update projects set next_number = next_number + 1 where project_id = ? returning next_number',
)
const last = database
  .query<{ rank: string }, [number]>(
    'select rank from tasks where section_id = ? order by rank desc limit 1',
  )
  .get(section_id)
let rank = last?.rank ?? null
let createdCount = 0

function create(hasDetails: boolean) {
  const now = Date.now()
  const input = taskInputAt(board, createdCount++, hasDetails ? fixture.people : [])
  const unique_index = number.get(project_id)!.next_number - 1
  const ticket_number = `${key}-${unique_index}`
  rank = generateKeyBetween(rank, null)
  const description = input.description ?? null
  const task_id = task({
    ...{ team_id, project_id, section_id, unique_index, ticket_number, title: input.title },
    ...{ description, content_type: 'html', description_version: description ? 1 : 0 },
    ...{ priority: input.priority, estimate: 0, status: 'Normal', rank, created_by: owner_id },
    ...{ created_at: now, updated_at: now },
  })
  const { title, labels = [], assignee_ids = [] } = input
  const about = { team_id, project_id, task_id, actor_id: owner_id, created_at: now }
  if (description) {
    const text = { version: 1, content: description, content_type: 'html' }
    version({ ...{ team_id, task_id, created_at: now }, ...text, author_id: owner_id })
  }
  const link = { team_id, task_id, project_id, status: 'Normal' }
  for (const label_id of labels) label({ ...link, label_id })
  const data = JSON.stringify({ ticket_number, title, section_id })
  change({ ...about, type: 'task.created', data })
  for (const actor_id of assignee_ids) {
    assignee({ ...link, actor_id })
    change({ ...about, type: 'task.assigned', data: JSON.stringify({ ticket_number, actor_id }) })
  }
}

/** Every caller creates the next task as soon as its last one is on disk. */
async function run(seconds: number, callers: number, hasDetails: boolean) {
  const times: number[] = []
  let waiting: (() => void)[] = []
  const startedAt = performance.now()
  const deadline = startedAt + seconds * 1000
  const caller = async () => {
    while (performance.now() < deadline) {
      const startedAt = performance.now()
      await new Promise<void>((done) => waiting.push(done))
      times.push(performance.now() - startedAt)
    }
  }
  const { user, system } = process.cpuUsage()
  const all = Promise.all(Array.from({ length: callers }, caller))
  while (waiting.length) {
    const group = waiting
    waiting = []
    database.run('BEGIN IMMEDIATE')
    for (const _ of group) create(hasDetails)
    database.run('COMMIT')
    for (const done of group) done()
    await new Promise((next) => setImmediate(next))
  }
  await all
  const elapsed = (performance.now() - startedAt) / 1000
  const spent = process.cpuUsage({ user, system })
  const server = (spent.user + spent.system) / 1e6 / elapsed
  return sampleOf(times, elapsed, { client: 0, server })
}

for await (const line of console) {
  const [seconds, callers, kind] = line.split(' ')
  console.log(JSON.stringify(await run(Number(seconds), Number(callers), kind === 'detailed')))
}
