import { Type as t } from '@sinclair/typebox'
import { and, eq, getTableColumns } from 'drizzle-orm'
import { listInput, listOf } from '../../../../kernel/list.ts'
import { operation } from '../../../../kernel/operation.ts'
import { pageOf } from '../../../../store/page.ts'
import { matchesSearch } from '../../../../store/text.ts'
import { findProject, ProjectId } from '../../projects/model/index.ts'
import { Color, LabelId, LabelName, LabelReceipt, LabelRow } from '../model/schema.ts'
import { createLabel, type Label, updateLabel } from '../model/store.ts'
import { labels } from '../model/tables.ts'

export const list = operation({
  name: 'labels.list',
  summary: 'Labels of a board',
  needs: 'projects:read',
  dependsOn: ['label'],
  on: {
    rest: 'GET /api/v1/projects/:project_id/labels',
    mcp: 'svc_labels.list',
    cli: { usage: 'labels list <project_id>', example: 'HOM' },
    chat: true,
  },
  input: listInput({ project_id: ProjectId }, ['title', 'createdAt']),
  output: listOf(LabelRow),
  async run(input, ctx) {
    const { team_id, project_id } = await findProject(ctx, input.project_id)
    const { rows, page } = await pageOf(ctx.tx, input, {
      name: 'labels',
      from: labels,
      columns: getTableColumns(labels),
      where: and(
        eq(labels.team_id, team_id),
        eq(labels.project_id, project_id),
        matchesSearch(input, [labels.name]),
      ),
      sorts: { title: { key: labels.name }, createdAt: { key: labels.created_at } },
      id: 'label_id',
    })
    return { items: (rows as Label[]).map(toRow), page }
  },
})

export const create = operation({
  name: 'labels.create',
  summary: 'Add a label to a board',
  needs: 'projects:write',
  creates: true,
  on: {
    rest: 'POST /api/v1/projects/:project_id/labels',
    mcp: 'svc_labels.create',
    cli: { usage: 'labels create <project_id> <name>', example: "HOM urgent --color '#cc0000'" },
    chat: true,
  },
  input: t.Object({ project_id: ProjectId, name: LabelName, color: t.Optional(Color) }),
  output: t.Object({ label_id: LabelId, project_id: ProjectId, name: t.String(), color: Color }),
  async run({ project_id, ...draft }, ctx) {
    const project = await findProject(ctx, project_id)
    const { label_id, name, color } = await createLabel(ctx, project, draft)
    return { label_id, project_id, name, color }
  },
})

export const update = operation({
  name: 'labels.update',
  summary: 'Change the name or colour of a label',
  needs: 'projects:write',
  on: {
    rest: 'PATCH /api/v1/projects/:project_id/labels/:label_id',
    cli: { usage: 'labels update <project_id> <label_id>', example: 'HOM bug --name defect' },
    chat: true,
  },
  input: t.Object({
    project_id: ProjectId,
    label_id: LabelId,
    name: t.Optional(LabelName),
    color: t.Optional(t.String({ ...Color, description: '#rrggbb' })),
  }),
  output: LabelReceipt,
  async run({ project_id, label_id, ...changes }, ctx) {
    const project = await findProject(ctx, project_id)
    const { label, changed } = await updateLabel(ctx, project, label_id, changes)
    const { name, color } = label
    return { label_id, project_id, name, color, changed }
  },
})

const toRow = ({ label_id, project_id, name, color, created_at }: Label): LabelRow => ({
  label_id,
  project_id,
  name,
  color,
  created_at: created_at.toISOString(),
})
