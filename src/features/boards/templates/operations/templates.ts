import { Type as t } from '@sinclair/typebox'
import { and, getTableColumns } from 'drizzle-orm'
import { listInput, listOf } from '../../../../kernel/list.ts'
import { operation } from '../../../../kernel/operation.ts'
import { pageOf } from '../../../../store/page.ts'
import { matchesSearch } from '../../../../store/text.ts'
import { receiptOf, TaskReceipt } from '../../../tasks/records/model/index.ts'
import { TaskId } from '../../../tasks/tasks/model/index.ts'
import { findProject, ProjectId } from '../../projects/model/index.ts'
import { TemplateId, TemplateName, TemplateRow } from '../model/schema.ts'
import {
  applyTemplate,
  createTemplate,
  deleteTemplate,
  findBoard,
  locateTemplate,
  onBoard,
  type TemplateSummary,
  toTemplateRows,
} from '../model/store.ts'
import { taskTemplates } from '../model/tables.ts'

const ROUTE = '/api/task-templates'
const { description: _, subtasks: _subtasks, ...withoutTexts } = getTableColumns(taskTemplates)

export const list = operation({
  name: 'templates.list',
  summary: 'Task templates of a board',
  needs: 'tasks:read',
  dependsOn: ['template'],
  on: {
    rest: `GET ${ROUTE}`,
    cli: { usage: 'templates list <projectId>', example: 'HOM' },
    chat: true,
  },
  input: listInput({ projectId: ProjectId }, ['title', 'createdAt']),
  output: listOf(TemplateRow),
  async run({ projectId, ...input }, ctx) {
    const project = await findBoard(ctx, projectId)
    const { rows, page } = await pageOf(ctx.tx, input, {
      name: `templates of ${project.project_id}`,
      from: taskTemplates,
      columns: withoutTexts,
      where: and(onBoard(project), matchesSearch(input, [taskTemplates.name, taskTemplates.title])),
      sorts: {
        title: { key: taskTemplates.name },
        createdAt: { key: taskTemplates.created_at },
      },
      id: 'template_id',
    })
    return { items: await toTemplateRows(ctx, project, rows as TemplateSummary[]), page }
  },
})

export const create = operation({
  name: 'templates.create',
  summary: 'Save a task as a template of its board',
  needs: 'tasks:write',
  creates: true,
  on: {
    rest: `POST ${ROUTE}`,
    cli: { usage: 'templates create <taskId>', example: 'HOM-1 --name Chapter --include-subtasks' },
    chat: true,
  },
  input: t.Object({
    taskId: TaskId,
    name: t.Optional(TemplateName),
    includeSubtasks: t.Optional(t.Boolean({ description: 'Include its direct subtasks' })),
  }),
  output: t.Object(TemplateRow.properties),
  async run({ taskId, name, includeSubtasks = false }, ctx) {
    const template = await createTemplate(ctx, taskId, name, includeSubtasks)
    const project = await findProject(ctx, template.project_id)
    return (await toTemplateRows(ctx, project, [template]))[0]!
  },
})

export const remove = operation({
  name: 'templates.delete',
  summary: 'Delete a template; tasks created from it stay',
  needs: 'tasks:write',
  destroys: true,
  on: {
    rest: `DELETE ${ROUTE}`,
    cli: { usage: 'templates delete <templateId>', example: '1' },
    chat: true,
  },
  input: t.Object({ templateId: TemplateId }),
  output: t.Object({ template_id: TemplateId, project_id: ProjectId, name: t.String() }),
  async run({ templateId }, ctx) {
    const { template } = await locateTemplate(ctx, templateId)
    await deleteTemplate(ctx, template)
    const { template_id, project_id, name } = template
    return { template_id, project_id, name }
  },
})

export const apply = operation({
  name: 'templates.apply',
  summary: 'Create a task from a template, in the first column that is not done',
  needs: 'tasks:write',
  creates: true,
  on: {
    rest: `POST ${ROUTE}/apply`,
    cli: { usage: 'templates apply <templateId>', example: '1' },
    chat: true,
  },
  input: t.Object({ templateId: TemplateId }),
  output: TaskReceipt,
  async run({ templateId }, ctx) {
    const { template, project } = await locateTemplate(ctx, templateId)
    const { task, section, changed } = await applyTemplate(ctx, template, project)
    return receiptOf(ctx, task, section, changed)
  },
})
