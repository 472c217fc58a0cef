import type { Caller } from '../kernel/caller.ts'

const withAddress = new WeakMap<Caller, Caller>()

/**
 * The caller with their network address, for the audit log, and the languages of their browser. The
 * same values give the same object, because cached answers are keyed by that object.
 */
export function callerWithAddress(caller: Caller, address: string, { headers }: Request): Caller {
  const header = headers.get('accept-language') ?? undefined
  const languages = caller.credential.startsWith('session:') ? header : undefined
  const cached = withAddress.get(caller)
  if (cached?.address === address && cached.accept_language === languages) return cached
  const result = { ...caller, address, ...(languages && { accept_language: languages }) }
  withAddress.set(caller, result)
  return result
}
