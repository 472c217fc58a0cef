import { Database } from 'bun:sqlite'
import { join } from 'node:path'
import pino from 'pino'
import { openStore } from '../../src/store/open.ts'
import { Sweeper } from '../../src/workers/index.ts'
import type { Bench } from './house.ts'
import type { Row } from './report.ts'
import { median, sampleOf } from './sample.ts'

const HOUR_MS = 60 * 60 * 1000
/** Of a thousand tasks so many are due soon, and as many overdue, when they are first looked at. */
const DUE = 20
const MOST_MS = 20
const KINDS = ['remind', 'archive'] as const

/** How long each batch of what time brings about keeps the writer from others. */
export async function sweeps(bench: Bench): Promise<Row[]> {
  const { folder, boards } = await bench.data('large')
  const path = join(folder, 'corkboard.db')
  ripen(path, boards[0]!.project_id, Math.round((bench.sizes.all * DUE) / 1000))
  const heard = { remind: [] as Batch[], archive: [] as Batch[] }
  const began = performance.now()
  const clock = () => new Date()
  const store = await openStore({ path }, clock)
  try {
    await new Sweeper({
      ...{ store, clock, log: pino({ level: 'warn' }) },
      onBatch: (name, ms, tasks) => heard[name === 'archive' ? name : 'remind'].push({ ms, tasks }),
    }).sweepAll()
  } finally {
    await store.close()
  }
  const seconds = (performance.now() - began) / 1000
  return KINDS.map((kind) => rowOf(kind, heard[kind], bench.sizes.all, seconds))
}

interface Batch {
  ms: number
  tasks: number
}

const WHAT = { remind: 'remind of dates', archive: 'archive what is done' }

function rowOf(kind: keyof typeof WHAT, batches: readonly Batch[], all: number, seconds: number) {
  const times = batches.map(({ ms }) => ms)
  const tasks = batches.reduce((sum, batch) => sum + batch.tasks, 0)
  const sample = sampleOf(times, seconds, { client: Number.NaN, server: Number.NaN })
  const usual = median(batches.map((batch) => batch.tasks))
  return {
    ...{ group: 'sweeps', what: `${WHAT[kind]}: hold of the writer, ${tasks} of ${all} tasks` },
    ...{ unit: 'ms' as const, yardstick: 'p99', sample: { ...sample, rate: Number.NaN } },
    figure: { median: sample.p99, low: sample.p99, high: sample.p99 },
    ...{ target: { most: MOST_MS }, note: `${batches.length} batches, of ${usual} tasks usually` },
  }
}

/** What came to be due, or was left alone, while no server ran. */
function ripen(path: string, project_id: number, many: number) {
  const database = new Database(path)
  const open = `status = 'Normal' and completed_at is null and due_at is not null`
  const due = database.prepare(
    `update tasks set reminded = 0, due_at = ? where task_id in
      (select task_id from tasks where ${open} and reminded = 2 order by task_id % 997 limit ?)`,
  )
  due.run(Date.now() - HOUR_MS, many)
  due.run(Date.now() + HOUR_MS, many)
  database.run('update projects set auto_archive_days = 1 where project_id = ?', [project_id])
  database.close()
}
