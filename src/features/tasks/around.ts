import { and, count, eq, inArray } from 'drizzle-orm'
import type { Tx } from '../../kernel/caller.ts'
import { MOST_ROWS } from '../../kernel/list.ts'
import { param, prepared } from '../../store/prepared.ts'
import { labels } from '../labels/index.ts'
import { actors } from '../people/index.ts'
import { sections } from '../sections/index.ts'
import { taskAssignees, taskLabels, tasks } from './tables.ts'

interface Around {
  task_id: number
  team_id: number
  section_id: number
  created_by: number
}

/** What is shown with tasks but stands in other tables: five queries, however many tasks. */
export async function around(tx: Tx, rows: readonly Around[]) {
  const teams = [...new Set(rows.map(({ team_id }) => team_id))]
  const ask = (rows.length === 1 ? one : teams.length === 1 ? page : mixed)(tx)
  const named = (ids: number[]) => numbered('id', ids, rows.length === 1 ? 1 : MOST_ROWS)
  const own = {
    ...numbered('team', teams, teams.length === 1 ? 1 : MOST_ROWS),
    ...named(rows.map(({ task_id }) => task_id)),
  }
  const columns = await ask.columns.execute(named(rows.map(({ section_id }) => section_id)))
  const creators = await ask.actors.execute(named(rows.map(({ created_by }) => created_by)))
  const children = await ask.children.execute(own)
  return {
    columns: new Map(columns.map((column) => [column.section_id, column])),
    creators: new Map(creators.map((actor) => [actor.actor_id, actor])),
    labels: Map.groupBy(await ask.labels.execute(own), ({ task_id }) => task_id),
    assignees: Map.groupBy(await ask.assignees.execute(own), ({ task_id }) => task_id),
    children: new Map(children.map(({ parent, many }) => [parent, many])),
  }
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
    columns: tx
      .select({ section_id: sections.section_id, title: sections.title, done: sections.done })
      .from(sections)
      .where(inArray(sections.section_id, ids))
      .prepare(`tasks_columns_${size}`),
    actors: tx
      .select()
      .from(actors)
      .where(inArray(actors.actor_id, ids))
      .prepare(`tasks_creators_${size}`),
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
  }
}
