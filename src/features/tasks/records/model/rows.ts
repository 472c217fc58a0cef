import type { Context, Tx } from '../../../../kernel/caller.ts'
import { keepText } from '../../../../kernel/json.ts'
import { cachedLoader } from '../../../../store/cache.ts'
import { idList, isInIdList, isOneOf } from '../../../../store/id-list.ts'
import { param, prepared } from '../../../../store/prepared.ts'
import { openAmong } from '../../relations/model/index.ts'
import { summaryColumns, type TaskSummary, tasks } from '../../tasks/model/index.ts'
import { detailDependencies, taskDetails } from './details.ts'
import { currentState, toTaskRow } from './records.ts'
import type { TaskRow } from './schema.ts'

/**
 * The rows of at most 50 tasks as lists show them, in the order of their ids. Tasks that do not
 * exist are left out. Permissions are not checked.
 */
export async function taskRows(
  ctx: Context,
  ids: readonly number[],
  { withText = false } = {},
): Promise<TaskRow[]> {
  const stored = await storedRows.getMany(
    ctx.tx,
    ids.map((task_id) => ({ task_id, ctx })),
  )
  const blockers = [...stored.values()].flatMap((one) => one.blockers)
  const state = { now: ctx.now, open: await openAmong(ctx.tx, blockers) }
  const rows = ids.flatMap((task_id) => {
    const one = stored.get(task_id)
    return one ? [rowInState(one, state)] : []
  })
  return withText ? withDescriptions(ctx.tx, rows) : rows
}

interface StoredRow {
  /** The row as it was shown last. Several responses share it. */
  row: TaskRow
  task: Pick<TaskSummary, 'due_at' | 'completed_at' | 'status' | 'snoozed_until'>
  blockers: number[]
}

/** Replaces the shared row if its state is outdated. */
function rowInState(stored: StoredRow, at: Parameters<typeof currentState>[0]): TaskRow {
  const { row, task, blockers } = stored
  const state = currentState(at, task, blockers)
  if (
    state.overdue !== row.overdue ||
    state.blocked !== row.blocked ||
    state.snoozed_until !== row.snoozed_until
  )
    stored.row = keepText({ ...row, ...state })
  return stored.row
}

const storedRows = cachedLoader<{ task_id: number; ctx: Context }, StoredRow>({
  key: ({ task_id }) => task_id,
  dependsOn: detailDependencies,
  async load(tx, lookups) {
    const { ctx } = lookups[0]!
    const ids = lookups.map(({ task_id }) => task_id)
    const summaries = await selectSummaries(tx).execute({ ids: idList(ids) })
    const details = await taskDetails.getMany(tx, summaries)
    return new Map(
      summaries.map((task) => {
        const own = details.get(task.task_id)!
        const { due_at, completed_at, status, snoozed_until } = task
        const stored: StoredRow = {
          row: keepText(toTaskRow(ctx, task, own, new Set())),
          task: { due_at, completed_at, status, snoozed_until },
          blockers: own.blockers,
        }
        return [task.task_id, stored]
      }),
    )
  },
})

const selectSummaries = prepared((tx) =>
  tx
    .select(summaryColumns)
    .from(tasks)
    .where(isInIdList(tasks.task_id, param('ids')))
    .prepare('task_summaries'),
)

/** Texts may be long, so they are read for the shown rows only and are not cached. */
async function withDescriptions(tx: Tx, rows: readonly TaskRow[]): Promise<TaskRow[]> {
  const { task_id, description } = tasks
  const ids = rows.map((row) => row.task_id)
  const found = await tx.select({ task_id, description }).from(tasks).where(isOneOf(task_id, ids))
  const texts = new Map(found.map((one) => [one.task_id, one.description]))
  return rows.map((row) => ({ ...row, description: texts.get(row.task_id) ?? null }))
}
