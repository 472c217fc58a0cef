import type { Clock } from '../kernel/caller.ts'
import { openSqlite } from './sqlite.ts'
import type { OpenStore } from './store.ts'

/** A file in the data folder, unless `url` names a database server. */
export interface DatabaseLocation {
  path: string
  url?: string | undefined
  /** Read-only copies of the database server. */
  replicaUrls?: readonly string[]
}

/** Opens the database and applies pending migrations. */
export async function openStore(
  { path, url, replicaUrls }: DatabaseLocation,
  clock: Clock,
): Promise<OpenStore> {
  if (!url) return openSqlite(path, clock)
  // Loaded only if it is needed, because the program starts faster without it.
  const { openPostgres } = await import('./postgres.ts')
  return openPostgres(url, clock, replicaUrls)
}
