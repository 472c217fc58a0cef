import type { IssuerSignIns } from './issuers.ts'
import type { SignInWays } from './pages.ts'
import type { Accounts } from './parts.ts'

/** The ways to sign in on this server. */
export const waysOf = (
  { passkey }: Accounts,
  { buttons, hasPasswords }: IssuerSignIns,
): SignInWays => ({
  ...{ buttons, hasPasswords },
  hasPasskeys: passkey.isAvailable(),
})
