import { Database } from 'bun:sqlite'
import { join } from 'node:path'
import pino from 'pino'
import { openStore } from '../../src/store/open.ts'
import { Sweeper } from '../../src/workers/index.ts'
import type { BenchServers } from './bench-servers.ts'
import type { Row } from './report.ts'
import { median, sampleOf } from './sample.ts'

const HOUR_MS = 60 * 60 * 1000
/** The number of tasks that are due soon, and also of those that are overdue, per thousand. */
const DUE_PER_THOUSAND = 20
const MAX_MS = 20
const NAMES = { remind: 'send due reminders', archive: 'archive done tasks' }
type Kind = keyof typeof NAMES

/** Measures how long each batch of a sweep blocks other writers. */
export async function sweeps(bench: BenchServers): Promise<Row[]> {
  const { folder, boards } = await bench.copyData('large')
  const path = join(folder, 'corkboard.db')
  const dueTasks = Math.round((bench.sizes.all * DUE_PER_THOUSAND) / 1000)
  prepareDatabase(path, boards[0]!.project_id, dueTasks)
  const batches: Record<Kind, Batch[]> = { remind: [], archive: [] }
  const startedAt = performance.now()
  const clock = () => new Date()
  const store = await openStore({ path }, clock)
  try {
    await new Sweeper({
      ...{ store, clock, log: pino({ level: 'warn' }) },
      onBatch: (name, ms, tasks) =>
        batches[name === 'archive' ? name : 'remind'].push({ ms, tasks }),
    }).sweepAll()
  } finally {
    await store.close()
  }
  const seconds = (performance.now() - startedAt) / 1000
  return (['remind', 'archive'] as const).map((kind) =>
    rowOf(kind, batches[kind], bench.sizes.all, seconds),
  )
}

interface Batch {
  ms: number
  tasks: number
}

function rowOf(kind: Kind, batches: readonly Batch[], allTasks: number, seconds: number): Row {
  const times = batches.map(({ ms }) => ms)
  const tasks = batches.reduce((sum, batch) => sum + batch.tasks, 0)
  const sample = sampleOf(times, seconds, { client: Number.NaN, server: Number.NaN })
  const batchSize = median(batches.map((batch) => batch.tasks))
  return {
    ...{ group: 'sweeps', unit: 'ms', baselineName: 'p99', target: { max: MAX_MS } },
    measurement: `${NAMES[kind]}: time of a batch, ${tasks} of ${allTasks} tasks`,
    sample: { ...sample, rate: Number.NaN },
    figure: { median: sample.p99, low: sample.p99, high: sample.p99 },
    note: `${batches.length} batches, median size ${batchSize}`,
  }
}

/** Makes tasks due soon and overdue, and turns on auto-archive, as after a long downtime. */
function prepareDatabase(path: string, project_id: number, count: number) {
  const database = new Database(path)
  const open = `status = 'Normal' and completed_at is null and due_at is not null`
  const makeDue = database.prepare(
    `update tasks set reminded = 0, due_at = ? where task_id in
      (select task_id from tasks where ${open} and reminded = 2 order by task_id % 997 limit ?)`,
  )
  makeDue.run(Date.now() - HOUR_MS, count)
  makeDue.run(Date.now() + HOUR_MS, count)
  database.run('update projects set auto_archive_days = 1 where project_id = ?', [project_id])
  database.close()
}
