import { cache, patchQuery, queryKeyOf, writeOptimistically } from '../../../data/cache.ts'
import type { Output } from '../../../data/client.ts'
import type { Me } from '../../../entities/user/me.ts'
import { showError, showToast } from '../../../kit/toasts.tsx'

export type Board = Output<'projects.manifest'>
export type Column = Output<'sections.list'>['items'][number]
export type Field = Output<'custom_fields.list'>['items'][number]
export type Member = Output<'projects.members'>['items'][number]
export type Label = Board['labels'][number]

/** The props of each section of the board settings. */
export interface PartProps {
  board: Board
  may: Permissions
}

export interface Permissions {
  /** Can change the board's sections, labels and fields. */
  write: boolean
  /** Can archive the board and change who sees it. */
  manage: boolean
  role: Me['teams'][number]['role'] | undefined
}

export function permissionsOn(me: Me, { team_id, may_manage }: Board): Permissions {
  const role = me.teams.find((one) => one.team_id === team_id)?.role
  const scopes = new Set(me.permissions)
  return {
    write: role !== undefined && role !== 'guest' && scopes.has('projects:write'),
    manage: may_manage,
    role,
  }
}

export const columnsQuery = (project_id: number) =>
  ({ project_id, include_hidden: true, limit: 50 }) as const
export const fieldsQuery = (project_id: number) => ({ project_id, limit: 50 })

export const patchBoard = (project_id: number, change: Partial<Board>) =>
  patchQuery('projects.manifest', { project_id }, (current) => ({ ...current, ...change }))

/** Invalidates the board's queries, so that the board is up to date when it is opened. */
export function reloadBoard(project_id: number) {
  void cache.invalidateQueries({ queryKey: queryKeyOf('projects.board', { project_id }) })
  void cache.invalidateQueries({ queryKey: queryKeyOf('projects.manifest', { project_id }) })
}

interface WriteWithUndo<T> {
  /** Shows the change before the server confirms it; returns a function that undoes it. */
  change?(): () => void
  send(): Promise<T>
  message?: string | undefined
  undo?: (output: T) => unknown
  /** A newer message about the same topic replaces the older one. */
  topic?: string
}

/** Shows a change and its message at once, and takes both back if the server refuses the write. */
export async function runWrite<T>({
  change,
  send,
  message,
  undo,
  topic,
}: WriteWithUndo<T>): Promise<boolean> {
  const request = writeOptimistically(() => change?.(), send)
  const runUndo = undo && (() => void request.then(undo, () => {}))
  const dismiss = message && showToast(message, runUndo, topic)
  try {
    await request
    return true
  } catch (error) {
    if (dismiss) dismiss()
    showError(error)
    return false
  }
}
