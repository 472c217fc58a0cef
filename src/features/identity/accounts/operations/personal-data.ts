import { Type as t } from '@sinclair/typebox'
import type { Context } from '../../../../kernel/caller.ts'
import { fault } from '../../../../kernel/fault.ts'
import { operation } from '../../../../kernel/operation.ts'
import type { FileStore } from '../../../../kernel/services.ts'
import { personByEmail, pictureOf, UserId } from '../../people/model/index.ts'
import { requireRecentProof } from '../../sign_ins/model/index.ts'
import { eraseAccount, hasStep, refuseSoleOwner, runStep } from '../model/erase.ts'
import { type PersonalRecord, readPersonalData } from '../model/personal-data.ts'

const MAX_EMAIL_INPUT = 500

const Cursor = t.String({
  pattern: '^\\d{1,3}\\.\\d{1,10}$',
  maxLength: 20,
  description: 'next_cursor of the previous page',
})

export const exportData = operation({
  name: 'account.export',
  summary: 'What this server stores about you, page by page',
  needs: 'keys:read',
  dependsOn: ['profile', 'member', 'session', 'credential', 'task', 'comment', 'page', 'time'],
  // A cached answer would outlive the proof.
  uncached: true,
  on: { rest: 'GET /api/v1/user/export' },
  input: t.Object({ cursor: t.Optional(Cursor) }),
  output: t.Object({
    records: t.Array(
      t.Object({
        kind: t.String({ description: 'What the record is, such as sign_in or comment' }),
        data: t.Record(t.String(), t.Unknown()),
      }),
    ),
    next_cursor: t.Union([t.String(), t.Null()], { description: 'Null after the last page' }),
  }),
  async run({ cursor = '0.0' }, { tx, caller, now, server }) {
    await requireRecentProof(tx, caller, now)
    const [source = 0, after = 0] = cursor.split('.').map(Number)
    const { records, next } = await readPersonalData(tx, caller.actor_id, { source, after })
    const complete = await Promise.all(records.map((one) => withPicture(server.files, one)))
    return { records: complete, next_cursor: next && `${next.source}.${next.after}` }
  },
})

/** Replaces the reference to an uploaded picture by the picture, in base64. */
async function withPicture(files: FileStore, record: PersonalRecord): Promise<PersonalRecord> {
  const { avatar } = record.data
  const picture = typeof avatar === 'string' ? pictureOf(avatar) : undefined
  if (record.kind !== 'name' || !picture) return record
  const bytes = await files.read(picture.sha256)
  const data = bytes ? (await new Response(bytes).bytes()).toBase64() : null
  const content_type = `image/${picture.type}`
  return { ...record, data: { ...record.data, avatar: null, picture: { content_type, data } } }
}

export const erase = operation({
  name: 'account.erase',
  summary: 'Erase your account for good; what you wrote stays, without your name',
  needs: 'keys:manage',
  destroys: true,
  on: { rest: 'POST /api/v1/user/erase' },
  input: t.Object({
    email: t.String({ maxLength: MAX_EMAIL_INPUT, description: 'Your email, to confirm' }),
  }),
  output: t.Object({ user_id: UserId }),
  steps: {
    async hasMore({ email }, { tx }) {
      const person = await personByEmail(tx, email.trim())
      return person !== undefined && hasStep(tx, person.actor_id)
    },
    async runStep(input, ctx) {
      await requireMayErase(input, ctx)
      return runStep(ctx.tx, ctx.caller.actor_id)
    },
  },
  async run(input, ctx) {
    await requireMayErase(input, ctx)
    const { actor_id } = ctx.caller
    await eraseAccount(ctx.tx, actor_id, ctx.now)
    return { user_id: actor_id }
  },
})

async function requireMayErase({ email }: { email: string }, { tx, caller, now }: Context) {
  await requireRecentProof(tx, caller, now)
  const person = await personByEmail(tx, email.trim())
  if (person?.actor_id !== caller.actor_id)
    throw fault.invalid('email', 'conflict', 'email is not the email of your account', email)
  await refuseSoleOwner(tx, caller.actor_id)
}
