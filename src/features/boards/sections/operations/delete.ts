import { Type as t } from '@sinclair/typebox'
import { eq } from 'drizzle-orm'
import type { Context } from '../../../../kernel/caller.ts'
import { fault } from '../../../../kernel/fault.ts'
import { leaseInput, operation } from '../../../../kernel/operation.ts'
import { countTasksInSection, moveTasks } from '../../../tasks/edits/model/index.ts'
import { deleteCount } from '../../../tasks/tasks/model/index.ts'
import {
  findProject,
  type Project,
  ProjectId,
  placeOf,
  touchProject,
} from '../../projects/model/index.ts'
import {
  findSection,
  type Section,
  SectionId,
  sections,
  sectionsById,
  sectionsOf,
} from '../model/index.ts'
import { tasksInSection } from './lease-guards.ts'
import { address, ROUTE } from './update.ts'

export const remove = operation({
  name: 'sections.delete',
  summary: 'Delete a column; its tasks move to another one',
  needs: 'projects:write',
  destroys: true,
  on: {
    rest: `DELETE ${ROUTE}`,
    mcp: 'svc_sections.delete',
    cli: {
      usage: 'sections delete <project_id> <section_id>',
      example: 'HOM Doing --move-tasks-to-section Next',
    },
    chat: true,
  },
  input: t.Object({
    ...address,
    move_tasks_to_section_id: t.Optional(
      t.Integer({
        ...SectionId,
        description: 'Column to move its tasks to; required if it has any',
      }),
    ),
    ...leaseInput,
  }),
  output: t.Object({
    section_id: SectionId,
    project_id: ProjectId,
    title: t.String(),
    deleted: t.Literal(true),
    moved_tasks: t.Integer(),
  }),
  guard: { by: 'lease', tasks: tasksInSection },
  steps: {
    async hasMore({ section_id, move_tasks_to_section_id }, { tx }) {
      const section = (await sectionsById(tx, [section_id])).get(section_id)
      if (!section || move_tasks_to_section_id === undefined) return false
      return (await countTasksInSection(tx, section)) > MAX_MOVED
    },
    runStep: async (input, ctx) => moveOut(ctx, await prepareDeletion(ctx, input), MAX_MOVED),
  },
  async run(input, ctx, _, stepped = 0) {
    const { project_id, section_id } = input
    const found = await prepareDeletion(ctx, input)
    const { project, section, taskCount } = found
    const moved_tasks = stepped + (await moveOut(ctx, found, taskCount))
    await deleteCount(ctx.tx, section)
    await ctx.tx.delete(sections).where(eq(sections.section_id, section_id))
    const data = { section_id, title: section.title, moved_tasks }
    ctx.emit('section.deleted', placeOf(project), data)
    return { ...data, project_id, deleted: true as const }
  },
})

/** Tasks moved per transaction, which limits how long other writers wait. */
const MAX_MOVED = 200

interface DeleteInput {
  project_id: number
  section_id: number
  move_tasks_to_section_id?: number
}
type Deletion = Awaited<ReturnType<typeof prepareDeletion>>

/** Loads what the deletion needs and refuses an invalid one. */
async function prepareDeletion(ctx: Context, input: DeleteInput) {
  const { project_id, section_id, move_tasks_to_section_id: to } = input
  const project = await findProject(ctx, project_id)
  await touchProject(ctx.tx, project, ctx.now)
  const section = await findSection(ctx, project, section_id)
  const target = to === undefined ? undefined : await findTarget(ctx, project, section, to)
  if ((await sectionsOf(ctx.tx, project)).length === 1)
    throw fault.conflict(
      'A board needs at least one column',
      { field: 'section_id', value: section_id },
      'Create another one first, or archive the board',
    )
  const taskCount = await countTasksInSection(ctx.tx, section)
  if (taskCount && !target) throw sectionNotEmpty(section, taskCount)
  return { project, section, target, taskCount }
}

const moveOut = async (ctx: Context, { project, section, target }: Deletion, limit: number) =>
  target ? moveTasks(ctx, project, { from: section, to: target, most: limit }) : 0

function findTarget(ctx: Context, project: Project, section: Section, to: number) {
  if (to === section.section_id)
    throw fault.invalid(
      'move_tasks_to_section_id',
      'conflict',
      'The tasks must move to a different column than the deleted one',
      to,
    )
  return findSection(ctx, project, to, 'move_tasks_to_section_id')
}

const sectionNotEmpty = ({ title }: Section, tasks: number) =>
  fault.conflict(
    `The column "${title}" has ${tasks} ${tasks === 1 ? 'task' : 'tasks'}, including archived and deleted ones`,
    { field: 'move_tasks_to_section_id', tasks },
    'Set move_tasks_to_section_id to the column that should get them',
  )
