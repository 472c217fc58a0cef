import { and, count, eq, inArray, sql } from 'drizzle-orm'
import type { Tx } from '../../../../kernel/caller.ts'
import { MAX_ROWS } from '../../../../kernel/list.ts'
import { cachedLoader } from '../../../../store/cache.ts'
import { param, prepared } from '../../../../store/prepared.ts'
import {
  customFields,
  fieldsById,
  MAX_LIST_LENGTH,
  type OutputValue,
  outputValue,
  taskFields,
  teamsWithFields,
} from '../../../boards/custom_fields/model/index.ts'
import { labels, taskLabels } from '../../../boards/labels/model/index.ts'
import { sections, sectionsById } from '../../../boards/sections/model/index.ts'
import { type Actor, actors, actorsOf, asActor } from '../../../identity/people/model/index.ts'
import { taskAssignees } from '../../assignees/model/index.ts'
import { relations } from '../../relations/model/index.ts'
import { tasks } from '../../tasks/model/index.ts'

interface Row {
  task_id: number
  team_id: number
  section_id: number
  created_by: number
}

/** What a task shows from other tables. */
export interface TaskDetails {
  section: string
  done: boolean
  created_by: Actor
  labels: { label_id: number; name: string; color: string }[]
  assignees: Actor[]
  subtask_count: number
  /** The ids of the tasks that block it, open or not. */
  blockers: number[]
  custom_fields: OutputValue[]
}

/** The rows that a task and its details are read from. */
export const detailDependencies = [
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
]

export const taskDetails = cachedLoader<Row, TaskDetails>({
  key: ({ task_id }) => task_id,
  dependsOn: detailDependencies,
  async load(tx, rows) {
    const sectionIds = rows.map(({ section_id }) => section_id)
    const creatorIds = rows.map(({ created_by }) => created_by)
    const [sectionById, creators, detailsOf] = await Promise.all([
      sectionsById(tx, sectionIds),
      actorsOf(tx, creatorIds),
      loadDetails(tx, rows),
    ])
    return new Map(
      rows.map((row) => {
        const { title, done } = sectionById.get(row.section_id)!
        const created_by = asActor(creators.get(row.created_by)!)
        return [row.task_id, { section: title, done, created_by, ...detailsOf(row.task_id) }]
      }),
    )
  },
})

/**
 * Runs three queries for any number of tasks; a fourth and a fifth only for teams that have
 * blocking relations or custom fields.
 */
async function loadDetails(tx: Tx, rows: readonly Row[]) {
  const teams = [...new Set(rows.map(({ team_id }) => team_id))]
  const queries = (
    rows.length === 1 ? forOneTask : teams.length === 1 ? forOneTeam : forSeveralTeams
  )(tx)
  const params = {
    ...numberedParams('team', teams, teams.length === 1 ? 1 : MAX_ROWS),
    ...numberedParams(
      'id',
      rows.map(({ task_id }) => task_id),
      rows.length === 1 ? 1 : MAX_ROWS,
    ),
  }
  const [taskLabels, taskAssignees, childCounts, relationsByTeam, valuesOf] = await Promise.all([
    queries.labels.execute(params),
    queries.assignees.execute(params),
    queries.children.execute(params),
    teamsWithRelations.getMany(tx, teams),
    loadCustomValues(tx, teams, () => queries.fields.execute(params)),
  ])
  const blockers = teams.some((team_id) => relationsByTeam.get(team_id))
    ? await queries.blockers.execute(params)
    : []
  const labelsByTask = Map.groupBy(taskLabels, ({ task_id }) => task_id)
  const assigneesByTask = Map.groupBy(taskAssignees, ({ task_id }) => task_id)
  const children = new Map(childCounts.map(({ parent, many }) => [parent, many]))
  const blockersByTask = Map.groupBy(blockers, ({ task_id }) => task_id)
  return (task_id: number) => ({
    labels: (labelsByTask.get(task_id) ?? []).map(({ label }) => label),
    assignees: (assigneesByTask.get(task_id) ?? []).map(({ actor }) => asActor(actor)),
    subtask_count: children.get(task_id) ?? 0,
    blockers: (blockersByTask.get(task_id) ?? []).map(({ blocker }) => blocker),
    custom_fields: valuesOf(task_id),
  })
}

