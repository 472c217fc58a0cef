import { Type as t } from '@sinclair/typebox'
import { operation } from '../../../../kernel/operation.ts'
import { ProjectId } from '../../../boards/projects/model/index.ts'
import {
  duplicatePairs,
  findDuplicates,
  Limit,
  Offset,
  ROWS,
  roundScore,
} from '../../../search/search/model/index.ts'
import type { Task } from '../model/address.ts'
import { TaskId } from '../model/schema.ts'

const TaskName = t.Object({
  task_id: TaskId,
  ticket_number: t.String(),
  title: t.String(),
})

const DuplicatePair = t.Object(
  {
    task: TaskName,
    similar: TaskName,
    score: t.Number({ description: 'From 0.6 to 1' }),
  },
  {
    columns: [
      'task.ticket_number',
      'task.title',
      'similar.ticket_number',
      'similar.title',
      'score',
    ],
  },
)

export const duplicates = operation({
  name: 'tasks.duplicates',
  summary: 'Pairs of open tasks on a board that may be the same, best match first',
  needs: 'tasks:read',
  // The index lags behind the changes.
  dependsOn: [],
  on: {
    rest: 'GET /api/v1/projects/:project_id/duplicates',
    cli: { usage: 'tasks duplicates <project_id>', example: 'HOM' },
    chat: true,
  },
  input: t.Object({ project_id: ProjectId, limit: Limit, offset: Offset }),
  output: t.Array(DuplicatePair),
  uncached: true,
  prepare: ({ project_id }, ask) => findDuplicates(ask, project_id),
  async run({ project_id, limit = ROWS, offset = 0 }, ctx, found) {
    const pairs = await duplicatePairs(ctx, project_id, found)
    return pairs.slice(offset, offset + limit).map(({ task, similar, score }) => ({
      task: nameOf(task),
      similar: nameOf(similar),
      score: roundScore(score),
    }))
  },
})

const nameOf = ({ task_id, ticket_number, title }: Task) => ({ task_id, ticket_number, title })
