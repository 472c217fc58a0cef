import type { Scope } from '../../kernel/caller.ts'
import { id, index, int, json, table, text, time, uniqueIndex } from '../../store/columns.ts'
import { actors } from '../people/index.ts'

/** Everything that proves who is asking. Only a hash is kept. */
export const credentials = table(
  'credentials',
  {
    credential_id: id('credential_id'),
    kind: text('kind').$type<'key' | 'token' | 'agent' | 'session'>().notNull(),
    actor_id: int('actor_id')
      .notNull()
      .references(() => actors.actor_id),
    name: text('name').notNull(),
    hash: text('hash').notNull(),
    /** The first characters, by which its owner tells it from others. */
    prefix: text('prefix').notNull(),
    /** Null: all that its owner may do. */
    scopes: json<Scope[] | null>('scopes'),
    created_at: time('created_at').notNull(),
    expires_at: time('expires_at'),
    last_used_at: time('last_used_at'),
    revoked_at: time('revoked_at'),
  },
  (t) => [
    uniqueIndex('credentials_hash').on(t.hash),
    index('credentials_actor').on(t.actor_id, t.kind),
  ],
)

/** The key that tokens are signed with, sealed; where a data folder holds it, there is no row. */
export const signingKeys = table('signing_keys', {
  name: text('name').primaryKey(),
  sealed: text('sealed').notNull(),
  created_at: time('created_at').notNull(),
})
