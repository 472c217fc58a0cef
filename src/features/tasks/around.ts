import { and, count, eq, inArray, sql } from 'drizzle-orm'
import type { Tx } from '../../kernel/caller.ts'
import { MOST_ROWS } from '../../kernel/list.ts'
import { param, prepared } from '../../store/prepared.ts'
import { recall } from '../../store/recall.ts'
import { customFields, fielded, fieldsById } from '../custom_fields/index.ts'
import { labels } from '../labels/index.ts'
import { type Actor, actors, actorsOf, asActor } from '../people/index.ts'
import { sections, sectionsById } from '../sections/index.ts'
import { MOST_SHOWN, type ShownValue, shownValue } from './custom/values.ts'
import { relations, taskAssignees, taskFields, taskLabels, tasks } from './tables.ts'

interface Row {
  task_id: number
  team_id: number
  section_id: number
  created_by: number
}

/** What is shown with a task but stands in other tables. */
export interface Around {
  section: string
  done: boolean
  created_by: Actor
  labels: { label_id: number; name: string; color: string }[]
  assignees: Actor[]
  subtask_count: number
  /** What it waits for, finished or not. */
  blockers: number[]
  custom_fields: ShownValue[]
}

export const around = recall<Row, Around>({
  key: ({ task_id }) => task_id,
  from: [
    [tasks.task_id],
    [tasks.parent_task_id],
    [taskLabels.task_id],
    [taskAssignees.task_id],
    [relations.second_id],
    [taskFields.task_id],
    customFields,
    sections,
    labels,
    actors,
  ],
  async load(tx, rows) {
    const columns = await sectionsById(
      tx,
      rows.map(({ section_id }) => section_id),
    )
    const creators = await actorsOf(
      tx,
      rows.map(({ created_by }) => created_by),
    )
    const near = await nearby(tx, rows)
    return new Map(
      rows.map((row) => {
        const { title, done } = columns.get(row.section_id)!
        const created_by = asActor(creators.get(row.created_by)!)
        return [row.task_id, { section: title, done, created_by, ...near(row.task_id) }]
      }),
    )
  },
})

/** Three queries, however many tasks; more only in teams that link tasks or have custom fields. */
async function nearby(tx: Tx, rows: readonly Row[]) {
  const teams = [...new Set(rows.map(({ team_id }) => team_id))]
  const ask = (rows.length === 1 ? one : teams.length === 1 ? page : mixed)(tx)
  const own = {
    ...numbered('team', teams, teams.length === 1 ? 1 : MOST_ROWS),
    ...numbered(
      'id',
      rows.map(({ task_id }) => task_id),
      rows.length === 1 ? 1 : MOST_ROWS,
    ),
  }
  const labelled = Map.groupBy(await ask.labels.execute(own), ({ task_id }) => task_id)
  const assigned = Map.groupBy(await ask.assignees.execute(own), ({ task_id }) => task_id)
  const children = new Map(
    (await ask.children.execute(own)).map(({ parent, many }) => [parent, many]),
  )
  const ties = await tied.many(tx, teams)
  const blockers = teams.some((team_id) => ties.get(team_id)) ? await ask.blockers.execute(own) : []
  const waiting = Map.groupBy(blockers, ({ task_id }) => task_id)
  const values = await valuesIn(tx, teams, () => ask.fields.execute(own))
  return (task_id: number) => ({
    labels: (labelled.get(task_id) ?? []).map(({ label }) => label),
    assignees: (assigned.get(task_id) ?? []).map(({ actor }) => asActor(actor)),
    subtask_count: children.get(task_id) ?? 0,
    blockers: (waiting.get(task_id) ?? []).map(({ blocker }) => blocker),
    custom_fields: values(task_id),
  })
}

/** Whether any tasks of a team are linked: where none are, nobody need look for whose are. */
const tied = recall<number, boolean>({
  key: (team_id) => team_id,
  from: [[relations.team_id]],
  async load(tx, teams) {
    const found = new Map<number, boolean>()
    for (const team_id of teams)
      found.set(team_id, (await anyTie(tx).execute({ team_id })).length > 0)
    return found
  },
})

