import { and, eq, lt } from 'drizzle-orm'
import type { Tx } from '../kernel/caller.ts'
import type { Answer, Once } from '../kernel/dispatch.ts'
import { fault } from '../kernel/fault.ts'
import { answers } from './tables.ts'

const DAY_MS = 24 * 60 * 60 * 1000

/** Makes something at most once for an idempotency key, in the transaction that makes it. */
export async function once(tx: Tx, ask: Once, make: () => Promise<Answer>): Promise<Answer> {
  await tx.delete(answers).where(lt(answers.created_at, new Date(ask.now.getTime() - DAY_MS)))
  const mine = and(eq(answers.actor_id, ask.actor_id), eq(answers.key, ask.key))
  const [before] = await tx.select().from(answers).where(mine)
  if (before) return again(before, ask)
  const { actor_id, key, digest, now } = ask
  const answer = await make()
  await tx
    .insert(answers)
    .values({ actor_id, key, digest, answer: ask.secret ? null : answer, created_at: now })
  return answer
}

function again(before: typeof answers.$inferSelect, ask: Once): Answer {
  if (before.digest !== ask.digest)
    throw fault.conflict(
      'This Idempotency-Key was used for another request',
      { field: 'Idempotency-Key' },
      'Use a new key for a new request',
    )
  if (before.answer === null)
    throw fault.conflict(
      'This was made already, and its secret is shown only once',
      { field: 'Idempotency-Key' },
      'Revoke what was made and make another with a new key',
    )
  return { ...(before.answer as Answer), replayed: true }
}
