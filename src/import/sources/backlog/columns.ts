import type { Column } from '../../record.ts'
import { type Json, stringOf, stringsOf } from '../shared/json.ts'
import { cut } from '../shared/task-limits.ts'
import type { Folder, Kind } from './folders.ts'

export const DRAFT = 'Draft'
const HIDDEN = { decisions: 'Decisions', docs: 'Documents' } as const
const DEFAULT = ['To Do', 'In Progress', 'Done']

/** Some versions put symbols before the names of statuses. */
const plain = (status: string) => status.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')

const statusesOf = ({ config }: Folder): string[] => {
  const statuses = stringsOf(config.statuses).map((status) => cut(status, 200))
  return statuses.length ? [...new Set(statuses)] : DEFAULT
}

const isDone = (status: string) => /^(done|completed?|closed)$/.test(plain(status))

/** The statuses in which a task is done: those with such a name, else the last one. */
function doneStatuses(statuses: readonly string[]): string[] {
  const named = statuses.filter(isDone)
  return named.length ? named : statuses.slice(-1)
}

export function columnFor(folder: Folder, kind: Kind, values: Json): string {
  if (kind === 'decisions' || kind === 'docs') return HIDDEN[kind]
  if (kind.endsWith('drafts')) return DRAFT
  const statuses = statusesOf(folder)
  const status = stringOf(values.status)
  const own = statuses.find((other) => plain(other) === plain(status)) ?? cut(status, 200)
  const done = doneStatuses(statuses)
  if (kind === 'completed' && !done.includes(own) && !isDone(own)) return done[0]!
  const fallback = stringOf(folder.config.default_status)
  return own || statuses.find((other) => plain(other) === plain(fallback)) || statuses[0]!
}

/** The columns of a board: the statuses, and those that only tasks have. */
export function columnsOf(folder: Folder, used: ReadonlySet<string>): Column[] {
  const statuses = statusesOf(folder)
  const done = new Set(doneStatuses(statuses))
  const hidden = Object.values(HIDDEN).filter((title) => used.has(title))
  const known = new Set<string>([...statuses, DRAFT, ...hidden])
  const others = [...used].filter((title) => !known.has(title))
  const first = statuses.findIndex((title) => done.has(title))
  const hasDraft = used.has(DRAFT) && !statuses.includes(DRAFT)
  const titles = [...(hasDraft ? [DRAFT] : []), ...statuses.toSpliced(first, 0, ...others)]
  return [
    ...titles.map((title) => ({ title, done: done.has(title) || isDone(title) })),
    ...hidden.map((title) => ({ title, done: false, hidden: true })),
  ]
}

/** The status for a column: one of the folder, if its name is the same. */
export const statusFor = (folder: Folder, column: string): string =>
  statusesOf(folder).find((status) => plain(status) === plain(column)) ?? column
