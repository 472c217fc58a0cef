import type { TextTask, TextWork } from '../../kernel/outside.ts'
import { turnFor } from '../../kernel/turns.ts'
import { RULES } from '../content.ts'
import { TimeBudget } from './budget.ts'
import { Cache } from './cache.ts'
import type { Pool } from './pool.ts'

export { Pool } from './pool.ts'

const cache = new Cache()
const keys = new WeakMap<TextTask, string>()

/** A cached result is of no use once the rules for texts are others. */
export function keyOf(task: TextTask): string {
  const known = keys.get(task)
  if (known) return known
  const { name, args } = task
  const hash = new Bun.CryptoHasher('sha256').update(`${RULES} ${name}`)
  // A hash takes a long text with other than Latin letters 50 times faster as bytes.
  for (const arg of args) hash.update(` ${arg?.length} `).update(Buffer.from(arg ?? '', 'utf16le'))
  const key = hash.digest('base64url')
  keys.set(task, key)
  return key
}

/** The pool for one server: its results are shared, each credential has a budget. */
export function textWork(pool: Pool, seconds: number): TextWork {
  const budget = new TimeBudget(seconds)
  return {
    checkBudget: (credential) => budget.check(credential),
    known: (task) => cache.get(keyOf(task)),
    async run(credential, task) {
      const letters = task.args.reduce((sum, arg) => sum + (arg?.length ?? 0), 0)
      await turnFor(letters)
      const key = keyOf(task)
      const known = cache.get(key)
      if (known !== undefined) return known
      budget.check(credential)
      const { ms, value, error } = await pool.run(credential, task)
      budget.charge(credential, ms)
      if (error) throw error
      cache.set(key, value)
      await turnFor(letters)
      return value
    },
  }
}
