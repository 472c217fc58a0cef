import { ROLES } from '../../../catalog.ts'

/** What each role may do, from the server's own table. Runs while the app is built. */
export const roles = (): Record<string, string[]> =>
  Object.fromEntries(Object.entries(ROLES).map(([role, scopes]) => [role, [...scopes]]))
