import { eq } from 'drizzle-orm'
import { projectMembers } from '../../src/features/boards/projects/model/index.ts'
import { credentials, hashOf } from '../../src/features/identity/credentials/model/index.ts'
import { SCOPES } from '../../src/kernel/caller.ts'
import type { AnyOperation } from '../../src/kernel/operation.ts'
import { claimTask } from '../support/fixtures.ts'
import type { CallerKind } from '../support/operation-sample.ts'
import { sampleInput } from '../support/samples.ts'
import { surfaceCallFor } from '../support/surface-calls.ts'
import { databaseContents } from '../support/tables.ts'
import { type World, world } from '../support/world.ts'

const READ_SCOPES = SCOPES.filter((scope) => scope.endsWith(':read'))

/** The actor of that kind; `nobody` sends no credential. */
async function createActor(w: World, kind: CallerKind): Promise<{ secret: string } | undefined> {
  const { ada, ben, cleo, gus, otto, bot, authenticateAs, addAgent, store, clock } = w
  const createInvalidKey = async (change: { revoked_at: Date } | { expires_at: Date }) => {
    const key = await authenticateAs(ada.caller.actor_id)
    await store.write((tx) =>
      tx
        .update(credentials)
        .set(change)
        .where(eq(credentials.hash, hashOf(key.secret))),
    )
    return key
  }
  switch (kind) {
    case 'nobody':
      return undefined
    case 'revoked':
      return createInvalidKey({ revoked_at: clock.now })
    case 'expired':
      return createInvalidKey({ expires_at: clock.now })
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
      return addAgent(w.otherTeamId, otto, 'Stranger')
    case 'blind agent':
      return addAgent(w.team_id, cleo, 'Blind', [])
    case 'narrow key':
      return authenticateAs(ada.caller.actor_id, 'key', [])
    case 'reading key':
      return authenticateAs(ada.caller.actor_id, 'key', READ_SCOPES)
  }
}

/** Reads that store the time of last use, by which lists are sorted. */
const RECORDS_LAST_USE = new Set(['views.get', 'views.tasks'])

const REFUSALS = ['Authentication failed', 'Not allowed', 'Not found']

/** Only the holder of a lease can use it. Others on the board see the lease, so they get a conflict. */
const HOLDER_ONLY = new Set(['leases.heartbeat', 'leases.release'])

export interface Verdict {
  allowed: boolean
  /** A violation of a rule that holds for every caller. */
  violation?: string
}

/** Calls the operation as that kind of caller in a separate world. A refusal must write nothing. */
export async function verdictFor(
  op: AnyOperation,
  kind: CallerKind,
  extraOperations: readonly AnyOperation[] = [],
): Promise<Verdict> {
  const w = await world({ extraOperations })
  const actor = await createActor(w, kind)
  const input = await sampleInput(op.name, w)
  await addOwnCredential(w, actor, op, input)
  if (op.guard && kind === 'agent')
    for (const task of [w.tasks.logo, w.tasks.copy]) await claimTask(w.bot, task)
  const before = await databaseContents(w)
  const { status, fault } = await surfaceCallFor(op)(w, actor, op, input)
  const isSame = async () => (await databaseContents(w)) === before
  if (!fault && kind === 'reading key' && !RECORDS_LAST_USE.has(op.name) && !(await isSame()))
    return { allowed: true, violation: 'a key that only reads has written something' }
  if (!fault) return { allowed: true }
  const isRefused =
    REFUSALS.includes(fault.error) || (HOLDER_ONLY.has(op.name) && fault.error === 'Conflict')
  if (!isRefused) return { allowed: false, violation: `${status} ${fault.error}: ${fault.message}` }
  if (!(await isSame())) return { allowed: false, violation: 'refused, but something was written' }
  const title = w.board?.title
  return title && JSON.stringify(fault).includes(title)
    ? { allowed: false, violation: `the refusal names ${title}` }
    : { allowed: false }
}

/** Callers can revoke only their own keys and tokens, so this creates one for the caller. */
async function addOwnCredential(
  w: World,
  actor: { secret: string } | undefined,
  op: AnyOperation,
  input: Record<string, unknown>,
) {
  const id = { 'api_keys.revoke': 'api_key_id', 'access_tokens.revoke': 'access_token_id' }[op.name]
  if (!id || !actor) return
  const response = await w.http(
    actor,
    'POST',
    `/api/v1/${id === 'api_key_id' ? 'api-keys' : 'access-tokens'}`,
    { name: 'mine' },
  )
  if (response.body?.data) input[id] = response.body.data[id]
}
