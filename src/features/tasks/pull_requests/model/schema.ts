import { type Static, Type as t } from '@sinclair/typebox'
import { DATE_TIME_FORMAT } from '../../../../kernel/openapi-formats.ts'
import { ProjectId } from '../../../boards/projects/model/index.ts'
import { Actor, Id, Timestamp } from '../../../identity/people/model/index.ts'
import { TaskRow } from '../../records/model/index.ts'
import { CHECKS, HOSTS, REVIEWS, STATES } from './rules.ts'

export const MAX_TITLE_LENGTH = 500
export const MAX_TEXT_LENGTH = 65_536

const orNull = <T extends ReturnType<typeof t.String>>(text: T) => t.Union([text, t.Null()])

export const PullRequestId = Id('Id of a pull request')
export const Url = t.String({
  minLength: 1,
  maxLength: 2000,
  description: 'http or https URL of the pull request',
})
export const Title = t.String({ minLength: 1, maxLength: MAX_TITLE_LENGTH })
export const State = t.Union(STATES.map((state) => t.Literal(state)))
export const Checks = t.Union(CHECKS.map((checks) => t.Literal(checks)))
export const Review = t.Union(REVIEWS.map((review) => t.Literal(review)))
export const HostName = t.Union(HOSTS.map((host) => t.Literal(host)))

const fields = {
  pull_request_id: PullRequestId,
  url: t.String(),
  title: orNull(t.String()),
  state: State,
  checks: Checks,
  review: Review,
  branch: orNull(t.String()),
  preview_url: t.Union([t.String(), t.Null()], { description: 'Where it is deployed to try it' }),
}

export const PullRequestRow = t.Object(
  { ...fields, created_by: Actor, created_at: Timestamp, updated_at: Timestamp },
  { columns: ['pull_request_id', 'url', 'title', 'state', 'checks', 'review'] },
)
export type PullRequestRow = Static<typeof PullRequestRow>

export const PullRequestReceipt = t.Object({
  ...fields,
  task_id: Id('Id of a task'),
  ticket_number: t.String(),
  created: t.Boolean({ description: 'False if it was already linked' }),
  changed: t.Array(t.String()),
  pr_badge: TaskRow.properties.pr_badge,
})

const longText = { maxLength: MAX_TEXT_LENGTH }
const sha = t.String({
  pattern: '^[0-9a-fA-F]{7,64}$',
  maxLength: 64,
  description: 'SHA of its latest commit',
})

/** An event of a pull request, sent by its host or a script. */
export const syncFields = {
  urls: t.Optional(
    t.Array(Url, { maxItems: 20, description: 'URLs of the pull requests concerned' }),
  ),
  sha: t.Optional(sha),
  at: t.Optional(
    t.String({
      maxLength: 40,
      description: 'When it happened, ISO 8601; default now',
      ...DATE_TIME_FORMAT,
    }),
  ),
  state: t.Optional(State),
  title: t.Optional(
    t.String({
      ...longText,
      description: 'Tasks are linked by ticket keys in title, branch and body',
    }),
  ),
  branch: t.Optional(t.String(longText)),
  body: t.Optional(t.String(longText)),
  review: t.Optional(
    t.Object(
      { by: t.String({ minLength: 1, maxLength: 200 }), review: Review },
      { additionalProperties: false, description: 'The verdict of a reviewer' },
    ),
  ),
  preview_url: t.Optional(
    t.String({ maxLength: 2000, description: 'Where the commit is deployed to try it' }),
  ),
  previous_sha: t.Optional({ ...sha, description: 'SHA of its latest commit before a push' }),
  commits: t.Optional(
    t.Array(
      t.Object(
        {
          sha,
          message: t.String(longText),
          url: t.String({ maxLength: 2000, description: 'http or https URL of the commit' }),
        },
        { additionalProperties: false },
      ),
      { maxItems: 100, description: 'Pushed commits; ticket keys in their messages link tasks' },
    ),
  ),
  check: t.Optional(
    t.Object(
      {
        name: t.String({ minLength: 1, maxLength: 200 }),
        checks: Checks,
        url: t.Optional(t.String({ maxLength: 2000, description: 'Where its log is' })),
      },
      { additionalProperties: false, description: 'Result of one check of the commit' },
    ),
  ),
}
const SyncFields = t.Object(syncFields)
export type SyncInput = Static<typeof SyncFields>

export const SyncResult = t.Object({
  linked: t.Array(
    t.Object({
      ticket_number: t.String(),
      pull_request_id: PullRequestId,
      state: State,
      checks: Checks,
      changed: t.Array(t.String()),
    }),
  ),
})

export const ReceiverId = t.String({
  pattern: '^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$',
  maxLength: 36,
  description: 'Id of a receiver',
})
const receiver = {
  receiver_id: t.String(),
  project_id: ProjectId,
  host: HostName,
  url: t.String({ description: 'Address that the host sends events to' }),
  created_at: Timestamp,
  expires_at: t.Union([Timestamp, t.Null()], {
    description: 'Expires with the key or token it was created with; null: never',
  }),
}
export const ReceiverRow = t.Object({ ...receiver, created_by: Actor })
export const NewReceiver = t.Object(
  {
    ...receiver,
    secret: t.String({ description: 'Shown only once; enter it at the code host' }),
    events: t.Array(t.String(), { description: 'Events to enable at the host' }),
  },
  { secret: true },
)
