import { cache, keyOf } from '../../data/cache.ts'
import { type Input, type Name, type Output, wordsOf } from '../../data/client.ts'
import type { Me } from '../../frame/places.ts'
import { complain, say } from '../../frame/toasts.tsx'

export type Board = Output<'projects.manifest'>
export type Column = Output<'sections.list'>['items'][number]
export type Field = Output<'custom_fields.list'>['items'][number]
export type Member = Output<'projects.members'>['items'][number]
export type Label = Board['labels'][number]

/** What each part of a board's settings is given. */
export interface PartProps {
  board: Board
  may: May
}

export interface May {
  /** Change what the board is made of. */
  write: boolean
  /** Archive it, and say who sees it. */
  manage: boolean
  role: Me['teams'][number]['role'] | undefined
}

export function mayOn(me: Me, { team_id, may_manage }: Board): May {
  const role = me.teams.find((one) => one.team_id === team_id)?.role
  const scopes = new Set(me.permissions)
  return {
    write: role !== undefined && role !== 'guest' && scopes.has('projects:write'),
    manage: may_manage,
    role,
  }
}

export const columnsOf = (project_id: number) =>
  ({ project_id, include_hidden: true, limit: 50 }) as const
export const fieldsOf = (project_id: number) => ({ project_id, limit: 50 })

/** Shows an answer as it will be, and answers how that is taken back. */
export function showAhead<N extends Name>(
  name: N,
  input: Input<N>,
  change: (now: Output<N>) => Output<N>,
): () => void {
  const key = keyOf(name, input)
  void cache.cancelQueries({ queryKey: key })
  const before = cache.getQueryData<Output<N>>(key)
  if (before !== undefined) cache.setQueryData<Output<N>>(key, change(before))
  return () => {
    // At once as it was, also where nobody can be asked how it is.
    if (before !== undefined) cache.setQueryData<Output<N>>(key, before)
    void cache.invalidateQueries({ queryKey: key })
  }
}

export const patchBoard = (project_id: number, change: Partial<Board>) =>
  showAhead('projects.manifest', { project_id }, (now) => ({ ...now, ...change }))

/** What the board itself shows is asked for anew when somebody goes there. */
export function readBoard(project_id: number) {
  void cache.invalidateQueries({ queryKey: keyOf('projects.board', { project_id }) })
  void cache.invalidateQueries({ queryKey: keyOf('projects.manifest', { project_id }) })
}

interface Turn {
  made: Promise<unknown>
  back(): void
  words?: string | undefined
  undo?: () => unknown
  /** It takes the place of what was told before about the same. */
  about?: string
}

/** Tells at once of what is being written; where it is refused that is unsaid, and as it was. */
export async function turn({ made, back, words, undo, about }: Turn): Promise<boolean> {
  const again = undo && (() => void made.then(undo, () => {}))
  const unsay = words && say(words, again, about)
  try {
    await made
    return true
  } catch (error) {
    if (unsay) unsay()
    back()
    refused(error)
    return false
  }
}

export const refused = (error: unknown) => complain(wordsOf(error))

export const many = (count: number, thing: string) =>
  count === 1 ? `1 ${thing}` : `${count.toLocaleString()} ${thing}s`
