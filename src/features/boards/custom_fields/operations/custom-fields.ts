import { Type as t } from '@sinclair/typebox'
import { and, eq, getTableColumns } from 'drizzle-orm'
import { fault } from '../../../../kernel/fault.ts'
import { listInput, listOf } from '../../../../kernel/list.ts'
import { operation } from '../../../../kernel/operation.ts'
import { pageOf } from '../../../../store/page.ts'
import { matchesSearch } from '../../../../store/text.ts'
import { findProject, ProjectId } from '../../projects/model/index.ts'
import { resolveOptions } from '../model/rules.ts'
import { FieldName, FieldReceipt, FieldRow, FieldType, options } from '../model/schema.ts'
import { type CustomField, createField, receiptOf, toFieldRow } from '../model/store.ts'
import { customFields } from '../model/tables.ts'

export const list = operation({
  name: 'custom_fields.list',
  summary: 'Custom fields of a board, with their types and options',
  needs: 'projects:read',
  dependsOn: ['custom_field'],
  on: {
    rest: 'GET /api/v1/projects/:project_id/custom-fields',
    mcp: 'svc_custom_fields.list',
    cli: { usage: 'fields list <project_id>', example: 'HOM' },
    chat: true,
  },
  input: listInput({ project_id: ProjectId }, ['title', 'createdAt']),
  output: listOf(FieldRow),
  async run(input, ctx) {
    const { team_id, project_id } = await findProject(ctx, input.project_id)
    const { rows, page } = await pageOf(ctx.tx, input, {
      name: 'custom_fields',
      from: customFields,
      columns: getTableColumns(customFields),
      where: and(
        eq(customFields.team_id, team_id),
        eq(customFields.project_id, project_id),
        matchesSearch(input, [customFields.name]),
      ),
      sorts: { title: { key: customFields.name }, createdAt: { key: customFields.created_at } },
      id: 'custom_field_id',
    })
    return { items: (rows as CustomField[]).map(toFieldRow), page }
  },
})

export const create = operation({
  name: 'custom_fields.create',
  summary: 'Add a custom field to a board',
  needs: 'projects:write',
  creates: true,
  on: {
    rest: 'POST /api/v1/projects/:project_id/custom-fields',
    cli: {
      usage: 'fields create <project_id> <name>',
      example: 'HOM Stage --type select --options Draft,Final',
    },
  },
  input: t.Object({
    project_id: ProjectId,
    name: FieldName,
    type: FieldType,
    options: t.Optional(options('Options of a select field')),
  }),
  output: FieldReceipt,
  async run({ project_id, name, type, options: drafts }, ctx) {
    const project = await findProject(ctx, project_id)
    if (type !== 'select' && drafts?.length)
      throw fault.invalid(
        'options',
        'conflict',
        `A ${type} field has no options`,
        undefined,
        'Leave options out, or use the type select',
      )
    const resolvedOptions =
      type === 'select' ? resolveOptions([], drafts ?? [], Bun.randomUUIDv7) : undefined
    return receiptOf(await createField(ctx, project, { name, type, options: resolvedOptions }))
  },
})
