import { eq } from 'drizzle-orm'
import { credentials, hashOf } from '../../src/features/credentials/index.ts'
import { projectMembers } from '../../src/features/projects/index.ts'
import { SCOPES } from '../../src/kernel/caller.ts'
import type { AnyOperation } from '../../src/kernel/operation.ts'
import { sendFor } from '../ask.ts'
import { claimed } from '../furniture.ts'
import { samples } from '../samples.ts'
import { everything } from '../tables.ts'
import { type World, world } from '../world.ts'

/** Every kind of caller, in the order of the columns of the table. */
export const KINDS = [
  'nobody',
  'revoked',
  'expired',
  'outsider',
  'guest',
  'invited',
  'member',
  'admin',
  'owner',
  'agent',
  'other agent',
  'blind agent',
  'narrow key',
  'reading key',
] as const
export type Kind = (typeof KINDS)[number]

const READING = SCOPES.filter((scope) => scope.endsWith(':read'))

/** The actor of that kind; `nobody` sends no credential. */
async function play(w: World, kind: Kind): Promise<{ secret: string } | undefined> {
  const { ada, ben, cleo, gus, otto, bot, as, agent, store, clock } = w
  const spoil = async (what: { revoked_at: Date } | { expires_at: Date }) => {
    const key = await as(ada.caller.actor_id)
    await store.write((tx) =>
      tx
        .update(credentials)
        .set(what)
        .where(eq(credentials.hash, hashOf(key.secret))),
    )
    return key
  }
  switch (kind) {
    case 'nobody':
      return undefined
    case 'revoked':
      return spoil({ revoked_at: clock.now })
    case 'expired':
      return spoil({ expires_at: clock.now })
    case 'outsider':
      return otto
    case 'guest':
      return gus
    case 'invited': {
      const { team_id, board } = w
      const row = { team_id, project_id: board.project_id, actor_id: gus.caller.actor_id }
      await store.write((tx) => tx.insert(projectMembers).values({ ...row, added_at: clock.now }))
      return gus
    }
    case 'member':
      return cleo
    case 'admin':
      return ben
    case 'owner':
      return ada
    case 'agent':
      return bot
    case 'other agent':
      return agent(w.elsewhere, otto, 'Stranger')
    case 'blind agent':
      return agent(w.team_id, cleo, 'Blind', [])
    case 'narrow key':
      return as(ada.caller.actor_id, 'key', [])
    case 'reading key':
      return as(ada.caller.actor_id, 'key', READING)
  }
}

/** Reads that store when something was last used, by which lists are sorted. */
const NOTES_USE = new Set(['views.get', 'views.tasks'])

const REFUSALS = ['Authentication failed', 'Not allowed', 'Not found']

export interface Verdict {
  allowed: boolean
  /** A violation of a rule that holds for every caller. */
  wrong?: string
}

/** Calls the operation as that kind of caller in a separate world. A refusal must write nothing. */
export async function ask(
  op: AnyOperation,
  kind: Kind,
  planted: readonly AnyOperation[] = [],
): Promise<Verdict> {
  const w = await world({ plant: planted })
  const actor = await play(w, kind)
  const input = op.name in samples ? await samples[op.name]!(w) : {}
  await own(w, actor, op, input)
  if (op.guard && kind === 'agent')
    for (const task of [w.tasks.logo, w.tasks.copy]) await claimed(w.bot, task)
  const before = await everything(w)
  const { status, fault } = await sendFor(op)(w, actor, op, input)
  const isSame = async () => (await everything(w)) === before
  if (!fault && kind === 'reading key' && !NOTES_USE.has(op.name) && !(await isSame()))
    return { allowed: true, wrong: 'a key that only reads has written something' }
  if (!fault) return { allowed: true }
  if (!REFUSALS.includes(fault.error))
    return { allowed: false, wrong: `${status} ${fault.error}: ${fault.message}` }
  if (!(await isSame())) return { allowed: false, wrong: 'refused, but something was written' }
  const title = w.board?.title
  return title && JSON.stringify(fault).includes(title)
    ? { allowed: false, wrong: `the refusal names ${title}` }
    : { allowed: false }
}

/** Callers can revoke only their own keys and tokens, so this creates one for the caller. */
async function own(
  w: World,
  actor: { secret: string } | undefined,
  op: AnyOperation,
  input: Record<string, unknown>,
) {
  const id = { 'api_keys.revoke': 'api_key_id', 'access_tokens.revoke': 'access_token_id' }[op.name]
  if (!id || !actor) return
  const made = await w.http(
    actor,
    'POST',
    `/api/v1/${id === 'api_key_id' ? 'api-keys' : 'access-tokens'}`,
    { name: 'mine' },
  )
  if (made.body?.data) input[id] = made.body.data[id]
}
