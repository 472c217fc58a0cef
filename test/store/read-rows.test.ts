import { beforeAll, expect, test } from 'bun:test'
import { Client } from 'pg'
import { isWrite } from '../../src/kernel/operation.ts'
import { callerFor, operations } from '../responses/requests.ts'
import { addCleanup } from '../support/database.ts'
import { resultOrFault } from '../support/faults.ts'
import { FEW_ROWS, worldWithManyTasks } from '../support/many-rows.ts'
import { onPostgres } from '../support/postgres.ts'
import { inputsOf } from '../support/read-inputs.ts'
import { isFull, scaleCount } from '../support/scale.ts'
import { type Query, queriesOf, visitsOf } from '../support/visited-rows.ts'
import type { World } from '../support/world.ts'

const TASKS = scaleCount(100_000, 1_000_000)
const TIMEOUT_MS = scaleCount(240_000, 900_000)
const QUERY_TIMEOUT_MS = 5000
/** A query may visit this many rows of a table, and some more for each row that it returns. */
const MAX_VISITED = 1000
const MAX_VISITED_PER_ROW = 10

const COUNTS = 'Up to 10,000 rows are counted for the total'
const WORDS = 'Texts with these words are sorted, because a GIN index has no order'
const SORTS_BOARD = 'No index has this order, so all tasks of the board are sorted'
const ALL_BOARDS = 'It filters and sorts the tasks of all boards'
const SMALL = 'At this size, PostgreSQL reads the table rather than look up a few rows'
const WATCHED = 'At this size, PostgreSQL reads the table rather than look up 3,000 watched tasks'
const ARCHIVE = 'No index has the kinds and words of archived notifications'

/** Reads that visit rows which their response does not show, with the reason or the bound. */
const ALLOWED: Record<string, string> = {
  'tasks.list: task_texts': WORDS,
  'tasks.list (of creators): tasks': 'Their newest tasks are found among those of others',
  'tasks.list (total): task_labels': COUNTS,
  'tasks.list (total): tasks': COUNTS,
  'views.tasks: task_labels': SORTS_BOARD,
  'views.tasks: tasks': SORTS_BOARD,
  'views.tasks (total): task_labels': COUNTS,
  'views.tasks (total): tasks': COUNTS,
  'my_tasks.list: task_labels': SMALL,
  'my_tasks.groups: task_labels': SMALL,
  'my_tasks.list (watched): tasks': WATCHED,
  'my_tasks.groups (watched): tasks': WATCHED,
  'calendar.list: tasks': 'It sorts the tasks of all boards that are due in the period',
  'calendar.list (total): tasks': COUNTS,
  'inbox.list: notifications': ARCHIVE,
  'inbox.list: tasks': ARCHIVE,
  'inbox.list (total): notifications': COUNTS,
  'inbox.list (total): tasks': COUNTS,
  'sessions.list: runs': 'No index has the words and times of the runs of a board',
  'sessions.list: tasks': 'It joins the tasks of the board to all these runs',
  'sessions.list (total): runs': COUNTS,
  'sessions.list (total): tasks': COUNTS,
  'search.tasks: description_versions': SMALL,
  'search.tasks: task_labels': ALL_BOARDS,
  'search.tasks: task_texts': WORDS,
  'search.tasks: tasks': ALL_BOARDS,
  'search.tasks (total): tasks': COUNTS,
  'rules.preview: changes': 'It tests a rule on the last 5,000 changes of the server',
  'webhooks.deliveries (total): webhook_deliveries': COUNTS,
  'projects.board_details: task_fields': SMALL,
  'projects.board_details: time_entries': SMALL,
  'pages.backlinks: page_pieces': 'It reads the texts of one board, on a reader thread',
  'pages.backlinks: tasks': 'It reads the texts of one board, on a reader thread',
}

/** Further ones that exceed the limit only with ten times the tasks. */
const ALLOWED_IN_FULL_RUNS: Record<string, string> = {
  'time.report: time_entries': 'The report of a team reads its entries, on a reader thread',
  'tasks.next: tasks':
    'More than 1,000 tasks of someone or with a label are found among all others',
  'tasks.next: task_assignees': 'As for its tasks',
  'views.export: tasks': 'An export reads the whole view',
  'views.export: task_labels': 'An export reads the whole view',
}

const postgresTest = test.skipIf(!onPostgres)
let client: Client
let queriesByRead: ReadonlyMap<string, Query[]>

