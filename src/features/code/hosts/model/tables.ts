import {
  id,
  index,
  int,
  primaryKey,
  table,
  text,
  time,
  uniqueIndex,
} from '../../../../store/columns.ts'
import { actors } from '../../../identity/people/model/index.ts'
import type { HostKind, MappedBy } from './schema.ts'

const ofOneServer = {
  exported: 'their tokens belong to the server that they were entered on',
  unstaged: 'code hosts are set up after a team is published',
}

/** Servers with repositories that a team has an account on. */
export const codeHosts = table(
  'code_hosts',
  ofOneServer,
  {
    host_id: id('host_id'),
    team_id: int('team_id').notNull(),
    kind: text('kind').$type<HostKind>().notNull(),
    /** Its address without a trailing slash. */
    url: text('url').notNull(),
    /** Sealed: an access token, or the credentials of a GitHub App. */
    token: text('token').notNull(),
    /** The page of its GitHub App; null with an access token. */
    app_url: text('app_url'),
    /** The UUID in the address of the webhook of its GitHub App. */
    receiver_id: text('receiver_id'),
    /** The account of the token. */
    login: text('login').notNull(),
    /** Its id at the host, which no other account gets after it was renamed. */
    account_id: text('account_id'),
    created_by: int('created_by')
      .notNull()
      .references(() => actors.actor_id),
    created_at: time('created_at').notNull(),
    updated_at: time('updated_at').notNull(),
  },
  (t) => [
    index('code_hosts_team').on(t.team_id),
    uniqueIndex('code_hosts_receiver').on(t.receiver_id),
  ],
)

/** Who the accounts of a host are here: members, or placeholders. */
export const codePeople = table(
  'code_people',
  ofOneServer,
  {
    team_id: int('team_id').notNull(),
    host_id: int('host_id')
      .notNull()
      .references(() => codeHosts.host_id),
    /** The name of the account, in lower case. */
    login: text('login').notNull(),
    /**
     * The id of the account at the host. Somebody else can take the name of an account that was
     * renamed or deleted, but never its id. Null for what is no account.
     */
    account_id: text('account_id'),
    actor_id: int('actor_id')
      .notNull()
      .references(() => actors.actor_id),
    /** How it is known that the account belongs to this member; null for a placeholder. */
    mapped_by: text('mapped_by').$type<MappedBy>(),
  },
  (t) => [
    primaryKey({ columns: [t.host_id, t.login] }),
    uniqueIndex('code_people_account').on(t.host_id, t.account_id),
    index('code_people_actor').on(t.actor_id, t.host_id),
  ],
)
