import { ROLES } from '../../../../catalog.ts'

/** The scopes of each role, from the server's table. Runs at build time. */
export const roles = (): Record<string, string[]> =>
  Object.fromEntries(Object.entries(ROLES).map(([role, scopes]) => [role, [...scopes]]))
