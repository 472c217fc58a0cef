import { and, type SQL } from 'drizzle-orm'
import type { Context } from '../../../../kernel/caller.ts'
import { hasAssignee, openTasksIfFew } from '../../../tasks/assignees/model/index.ts'

interface Filter {
  where?: SQL | undefined
  /** The only tasks that it can have, if these are few. */
  ids?: readonly number[] | undefined
}

/**
 * Either the unassigned or the assigned tasks of a queue. Each are in order in the indexes of the
 * queue, so that none of them is read only to be left out.
 */
export interface Part extends Filter {
  assigned: boolean
}

export const EVERYONE: readonly Part[] = [{ assigned: false }, { assigned: true }]

export const ASSIGNEES = ['me', 'none', 'any'] as const

/** The parts of a queue; by default its unassigned tasks and those of the caller. */
export async function partsOf(
  { tx, caller }: Context,
  board: { team_id: number; project_id: number },
  assignee: (typeof ASSIGNEES)[number] | undefined,
  filter: Filter,
): Promise<Part[]> {
  const unassigned = { ...filter, assigned: false }
  if (assignee === 'none') return [unassigned]
  if (assignee === 'any') return EVERYONE.map((part) => ({ ...filter, ...part }))
  const ids = await openTasksIfFew(tx, board, caller.actor_id)
  const isOwn = ids ? undefined : hasAssignee(tx, caller.actor_id)
  const where = and(filter.where, isOwn)
  const own = { assigned: true, where, ids: intersection(ids, filter.ids) }
  return assignee === 'me' ? [own] : [unassigned, own]
}

const intersection = (a: readonly number[] | undefined, b: readonly number[] | undefined) =>
  a && b ? [...new Set(a).intersection(new Set(b))] : (a ?? b)
