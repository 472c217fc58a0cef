import { and, eq, lt } from 'drizzle-orm'
import type { Tx } from '../kernel/caller.ts'
import type { IdempotentRequest, OperationResult } from '../kernel/dispatch.ts'
import { fault } from '../kernel/fault.ts'
import { answers } from './tables.ts'

const DAY_MS = 24 * 60 * 60 * 1000

/**
 * Runs a job at most once per idempotency key and day, and stores its result in its transaction.
 */
export async function idempotent(
  tx: Tx,
  request: IdempotentRequest,
  run: () => Promise<OperationResult>,
): Promise<OperationResult> {
  await tx.delete(answers).where(lt(answers.created_at, new Date(request.now.getTime() - DAY_MS)))
  const sameKey = and(eq(answers.actor_id, request.actor_id), eq(answers.key, request.key))
  const [before] = await tx.select().from(answers).where(sameKey)
  if (before) return replay(before, request)
  const { actor_id, key, digest, now } = request
  const result = await run()
  await tx
    .insert(answers)
    .values({ actor_id, key, digest, answer: request.hasSecret ? null : result, created_at: now })
  return result
}

function replay(before: typeof answers.$inferSelect, request: IdempotentRequest): OperationResult {
  if (before.digest !== request.digest)
    throw fault.conflict(
      'This Idempotency-Key was used for another request',
      { field: 'Idempotency-Key' },
      'Use a new key for a new request',
    )
  if (before.answer === null)
    throw fault.conflict(
      'This was already created, and its secret is shown only once',
      { field: 'Idempotency-Key' },
      'Revoke it and create another with a new Idempotency-Key',
    )
  return { ...(before.answer as OperationResult), replayed: true }
}
