import { type Static, Type as t } from '@sinclair/typebox'
import { and, eq, sql } from 'drizzle-orm'
import type { Context, Tx } from '../../../../kernel/caller.ts'
import { operation } from '../../../../kernel/operation.ts'
import { idList, isInIdList } from '../../../../store/id-list.ts'
import { lastSeq } from '../../../../store/log.ts'
import { Timestamp } from '../../../identity/people/model/index.ts'
import { TaskId } from '../../../tasks/tasks/model/index.ts'
import { timeEntries } from '../../../time/time/model/index.ts'
import {
  customFields,
  taskFields,
  teamsWithFields,
  toOutput,
} from '../../custom_fields/model/index.ts'
import { sectionsOf } from '../../sections/model/index.ts'
import { findProject, ProjectId } from '../model/index.ts'
import { type Row, readBoardRows, readTaskRows } from './board-cards.ts'
import { changedSince } from './board-delta.ts'

const Details = t.Object({
  task_id: TaskId,
  created_at: Timestamp,
  updated_at: Timestamp,
  completed_at: t.Optional(Timestamp),
  seconds: t.Optional(t.Integer({ description: 'Time spent on it, without a running timer' })),
  values: t.Optional(
    t.Record(t.String(), t.Union([t.String(), t.Number(), t.Boolean()]), {
      description: 'Values of custom fields, by field_id; an option by its id',
    }),
  ),
})
type Details = Static<typeof Details>

/** The app reads it only for a table with these columns: few boards are shown with them. */
export const boardDetails = operation({
  name: 'projects.board_details',
  summary: 'Times and custom fields of the tasks of a board, or of those that changed',
  needs: 'tasks:read',
  // `since` returns the changes of the board itself.
  dependsOn: ['custom_field'],
  heavy: ({ since }) => since === undefined,
  on: { rest: 'GET /api/v1/projects/:project_id/board/details' },
  input: t.Object({
    project_id: ProjectId,
    since: t.Optional(
      t.Integer({ minimum: 0, maximum: 2 ** 52, description: 'seq of your last response' }),
    ),
  }),
  output: t.Object({
    project_id: ProjectId,
    seq: t.Integer({ description: 'Position in the change log at the time of reading' }),
    whole: t.Boolean({ description: 'True: all tasks; false: only those that changed since' }),
    tasks: t.Array(Details, { description: 'At most 10,000, as projects.board returns them' }),
  }),
  async run({ project_id, since }, ctx) {
    const project = await findProject(ctx, project_id)
    // Read first, so that changes written meanwhile are included in the next delta.
    const seq = await lastSeq(ctx.tx)
    const changed = since === undefined ? undefined : await changedSince(ctx, project, since, seq)
    const tasks: Details[] = []
    const add = async (rows: Row[]) => void tasks.push(...(await detailsOf(ctx, project, rows)))
    if (changed) await readTaskRows(ctx, project, changed.ids, add)
    else await readBoardRows(ctx, await sectionsOf(ctx.tx, project), add)
    return {
      project_id,
      seq,
      whole: !changed,
      tasks,
    }
  },
})

async function detailsOf(
  { tx }: Context,
  { team_id }: { team_id: number },
  rows: readonly Row[],
): Promise<Details[]> {
  const ids = idList(rows.map(({ task_id }) => task_id))
  const seconds = await secondsOf(tx, team_id, ids)
  const values = await valuesOf(tx, team_id, ids)
  return rows.map(({ task_id, created_at, updated_at, completed_at }) => {
    const [spent, own] = [seconds.get(task_id), values.get(task_id)]
    return {
      task_id,
      created_at: created_at.toISOString(),
      updated_at: updated_at.toISOString(),
      ...(completed_at && { completed_at: completed_at.toISOString() }),
      ...(spent && { seconds: spent }),
      ...(own && { values: own }),
    }
  })
}

async function secondsOf(tx: Tx, team_id: number, ids: string) {
  const rows = await tx
    .select({
      task_id: timeEntries.task_id,
      seconds: sql<number>`sum(${timeEntries.seconds})`.mapWith(Number),
    })
    .from(timeEntries)
    .where(and(eq(timeEntries.team_id, team_id), isInIdList(timeEntries.task_id, ids)))
    .groupBy(timeEntries.task_id)
  return new Map(rows.map(({ task_id, seconds }) => [task_id, seconds]))
}

/** The values of each task, by the public id of the field. */
async function valuesOf(tx: Tx, team_id: number, ids: string) {
  const byTask = new Map<number, NonNullable<Details['values']>>()
  if (!(await teamsWithFields.get(tx, team_id))) return byTask
  const rows = await tx
    .select({
      task_id: taskFields.task_id,
      ...{ field_id: customFields.field_id, type: customFields.type },
      ...{ number: taskFields.number, text: taskFields.text },
    })
    .from(taskFields)
    .innerJoin(customFields, eq(customFields.custom_field_id, taskFields.custom_field_id))
    .where(and(eq(taskFields.team_id, team_id), isInIdList(taskFields.task_id, ids)))
  for (const { task_id, field_id, type, ...stored } of rows) {
    const values = byTask.get(task_id) ?? {}
    values[field_id] = toOutput(type, stored)
    byTask.set(task_id, values)
  }
  return byTask
}
