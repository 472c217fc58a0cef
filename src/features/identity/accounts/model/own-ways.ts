import type { Server } from '../../../../kernel/caller.ts'
import { fault } from '../../../../kernel/fault.ts'

/** Throws if people may sign in through issuers only, and not with a password or a passkey. */
export function requireOwnWays({ sign_in }: Pick<Server, 'sign_in'>): void {
  if (sign_in.passwords) return
  const names = sign_in.issuers.map(({ name }) => name).join(' or ')
  throw fault.forbidden('Passwords are turned off on this server', `Sign in with ${names}`)
}
