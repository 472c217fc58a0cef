import type { Caller } from '../kernel/caller.ts'

const located = new WeakMap<Caller, Caller>()

/**
 * The caller with their network address, which the audit log tells. It is the same object for the
 * same address, because answers that are kept for a caller are found by that object.
 */
export function callerAt(caller: Caller, address: string): Caller {
  const before = located.get(caller)
  if (before?.address === address) return before
  const made = { ...caller, address }
  located.set(caller, made)
  return made
}
