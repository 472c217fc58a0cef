import type { FileWriter } from '../../../import/file-writer.ts'
import type { TaskLink } from './base-file.ts'
import { type BoardSide, type BoardTask, readBoard } from './board-side.ts'
import type { FilesSide } from './files-side.ts'
import { FIELDS, type FieldMerge, type Stamps, stampOf, type Values } from './merge.ts'
import {
  type CommentMerge,
  fieldsOf,
  mergeComments,
  NOTHING,
  noComments,
  type Presence,
  presenceOf,
  type TaskSides,
} from './plan-task.ts'
import type { Adopted } from './send-new.ts'
import type { Session } from './session.ts'
import { learnColumns, Translation } from './translate.ts'

export interface TaskPlan extends TaskSides {
  id: string
  /** The id of its board in the files. */
  boardId: string
  presence: Presence
  /** Whether it was sent to the board just now. */
  isSent: boolean
  merge: FieldMerge
  comments: CommentMerge
}

export interface Boards {
  sides: BoardSide[]
  tasks: Map<number, BoardTask>
  archived: BoardSide['archived']
}

/** Reads every board that the files belong to. */
export async function readBoards(session: Session): Promise<Boards> {
  const { client, catalog, projects } = session
  const boards: Boards = { sides: [], tasks: new Map(), archived: new Map() }
  for (const project_id of new Set(projects.values())) {
    const side = await readBoard(client, catalog, project_id)
    boards.sides.push(side)
    for (const [id, task] of side.tasks) boards.tasks.set(id, task)
    for (const [id, task] of side.archived) boards.archived.set(id, task)
  }
  return boards
}

/** Decides what to do about each task. Tasks that are new on a board get their ids. */
export function planRun(
  session: Session,
  side: FilesSide,
  boards: Boards,
  added: ReadonlyMap<string, Adopted>,
  files: FileWriter,
): { plans: TaskPlan[]; translation: Translation } {
  const { state, projects } = session
  for (const { id, columns } of side.boards.values()) {
    const board = boards.sides.find(({ project_id }) => project_id === projects.get(id))
    const titles = columns.map(({ title }) => title)
    if (board && state.boards[id]) learnColumns(state, id, titles, board)
  }
  const translation = new Translation(state)
  assignIds(session, boards, translation, files)
  const plans = Object.entries(state.tasks).map(([id, link]) => {
    if (link.key === '') link.key = boards.tasks.get(link.task_id)?.ticket_number ?? ''
    const compared = sidesOf(session, id, link, { side, boards, translation })
    const adopted = added.get(id)
    if (adopted) Object.assign(link, baseOf(compared, adopted))
    // Somebody deleted it on the board after an import. Nobody asked to delete it in the files.
    if (adopted && !compared.board) link.gone = true
    return planTask(session, id, compared, translation, adopted !== undefined)
  })
  return { plans, translation }
}

function planTask(
  { prefer }: Session,
  id: string,
  sides: TaskSides & { boardId: string },
  translation: Translation,
  isSent: boolean,
): TaskPlan {
  const presence = presenceOf(sides, prefer)
  const isBoth = presence === 'both'
  const merge = isBoth ? fieldsOf(sides, prefer) : NOTHING
  const comments = isBoth ? mergeComments(sides, translation, prefer) : noComments()
  return { id, ...sides, presence, isSent, merge, comments }
}

interface Everything {
  side: FilesSide
  boards: Boards
  translation: Translation
}

function sidesOf(
  session: Session,
  id: string,
  link: TaskLink,
  { side, boards, translation }: Everything,
): TaskSides & { boardId: string } {
  const file = side.tasks.get(id)
  const task = boards.tasks.get(link.task_id)
  const project = boards.sides.find(({ tasks }) => tasks.has(link.task_id))?.project_id
  const boardId = file?.record.board ?? boardOf(session, project)
  const isArchived = boards.archived.has(link.task_id)
  const board: Values | undefined = task
    ? translation.valuesOf(task, boardId, file?.values)
    : isArchived
      ? { archived: true }
      : undefined
  return { link, file, task, board, boardId }
}

/** The first board of the files whose tasks are on a board. */
const boardOf = ({ projects }: Session, project_id: number | undefined): string =>
  [...projects].find(([, id]) => id === project_id)?.[0] ?? projects.keys().next().value ?? ''

/**
 * The base of a task that was sent just now. What the board changed since an import counts as a
 * change of the board, and what both changed as one of both.
 */
function baseOf({ file, board = {} }: TaskSides, { changedHere, conflicts }: Adopted) {
  const base = { files: {} as Stamps, board: {} as Stamps }
  for (const field of FIELDS) {
    const value = file?.values[field]
    if (value === undefined) continue
    const isConflict = (conflicts as string[]).includes(field)
    const isChanged = (changedHere as string[]).includes(field) || field === 'dependencies'
    base.files[field] = isConflict ? CHANGED : stampOf(value)
    base.board[field] = isConflict
      ? CHANGED
      : isChanged || board[field] === undefined
        ? stampOf(value)
        : stampOf(board[field])
  }
  return base
}

/** No value has this stamp. */
const CHANGED = '#'

function assignIds(
  { state, projects }: Session,
  { sides }: Boards,
  translation: Translation,
  files: FileWriter,
): void {
  const linked = new Set(Object.values(state.tasks).map(({ task_id }) => task_id))
  for (const { project_id, tasks } of sides) {
    const board = [...projects].find(([, id]) => id === project_id)![0]
    const byKey = new Map([...tasks.values()].map((task) => [task.ticket_number, task]))
    const assign = (task: BoardTask): string => {
      const known = translation.idOf(task.ticket_number)
      if (known !== undefined) return known
      const above = task.parent === null ? undefined : byKey.get(task.parent)
      const id = files.newId(board, above ? assign(above) : null)
      translation.add(task.ticket_number, id)
      const { task_id, ticket_number: key } = task
      state.tasks[id] = { task_id, key, files: {}, board: {}, comments: {}, pending: true }
      return id
    }
    for (const task of tasks.values()) if (!linked.has(task.task_id)) assign(task)
  }
}