const anyTie = prepared((tx) =>
  tx
    .select({ one: relations.relation_id })
    .from(relations)
    .where(eq(relations.team_id, param('team_id')))
    .limit(1)
    .prepare('tasks_tied'),
)

type Value = Pick<typeof taskFields.$inferSelect, 'task_id' | 'custom_field_id' | 'number' | 'text'>

/** A long text is read by its beginning: a list shows no more of it. */
async function valuesIn(tx: Tx, teams: readonly number[], ask: () => Promise<Value[]>) {
  const has = await fielded.many(tx, teams)
  const rows = teams.some((team_id) => has.get(team_id)) ? await ask() : []
  const fields = await fieldsById.many(tx, [...new Set(rows.map((row) => row.custom_field_id))])
  const byTask = Map.groupBy(rows, ({ task_id }) => task_id)
  return (task_id: number) =>
    (byTask.get(task_id) ?? [])
      .flatMap(({ custom_field_id, number, text }) => {
        // One that was deleted a moment ago is not shown any more.
        const field = fields.get(custom_field_id)
        return field ? { field, kept: { number, text } } : []
      })
      .sort((a, b) => (a.field.name < b.field.name ? -1 : 1))
      .map((value) => shownValue(value, MOST_SHOWN))
}

const one = prepared((tx) => statements(tx, 1, 1))
const page = prepared((tx) => statements(tx, 1, MOST_ROWS))
const mixed = prepared((tx) => statements(tx, MOST_ROWS, MOST_ROWS))

/** Lists are filled up with their last entry, so that three sets of statements serve them all. */
const numbered = (name: string, ids: readonly number[], many: number) =>
  Object.fromEntries(Array.from({ length: many }, (_, i) => [name + i, ids[i] ?? ids.at(-1)]))

function statements(tx: Tx, teams: number, rows: number) {
  const size = `${teams}_${rows}`
  const team = Array.from({ length: teams }, (_, i) => param(`team${i}`))
  const ids = Array.from({ length: rows }, (_, i) => param(`id${i}`))
  return {
    labels: tx
      .select({
        task_id: taskLabels.task_id,
        label: { label_id: labels.label_id, name: labels.name, color: labels.color },
      })
      .from(taskLabels)
      .innerJoin(labels, eq(labels.label_id, taskLabels.label_id))
      .where(and(inArray(taskLabels.team_id, team), inArray(taskLabels.task_id, ids)))
      .orderBy(labels.label_id)
      .prepare(`tasks_labels_${size}`),
    assignees: tx
      .select({ task_id: taskAssignees.task_id, actor: actors })
      .from(taskAssignees)
      .innerJoin(actors, eq(actors.actor_id, taskAssignees.actor_id))
      .where(and(inArray(taskAssignees.team_id, team), inArray(taskAssignees.task_id, ids)))
      .orderBy(actors.actor_id)
      .prepare(`tasks_assignees_${size}`),
    fields: tx
      .select({
        task_id: taskFields.task_id,
        custom_field_id: taskFields.custom_field_id,
        number: taskFields.number,
        text: sql<string | null>`substr(${taskFields.text}, 1, ${sql.raw(String(MOST_SHOWN + 1))})`,
      })
      .from(taskFields)
      .where(and(inArray(taskFields.team_id, team), inArray(taskFields.task_id, ids)))
      .prepare(`tasks_fields_${size}`),
    children: tx
      .select({ parent: tasks.parent_task_id, many: count() })
      .from(tasks)
      .where(
        and(
          inArray(tasks.team_id, team),
          inArray(tasks.parent_task_id, ids),
          eq(tasks.status, 'Normal'),
        ),
      )
      .groupBy(tasks.parent_task_id)
      .prepare(`tasks_children_${size}`),
    blockers: tx
      .select({ task_id: relations.second_id, blocker: relations.first_id })
      .from(relations)
      .where(
        and(
          inArray(relations.team_id, team),
          inArray(relations.second_id, ids),
          eq(relations.kind, 'blocks'),
        ),
      )
      // Without the sign SQLite would scan all relations of the team, which an index has in order.
      .orderBy(sql`+${relations.first_id}`)
      .prepare(`tasks_blockers_${size}`),
  }
}
