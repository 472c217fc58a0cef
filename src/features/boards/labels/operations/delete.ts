import { Type as t } from '@sinclair/typebox'
import { and, eq } from 'drizzle-orm'
import { operation } from '../../../../kernel/operation.ts'
import { findProject, ProjectId, placeOf, touchProject } from '../../projects/model/index.ts'
import { LabelId } from '../model/schema.ts'
import { labelById, labelsOf } from '../model/store.ts'
import { labels, taskLabels } from '../model/tables.ts'

export const removeLabel = operation({
  name: 'labels.delete',
  summary: 'Delete a label and remove it from its tasks',
  needs: 'projects:write',
  destroys: true,
  on: {
    rest: 'DELETE /api/v1/projects/:project_id/labels/:label_id',
    cli: { usage: 'labels delete <project_id> <label_id>', example: 'HOM ui' },
    chat: true,
  },
  input: t.Object({ project_id: ProjectId, label_id: LabelId }),
  output: t.Object({
    label_id: LabelId,
    project_id: ProjectId,
    name: t.String(),
    deleted: t.Literal(true),
    tasks: t.Integer({
      description: 'Number of tasks that had it, including archived and deleted ones',
    }),
  }),
  async run({ project_id, label_id }, ctx) {
    const { tx, now } = ctx
    const project = await findProject(ctx, project_id)
    await touchProject(tx, project, now)
    const { name, team_id } = labelById(await labelsOf(tx, project), label_id)
    const removed = await tx
      .delete(taskLabels)
      .where(and(eq(taskLabels.team_id, team_id), eq(taskLabels.label_id, label_id)))
      .returning({ task_id: taskLabels.task_id })
    await tx.delete(labels).where(eq(labels.label_id, label_id))
    const tasks = removed.length
    ctx.emit('label.deleted', placeOf(project), { label_id, name, tasks })
    return { label_id, project_id, name, deleted: true as const, tasks }
  },
})
