import { and, eq } from 'drizzle-orm'
import { myViews } from '../features/my_tasks/index.ts'
import { skills } from '../features/skills/index.ts'
import type { Clean } from '../features/tasks/index.ts'
import { taskTemplates } from '../features/templates/index.ts'
import type { Tx } from '../kernel/caller.ts'
import type { Inserter } from '../store/bulk.ts'
import type { RecordOf } from './schema.ts'
import type { Placed } from './tasks.ts'

const moment = (text: string) => new Date(text)

/** Writes a template of a board that is there by now. */
export async function placeTemplate(
  inserter: Inserter,
  { team_id, project_id, label_ids }: Placed,
  actorOf: (who: string) => number,
  { board: _, labels, subtasks, created_by, created_at, ...own }: RecordOf<'template'>,
): Promise<void> {
  const known = (names: readonly string[]) =>
    names.map((name) => label_ids.get(name.toLowerCase())!)
  const below = subtasks?.map(({ labels, description, content_type = 'html', ...rest }) => ({
    ...{ ...rest, content_type, label_ids: known(labels) },
    description: description as Clean | null,
  }))
  const row = {
    ...{ team_id, project_id, ...own },
    description: own.description as Clean | null,
    label_ids: known(labels),
    ...{ subtasks: below ?? null, subtask_count: below?.length ?? 0 },
    created_by: actorOf(created_by),
    created_at: moment(created_at),
  }
  await inserter.insert(taskTemplates, [row])
}

/** Writes a skill of a board that is there by now. */
export async function placeSkill(
  inserter: Inserter,
  { team_id, project_id }: Placed,
  actorOf: (who: string) => number,
  { board: _, created_by, last_used_at, created_at, updated_at, ...own }: RecordOf<'skill'>,
): Promise<void> {
  const row = {
    ...{ team_id, project_id, ...own, actor_id: actorOf(created_by) },
    last_used_at: last_used_at === null ? null : moment(last_used_at),
    ...{ created_at: moment(created_at), updated_at: moment(updated_at) },
  }
  await inserter.insert(skills, [row])
}

type View = RecordOf<'my_view'>
type Rule = NonNullable<View['filters']>['groups'][number]['rules'][number]
type Value = NonNullable<Rule['value']>

/** The numbers that rows have here, by what stands for them in the file. */
export interface Numbers {
  actorOf(who: string): number
  board(key: string): Placed
  task(ticket: string): number
}

/** What somebody has here under that title stays as it is. */
export async function placeMyView(tx: Tx, numbers: Numbers, view: View): Promise<void> {
  const { view_id, owner, title, grouping, show_done, match, sorting, filters } = view
  const actor_id = numbers.actorOf(owner)
  const same = and(eq(myViews.actor_id, actor_id), eq(myViews.title, title))
  if ((await tx.select().from(myViews).where(same)).length) return
  const [taken] = await tx.select().from(myViews).where(eq(myViews.view_id, view_id))
  const columnOf = ({ board, section }: { board: string; section: number }) =>
    numbers.board(board).section_ids[section]!
  await tx.insert(myViews).values({
    ...{ view_id: taken ? Bun.randomUUIDv7() : view_id, actor_id, title, grouping },
    project_ids: view.boards.map((key) => numbers.board(key).project_id),
    hidden_section_ids: view.hidden_sections.map(columnOf),
    ...{ show_done, match, sorting },
    board_filters: filters && filtersOf(filters, numbers),
    default_project_id:
      view.default_board === null ? null : numbers.board(view.default_board).project_id,
    created_at: moment(view.created_at),
    updated_at: moment(view.updated_at),
  })
}

type Kept = NonNullable<(typeof myViews.$inferInsert)['board_filters']>

const filtersOf = ({ groups }: NonNullable<View['filters']>, numbers: Numbers) =>
  ({
    groups: groups.map(({ rules, ...group }) => ({
      ...group,
      rules: rules.map((rule) => ruleOf(rule, numbers)),
    })),
  }) as Kept

function ruleOf({ value, ...rule }: Rule, numbers: Numbers) {
  if (value === undefined || value === null) return value === null ? { ...rule, value } : rule
  const number = (one: Exclude<Value, unknown[]>) => meant(one, numbers)
  return { ...rule, value: Array.isArray(value) ? value.map(number) : number(value) }
}

function meant(value: Exclude<Value, unknown[]>, { actorOf, board, task }: Numbers) {
  if (typeof value !== 'object') return value
  if ('who' in value) return actorOf(value.who)
  if ('task' in value) return task(value.task)
  const { section_ids, label_ids } = board(value.board)
  return 'label' in value ? label_ids.get(value.label.toLowerCase())! : section_ids[value.section]!
}