beforeAll(async () => {
  if (!onPostgres) return
  const w = await worldWithManyTasks(TASKS)
  client = new Client({ connectionString: w.where.url, statement_timeout: QUERY_TIMEOUT_MS })
  await client.connect()
  addCleanup(() => client.end())
  queriesByRead = await queriesOfReads(w)
}, TIMEOUT_MS)

/** The queries of each read, with every input. */
async function queriesOfReads(w: World): Promise<Map<string, Query[]>> {
  const found = new Map<string, Query[]>()
  // Builds the search index, which reads all texts once.
  await w.cleo['search.semantic']({ query: 'logo' })
  for (const op of operations) {
    if (isWrite(op) || op.uncached === true) continue
    const { caller } = callerFor(w, op)
    const inputs = await inputsOf(w, op)
    const queries = await queriesOf(async () => {
      for (const input of inputs) await resultOrFault(w.dispatch(caller, op, input))
    })
    found.set(op.name, queries)
  }
  return found
}

interface Growing {
  visited: number
  returned: number
  sql: string
}

/** Some queries of a read have limits of their own. */
const KINDS: readonly [name: string, sql: RegExp][] = [
  [' (total)', /^select count\(\*\) from \(/],
  [' (watched)', / union /],
  [' (of creators)', /"created_by" in \(/],
]

const kindOf = (query: Query) => KINDS.find(([, sql]) => sql.test(query.sql))?.[0] ?? ''

/** The queries of a read that visit too many rows, by operation and table. */
async function growingQueries(read: string): Promise<Map<string, Growing>> {
  const found = new Map<string, Growing>()
  for (const query of queriesByRead.get(read)!) {
    const { visited, returned } = await visitsOf(client, query)
    const kind = kindOf(query)
    for (const [table, rows] of visited) {
      if (FEW_ROWS.has(table) || rows <= MAX_VISITED + MAX_VISITED_PER_ROW * returned) continue
      const key = `${read}${kind}: ${table}`
      if (rows > (found.get(key)?.visited ?? 0))
        found.set(key, { visited: rows, returned, sql: query.sql })
    }
  }
  return found
}

postgresTest(
  'no read on PostgreSQL visits rows that grow with a team or board',
  async () => {
    const found = new Map<string, Growing>()
    for (const read of queriesByRead.keys())
      for (const [key, growing] of await growingQueries(read)) found.set(key, growing)
    const allowed = isFull ? { ...ALLOWED, ...ALLOWED_IN_FULL_RUNS } : ALLOWED
    expect([...found].filter(([key]) => !(key in allowed))).toEqual([])
    // The more tasks there are, the more often PostgreSQL chooses an index.
    if (!isFull) expect(Object.keys(ALLOWED).filter((key) => !found.has(key))).toEqual([])
  },
  TIMEOUT_MS,
)

postgresTest('a read without its index is reported', async () => {
  await client.query('begin')
  await client.query('drop index evidence_task')
  const found = await growingQueries('evidence.list')
  await client.query('rollback')
  expect([...found.keys()]).toEqual(['evidence.list: evidence', 'evidence.list (total): evidence'])
})

for (const [reason, changes] of Object.entries({
  leased: ['update tasks set leased_by = created_by where section_id < 5'],
  'assigned to others': [
    `insert into task_assignees (team_id, task_id, actor_id, project_id, status)
      select team_id, task_id, created_by, project_id, status from tasks where section_id < 5
      on conflict do nothing`,
    'update tasks set assigned = true where section_id < 5',
  ],
}))
  postgresTest(
    `the next tasks are found without reading those before them that are ${reason}`,
    async () => {
      // With a million tasks the caller and a label have many; ALLOWED_IN_FULL_RUNS has the reason.
      const isOfMany = (sql: string) => isFull && /"(actor_id" =|label_id" in) /.test(sql)
      const isRead = ({ sql }: Query) => !sql.includes('count(*)') && !isOfMany(sql)
      const queries = queriesByRead.get('tasks.next')!.filter(isRead)
      await client.query('begin')
      await client.query('set local statement_timeout = 0')
      for (const change of changes) await client.query(change)
      const visited: number[] = []
      for (const query of queries)
        visited.push((await visitsOf(client, query)).visited.get('tasks') ?? 0)
      await client.query('rollback')
      expect(queries.length).toBeGreaterThan(5)
      expect(Math.max(...visited)).toBeLessThanOrEqual(MAX_VISITED)
    },
    TIMEOUT_MS,
  )
