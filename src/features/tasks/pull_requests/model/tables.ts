import {
  id,
  index,
  int,
  json,
  real,
  table,
  text,
  time,
  uniqueIndex,
} from '../../../../store/columns.ts'
import { projects } from '../../../boards/projects/model/index.ts'
import { mintedWith } from '../../../identity/credentials/model/index.ts'
import { actors } from '../../../identity/people/model/index.ts'
import { tasks } from '../../tasks/model/index.ts'
import type { Checks, Host, Results, Review, Reviews, State } from './rules.ts'

export const pullRequests = table(
  'pull_requests',
  { exported: true },
  {
    pull_request_id: id('pull_request_id'),
    team_id: int('team_id').notNull(),
    task_id: int('task_id')
      .notNull()
      .references(() => tasks.task_id),
    url: text('url').notNull(),
    title: text('title'),
    state: text('state').$type<State>().notNull(),
    checks: text('checks').$type<Checks>().notNull(),
    /** The verdict of its reviews. */
    review: text('review').$type<Review>().notNull().default('none'),
    /** The latest verdict of each reviewer, by the name of the account. */
    reviews: json<Reviews | null>('reviews'),
    branch: text('branch'),
    /** Where the host has deployed it, to try it out. */
    preview_url: text('preview_url'),
    /** The commit that the checks belong to. */
    head_sha: text('head_sha'),
    /** The result of each check of that commit, by name. */
    results: json<Results>('results').notNull(),
    /** Time of the latest event, in ms. Events that are older are ignored. */
    told_at: real('told_at').notNull(),
    created_by: int('created_by')
      .notNull()
      .references(() => actors.actor_id),
    created_at: time('created_at').notNull(),
    updated_at: time('updated_at').notNull(),
  },
  (t) => [
    uniqueIndex('pull_requests_url').on(t.team_id, t.task_id, t.url),
    index('pull_requests_by_url').on(t.team_id, t.url),
    index('pull_requests_by_commit').on(t.team_id, t.head_sha),
  ],
)

/** An address to which a code host sends events for a board. Its secret is derived when needed. */
export const pullRequestReceivers = table(
  'pull_request_receivers',
  { exported: 'their URLs and secrets belong to the server that created them' },
  {
    row_id: id('row_id'),
    /** The UUID in its URL. */
    receiver_id: text('receiver_id').notNull(),
    team_id: int('team_id').notNull(),
    project_id: int('project_id')
      .notNull()
      .references(() => projects.project_id),
    host: text('host').$type<Host>().notNull(),
    /** The person in whose name its events act. */
    created_by: int('created_by')
      .notNull()
      .references(() => actors.actor_id),
    ...mintedWith,
    created_at: time('created_at').notNull(),
  },
  (t) => [
    uniqueIndex('pull_request_receivers_public').on(t.receiver_id),
    index('pull_request_receivers_board').on(t.team_id, t.project_id, t.row_id),
    index('pull_request_receivers_credential').on(t.credential_id),
  ],
)
