import { id, index, int, table, text, time, uniqueIndex } from '../../../../store/columns.ts'
import { credentials } from '../../credentials/model/index.ts'
import { actors } from '../../people/model/index.ts'

const NOT_EXPORTED = { exported: 'the tokens of a grant work on this server only' }

/**
 * What a person allowed an OAuth client. Each grant is a credential of the kind `grant`, and its
 * access tokens are the credentials that it is the parent of.
 */
export const grants = table(
  'grants',
  NOT_EXPORTED,
  {
    credential_id: int('credential_id')
      .primaryKey()
      .references(() => credentials.credential_id),
    /** The person who allowed it. The credential belongs to them or to their agent. */
    person_id: int('person_id')
      .notNull()
      .references(() => actors.actor_id),
    client_id: text('client_id').notNull(),
    client_name: text('client_name').notNull(),
    /** The verified host of the client; null if nothing verifies who it is. */
    client_host: text('client_host'),
    redirect_uri: text('redirect_uri'),
    code_hash: text('code_hash'),
    code_challenge: text('code_challenge'),
    code_expires_at: time('code_expires_at'),
    /** Counts the refresh tokens. Only the newest one is valid; zero before the first. */
    generation: int('generation').notNull().default(0),
    refreshed_at: time('refreshed_at'),
  },
  (t) => [uniqueIndex('grants_code').on(t.code_hash), index('grants_person').on(t.person_id)],
)

/** Requests of devices without a browser, which a person allows in their own browser. */
export const deviceRequests = table(
  'device_requests',
  NOT_EXPORTED,
  {
    request_id: id('request_id'),
    device_hash: text('device_hash').notNull(),
    /** The short code that the person types. */
    user_code: text('user_code').notNull(),
    client_id: text('client_id').notNull(),
    client_name: text('client_name').notNull(),
    resource: text('resource').notNull(),
    scope: text('scope'),
    created_at: time('created_at').notNull(),
    expires_at: time('expires_at').notNull(),
    polled_at: time('polled_at'),
    /** The grant, once the person has allowed it. */
    credential_id: int('credential_id'),
    denied_at: time('denied_at'),
  },
  (t) => [
    uniqueIndex('device_requests_device').on(t.device_hash),
    uniqueIndex('device_requests_user').on(t.user_code),
    index('device_requests_end').on(t.expires_at),
  ],
)
