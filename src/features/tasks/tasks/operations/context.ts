import { Type as t } from '@sinclair/typebox'
import { operation } from '../../../../kernel/operation.ts'
import { sourceOf } from '../../../boards/imports/model/index.ts'
import {
  gatherContext,
  gatherSummary,
  TaskContext,
  TaskSummary,
} from '../../context/model/index.ts'
import { address, locateTask } from '../model/index.ts'

export const context = operation({
  name: 'tasks.context',
  summary: 'A task with its comments, activity, relations, subtasks, files and board',
  needs: 'tasks:read',
  dependsOn: [
    'section',
    'label',
    'project',
    'playbook',
    'instructions',
    'skill',
    'import',
    { about: 'task' },
  ],
  on: {
    rest: 'GET /api/v1/tasks/:task/context',
    mcp: 'svc_tasks.context',
    cli: { usage: 'tasks context <task>', example: 'HOM-1 --summary' },
    chat: true,
  },
  input: t.Object({
    ...address,
    summary: t.Optional(t.Boolean({ description: 'The short form' })),
  }),
  output: t.Union([TaskContext, TaskSummary]),
  async run({ summary, ...named }, ctx) {
    const located = await locateTask(ctx, named)
    const imported_from = await sourceOf(ctx.tx, located.task)
    return summary
      ? { ...(await gatherSummary(ctx, located)), imported_from }
      : { ...(await gatherContext(ctx, located)), imported_from }
  },
})
