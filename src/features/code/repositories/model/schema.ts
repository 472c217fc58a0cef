import { Type as t } from '@sinclair/typebox'
import { ProjectId } from '../../../boards/projects/model/index.ts'
import { Actor, Id, Timestamp } from '../../../identity/people/model/index.ts'
import { HostId, Kind } from '../../hosts/model/index.ts'

export const RepositoryId = Id('Id of a linked repository')
export const RepositoryName = t.String({
  minLength: 3,
  maxLength: 300,
  description: 'Path at the host, such as acme/site',
})
const LabelName = t.Union([t.String({ minLength: 1, maxLength: 100 }), t.Null()], {
  description: 'Only issues and tasks with this label; null: all',
})

export const options = {
  issues: t.Optional(t.Boolean({ description: 'Synchronize issues and tasks, both ways' })),
  label: t.Optional(LabelName),
  pull_requests: t.Optional(t.Boolean({ description: 'Link pull requests to tasks' })),
}

const orNull = <T extends ReturnType<typeof t.String>>(text: T) => t.Union([text, t.Null()])

const fields = {
  repository_id: RepositoryId,
  project_id: ProjectId,
  host_id: HostId,
  kind: Kind,
  name: t.String(),
  url: t.String(),
  issues: t.Boolean(),
  label: orNull(t.String()),
  pull_requests: t.Boolean(),
  has_webhook: t.Boolean({ description: 'False if a person must enter the webhook at the host' }),
}

export const RepositoryRow = t.Object(
  {
    ...fields,
    state: t.Union(
      ['importing', 'synchronizing', 'up_to_date', 'failing', 'off'].map((one) => t.Literal(one)),
    ),
    issue_count: t.Integer({ description: 'Issues that are linked to tasks or wait for it' }),
    pending_count: t.Integer({ description: 'Issues that wait to be compared' }),
    failed_count: t.Integer({ description: 'Issues with an error' }),
    error: orNull(t.String()),
    retry_at: t.Union([Timestamp, t.Null()]),
    synced_at: t.Union([Timestamp, t.Null()]),
    event_at: t.Union([Timestamp, t.Null()], {
      description: 'When its webhook last sent an event',
    }),
    created_by: Actor,
    created_at: Timestamp,
  },
  { columns: ['repository_id', 'name', 'state', 'issue_count', 'pending_count', 'error'] },
)

const Permission = t.Object({
  permission: t.String({ description: 'What the token needs, in the words of the host' }),
  reason: t.String(),
  granted: t.Boolean(),
})

export const LinkedRepository = t.Object(
  {
    ...fields,
    permissions: t.Array(Permission),
    webhook: t.Union(
      [
        t.Object({
          url: t.String(),
          secret: t.String({ description: 'Shown only once' }),
          events: t.Array(t.String()),
        }),
        t.Null(),
      ],
      { description: 'What to enter at the host if the token may not create the webhook' },
    ),
  },
  { secret: true },
)
