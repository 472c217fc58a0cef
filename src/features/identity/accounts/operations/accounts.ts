import { Type as t } from '@sinclair/typebox'
import { and, eq } from 'drizzle-orm'
import { fault } from '../../../../kernel/fault.ts'
import { operation } from '../../../../kernel/operation.ts'
import { cancelLinks } from '../../account_emails/model/index.ts'
import { credentials } from '../../credentials/model/index.ts'
import { revokeAllOf } from '../../departures/model/index.ts'
import { Id, people, Timestamp } from '../../people/model/index.ts'
import { requireBrowser, type SecondFactor, type SignInMethod } from '../../sign_ins/model/index.ts'
import { parseSessionName } from '../model/browsers.ts'
import { requireCurrentPassword } from '../model/current-password.ts'
import { hashPassword } from '../model/passwords.ts'
import { checkPassword } from '../model/rules.ts'
import { endSessions, liveSessions, otherSessions } from '../model/sessions.ts'

const SESSIONS = '/api/v1/user/sessions'
/**
 * Far more than a password may have: a too long one fails in checkPassword, which never quotes it.
 */
const MAX_PASSWORD_INPUT = 5000
const SessionId = Id('Id of one of your sessions')

const METHODS = [
  ...(['password', 'passkey', 'email', 'issuer', 'invitation'] as const),
  ...(['setup', 'recovery'] as const),
] satisfies SignInMethod[]
const SECOND_FACTORS = ['passkey', 'app', 'recovery code'] as const satisfies SecondFactor[]
const orNull = <Word extends string>(words: readonly Word[], description: string) =>
  t.Union([...words.map((word) => t.Literal(word)), t.Null()], { description })

const Session = t.Object({
  session_id: SessionId,
  browser: t.String({ description: 'Browser and operating system, if known' }),
  address: t.Union([t.String(), t.Null()], { description: 'Network address of the sign-in' }),
  current: t.Boolean({ description: 'The session of this request' }),
  method: orNull(METHODS, 'How you signed in'),
  second_factor: orNull(SECOND_FACTORS, 'What you confirmed it with'),
  signed_in_at: t.Union([Timestamp, t.Null()]),
  last_used_at: Timestamp,
  expires_at: { ...Timestamp, description: 'Extended when the session is used' },
})

export const listSessions = operation({
  name: 'browser_sessions.list',
  summary: 'Browsers you are signed in with',
  needs: 'keys:read',
  dependsOn: ['session'],
  on: { rest: `GET ${SESSIONS}` },
  input: t.Object({}),
  output: t.Object({ sessions: t.Array(Session) }),
  async run(_, { tx, caller, now }) {
    requireBrowser(caller)
    const rows = await liveSessions(tx, caller, now)
    return {
      sessions: rows.map(({ name, used_at, expires_at, signed_in_at, ...session }) => ({
        ...session,
        ...parseSessionName(name),
        signed_in_at: signed_in_at?.toISOString() ?? null,
        last_used_at: used_at.toISOString(),
        expires_at: expires_at.toISOString(),
      })),
    }
  },
})

export const endSession = operation({
  name: 'browser_sessions.end',
  summary: 'Sign out one of your browsers',
  needs: 'keys:manage',
  destroys: true,
  on: { rest: `DELETE ${SESSIONS}/:session_id` },
  input: t.Object({ session_id: SessionId }),
  output: t.Object({ session_id: SessionId }),
  async run({ session_id }, { tx, caller, now, emit }) {
    requireBrowser(caller)
    const condition = and(eq(credentials.credential_id, session_id), otherSessions(caller))
    if (!(await endSessions(tx, caller.actor_id, now, condition)))
      throw fault.notFound(
        'session_id',
        `You have no other session ${session_id} to end`,
        session_id,
        'It may have ended already. To end the current session, sign out',
      )
    emit('session.closed', {}, {})
    return { session_id }
  },
})

export const endOthers = operation({
  name: 'browser_sessions.end_others',
  summary: 'Sign out all your other browsers',
  needs: 'keys:manage',
  destroys: true,
  on: { rest: `DELETE ${SESSIONS}` },
  input: t.Object({}),
  output: t.Object({ ended: t.Integer({ description: 'Number of sessions ended' }) }),
  async run(_, { tx, caller, now, emit }) {
    requireBrowser(caller)
    const ended = await endSessions(tx, caller.actor_id, now, otherSessions(caller))
    if (ended) emit('session.closed', {}, {})
    return { ended }
  },
})

export const changePassword = operation({
  name: 'password.change',
  summary: 'Change your password; your other browsers are signed out',
  needs: 'keys:manage',
  destroys: true,
  on: { rest: 'PUT /api/v1/user/password' },
  rotatesSession: true,
  input: t.Object({
    old_password: t.String({ maxLength: MAX_PASSWORD_INPUT, description: 'Your current password' }),
    new_password: t.String({
      maxLength: MAX_PASSWORD_INPUT,
      description: 'At least 10 characters',
    }),
    revoke_others: t.Optional(
      t.Boolean({
        description:
          'Also revoke your keys, access tokens, calendar feeds and the tokens you created',
      }),
    ),
  }),
  output: t.Object({
    ended: t.Integer({ description: 'Number of other sessions ended' }),
    revoked: t.Integer({ description: 'Number of keys, tokens and calendar feeds revoked' }),
  }),
  async prepare({ old_password, new_password }, request) {
    requireBrowser(request.caller)
    checkPassword(new_password, 'new_password')
    const currentHash = await requireCurrentPassword('old_password', old_password, request)
    return { currentHash, password_hash: await hashPassword(new_password) }
  },
  /** Ends the other sessions, because somebody may know the old password. */
  async run({ revoke_others = false }, ctx, { currentHash, password_hash }) {
    const { tx, caller, now, emit } = ctx
    const { actor_id } = caller
    const unchanged = and(eq(people.actor_id, actor_id), eq(people.password_hash, currentHash))
    const changed = await tx.update(people).set({ password_hash }).where(unchanged).returning()
    if (!changed.length) throw fault.conflict('Your password was just changed elsewhere')
    await cancelLinks(tx, actor_id, now)
    const ended = await endSessions(tx, actor_id, now, otherSessions(caller))
    const revoked = revoke_others ? await revokeAllOf(ctx, actor_id) : 0
    emit('password.changed', {}, { ended, revoked })
    return { ended, revoked }
  },
})