/** Whether a team has any relations at all; most have none, which saves a query. */
const teamsWithRelations = cachedLoader<number, boolean>({
  key: (team_id) => team_id,
  dependsOn: [[relations.team_id]],
  async load(tx, teams) {
    const found = new Map<number, boolean>()
    for (const team_id of teams)
      found.set(team_id, (await anyRelation(tx).execute({ team_id })).length > 0)
    return found
  },
})

const anyRelation = prepared((tx) =>
  tx
    .select({ one: relations.relation_id })
    .from(relations)
    .where(eq(relations.team_id, param('team_id')))
    .limit(1)
    .prepare('tasks_tied'),
)

type Value = Pick<typeof taskFields.$inferSelect, 'task_id' | 'custom_field_id' | 'number' | 'text'>

/** Long texts are cut in the query, because lists show only their beginning. */
async function loadCustomValues(
  tx: Tx,
  teams: readonly number[],
  loadValues: () => Promise<Value[]>,
) {
  const hasFields = await teamsWithFields.getMany(tx, teams)
  const rows = teams.some((team_id) => hasFields.get(team_id)) ? await loadValues() : []
  const fields = await fieldsById.getMany(tx, [...new Set(rows.map((row) => row.custom_field_id))])
  const byTask = Map.groupBy(rows, ({ task_id }) => task_id)
  return (task_id: number) =>
    (byTask.get(task_id) ?? [])
      .flatMap(({ custom_field_id, number, text }) => {
        // A field that was deleted between the two queries is left out.
        const field = fields.get(custom_field_id)
        return field ? { field, stored: { number, text } } : []
      })
      .sort((a, b) => (a.field.name < b.field.name ? -1 : 1))
      .map((value) => outputValue(value, MAX_LIST_LENGTH))
}

const forOneTask = prepared((tx) => statements(tx, 1, 1))
const forOneTeam = prepared((tx) => statements(tx, 1, MAX_ROWS))
const forSeveralTeams = prepared((tx) => statements(tx, MAX_ROWS, MAX_ROWS))

/**
 * Pads the list with its last entry, so that three sets of prepared statements serve every length.
 */
const numberedParams = (name: string, ids: readonly number[], length: number) =>
  Object.fromEntries(Array.from({ length }, (_, i) => [name + i, ids[i] ?? ids.at(-1)]))

function statements(tx: Tx, teams: number, rows: number) {
  const params = {
    suffix: `${teams}_${rows}`,
    team: Array.from({ length: teams }, (_, i) => param(`team${i}`)),
    ids: Array.from({ length: rows }, (_, i) => param(`id${i}`)),
  }
  return { ...attributeStatements(tx, params), ...relatedTaskStatements(tx, params) }
}

interface StatementParams {
  /** Ends the name of each statement. */
  suffix: string
  team: Placeholder[]
  ids: Placeholder[]
}

type Placeholder = ReturnType<typeof param>

/** Labels, assignees and values of custom fields. */
function attributeStatements(tx: Tx, { suffix, team, ids }: StatementParams) {
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
      .prepare(`tasks_labels_${suffix}`),
    assignees: tx
      .select({ task_id: taskAssignees.task_id, actor: actors })
      .from(taskAssignees)
      .innerJoin(actors, eq(actors.actor_id, taskAssignees.actor_id))
      .where(and(inArray(taskAssignees.team_id, team), inArray(taskAssignees.task_id, ids)))
      .orderBy(actors.actor_id)
      .prepare(`tasks_assignees_${suffix}`),
    fields: tx
      .select({
        task_id: taskFields.task_id,
        custom_field_id: taskFields.custom_field_id,
        number: taskFields.number,
        text: sql<
          string | null
        >`substr(${taskFields.text}, 1, ${sql.raw(String(MAX_LIST_LENGTH + 1))})`,
      })
      .from(taskFields)
      .where(and(inArray(taskFields.team_id, team), inArray(taskFields.task_id, ids)))
      .prepare(`tasks_fields_${suffix}`),
  }
}

/** The number of subtasks, and the tasks that block a task. */
function relatedTaskStatements(tx: Tx, { suffix, team, ids }: StatementParams) {
  return {
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
      .prepare(`tasks_children_${suffix}`),
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
      // Without the unary plus, SQLite would scan all relations of the team by an index in this
      // order.
      .orderBy(sql`+${relations.first_id}`)
      .prepare(`tasks_blockers_${suffix}`),
  }
}
