import { sql } from 'drizzle-orm'
import type { Scope } from '../../../../kernel/caller.ts'
import { id, index, int, json, table, text, time, uniqueIndex } from '../../../../store/columns.ts'
import { actors } from '../../people/model/index.ts'

/** All kinds of credentials. Only a hash of each secret is stored. */
export const credentials = table(
  'credentials',
  { exported: 'secrets stay on their server; the team creates new ones after the import' },
  {
    credential_id: id('credential_id'),
    /** `grant`: what a person allowed an OAuth client; `access`: the access tokens of a grant. */
    kind: text('kind')
      .$type<'key' | 'token' | 'agent' | 'session' | 'grant' | 'access'>()
      .notNull(),
    actor_id: int('actor_id')
      .notNull()
      .references(() => actors.actor_id),
    /**
     * The bearer credential that created it, and with which it ends. Null: created in a browser.
     */
    parent_id: int('parent_id'),
    /** The person who created it; for an agent's token this may be an admin. Null: the operator. */
    minted_by: int('minted_by').references(() => actors.actor_id),
    name: text('name').notNull(),
    hash: text('hash').notNull(),
    /** The first characters, by which its owner recognises it. */
    prefix: text('prefix').notNull(),
    /** Null: all rights of its owner. */
    scopes: json<Scope[] | null>('scopes'),
    /** Boards that it is restricted to. Null: all boards of its owner. */
    project_ids: json<number[] | null>('project_ids'),
    /** The address, with everything below it, that an access token is for. Null: all. */
    audience: text('audience'),
    /** The sign-in that a session belongs to. */
    sign_in_id: int('sign_in_id'),
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
    index('credentials_sign_in').on(t.sign_in_id),
    index('credentials_agents_end')
      .on(t.expires_at)
      .where(sql`kind = 'agent' and revoked_at is null and expires_at is not null`),
  ],
)

/** The encrypted signing key. No row exists if a data folder holds the key. */
export const signingKeys = table(
  'signing_keys',
  { exported: 'each server has its own', unsaved: 'the manifest of a backup holds the key' },
  {
    name: text('name').primaryKey(),
    sealed: text('sealed').notNull(),
    created_at: time('created_at').notNull(),
  },
)

/** Columns of other things that a credential creates: addresses that grant access. */
export const mintedWith = {
  /** The bearer credential that created it; the row is deleted when that one ends. */
  credential_id: int('credential_id'),
  /** When that credential expires; null: never. */
  expires_at: time('expires_at'),
}
