import { Type as t } from '@sinclair/typebox'
import { eq } from 'drizzle-orm'
import type { Caller, PrepareContext, Tx } from '../../../../kernel/caller.ts'
import { fault } from '../../../../kernel/fault.ts'
import { operation } from '../../../../kernel/operation.ts'
import { requireCode, requireCurrentPassword } from '../../accounts/model/index.ts'
import { people } from '../../people/model/index.ts'
import { markVerified, requireBrowser } from '../../sign_ins/model/index.ts'
import {
  Assertion,
  allowsPasskeys,
  type ChallengeFor,
  type CheckedCode,
  Code,
  checkAssertion,
  factorsOf,
  passkeyByWebauthnId,
  passkeysOf,
  requestOptions,
  usePasskey,
  WebAuthnOptions,
} from '../model/index.ts'

const VERIFICATION = '/api/v1/user/verification'
const MAX_PASSWORD_INPUT = 5000

export const begin = operation({
  name: 'verification.begin',
  summary: 'Get the ways in which you can confirm that it is you',
  needs: 'keys:manage',
  on: { rest: `POST ${VERIFICATION}/options` },
  input: t.Object({}),
  output: t.Object({
    password: t.Boolean(),
    code: t.Boolean({ description: 'A code of your authenticator app' }),
    passkey: t.Union([WebAuthnOptions, t.Null()]),
  }),
  async run(_, { tx, caller, now, server }) {
    requireBrowser(caller)
    const { actor_id } = caller
    const [person] = await tx.select().from(people).where(eq(people.actor_id, actor_id))
    const passkeys = await passkeysOf(tx, actor_id)
    const { app } = await factorsOf(tx, actor_id)
    const hasPasskey = passkeys.length > 0 && allowsPasskeys(server.url)
    return {
      password: person!.password_hash !== null,
      code: app,
      passkey: hasPasskey ? requestOptions(server, passkeys, verification(caller), now) : null,
    }
  },
})

const verification = ({ credential }: Caller): ChallengeFor => ({
  ceremony: 'verify',
  holder: credential,
})

export const verify = operation({
  name: 'verification.verify',
  summary: 'Confirm that it is you, for actions that require it',
  needs: 'keys:manage',
  on: { rest: `POST ${VERIFICATION}` },
  input: t.Object({
    password: t.Optional(t.String({ maxLength: MAX_PASSWORD_INPUT, description: 'Your password' })),
    code: t.Optional(Code),
    passkey: t.Optional(Assertion),
  }),
  output: t.Object({ verified: t.Boolean() }),
  async prepare(proof, context): Promise<Proof> {
    requireBrowser(context.caller)
    const { password, code, passkey } = proof
    if ([password, code, passkey].filter((one) => one !== undefined).length !== 1)
      throw fault.invalid('password', 'required', 'Give either a password, a code or a passkey')
    if (code !== undefined) return checkedCode(code, context)
    if (passkey) return checkedPasskey(passkey, context)
    await requireCurrentPassword('password', password!, context)
    return { use: async () => {} }
  },
  async run(_, { tx, caller, now, emit }, { use, factor }) {
    await use(tx, now)
    await markVerified(tx, caller, now)
    if (factor === 'recovery code') emit('recovery_codes.used', {}, {})
    emit('session.verified', {}, {})
    return { verified: true }
  },
})

interface Proof {
  factor?: CheckedCode['factor']
  /** Uses up what proves it. */
  use(tx: Tx, now: Date): Promise<unknown>
}

async function checkedCode(code: string, { caller, server, read, now }: PrepareContext) {
  const { actor_id, credential } = caller
  const guess = { actor_id, code, source: credential }
  return requireCode({ server, read, now }, guess)
}

async function checkedPasskey(
  passkey: Assertion,
  { caller, server, read, now }: PrepareContext,
): Promise<Proof> {
  const row = await read((tx) => passkeyByWebauthnId(tx, passkey.webauthn_id))
  const checked = await checkAssertion(server, passkey, row, verification(caller), now)
  if (checked.actor_id !== caller.actor_id)
    throw fault.forbidden('This passkey belongs to another account', 'Use one of your own')
  return { use: (tx, at) => usePasskey(tx, checked, at) }
}
