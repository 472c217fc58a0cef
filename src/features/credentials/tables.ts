import { sql } from 'drizzle-orm'
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
    /** The bearer credential it was minted with: it ends with that one. Null: minted in a browser. */
    parent_id: int('parent_id'),
    /** The person who minted it, which for an agent's token may be an admin; null: the operator. */
    minted_by: int('minted_by').references(() => actors.actor_id),
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
    index('credentials_parent').on(t.parent_id),
    index('credentials_minted_by').on(t.minted_by),
    index('credentials_agents_end')
      .on(t.expires_at)
      .where(sql`kind = 'agent' and revoked_at is null and expires_at is not null`),
  ],
)

/** The key that tokens are signed with, sealed; where a data folder holds it, there is no row. */
export const signingKeys = table('signing_keys', {
  name: text('name').primaryKey(),
  sealed: text('sealed').notNull(),
  created_at: time('created_at').notNull(),
})

/** Columns of what a credential mints beside credentials: addresses that let others in. */
export const mintedWith = {
  /** The bearer credential it was minted with: it is deleted when that one ends. */
  credential_id: int('credential_id'),
  /** When that credential expires; null: never. */
  expires_at: time('expires_at'),
}
