import type { Caller } from '../kernel/caller.ts'

const withAddress = new WeakMap<Caller, Caller>()

/**
 * The caller with their network address, for the audit log. The same caller and address give the
 * same object, because cached answers are keyed by that object.
 */
export function callerWithAddress(caller: Caller, address: string): Caller {
  const cached = withAddress.get(caller)
  if (cached?.address === address) return cached
  const result = { ...caller, address }
  withAddress.set(caller, result)
  return result
}
