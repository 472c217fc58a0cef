import { Type as t } from '@sinclair/typebox'
import { and, eq, getTableColumns } from 'drizzle-orm'
import { listInput, listOf } from '../../../../kernel/list.ts'
import { operation } from '../../../../kernel/operation.ts'
import { pageOf } from '../../../../store/page.ts'
import { matchesSearch } from '../../../../store/text.ts'
import { findProject, ProjectId } from '../../projects/model/index.ts'
import {
  Hidden,
  IsDone,
  Role,
  SectionColor,
  SectionId,
  SectionReceipt,
  SectionRow,
  SectionTitle,
  WipLimit,
} from '../model/schema.ts'
import { createSection, receiptOf, type Section, toSectionRows } from '../model/store.ts'
import { sections } from '../model/tables.ts'

export const list = operation({
  name: 'sections.list',
  summary: 'Columns of a board, from left to right',
  needs: 'projects:read',
  dependsOn: ['section', 'profile', 'agent'],
  on: {
    rest: 'GET /api/v1/projects/:project_id/sections',
    mcp: 'svc_sections.list',
    cli: { usage: 'sections list <project_id>', example: 'HOM' },
    chat: true,
  },
  input: listInput(
    {
      project_id: ProjectId,
      include_hidden: t.Optional(
        t.Boolean({ description: 'Include hidden columns; default false' }),
      ),
    },
    ['title', 'createdAt'],
  ),
  output: listOf(SectionRow),
  async run(input, ctx) {
    const project = await findProject(ctx, input.project_id)
    const { rows, page } = await pageOf(ctx.tx, input, {
      name: 'sections',
      from: sections,
      columns: getTableColumns(sections),
      where: and(
        eq(sections.team_id, project.team_id),
        eq(sections.project_id, project.project_id),
        input.include_hidden ? undefined : eq(sections.hidden, false),
        matchesSearch(input, [sections.title]),
      ),
      manualSort: { key: sections.rank },
      sorts: { title: { key: sections.title }, createdAt: { key: sections.created_at } },
      id: 'section_id',
    })
    return { items: await toSectionRows(ctx.tx, project, rows as Section[]), page }
  },
})

export const create = operation({
  name: 'sections.create',
  summary: 'Add a column at the right end, or after another',
  needs: 'projects:write',
  creates: true,
  on: {
    rest: 'POST /api/v1/projects/:project_id/sections',
    mcp: 'svc_sections.create',
    cli: {
      usage: 'sections create <project_id> <title>',
      example: 'HOM Ideas --after-section Inbox',
    },
    chat: true,
  },
  input: t.Object({
    project_id: ProjectId,
    title: SectionTitle,
    after_section_id: t.Optional(
      t.Union([SectionId, t.Null()], {
        description: 'Place it after this column; null: at the left end',
      }),
    ),
    is_done: t.Optional(IsDone),
    role: t.Optional(Role),
    hidden: t.Optional(Hidden),
    wip_limit: t.Optional(WipLimit),
    color: t.Optional(SectionColor),
  }),
  output: SectionReceipt,
  async run({ project_id, ...draft }, ctx) {
    const project = await findProject(ctx, project_id)
    return receiptOf(ctx, project, await createSection(ctx, project, draft), Object.keys(draft))
  },
})
