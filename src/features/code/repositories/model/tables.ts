import { bool, id, index, int, table, text, time, uniqueIndex } from '../../../../store/columns.ts'
import { projects } from '../../../boards/projects/model/index.ts'
import { actors } from '../../../identity/people/model/index.ts'
import { codeHosts } from '../../hosts/model/index.ts'

/** Repositories that are linked to a board, with the state of their synchronization. */
export const repositories = table(
  'repositories',
  {
    exported: 'their webhooks lead to the server that they were linked on',
    unstaged: 'repositories are linked after a team is published',
  },
  {
    repository_id: id('repository_id'),
    team_id: int('team_id').notNull(),
    project_id: int('project_id')
      .notNull()
      .references(() => projects.project_id),
    host_id: int('host_id')
      .notNull()
      .references(() => codeHosts.host_id),
    /** The path at the host, such as `acme/site`. */
    name: text('name').notNull(),
    url: text('url').notNull(),
    /** The UUID in the address of its webhook. */
    receiver_id: text('receiver_id').notNull(),
    /** The id of the webhook at the host; null if it was entered by hand. */
    webhook_id: text('webhook_id'),
    /** Whether issues and tasks are synchronized, both ways. */
    issues: bool('issues').notNull(),
    /** Only issues and tasks with this label; null: all. */
    label: text('label'),
    pull_requests: bool('pull_requests').notNull(),
    /** The person in whose name events act. */
    created_by: int('created_by')
      .notNull()
      .references(() => actors.actor_id),
    created_at: time('created_at').notNull(),
    /** The next page of the first listing of all open issues; null once it is complete. */
    listing_page: int('listing_page'),
    /** The sweep lists issues that changed since this moment, by the clock of the host. */
    swept_to: time('swept_to'),
    /** When the worker handles it next, unless it rests. */
    wake_at: time('wake_at').notNull(),
    /** Set after an error, and by limits of the host. */
    rest_until: time('rest_until'),
    /** A worker handles it until then. */
    busy_until: time('busy_until'),
    failures: int('failures').notNull(),
    error: text('error'),
    /** When the last event of its webhook arrived. */
    event_at: time('event_at'),
    synced_at: time('synced_at'),
  },
  (t) => [
    uniqueIndex('repositories_receiver').on(t.receiver_id),
    uniqueIndex('repositories_board').on(t.project_id, t.host_id, t.name),
    index('repositories_wake').on(t.wake_at),
  ],
)
