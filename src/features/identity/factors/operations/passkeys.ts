import { Type as t } from '@sinclair/typebox'
import { eq } from 'drizzle-orm'
import type { Tx } from '../../../../kernel/caller.ts'
import { operation } from '../../../../kernel/operation.ts'
import { actors, people } from '../../people/model/index.ts'
import { requireBrowser, requireRecentProof } from '../../sign_ins/model/index.ts'
import {
  type ChallengeFor,
  checkAttestation,
  creationOptions,
  deletePasskey,
  insertPasskey,
  NewPasskey,
  Passkey,
  PasskeyId,
  PasskeyName,
  type PasskeyRow,
  passkeysOf,
  renamePasskey,
  WebAuthnOptions,
} from '../model/index.ts'

const PASSKEYS = '/api/v1/user/passkeys'

export const begin = operation({
  name: 'passkeys.begin',
  summary: 'Get the options with which a browser creates a passkey',
  needs: 'keys:manage',
  on: { rest: `POST ${PASSKEYS}/options` },
  input: t.Object({}),
  output: t.Object({ options: WebAuthnOptions }),
  async run(_, { tx, caller, now, server }) {
    await requireRecentProof(tx, caller, now)
    const owner = await ownerOf(tx, caller.actor_id)
    const existing = await passkeysOf(tx, caller.actor_id)
    return { options: creationOptions(server, owner, existing, creation(caller), now) }
  },
})

const creation = ({ credential }: { credential: string }): ChallengeFor => ({
  ceremony: 'create',
  holder: credential,
})

async function ownerOf(tx: Tx, actor_id: number) {
  const [row] = await tx
    .select({ actor_id: people.actor_id, email: people.email, name: actors.name })
    .from(people)
    .innerJoin(actors, eq(actors.actor_id, people.actor_id))
    .where(eq(people.actor_id, actor_id))
  return row!
}

export const create = operation({
  name: 'passkeys.create',
  summary: 'Add a passkey that a browser has created',
  needs: 'keys:manage',
  creates: true,
  on: { rest: `POST ${PASSKEYS}` },
  input: t.Object(NewPasskey),
  output: Passkey,
  async prepare(input, { caller, server, now }) {
    requireBrowser(caller)
    return checkAttestation(server, input, creation(caller), now)
  },
  async run({ name }, { tx, caller, now, emit }, attested) {
    await requireRecentProof(tx, caller, now)
    const passkey = { ...attested, actor_id: caller.actor_id, name: name.trim() }
    const row = await insertPasskey(tx, passkey, now)
    emit('passkey.created', {}, { passkey_id: row.passkey_id, name: row.name })
    return asPasskey(row)
  },
})

export const rename = operation({
  name: 'passkeys.rename',
  summary: 'Give one of your passkeys another name',
  needs: 'keys:manage',
  on: { rest: `PATCH ${PASSKEYS}/:passkey_id` },
  input: t.Object({ passkey_id: PasskeyId, name: PasskeyName }),
  output: t.Object({ passkey_id: PasskeyId, name: t.String() }),
  async run({ passkey_id, name: text }, { tx, caller, emit }) {
    requireBrowser(caller)
    const name = text.trim()
    await renamePasskey(tx, caller.actor_id, passkey_id, name)
    emit('passkey.updated', {}, { passkey_id, name })
    return { passkey_id, name }
  },
})

export const remove = operation({
  name: 'passkeys.delete',
  summary: 'Remove one of your passkeys; it no longer signs you in',
  needs: 'keys:manage',
  destroys: true,
  on: { rest: `DELETE ${PASSKEYS}/:passkey_id` },
  input: t.Object({ passkey_id: PasskeyId }),
  output: t.Object({ passkey_id: PasskeyId }),
  async run({ passkey_id }, { tx, caller, now, emit }) {
    await requireRecentProof(tx, caller, now)
    const { name } = await deletePasskey(tx, caller.actor_id, passkey_id)
    emit('passkey.deleted', {}, { passkey_id, name })
    return { passkey_id }
  },
})

export const asPasskey = ({ passkey_id, name, synced, created_at, last_used_at }: PasskeyRow) => ({
  passkey_id,
  name,
  synced,
  created_at: created_at.toISOString(),
  last_used_at: last_used_at?.toISOString() ?? null,
})
