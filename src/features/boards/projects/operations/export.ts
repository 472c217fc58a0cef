import { Type as t } from '@sinclair/typebox'
import { operation } from '../../../../kernel/operation.ts'
import { ExportPlan, exportFormat, planExport } from '../../views/model/index.ts'
import { findProject, ProjectId } from '../model/index.ts'

export const exportTasks = operation({
  name: 'projects.export',
  summary: 'Export the tasks of a board as markdown, CSV, JSON or iCalendar',
  needs: 'tasks:read',
  dependsOn: ['task', 'section', 'project'],
  heavy: true,
  on: { rest: 'GET /api/v1/projects/:project_id/export' },
  input: t.Object({ project_id: ProjectId, ...exportFormat }),
  output: ExportPlan,
  run: async ({ project_id }, ctx) => planExport(ctx, await findProject(ctx, project_id)),
})
