import { yieldForLargeWork } from '../../kernel/event-loop.ts'
import { fault } from '../../kernel/fault.ts'
import type { Pool, PoolTask } from '../../kernel/pool/pool.ts'
import type { TextTask, TextTasks } from '../../kernel/services.ts'
import { RULES } from '../content.ts'
import { TimeBudget } from './budget.ts'
import { Cache } from './cache.ts'

const cache = new Cache()
const keys = new WeakMap<TextTask, string>()

/** The cache key of a task. It contains the version of the text rules. */
export function keyOf(task: TextTask): string {
  const cached = keys.get(task)
  if (cached) return cached
  const { name, args } = task
  const hash = new Bun.CryptoHasher('sha256').update(`${RULES} ${name}`)
  // Hashing bytes is 50 times faster than hashing a long string with non-Latin characters.
  for (const arg of args) hash.update(` ${arg?.length} `).update(Buffer.from(arg ?? '', 'utf16le'))
  const key = hash.digest('base64url')
  keys.set(task, key)
  return key
}

/** A text task for the worker in `server/text-worker.ts`. */
export const poolTaskOf = ({ name, args, field }: TextTask): PoolTask => ({
  message: [name, ...args, field],
  length: args.reduce((sum, arg) => sum + (arg?.length ?? 0), 0),
  tooSlow: (seconds) =>
    fault.invalid(
      field,
      'too_long',
      `${field} takes more than ${seconds} s to process`,
      undefined,
      'Split it into shorter texts, or attach it as a file',
    ),
})

/** Text tasks of one server. Results are cached for all; each credential has a time budget. */
export function textTasksFor(pool: Pool, seconds: number): TextTasks {
  const budget = new TimeBudget(seconds)
  return {
    checkBudget: (credential) => budget.check(credential),
    cachedResult: (task) => cache.get(keyOf(task)),
    async run(credential, task) {
      const poolTask = poolTaskOf(task)
      const { length } = poolTask
      await yieldForLargeWork(length)
      const key = keyOf(task)
      const cached = cache.get(key)
      if (cached !== undefined) return cached
      budget.check(credential)
      const { ms, value, error } = await pool.run(credential, poolTask)
      budget.charge(credential, ms)
      if (error) throw error
      cache.set(key, value)
      await yieldForLargeWork(length)
      return value
    },
  }
}
