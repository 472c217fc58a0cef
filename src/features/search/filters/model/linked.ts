import type { SQL } from 'drizzle-orm'
import { isOneOf } from '../../../../store/id-list.ts'
import { tasks } from '../../../tasks/tasks/model/index.ts'
import { type NamedRule, splitLinks } from './criteria.ts'
import { countLinked, idsIfFew, isLinked, type LinkQuery } from './links.ts'
import type { Scope } from './scope.ts'

export interface LinkedTasks {
  /** The ids of the tasks if these are few. */
  ids?: readonly number[] | undefined
  condition?: SQL | undefined
  /** Counts the tasks if that is faster than testing the condition. */
  total?: (() => Promise<number>) | undefined
  /** The rules that remain to be tested, and the scope to test them in. */
  others: readonly NamedRule[]
  scope: Scope
}

/**
 * Selects the tasks of one rule about labels or assignees, if there is one: by their ids if they are
 * few, so that nothing else of the board is read.
 */
export async function findLinked(
  query: LinkQuery,
  rules: readonly NamedRule[],
): Promise<LinkedTasks> {
  const { ctx, scope } = query
  const { links, others } = await splitLinks(ctx, scope, rules)
  if (!links) return { others, scope }
  const ids = await idsIfFew(query, links)
  if (ids)
    return {
      ids,
      condition: isOneOf(tasks.task_id, ids),
      others,
      scope: { ...scope, isSmall: true },
    }
  const total = links.ids.length === 1 ? () => countLinked(query, links) : undefined
  return { condition: isLinked(ctx, scope, links), total, others, scope }
}
