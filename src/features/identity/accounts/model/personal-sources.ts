import type { PgColumn } from 'drizzle-orm/pg-core'
import { views } from '../../../boards/views/model/index.ts'
import { comments } from '../../../conversation/comments/model/index.ts'
import { channels, notificationSettings } from '../../../inbox/channels/model/index.ts'
import { mailings } from '../../../inbox/mail/model/index.ts'
import { myViews } from '../../../inbox/my_tasks/model/index.ts'
import { sidebars } from '../../../inbox/sidebar/model/index.ts'
import { pages } from '../../../pages/pages/model/index.ts'
import { drafts } from '../../../tasks/drafts/model/index.ts'
import { tasks } from '../../../tasks/tasks/model/index.ts'
import { calendarFeeds } from '../../../time/calendar/model/index.ts'
import { timeEntries } from '../../../time/time/model/index.ts'
import { credentials } from '../../credentials/model/index.ts'
import { authenticatorApps, passkeys } from '../../factors/model/index.ts'
import { grants } from '../../grants/model/index.ts'
import { linkedIdentities } from '../../linked_identities/model/index.ts'
import { actors, people } from '../../people/model/index.ts'
import { signIns } from '../../sign_ins/model/index.ts'
import { members } from '../../teams/model/index.ts'

/** A table with data about a person: the column that names the person, and what is exported. */
export interface Source {
  kind: string
  person: PgColumn
  fields: Record<string, PgColumn>
  /** The id by which a long table is read in windows. */
  id?: PgColumn
}

/** What is exported, in this order. Secrets and hashes are left out. */
export const SOURCES: readonly Source[] = [
  {
    kind: 'profile',
    person: people.actor_id,
    fields: {
      user_id: people.actor_id,
      email: people.email,
      time_zone: people.time_zone,
      locale: people.locale,
      default_project_id: people.default_project_id,
      created_at: people.created_at,
    },
  },
  {
    kind: 'name',
    person: actors.actor_id,
    fields: { display_name: actors.name, avatar: actors.avatar },
  },
  {
    kind: 'membership',
    person: members.actor_id,
    fields: { team_id: members.team_id, role: members.role, joined_at: members.joined_at },
  },
  {
    kind: 'sign_in',
    person: signIns.actor_id,
    id: signIns.sign_in_id,
    fields: {
      method: signIns.method,
      second_factor: signIns.second_factor,
      issuer: signIns.issuer,
      created_at: signIns.created_at,
    },
  },
  {
    kind: 'credential',
    person: credentials.actor_id,
    id: credentials.credential_id,
    fields: {
      credential_id: credentials.credential_id,
      kind: credentials.kind,
      name: credentials.name,
      scopes: credentials.scopes,
      created_at: credentials.created_at,
      expires_at: credentials.expires_at,
      last_used_at: credentials.last_used_at,
      revoked_at: credentials.revoked_at,
    },
  },
  {
    kind: 'grant',
    person: grants.person_id,
    fields: { credential_id: grants.credential_id, client: grants.client_name },
  },
  {
    kind: 'passkey',
    person: passkeys.actor_id,
    fields: {
      name: passkeys.name,
      created_at: passkeys.created_at,
      last_used_at: passkeys.last_used_at,
    },
  },
  {
    kind: 'authenticator_app',
    person: authenticatorApps.actor_id,
    fields: {
      created_at: authenticatorApps.created_at,
      last_used_at: authenticatorApps.last_used_at,
    },
  },
  {
    kind: 'linked_identity',
    person: linkedIdentities.actor_id,
    fields: {
      issuer: linkedIdentities.issuer,
      subject: linkedIdentities.subject,
      email: linkedIdentities.email,
      created_at: linkedIdentities.created_at,
    },
  },
  {
    kind: 'email_settings',
    person: mailings.actor_id,
    fields: { mode: mailings.mode, kinds: mailings.kinds, hour: mailings.hour },
  },
  {
    kind: 'channel',
    person: channels.owner_id,
    fields: {
      kind: channels.kind,
      title: channels.title,
      events: channels.events,
      created_at: channels.created_at,
    },
  },
  {
    kind: 'notification_settings',
    person: notificationSettings.actor_id,
    fields: {
      quiet_from: notificationSettings.quiet_from,
      quiet_to: notificationSettings.quiet_to,
      quiet_exceptions: notificationSettings.quiet_exceptions,
      boards: notificationSettings.boards,
    },
  },
  {
    kind: 'calendar_feed',
    person: calendarFeeds.actor_id,
    fields: { title: calendarFeeds.title, created_at: calendarFeeds.created_at },
  },
  {
    kind: 'my_view',
    person: myViews.actor_id,
    fields: { title: myViews.title, created_at: myViews.created_at },
  },
  {
    kind: 'sidebar',
    person: sidebars.actor_id,
    fields: { entries: sidebars.entries, updated_at: sidebars.updated_at },
  },
  {
    kind: 'view',
    person: views.owner_id,
    id: views.saved_view_id,
    fields: { title: views.title, project_id: views.project_id, created_at: views.created_at },
  },
  {
    kind: 'draft',
    person: drafts.author_id,
    id: drafts.draft_id,
    fields: { task_id: drafts.task_id, text: drafts.text, updated_at: drafts.updated_at },
  },
  {
    kind: 'task',
    person: tasks.created_by,
    id: tasks.task_id,
    fields: {
      task_id: tasks.task_id,
      ticket_number: tasks.ticket_number,
      created_at: tasks.created_at,
    },
  },
  {
    kind: 'comment',
    person: comments.author_id,
    id: comments.comment_id,
    fields: {
      comment_id: comments.comment_id,
      task_id: comments.task_id,
      created_at: comments.created_at,
    },
  },
  {
    kind: 'page',
    person: pages.created_by,
    id: pages.page_id,
    fields: { page_id: pages.page_id, task_id: pages.task_id, created_at: pages.created_at },
  },
  {
    kind: 'time_entry',
    person: timeEntries.actor_id,
    id: timeEntries.entry_id,
    fields: {
      entry_id: timeEntries.entry_id,
      task_id: timeEntries.task_id,
      seconds: timeEntries.seconds,
      note: timeEntries.note,
      started_at: timeEntries.started_at,
      created_at: timeEntries.created_at,
    },
  },
]
