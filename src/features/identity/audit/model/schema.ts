import { type Static, Type as t } from '@sinclair/typebox'
import { DATE_OR_TIME_FORMAT } from '../../../../kernel/openapi-formats.ts'
import { ProjectId } from '../../../boards/projects/model/index.ts'
import { Actor, Id, Timestamp } from '../../people/model/index.ts'
import { TeamId } from '../../teams/model/index.ts'

const orNull = <T extends Parameters<typeof t.Union>[0][number]>(schema: T) =>
  t.Union([schema, t.Null()])

export const Moment = t.String({
  minLength: 1,
  maxLength: 40,
  description: 'ISO 8601; a day begins at midnight UTC',
  ...DATE_OR_TIME_FORMAT,
})

export const AuditRow = t.Object(
  {
    audit_id: Id('Id of an entry'),
    created_at: Timestamp,
    type: t.String({ description: 'What happened, such as agent.rotated' }),
    team_id: orNull(TeamId),
    project_id: orNull(ProjectId),
    actor: Actor,
    credential: orNull(
      t.String({
        description: 'Credential that was used, such as key:7; operator: a command on the server',
      }),
    ),
    address: orNull(
      t.String({ description: 'Network address of the client; null: on the server itself' }),
    ),
    on: orNull(Actor),
    changed: t.Record(t.String(), t.Object({ before: t.Unknown(), after: t.Unknown() })),
    details: t.Record(t.String(), t.Unknown()),
  },
  { columns: ['created_at', 'type', 'actor', 'on', 'changed'] },
)
export type AuditRow = Static<typeof AuditRow>
