import { Type as t } from '@sinclair/typebox'
import { and, eq } from 'drizzle-orm'
import type { Caller, Looking, Server } from '../../kernel/caller.ts'
import { fault } from '../../kernel/fault.ts'
import { operation } from '../../kernel/operation.ts'
import { credentials } from '../credentials/index.ts'
import { endAll } from '../departures/index.ts'
import { Id, people, Timestamp } from '../people/index.ts'
import { toldSeat } from './browsers.ts'
import { hashPassword, matches } from './passwords.ts'
import { checkPassword } from './rules.ts'
import { endSessions, liveSessions, others } from './sessions.ts'
import { PasswordThrottle, type Source } from './throttle.ts'

const SESSIONS = '/api/v1/user/sessions'
/** Far more than a password may have, so that it is never quoted where it is too long. */
const MOST_SENT = 5000
const SessionId = Id('Id of a session of yours')

const Session = t.Object({
  session_id: SessionId,
  browser: t.String({ description: 'Browser and system, as far as they said it' }),
  address: t.Union([t.String(), t.Null()], { description: 'From where it was signed in' }),
  current: t.Boolean({ description: 'The one that this request came with' }),
  last_used_at: Timestamp,
  expires_at: { ...Timestamp, description: 'Unless it is used before' },
})

const listSessions = operation({
  name: 'browser_sessions.list',
  summary: 'The browsers that you are signed in with',
  needs: 'keys:read',
  on: { rest: `GET ${SESSIONS}` },
  input: t.Object({}),
  output: t.Object({ sessions: t.Array(Session) }),
  async run(_, { tx, caller, now }) {
    atBrowser(caller)
    const rows = await liveSessions(tx, caller, now)
    return {
      sessions: rows.map(({ session_id, name, current, used_at, expires_at }) => ({
        session_id,
        ...toldSeat(name),
        current,
        last_used_at: used_at.toISOString(),
        expires_at: expires_at.toISOString(),
      })),
    }
  },
})

const endSession = operation({
  name: 'browser_sessions.end',
  summary: 'Sign one of your browsers out',
  needs: 'keys:manage',
  destroys: true,
  on: { rest: `DELETE ${SESSIONS}/:session_id` },
  input: t.Object({ session_id: SessionId }),
  output: t.Object({ session_id: SessionId }),
  async run({ session_id }, { tx, caller, now, emit }) {
    atBrowser(caller)
    const which = and(eq(credentials.credential_id, session_id), others(caller))
    if (!(await endSessions(tx, caller.actor_id, now, which)))
      throw fault.notFound(
        'session_id',
        `You have no other session ${session_id} that could be ended`,
        session_id,
        'It may be over already; the one that you are in ends with signing out',
      )
    emit('session.closed', {}, {})
    return { session_id }
  },
})

const endOthers = operation({
  name: 'browser_sessions.end_others',
  summary: 'Sign all of your browsers out but this one',
  needs: 'keys:manage',
  destroys: true,
  on: { rest: `DELETE ${SESSIONS}` },
  input: t.Object({}),
  output: t.Object({ ended: t.Integer({ description: 'How many there were' }) }),
  async run(_, { tx, caller, now, emit }) {
    atBrowser(caller)
    const ended = await endSessions(tx, caller.actor_id, now, others(caller))
    if (ended) emit('session.closed', {}, {})
    return { ended }
  },
})

const changePassword = operation({
  name: 'password.change',
  summary: 'Change your password; your other browsers are signed out',
  needs: 'keys:manage',
  destroys: true,
  on: { rest: 'PUT /api/v1/user/password' },
  renews: true,
  input: t.Object({
    old_password: t.String({ maxLength: MOST_SENT, description: 'The present one' }),
    new_password: t.String({ maxLength: MOST_SENT, description: 'At least 10 characters' }),
    revoke_others: t.Optional(
      t.Boolean({
        description: 'Also end your keys, access tokens, calendar feeds and the tokens you created',
      }),
    ),
  }),
  output: t.Object({
    ended: t.Integer({ description: 'Other sessions that were ended' }),
    revoked: t.Integer({ description: 'Keys, tokens and calendar feeds that were ended' }),
  }),
  async prepare({ old_password, new_password }, ask) {
    atBrowser(ask.caller)
    checkPassword(new_password, 'new_password')
    const before = await provenBy(old_password, ask)
    return { before, password_hash: await hashPassword(new_password) }
  },
  /** A password is changed because somebody may know the old one. */
  async run({ revoke_others = false }, ctx, { before, password_hash }) {
    const { tx, caller, now, emit } = ctx
    const { actor_id } = caller
    const unchanged = and(eq(people.actor_id, actor_id), eq(people.password_hash, before))
    const changed = await tx.update(people).set({ password_hash }).where(unchanged).returning()
    if (!changed.length) throw fault.conflict('Your password was changed a moment ago elsewhere')
    const ended = await endSessions(tx, actor_id, now, others(caller))
    const revoked = revoke_others ? await endAll(ctx, actor_id) : 0
    emit('password.changed', {}, { ended, revoked })
    return { ended, revoked }
  },
})

export const operations = [listSessions, endSession, endOthers, changePassword] as const

/** A key or a token is handed to programs, which have no business with where somebody sits. */
function atBrowser({ credential }: Caller): void {
  if (!credential.startsWith('session:'))
    throw fault.forbidden(
      'This is done by a person who has signed in with a browser, not with a key',
      'Sign in at /sign-in and open the settings',
    )
}

const throttles = new WeakMap<Server, PasswordThrottle>()

/** The hash of the present password, where that was told. */
async function provenBy(password: string, { caller, server, read }: Looking) {
  const throttle = throttles.get(server) ?? new PasswordThrottle(() => server.elapsed())
  throttles.set(server, throttle)
  // Whoever sits at one browser of a person cannot keep them from it at another.
  const account = String(caller.actor_id)
  const source: Source = { name: caller.credential, isKnown: true }
  throttle.begin(account, source)
  const own = eq(people.actor_id, caller.actor_id)
  const [person] = await read((tx) => tx.select().from(people).where(own))
  const before = person?.password_hash
  if (!before || !(await matches(password, before)))
    throw fault.invalid('old_password', 'conflict', 'This is not your present password')
  throttle.succeed(account, source)
  return before
}
