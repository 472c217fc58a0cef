import { mkdir, readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { CommandError } from '../command.ts'
import type { Base, Field, Stamp, Stamps } from './merge.ts'
import { FIELDS } from './merge.ts'
import { writeAtomically } from './text-files.ts'

/** A comment on both sides, with its text on each as it was after the last run. */
export interface CommentLink {
  comment_id: number
  files: Stamp
  board: Stamp
  /** A comment of the board that the last run was about to write to the files. */
  pending?: true
}

/** A task on both sides. */
export interface TaskLink extends Base {
  task_id: number
  key: string
  comments: Record<string, CommentLink>
  /** The task is deleted on the board, and what the files made of that is done. */
  gone?: true
  /** A task of the board that the last run was about to write to the files. */
  pending?: true
}

export interface BoardLink {
  project_id: number
  /** The columns of the files by their titles, with those of the board. */
  columns: Record<string, number>
  /** A digest of what the board was sent about columns, labels and fields. */
  sent: string
}

/** What both sides had in common after the last run. */
export interface SyncState {
  url: string
  boards: Record<string, BoardLink>
  /** The people of the files by their names, with their numbers on the server. */
  people: Record<string, number>
  tasks: Record<string, TaskLink>
}

const VERSION = 1

export const baseFileOf = (folder: string, source: string): string =>
  join(folder, '.corkboard', `sync-${source}.json`)

export const emptyState = (url: string): SyncState => ({ url, boards: {}, people: {}, tasks: {} })

export async function readState(path: string, url: string): Promise<SyncState> {
  const text = await readFile(path, 'utf8').catch((error) => {
    if (error.code === 'ENOENT') return undefined
    throw new CommandError(`${path} cannot be read: ${error.message}`)
  })
  if (text === undefined) return emptyState(url)
  const state = parse(text, path)
  if (state.url === url) return state
  throw new CommandError(
    `${path} belongs to the server ${state.url}, but you are signed in to ${url}. Sign in there with "cork login ${state.url}", or delete the file to begin again`,
  )
}

type StoredTask = Omit<TaskLink, 'board'> & { board: Stamps }

function parse(text: string, path: string): SyncState {
  try {
    const { version, ...state } = JSON.parse(text)
    if (version !== VERSION) throw new Error(`version ${version} is unknown`)
    const tasks = Object.entries(state.tasks as Record<string, StoredTask>)
    for (const [, task] of tasks) task.board = { ...task.files, ...task.board }
    return state
  } catch (error) {
    throw new CommandError(
      `${path} is damaged (${(error as Error).message}). Restore it from version control, or delete it to begin again`,
    )
  }
}

/** Each task is a line, in the order of the ids, so that versions of the file can be merged. */
export async function writeState(path: string, state: SyncState): Promise<void> {
  const { tasks, ...rest } = state
  const head = JSON.stringify({ version: VERSION, ...rest }, null, 2).slice(0, -2)
  const lines = Object.entries(tasks)
    .sort(([a], [b]) => COLLATOR.compare(a, b))
    .map(([id, task]) => `    ${JSON.stringify(id)}: ${JSON.stringify(stored(task))}`)
  await mkdir(dirname(path), { recursive: true })
  await writeAtomically(path, `${head},\n  "tasks": {\n${lines.join(',\n')}\n  }\n}\n`)
}

const COLLATOR = new Intl.Collator('en', { numeric: true })

/** Values of the board are left out where those of the files are the same. */
function stored({ files, board, ...task }: TaskLink): StoredTask {
  const differs = (field: Field) => JSON.stringify(files[field]) !== JSON.stringify(board[field])
  const own = FIELDS.filter((field) => board[field] !== undefined && differs(field))
  return { ...task, files, board: Object.fromEntries(own.map((field) => [field, board[field]])) }
}
