import { id, index, int, primaryKey, table, text, time } from '../../../../store/columns.ts'
import { actors } from '../../../identity/people/model/index.ts'
import type { HostKind } from './schema.ts'

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
    /** Sealed. */
    token: text('token').notNull(),
    /** The account of the token. */
    login: text('login').notNull(),
    created_by: int('created_by')
      .notNull()
      .references(() => actors.actor_id),
    created_at: time('created_at').notNull(),
    updated_at: time('updated_at').notNull(),
  },
  (t) => [index('code_hosts_team').on(t.team_id)],
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
    actor_id: int('actor_id')
      .notNull()
      .references(() => actors.actor_id),
  },
  (t) => [primaryKey({ columns: [t.host_id, t.login] })],
)
