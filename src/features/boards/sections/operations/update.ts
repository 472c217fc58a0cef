import { type Static, Type as t } from '@sinclair/typebox'
import { eq } from 'drizzle-orm'
import type { Context } from '../../../../kernel/caller.ts'
import { fault } from '../../../../kernel/fault.ts'
import { listInput, MAX_ROWS, PageInfo } from '../../../../kernel/list.ts'
import { leaseInput, operation } from '../../../../kernel/operation.ts'
import { findBoardActor } from '../../../identity/members/model/index.ts'
import { checkMayAssignAgent } from '../../../tasks/assignees/model/index.ts'
import { syncCompletion } from '../../../tasks/edits/model/index.ts'
import { TaskRow, tasksOfSection } from '../../../tasks/records/model/index.ts'
import {
  findProject,
  lockProject,
  type Project,
  ProjectId,
  placeOf,
  touchProject,
} from '../../projects/model/index.ts'
import {
  findSection,
  Hidden,
  IsDone,
  positionAfter,
  Role,
  rankAt,
  receiptOf,
  type Section,
  SectionColor,
  SectionId,
  SectionReceipt,
  SectionRow,
  SectionTitle,
  sections,
  sectionsOf,
  toSectionRows,
  uniqueTitle,
  WipLimit,
} from '../model/index.ts'
import { resolveRole, tasksChangedBy } from './lease-guards.ts'

export const ROUTE = '/api/v1/projects/:project_id/sections/:section_id'
export const address = { project_id: ProjectId, section_id: SectionId }

export const get = operation({
  name: 'sections.get',
  summary: 'One column with its tasks',
  needs: 'projects:read',
  dependsOn: ['task', 'section', 'label', 'profile', 'agent'],
  on: {
    rest: `GET ${ROUTE}`,
    mcp: 'svc_sections.get',
    cli: { usage: 'sections get <project_id> <section_id>', example: 'HOM Doing' },
    chat: true,
  },
  input: t.Object({
    ...address,
    include_tasks: t.Optional(t.Boolean({ description: 'Default true' })),
    ...t.Pick(listInput({}), ['cursor', 'offset']).properties,
    limit: t.Optional(t.Integer({ minimum: 1, description: 'Tasks; default and maximum 50' })),
  }),
  output: t.Object({
    section: SectionRow,
    tasks: t.Optional(t.Array(TaskRow)),
    page: t.Optional(PageInfo),
  }),
  async run({ limit = MAX_ROWS, offset, cursor, ...input }, ctx) {
    const project = await findProject(ctx, input.project_id)
    const found = await findSection(ctx, project, input.section_id)
    const [section] = await toSectionRows(ctx.tx, project, [found])
    if (input.include_tasks === false) return { section: section! }
    const { items, page } = await tasksOfSection(ctx, found, { cursor, limit, offset })
    return { section: section!, tasks: items, page }
  },
})

export const update = operation({
  name: 'sections.update',
  summary: 'Rename or move a column, or change its settings',
  needs: 'projects:write',
  on: {
    rest: `PATCH ${ROUTE}`,
    mcp: 'svc_sections.update',
    cli: {
      usage: 'sections update <project_id> <section_id>',
      example: 'HOM Doing --title Making',
    },
    chat: true,
  },
  input: t.Object({
    ...address,
    title: t.Optional(SectionTitle),
    move_after_section_id: t.Optional(
      t.Union([SectionId, t.Null()], { description: 'Move it after this column; null: first' }),
    ),
    is_done: t.Optional(IsDone),
    auto_assign: t.Optional(
      t.Union(
        [t.Integer({ minimum: 1, maximum: 2_147_483_647 }), t.String({ maxLength: 200 }), t.Null()],
        {
          description: 'User id or agent UUID to assign to every task that enters; null: nobody',
        },
      ),
    ),
    hidden: t.Optional(Hidden),
    role: t.Optional(Role),
    wip_limit: t.Optional(WipLimit),
    color: t.Optional(SectionColor),
    ...leaseInput,
  }),
  output: SectionReceipt,
  guard: { by: 'lease', tasks: tasksChangedBy },
  async run(input, ctx) {
    const project = await findProject(ctx, input.project_id)
    await lockProject(ctx.tx, project)
    const before = await findSection(ctx, project, input.section_id)
    const next = await nextValues(ctx, project, before, input)
    const changed = COLUMNS.filter((name) => next[name] !== before[name])
    if (!changed.length) return receiptOf(ctx, project, before, [])
    await touchProject(ctx.tx, project, ctx.now)
    const [after] = await ctx.tx
      .update(sections)
      .set(next)
      .where(eq(sections.section_id, before.section_id))
      .returning()
    if (after!.done !== before.done) await syncCompletion(ctx, after!)
    const { section_id, title, done } = after!
    const changedNames = changed.map((name) => (name === 'rank' ? 'position' : name))
    ctx.emit('section.updated', placeOf(project), {
      section_id,
      title,
      done,
      changed: changedNames,
    })
    return receiptOf(ctx, project, after!, changedNames)
  },
})

const SET = [
  'title',
  'role',
  'is_done',
  'done',
  'hidden',
  'auto_assign',
  'wip_limit',
  'color',
] as const
const COLUMNS = [...SET, 'rank'] as const
type Revision = Pick<Section, (typeof COLUMNS)[number]>

async function nextValues(
  ctx: Context,
  project: Project,
  before: Section,
  input: Static<typeof update.input>,
): Promise<Revision> {
  const columns = await sectionsOf(ctx.tx, project)
  const { hidden = before.hidden, wip_limit = before.wip_limit, color = before.color } = input
  const title =
    input.title === undefined ? before.title : uniqueTitle(columns, input.title, before.section_id)
  return {
    ...resolveRole(before, { ...input, title }),
    title,
    hidden,
    wip_limit,
    color: color?.toLowerCase() ?? null,
    auto_assign: await resolveAutoAssign(ctx, project, before, input.auto_assign),
    rank: movedRank(columns, before, input.move_after_section_id),
  }
}

async function resolveAutoAssign(
  ctx: Context,
  project: Project,
  before: Section,
  ref: number | string | null | undefined,
): Promise<number | null> {
  if (ref === undefined) return before.auto_assign
  if (ref === null) return null
  const { actor_id, agent_id } = await findBoardActor(ctx, project, ref, 'auto_assign')
  if (agent_id !== null && actor_id !== before.auto_assign)
    await checkMayAssignAgent(ctx, project, agent_id)
  return actor_id
}

function movedRank(
  columns: readonly Section[],
  section: Section,
  after: number | null | undefined,
) {
  if (after === undefined) return section.rank
  if (after === section.section_id)
    throw fault.invalid(
      'move_after_section_id',
      'conflict',
      'A column cannot be moved after itself',
      after,
    )
  const others = columns.filter(({ section_id }) => section_id !== section.section_id)
  const position = positionAfter(others, after, 'move_after_section_id')
  return columns[position]?.section_id === section.section_id
    ? section.rank
    : rankAt(others, position)
}
