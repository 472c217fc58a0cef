import {
  bool,
  id,
  index,
  int,
  json,
  table,
  text,
  time,
  uniqueIndex,
} from '../../../../store/columns.ts'
import { actors } from '../../people/model/index.ts'

const OWN = { exported: 'they prove who a person is on this server only' }
const actor_id = () => int('actor_id').references(() => actors.actor_id)

export const passkeys = table(
  'passkeys',
  OWN,
  {
    passkey_id: id('passkey_id'),
    actor_id: actor_id().notNull(),
    name: text('name').notNull(),
    /** The id that the authenticator gave it. */
    webauthn_id: text('webauthn_id').notNull(),
    public_key: text('public_key').notNull(),
    /** The signature counter of the authenticator. A lower one than before shows a copy. */
    counter: int('counter').notNull(),
    transports: json<string[]>('transports').notNull(),
    /** Whether it is synchronized between the devices of the person. */
    synced: bool('synced').notNull(),
    created_at: time('created_at').notNull(),
    last_used_at: time('last_used_at'),
  },
  (t) => [
    uniqueIndex('passkeys_webauthn').on(t.webauthn_id),
    index('passkeys_actor').on(t.actor_id),
  ],
)

/** Authenticator apps, which show codes that change every 30 seconds. A person has at most one. */
export const authenticatorApps = table('authenticator_apps', OWN, {
  actor_id: actor_id().primaryKey(),
  /** Encrypted. */
  secret: text('secret').notNull(),
  created_at: time('created_at').notNull(),
  /** Null until the person has entered a first code. It counts as a factor only then. */
  confirmed_at: time('confirmed_at'),
  /** The period of the last accepted code, so that each code is accepted once. */
  last_period: int('last_period'),
  last_used_at: time('last_used_at'),
})

export const recoveryCodes = table(
  'recovery_codes',
  OWN,
  {
    code_id: id('code_id'),
    actor_id: actor_id().notNull(),
    hash: text('hash').notNull(),
    created_at: time('created_at').notNull(),
    used_at: time('used_at'),
  },
  (t) => [index('recovery_codes_actor').on(t.actor_id)],
)
