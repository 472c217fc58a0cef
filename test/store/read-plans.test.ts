import { expect, test } from 'bun:test'
import { isWrite } from '../../src/kernel/operation.ts'
import { callerFor, operations } from '../responses/requests.ts'
import { resultOrFault } from '../support/faults.ts'
import { growingTables, queryPlans } from '../support/query-plans.ts'
import { inputsOf } from '../support/read-inputs.ts'
import { world } from '../support/world.ts'

const COUNTS = 'Its filter has no index, so up to 10,000 rows are counted for the total'
const SORTS = 'Boards have few of them, and no index has this order'

const BOARD_TEXTS = 'It reads the texts of one board, on a reader thread'

/** Reads that visit rows which their response does not show, with the reason or the bound. */
const ALLOWED: Record<string, string> = {
  'tasks.list: tasks': COUNTS,
  'views.tasks: tasks': COUNTS,
  'search.tasks: tasks':
    'It filters and sorts the tasks of all boards; words find them by an index',
  'sessions.list: runs': COUNTS,
  'reports.list: reports': SORTS,
  'guidance.versions: guidance_versions': SORTS,
  'code_hosts.list: repositories': 'Few repositories are linked on a server',
  'imports.list: source_imports': 'A team imports from few sources',
  'placeholders.list: placeholders': 'It lists all of the few that a team has',
  'decision_requests.list: decision_requests': 'Requests of a team with one status, sorted by time',
  'pages.backlinks: tasks': BOARD_TEXTS,
  'pages.backlinks: pages': BOARD_TEXTS,
  'time.report: time_entries': 'The report of a team reads its entries, on a reader thread',
}

/** The statements that visit a growing number of rows, by operation and table. */
async function growingReads(): Promise<Map<string, string>> {
  const w = await world({ full: true })
  const found = new Map<string, string>()
  // Builds the search index, which reads all texts once.
  await w.cleo['search.semantic']({ query: 'logo' })
  for (const op of operations) {
    if (isWrite(op) || op.uncached === true) continue
    const { caller } = callerFor(w, op)
    for (const input of await inputsOf(w, op))
      for (const plan of await queryPlans(() => resultOrFault(w.dispatch(caller, op, input))))
        for (const table of growingTables(plan)) found.set(`${op.name}: ${table}`, plan.sql)
  }
  return found
}

test('no read, with any filter and sort, visits rows that grow with a team or board', async () => {
  const found = await growingReads()
  const unexpected = [...found].filter(([read]) => !(read in ALLOWED))
  expect(unexpected).toEqual([])
  expect(Object.keys(ALLOWED).filter((read) => !found.has(read))).toEqual([])
})
