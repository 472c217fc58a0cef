import { and, count, eq, type SQL } from 'drizzle-orm'
import { readWords } from '../../../../content/index.ts'
import type { Context, Tx } from '../../../../kernel/caller.ts'
import type { ChangeType } from '../../../../kernel/changes.ts'
import { Fault, fault } from '../../../../kernel/fault.ts'
import { actorsOf, asActor } from '../../../identity/people/model/index.ts'
import { requireTeamScope } from '../../../identity/teams/model/index.ts'
import type { CleanString } from '../../../tasks/descriptions/model/index.ts'
import { childrenOf, createTask } from '../../../tasks/edits/model/index.ts'
import { pickFields, pickValues, templateFields } from '../../../tasks/fields/model/index.ts'
import { locateTask, type Task } from '../../../tasks/tasks/model/index.ts'
import { labelsOf, labelsOn } from '../../labels/model/index.ts'
import {
  cleanName,
  findProject,
  findVisibleProject,
  lockProject,
  type Project,
  placeOf,
} from '../../projects/model/index.ts'
import { MAX_SUBTASKS, MAX_TEMPLATES, MAX_TEXT, type TemplateRow } from './schema.ts'
import { type Pattern, taskTemplates } from './tables.ts'

export type Template = typeof taskTemplates.$inferSelect
/** A template in a list, without its texts. */
export type TemplateSummary = Omit<Template, 'description' | 'subtasks'>

/** Names a fault's field as these routes do. */
async function withFieldName<T>(field: string, promise: Promise<T>): Promise<T> {
  try {
    return await promise
  } catch (error) {
    if (!(error instanceof Fault) || !error.details.field) throw error
    throw new Fault(error.code, error.message, { ...error.details, field }, error.hint)
  }
}

export const findBoard = (ctx: Context, project_id: number) =>
  withFieldName('projectId', findProject(ctx, project_id))

export async function locateTemplate(
  ctx: Context,
  template_id: number,
): Promise<{ template: Template; project: Project }> {
  const [template] = await ctx.tx
    .select()
    .from(taskTemplates)
    .where(eq(taskTemplates.template_id, template_id))
  const project = template && (await findVisibleProject(ctx, template.project_id))
  if (!project) throw templateNotFound(template_id)
  requireTeamScope(ctx, project.team_id)
  return { template, project }
}

const templateNotFound = (template_id: number) =>
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
  const { task, project } = await withFieldName('taskId', locateTask(ctx, { task_id: taskId }))
  if (task.status === 'Deleted')
    throw fault.conflict(
      `${task.ticket_number} is deleted`,
      { field: 'taskId', value: taskId },
      'Restore it first, or use another task',
    )
  await lockProject(ctx.tx, project)
  await checkLimit(ctx.tx, project)
  const subtasks = withSubtasks ? await subtaskPatterns(ctx.tx, task) : null
  const [template] = await ctx.tx
    .insert(taskTemplates)
    .values({
      team_id: project.team_id,
      project_id: project.project_id,
      name: name === undefined ? task.title : cleanName('name', name),
      ...(await toPattern(ctx.tx, task)),
      subtasks,
      subtask_count: subtasks?.length ?? 0,
      created_by: ctx.caller.actor_id,
      created_at: ctx.now,
    })
    .returning()
  emitTemplateChange(ctx, 'template.created', template!)
  return template!
}

async function checkLimit(tx: Tx, project: Project): Promise<void> {
  const [row] = await tx.select({ many: count() }).from(taskTemplates).where(onBoard(project))
  if (row!.many < MAX_TEMPLATES) return
  throw fault.conflict(
    `A board has at most ${MAX_TEMPLATES} templates`,
    { field: 'taskId' },
    'Delete an unused one: DELETE /api/task-templates',
  )
}

const toPattern = async (tx: Tx, task: Task) => ({
  title: task.title,
  description: task.description as CleanString | null,
  content_type: task.content_type,
  ...pickFields('template', task),
  label_ids: (await labelsOn(tx, task)).map(({ label_id }) => label_id),
})

async function subtaskPatterns(tx: Tx, { team_id, task_id }: Task): Promise<Pattern[]> {
  const children = (await childrenOf(tx, team_id, [task_id])).filter(
    ({ status }) => status === 'Normal',
  )
  const length = children.reduce((sum, child) => sum + (child.description?.length ?? 0), 0)
  const details = { field: 'includeSubtasks', value: true }
  const hint = 'Leave out includeSubtasks, or use a task with fewer subtasks'
  if (children.length > MAX_SUBTASKS)
    throw fault.conflict(`A template can have at most ${MAX_SUBTASKS} subtasks`, details, hint)
  if (length > MAX_TEXT)
    throw fault.conflict('The subtasks have too much text for a template', details, hint)
  const patterns: Pattern[] = []
  for (const child of children) patterns.push(await toPattern(tx, child))
  return patterns
}

export async function deleteTemplate(ctx: Context, template: Template): Promise<void> {
  const { template_id } = template
  const deleted = await ctx.tx
    .delete(taskTemplates)
    .where(eq(taskTemplates.template_id, template_id))
    .returning({ template_id: taskTemplates.template_id })
  if (!deleted.length) throw templateNotFound(template_id)
  emitTemplateChange(ctx, 'template.deleted', template)
}

const emitTemplateChange = (
  ctx: Context,
  type: ChangeType<'template'>,
  { template_id, name, ...place }: Template,
) => ctx.emit(type, placeOf(place), { template_id, name })

/** Creates a task from the template, with the saved subtasks. */
export async function applyTemplate(ctx: Context, template: Template, project: Project) {
  const labels = await labelsOf(ctx.tx, project)
  const existing = new Set(labels.map(({ label_id }) => label_id))
  const toDraft = (pattern: Pattern) => {
    const { title, description, content_type, label_ids } = pattern
    return {
      title,
      ...pickValues('template', pattern),
      described: description === null ? undefined : { type: content_type, text: description },
      labels: label_ids.filter((label_id) => existing.has(label_id)),
    }
  }
  readWords(ctx, template, ...(template.subtasks ?? []))
  const { described, ...fields } = toDraft(template)
  const { section, task } = await createTask(ctx, project, { ...fields, described })
  const changed = [...Object.keys(fields), ...(described ? ['description'] : [])]
  for (const pattern of template.subtasks ?? [])
    await createTask(ctx, project, { ...toDraft(pattern), section, parent_task_id: task.task_id })
  return { task, section, changed }
}

/** Converts templates of one board to their output form, without labels that were deleted. */
export async function toTemplateRows(
  ctx: Context,
  project: Project,
  rows: readonly TemplateSummary[],
): Promise<TemplateRow[]> {
  const labels = new Map(
    (await labelsOf(ctx.tx, project)).map((label) => [label.label_id, label.name]),
  )
  const creators = await actorsOf(
    ctx.tx,
    rows.map(({ created_by }) => created_by),
  )
  return rows.map((row) => ({
    template_id: row.template_id,
    project_id: row.project_id,
    name: row.name,
    title: row.title,
    ...templateFields(row),
    labels: row.label_ids.flatMap((label_id) => {
      const name = labels.get(label_id)
      return name === undefined ? [] : { label_id, name }
    }),
    subtask_count: row.subtask_count,
    created_by: asActor(creators.get(row.created_by)!),
    created_at: row.created_at.toISOString(),
  }))
}
