import { type Static, type TSchema, Type as t } from '@sinclair/typebox'
import { Id, Timestamp } from '../people/index.ts'

export const ProjectId = Id('Id of a board')
export const Status = t.Union([t.Literal('Normal'), t.Literal('Archive')])
const orNull = <T extends TSchema>(type: T) => t.Union([type, t.Null()])

export const ProjectRow = t.Object(
  {
    project_id: ProjectId,
    key: t.String({ description: 'The letters before the number in a ticket key' }),
    title: t.String(),
    description: orNull(t.String()),
    team_id: Id('Id of a team'),
    access: t.Union([t.Literal('team'), t.Literal('invited')]),
    status: Status,
    created_at: Timestamp,
    updated_at: Timestamp,
    last_used_at: orNull(Timestamp),
    url: t.String(),
  },
  { concise: ['project_id', 'key', 'title', 'status'] },
)
export type ProjectRow = Static<typeof ProjectRow>
