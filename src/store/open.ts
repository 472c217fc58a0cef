import type { Clock } from '../kernel/caller.ts'
import { openSqlite } from './sqlite.ts'
import type { OpenStore } from './store.ts'

/** Where the data is: a file of the data folder, unless an address names a database server. */
export interface Where {
  path: string
  url?: string | undefined
}

/** The database, brought up to this program. */
export async function openStore({ path, url }: Where, clock: Clock): Promise<OpenStore> {
  if (!url) return openSqlite(path, clock)
  // Loaded only where it is needed: the program starts faster without it.
  const { openPostgres } = await import('./postgres.ts')
  return openPostgres(url, clock)
}
