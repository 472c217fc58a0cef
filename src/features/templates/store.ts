import { and, count, eq, type SQL } from 'drizzle-orm'
import { readWords } from '../../content/index.ts'
import type { Context, Tx } from '../../kernel/caller.ts'
import { Fault, fault } from '../../kernel/fault.ts'
import { labelsOf } from '../labels/index.ts'
import { actorsOf, asActor } from '../people/index.ts'
import {
  findProject,
  holdProject,
  nameOf,
  type Project,
  placeOf,
  seenProject,
} from '../projects/index.ts'
import {
  type Clean,
  childrenOf,
  createTask,
  labelsOn,
  locateTask,
  priorityName,
  sizeOf,
  type Task,
} from '../tasks/index.ts'
import { allow } from '../teams/index.ts'
import { MOST_SUBTASKS, MOST_TEMPLATES, MOST_TEXT, type TemplateRow } from './schema.ts'
import { type Pattern, taskTemplates } from './tables.ts'

export type Template = typeof taskTemplates.$inferSelect
/** What a list shows of it, which leaves the texts unread. */
export type Listed = Omit<Template, 'description' | 'subtasks'>

/** Tells of a field by the name that these routes have for it. */
async function renamed<T>(field: string, found: Promise<T>): Promise<T> {
  try {
    return await found
  } catch (error) {
    if (!(error instanceof Fault) || !error.details.field) throw error
    throw new Fault(error.code, error.message, { ...error.details, field }, error.hint)
  }
}

export const boardOf = (ctx: Context, project_id: number) =>
  renamed('projectId', findProject(ctx, project_id))

export async function locateTemplate(
  ctx: Context,
  template_id: number,
): Promise<{ template: Template; project: Project }> {
  const [template] = await ctx.tx
    .select()
    .from(taskTemplates)
    .where(eq(taskTemplates.template_id, template_id))
  const project = template && (await seenProject(ctx, template.project_id))
  if (!project) throw unknown(template_id)
  allow(ctx, project.team_id)
  return { template, project }
}

const unknown = (template_id: number) =>
  fault.notFound(
    'templateId',
    `There is no template ${template_id} that you can see`,
    template_id,
    'List the templates of a board: GET /api/task-templates?projectId=',
  )

export const onBoard = ({ team_id, project_id }: Project): SQL =>
  and(eq(taskTemplates.team_id, team_id), eq(taskTemplates.project_id, project_id))!

export async function createTemplate(
  ctx: Context,
  taskId: number,
  name: string | undefined,
  withSubtasks: boolean,
): Promise<Template> {
  const { task, project } = await renamed('taskId', locateTask(ctx, { task_id: taskId }))
  if (task.status === 'Deleted')
    throw fault.conflict(
      `${task.ticket_number} is deleted`,
      { field: 'taskId', value: taskId },
      'Restore it first, or take another task',
    )
  await holdProject(ctx.tx, project)
  await checkRoom(ctx.tx, project)
  const subtasks = withSubtasks ? await patternsBelow(ctx.tx, task) : null
  const [template] = await ctx.tx
    .insert(taskTemplates)
    .values({
      ...{ team_id: project.team_id, project_id: project.project_id },
      name: name === undefined ? task.title : nameOf('name', name),
      ...(await patternOf(ctx.tx, task)),
      ...{ subtasks, subtask_count: subtasks?.length ?? 0 },
      ...{ created_by: ctx.caller.actor_id, created_at: ctx.now },
    })
    .returning()
  tell(ctx, 'template.created', template!)
  return template!
}

async function checkRoom(tx: Tx, project: Project): Promise<void> {
  const [row] = await tx.select({ many: count() }).from(taskTemplates).where(onBoard(project))
  if (row!.many < MOST_TEMPLATES) return
  throw fault.conflict(
    `A board has at most ${MOST_TEMPLATES} templates`,
    { field: 'taskId' },
    'Delete one that nobody uses: DELETE /api/task-templates',
  )
}

const patternOf = async (tx: Tx, task: Task): Promise<Pattern> => ({
  title: task.title,
  description: task.description as Clean | null,
  content_type: task.content_type,
  priority: task.priority,
  estimate: task.estimate,
  label_ids: (await labelsOn(tx, task)).map(({ label_id }) => label_id),
})

async function patternsBelow(tx: Tx, { team_id, task_id }: Task): Promise<Pattern[]> {
  const children = (await childrenOf(tx, team_id, [task_id])).filter(
    ({ status }) => status === 'Normal',
  )
  const length = children.reduce((sum, child) => sum + (child.description?.length ?? 0), 0)
  const details = { field: 'includeSubtasks', value: true }
  const hint = 'Leave includeSubtasks out, or save a task with less below it'
  if (children.length > MOST_SUBTASKS)
    throw fault.conflict(`A template holds at most ${MOST_SUBTASKS} sub-tasks`, details, hint)
  if (length > MOST_TEXT)
    throw fault.conflict('The sub-tasks have too much text for a template', details, hint)
  const patterns: Pattern[] = []
  for (const child of children) patterns.push(await patternOf(tx, child))
  return patterns
}

export async function deleteTemplate(ctx: Context, template: Template): Promise<void> {
  const { template_id } = template
  const gone = await ctx.tx
    .delete(taskTemplates)
    .where(eq(taskTemplates.template_id, template_id))
    .returning({ template_id: taskTemplates.template_id })
  if (!gone.length) throw unknown(template_id)
  tell(ctx, 'template.deleted', template)
}

const tell = (ctx: Context, type: string, { template_id, name, ...place }: Template) =>
  ctx.emit(type, placeOf(place), { template_id, name })

/** A task like the one that was saved, and the sub-tasks that were saved with it. */
export async function applyTemplate(ctx: Context, template: Template, project: Project) {
  const labels = await labelsOf(ctx.tx, project)
  const known = new Set(labels.map(({ label_id }) => label_id))
  const drafted = ({
    title,
    description,
    content_type,
    priority,
    estimate,
    label_ids,
  }: Pattern) => ({
    ...{ title, priority, estimate },
    described: description === null ? undefined : { type: content_type, text: description },
    labels: label_ids.filter((label_id) => known.has(label_id)),
  })
  readWords(ctx, template, ...(template.subtasks ?? []))
  const { described, ...fields } = drafted(template)
  const { section, task } = await createTask(ctx, project, { ...fields, described })
  const changed = [...Object.keys(fields), ...(described ? ['description'] : [])]
  for (const pattern of template.subtasks ?? [])
    await createTask(ctx, project, { ...drafted(pattern), section, parent_task_id: task.task_id })
  return { task, section, changed }
}

/** Of one board. Labels that were deleted since are left out. */
export async function shownTemplates(
  ctx: Context,
  project: Project,
  rows: readonly Listed[],
): Promise<TemplateRow[]> {
  const labels = new Map((await labelsOf(ctx.tx, project)).map((one) => [one.label_id, one.name]))
  const makers = await actorsOf(
    ctx.tx,
    rows.map(({ created_by }) => created_by),
  )
  return rows.map((row) => ({
    template_id: row.template_id,
    project_id: row.project_id,
    name: row.name,
    title: row.title,
    priority: row.priority,
    priority_name: priorityName(row.priority),
    estimate: row.estimate,
    size: sizeOf(row.estimate)!,
    labels: row.label_ids.flatMap((label_id) => {
      const name = labels.get(label_id)
      return name === undefined ? [] : { label_id, name }
    }),
    subtask_count: row.subtask_count,
    created_by: asActor(makers.get(row.created_by)!),
    created_at: row.created_at.toISOString(),
  }))
}
