import type { Mapping } from '../../../import/mapping.ts'
import type { ImportProblem } from '../../../import/problem.ts'
import type { Progress, SendSummary } from '../../../import/send.ts'
import { cache } from '../../data/cache.ts'
import { callOperation, type Input } from '../../data/client.ts'
import { runningImport } from '../../entities/import/running.ts'
import { ApiError, errorText, messageWithHint } from '../../kit/errors.ts'
import { createStore } from '../../kit/store.ts'
import { editsOf, withoutBlanks } from './mapping-edits.ts'
import { startWorker } from './start-worker.ts'
import type { Choice, PageFunctions, Reading } from './worker-types.ts'

/** Why an import cannot go on. A problem of the files has a place and a remedy. */
export interface Problem {
  message: string
  remedy?: string
  at?: ImportProblem['at']
}

export interface Previewing {
  step: 'preview'
  choice: Choice
  reading: Reading
  mapping: Mapping
  /** Whether the files are read again, because somebody said what a column is. */
  isReading?: boolean
  problem?: Problem
}

export interface Sending extends Omit<Previewing, 'step' | 'isReading'> {
  step: 'sending'
  progress?: Progress
  isPaused: boolean
}

export type ImportState =
  | { step: 'choose'; choice?: Choice; problem?: Problem }
  | { step: 'reading'; choice: Choice; records: number }
  | Previewing
  | Sending
  | (Omit<Previewing, 'step'> & { step: 'result'; summary: SendSummary })

/** It outlives the screen, so that an import goes on while somebody uses another one. */
const state = createStore<ImportState>({ step: 'choose' })
export const useImportState = state.use

let worker: ReturnType<typeof startWorker> | undefined

const pageFunctions: PageFunctions = {
  call: ({ name, input }) =>
    callOperation(name, input as Input<typeof name>).catch((error: unknown) => {
      throw error instanceof ApiError
        ? Object.assign(error, { message: messageWithHint(error) })
        : error
    }),
  reading(records) {
    const current = state.get()
    if (current.step === 'reading') state.set({ ...current, records })
  },
  sending(progress) {
    const current = state.get()
    if (current.step === 'sending') setSending({ ...current, progress })
  },
}

const problemOf = (error: unknown): Problem => {
  const { problem, remedy, at } = error as Partial<ImportProblem>
  return problem === undefined
    ? { message: errorText(error) }
    : { message: problem, ...(remedy && { remedy }), ...(at && { at }) }
}

/** Reads files completely, and asks the server what it knows of them. */
export async function readFiles(choice: Choice): Promise<void> {
  state.set({ step: 'reading', choice, records: 0 })
  worker?.end()
  worker = startWorker(pageFunctions)
  const own = worker
  try {
    const reading = await own.call('read', choice)
    if (own === worker) state.set({ step: 'preview', choice, reading, mapping: reading.mapping })
  } catch (error) {
    if (own === worker) state.set({ step: 'choose', choice, problem: problemOf(error) })
  }
}

/** Returns to the first step, with the files if they may still be of use. */
export function chooseAgain(choice?: Choice) {
  worker?.end()
  worker = undefined
  runningImport.set(undefined)
  state.set({ step: 'choose', ...(choice && { choice }) })
}

export function setMapping(mapping: Mapping) {
  const current = state.get()
  if (current.step === 'preview') state.set({ ...current, mapping })
}

/** Somebody may change several columns. */
const READ_AGAIN_MS = 400
let readingAgain: ReturnType<typeof setTimeout> | undefined

/** Says what columns of CSV files are, and reads them again. */
export function setColumns(columns: NonNullable<Mapping['columns']>) {
  const current = state.get()
  if (current.step !== 'preview') return
  const { problem: _, ...others } = current
  state.set({ ...others, mapping: { ...current.mapping, columns }, isReading: true })
  clearTimeout(readingAgain)
  readingAgain = setTimeout(() => void readAgain(columns), READ_AGAIN_MS)
}

async function readAgain(columns: Mapping['columns']) {
  const before = state.get()
  const own = worker
  const preview = () => {
    const current = state.get()
    const isLatest = own === worker && current.step === 'preview'
    return isLatest && current.mapping.columns === columns ? current : undefined
  }
  if (!own || before.step !== 'preview' || !preview()) return
  const { choice, reading, mapping } = before
  const edits = editsOf(withoutBlanks(mapping), reading.mapping)
  try {
    const next = await own.call('readAgain', { edits, team_id: choice.team_id })
    if (preview()) state.set({ step: 'preview', choice, ...next })
  } catch (error) {
    const { columns: __, ...others } = mapping
    const { columns: last } = reading.mapping
    const restored = { ...others, ...(last && { columns: last }) }
    if (preview())
      state.set({ step: 'preview', choice, reading, mapping: restored, problem: problemOf(error) })
  }
}

/** Imports, or continues: the server knows what it has already. */
export async function startImport(): Promise<void> {
  const current = state.get()
  if (!('mapping' in current) || ('isReading' in current && current.isReading)) return
  const { choice, reading } = current
  const mapping = withoutBlanks(current.mapping)
  setSending({ step: 'sending', choice, reading, mapping, isPaused: false })
  try {
    const summary = await worker!.call('send', {
      ...{ plan: reading.plan, mapping, team_id: choice.team_id },
    })
    await updateImport(summary)
    for (const name of ['imports.list', 'user_context.get'])
      void cache.invalidateQueries({ queryKey: [name] })
    const title = reading.plan.origin.title
    runningImport.set({ title, percent: 100, state: summary.stopped ? 'paused' : 'finished' })
    state.set({ step: 'result', choice, reading, mapping, summary })
  } catch (error) {
    const sending = state.get() as Sending
    setSending({ ...sending, problem: problemOf(error) })
  }
}

/** The counts and boards of an import that was stopped are those of its start. */
async function updateImport(summary: SendSummary) {
  const import_id = Number(summary.import?.import_id)
  if (summary.stopped && import_id)
    summary.import = (await callOperation('imports.get', { import_id })) as SendSummary['import']
}

function setSending(next: Sending) {
  const { done = 0, total = 0 } = next.progress ?? {}
  runningImport.set({
    title: next.reading.plan.origin.title,
    percent: total ? Math.floor((100 * done) / total) : 0,
    state: next.problem ? 'failed' : next.isPaused ? 'paused' : 'running',
  })
  state.set(next)
}

export function setPaused(isPaused: boolean) {
  const current = state.get()
  if (current.step !== 'sending') return
  void worker!.call('setPaused', isPaused)
  setSending({ ...current, isPaused })
}

/** Stops after the request in progress. What was imported stays. */
export const stopImport = () => void worker!.call('stop', null)

/** Returns to the preview of the same files, after a problem or to continue differently. */
export function backToPreview() {
  const current = state.get()
  if (!('mapping' in current)) return
  const { choice, reading, mapping } = current
  runningImport.set(undefined)
  state.set({ step: 'preview', choice, reading, mapping })
}

/** A result that was seen is not shown again. */
export function forgetResult() {
  if (state.get().step === 'result') chooseAgain()
}

addEventListener('beforeunload', (event) => {
  const current = state.get()
  const isEdited = current.step === 'preview' && current.mapping !== current.reading.mapping
  if (current.step === 'sending' || isEdited) event.preventDefault()
})
