import { type ImportApi, ImportApiError, type Preview, type Result } from '../../../import/api.ts'
import { browserFile } from '../../../import/browser-file.ts'
import { type Mapping, previewPlan } from '../../../import/mapping.ts'
import {
  checkMapping,
  earlierColumns,
  keepEdits,
  proposeMapping,
} from '../../../import/mapping-file.ts'
import { detect, openFiles } from '../../../import/open.ts'
import { planImport } from '../../../import/plan.ts'
import { ImportProblem } from '../../../import/problem.ts'
import { sendRecords } from '../../../import/send.ts'
import type { Source, SourceFile } from '../../../import/source.ts'
import { withColumns } from '../../../import/with-columns.ts'
import { connect } from './threads.ts'
import type { PageFunctions, Reading, WorkerFunctions } from './worker-types.ts'

/*
 * The entry point of the worker that reads files, so that parsing never blocks the page. The build
 * bundles it separately, with the readers; the page knows only its address.
 */

/** The page need not draw every record. */
const PROGRESS_MS = 100

let opened: { source: Source; files: SourceFile[] } | undefined
let stopping = new AbortController()
/** Pending while the import is paused. */
let gate = Promise.withResolvers<void>()
gate.resolve()
let pausedAt: number | undefined
let pausedMs = 0

const functions: WorkerFunctions = {
  async read({ files: picked, source: name, team_id }) {
    const files = await openFiles(picked.map(({ path, file }) => browserFile(path, file)))
    const source = await detect(files, name)
    opened = { source, files }
    const reading = await readWith({}, team_id)
    const columns = earlierColumns(reading.preview)
    if (source.name !== 'csv' || !columns) return reading
    return readWith(columns, team_id).catch((error: unknown) => {
      if (error instanceof ImportProblem) return reading
      throw error
    })
  },
  async readAgain({ edits, team_id }) {
    const reading = await readWith(edits.columns, team_id)
    return { reading, mapping: keepEdits(edits, reading.plan, reading.mapping) }
  },
  async send({ plan, mapping, team_id }) {
    const { files } = opened!
    const source = await withColumns(opened!.source, mapping.columns)
    checkMapping(mapping, plan)
    stopping = new AbortController()
    const { signal } = stopping
    const onProgress = (progress: Parameters<PageFunctions['sending']>[0]) =>
      void page('sending', progress)
    return sendRecords({ source, files, plan, mapping, api, team_id, onProgress, signal, now })
  },
  setPaused(isPaused) {
    if (isPaused === (pausedAt !== undefined)) return
    if (isPaused) gate = Promise.withResolvers()
    else gate.resolve()
    pausedMs += pausedAt === undefined ? 0 : performance.now() - pausedAt
    pausedAt = isPaused ? performance.now() : undefined
  },
  stop() {
    stopping.abort()
    functions.setPaused(false)
  },
}

const page = connect<PageFunctions>(globalThis as unknown as MessagePort, functions)

/** Reads the files in which some columns are known. */
async function readWith(columns: Mapping['columns'], team_id: number): Promise<Reading> {
  const { files } = opened!
  const source = await withColumns(opened!.source, columns)
  const plan = await planImport(source, files, reportRecords())
  const preview = await previewPlan(api, plan, team_id)
  const reading = { plan, preview, mapping: proposeMapping(plan, preview) }
  if (source.name !== 'csv') return reading
  const { columnsOf } = await import('../../../import/sources/csv/columns.ts')
  return { ...reading, columns: await columnsOf(files, columns ?? {}) }
}

/** A clock that stands still during a pause, so that the rate is that of the import. */
const now = () => (pausedAt ?? performance.now()) - pausedMs

async function call<T>(
  name: Parameters<PageFunctions['call']>[0]['name'],
  input: object,
): Promise<T> {
  await gate.promise
  try {
    return (await page('call', { name, input })) as T
  } catch (error) {
    const { message, status = 0 } = error as Partial<ImportApiError>
    throw new ImportApiError(message!, status)
  }
}

const api: ImportApi = {
  preview: (input) => call<Preview>('imports.preview', input),
  start: (input) => call('imports.start', input),
  async write(import_id, records) {
    const input = { import_id, records }
    return (await call<{ results: Result[] }>('imports.write', input)).results
  },
  attach: (import_id, attachment) => call('imports.attach', { import_id, attachment }),
  finish: (import_id) => call('imports.finish', { import_id }),
}

function reportRecords() {
  let reportedAt = 0
  return (records: number) => {
    if (performance.now() - reportedAt < PROGRESS_MS) return
    reportedAt = performance.now()
    void page('reading', records)
  }
}
