import { and, eq } from 'drizzle-orm'
import { myViews } from '../../features/my_tasks/index.ts'
import { skills } from '../../features/skills/index.ts'
import type { CleanString } from '../../features/tasks/index.ts'
import { taskTemplates } from '../../features/templates/index.ts'
import type { Tx } from '../../kernel/caller.ts'
import type { Inserter } from '../../store/bulk.ts'
import type { RecordOf } from '../schema.ts'
import type { ImportedBoard } from './tasks.ts'

const toDate = (text: string) => new Date(text)

/** Inserts a template of an already inserted board. */
export async function insertTemplate(
  inserter: Inserter,
  { team_id, project_id, label_ids }: ImportedBoard,
  actorOf: (who: string) => number,
  { board: _, labels, subtasks, created_by, created_at, ...own }: RecordOf<'template'>,
): Promise<void> {
  const labelIdsOf = (names: readonly string[]) =>
    names.map((name) => label_ids.get(name.toLowerCase())!)
  const subtaskRows = subtasks?.map(({ labels, description, content_type = 'html', ...rest }) => ({
    ...{ ...rest, content_type, label_ids: labelIdsOf(labels) },
    description: description as CleanString | null,
  }))
  const row = {
    ...{ team_id, project_id, ...own },
    description: own.description as CleanString | null,
    label_ids: labelIdsOf(labels),
    ...{ subtasks: subtaskRows ?? null, subtask_count: subtaskRows?.length ?? 0 },
    created_by: actorOf(created_by),
    created_at: toDate(created_at),
  }
  await inserter.insert(taskTemplates, [row])
}

/** Inserts a skill of an already inserted board. */
export async function insertSkill(
  inserter: Inserter,
  { team_id, project_id }: ImportedBoard,
  actorOf: (who: string) => number,
  { board: _, created_by, last_used_at, created_at, updated_at, ...own }: RecordOf<'skill'>,
): Promise<void> {
  const row = {
    ...{ team_id, project_id, ...own, actor_id: actorOf(created_by) },
    last_used_at: last_used_at === null ? null : toDate(last_used_at),
    ...{ created_at: toDate(created_at), updated_at: toDate(updated_at) },
  }
  await inserter.insert(skills, [row])
}

type View = RecordOf<'my_view'>
type Rule = NonNullable<View['filters']>['groups'][number]['rules'][number]
type Value = NonNullable<Rule['value']>

/** Maps the names that the file uses to the ids of the imported rows. */
export interface LocalIds {
  actorOf(who: string): number
  board(key: string): ImportedBoard
  task(ticket: string): number
}

/** Inserts a My Tasks view, unless its owner already has a view of that title here. */
export async function insertMyView(tx: Tx, localIds: LocalIds, view: View): Promise<void> {
  const { view_id, owner, title, grouping, show_done, match, sorting, filters } = view
  const actor_id = localIds.actorOf(owner)
  const same = and(eq(myViews.actor_id, actor_id), eq(myViews.title, title))
  if ((await tx.select().from(myViews).where(same)).length) return
  const [existing] = await tx.select().from(myViews).where(eq(myViews.view_id, view_id))
  const columnOf = ({ board, section }: { board: string; section: number }) =>
    localIds.board(board).section_ids[section]!
  await tx.insert(myViews).values({
    ...{ view_id: existing ? Bun.randomUUIDv7() : view_id, actor_id, title, grouping },
    project_ids: view.boards.map((key) => localIds.board(key).project_id),
    hidden_section_ids: view.hidden_sections.map(columnOf),
    ...{ show_done, match, sorting },
    board_filters: filters && filtersOf(filters, localIds),
    default_project_id:
      view.default_board === null ? null : localIds.board(view.default_board).project_id,
    created_at: toDate(view.created_at),
    updated_at: toDate(view.updated_at),
  })
}

type StoredFilters = NonNullable<(typeof myViews.$inferInsert)['board_filters']>

const filtersOf = ({ groups }: NonNullable<View['filters']>, localIds: LocalIds) =>
  ({
    groups: groups.map(({ rules, ...group }) => ({
      ...group,
      rules: rules.map((rule) => ruleOf(rule, localIds)),
    })),
  }) as StoredFilters

function ruleOf({ value, ...rule }: Rule, localIds: LocalIds) {
  if (value === undefined || value === null) return value === null ? { ...rule, value } : rule
  const toLocal = (item: Exclude<Value, unknown[]>) => localValueOf(item, localIds)
  return { ...rule, value: Array.isArray(value) ? value.map(toLocal) : toLocal(value) }
}

function localValueOf(value: Exclude<Value, unknown[]>, { actorOf, board, task }: LocalIds) {
  if (typeof value !== 'object') return value
  if ('who' in value) return actorOf(value.who)
  if ('task' in value) return task(value.task)
  const { section_ids, label_ids } = board(value.board)
  return 'label' in value ? label_ids.get(value.label.toLowerCase())! : section_ids[value.section]!
}
