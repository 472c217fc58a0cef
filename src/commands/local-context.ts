import { existsSync, statSync } from 'node:fs'
import { type Client, catalog } from '../catalog.ts'
import { checkDataFolder, findServer, openDataFolder, pathsIn } from '../config/data-folder.ts'
import { type Config, readConfig } from '../config/index.ts'
import { leasing } from '../features/agents/leases/model/index.ts'
import { callerFor } from '../features/identity/callers/model/index.ts'
import { openKey, type SigningKey } from '../features/identity/credentials/model/index.ts'
import { SYSTEM_ACTOR_ID } from '../features/identity/people/model/index.ts'
import { teams } from '../features/identity/teams/model/index.ts'
import type { Clock, Server, Tx } from '../kernel/caller.ts'
import type { ChangeType } from '../kernel/changes.ts'
import { dispatcher } from '../kernel/dispatch.ts'
import type { AnyOperation } from '../kernel/operation.ts'
import { createServer } from '../server/app.ts'
import { problemOf } from '../store/errors.ts'
import { type DatabaseLocation, openStore } from '../store/open.ts'
import { isPublished } from '../store/published.ts'
import { databaseState } from '../store/snapshot.ts'
import type { OpenStore } from '../store/store.ts'
import { UnusableError } from '../store/unusable.ts'
import type { Values } from './command.ts'

export interface LocalContext {
  config: Config
  location: DatabaseLocation
  store: OpenStore
  clock: Clock
  server: Server
  key: SigningKey
  /** Writes an operator's action to the audit log of one team, or of every published team. */
  audit(type: ChangeType, data: Record<string, unknown>, team_id?: number): Promise<void>
  /** Runs an operation as this user. */
  as<N extends keyof Client>(
    user_id: number,
    name: N,
    input: Parameters<Client[N]>[0],
  ): Promise<Awaited<ReturnType<Client[N]>>>
}

const clock = () => new Date()

interface AuditEntry {
  type: ChangeType
  data: Record<string, unknown>
  team_id: number | undefined
}

async function appendAudit(
  store: OpenStore,
  now: Date,
  { type, data, team_id }: AuditEntry,
): Promise<void> {
  await store.write(async (tx) => {
    const auditedTeams = team_id === undefined ? await publishedTeams(tx) : []
    const roles = new Map(auditedTeams.map((team) => [team.team_id, 'owner' as const]))
    const by = { actor_id: SYSTEM_ACTOR_ID, credential: 'operator:0', teams: roles }
    const place = team_id === undefined ? {} : { team_id }
    await store.append(tx, by, now, [{ type, place, data }])
  })
}

const publishedTeams = (tx: Tx) => tx.select().from(teams).where(isPublished(tx, teams.team_id))

/** Opens the data of this machine for a command that may run beside the server. */
export async function withLocalContext<T>(
  values: Values,
  run: (context: LocalContext) => Promise<T>,
  { create = false } = {},
): Promise<T> {
  const config = readConfig(process.env, { data: values.data })
  const location = create ? createdLocation(config) : locationOf(config)
  await assertSchemaLevel(location, create)
  if (!create) assertKeyExists(config)
  const store = await openStore(location, clock)
  const inode = inodeOf(location)
  try {
    const key = await openKey(config, store, clock)
    const server = createServer({ config, key })
    const dispatch = dispatcher({ store, clock, server, ...leasing })
    const result = await run({
      config,
      location,
      store,
      clock,
      server,
      key,
      audit: (type, data, team_id) => appendAudit(store, clock(), { type, data, team_id }),
      async as(user_id, name, input) {
        const caller = await store.read((tx) => callerFor(tx, user_id))
        const op: AnyOperation = catalog.find((candidate) => candidate.name === name)!
        return (await dispatch(caller, op, input)).data as never
      },
    })
    assertNotReplaced(location, inode)
    return result
  } catch (error) {
    throw explained(error)
  } finally {
    await store.close()
  }
}

/** Where the data is. Also sets `config.url`, so that links lead to the running server. */
function locationOf(config: Config): DatabaseLocation {
  const { databaseUrl: url, host, port } = config
  if (url) config.url ||= `http://${host}:${port}`
  if (url) return { path: '', url }
  const { database } = checkDataFolder(config.data)
  config.url ||= findServer(config.data)?.url ?? `http://${host}:${port}`
  return { path: database }
}

const inodeOf = ({ path }: DatabaseLocation) =>
  path ? statSync(path, { throwIfNoEntry: false })?.ino : 0

/** A restore during the command puts the database aside, and with it whatever the command wrote. */
function assertNotReplaced(location: DatabaseLocation, inode: number | undefined): void {
  if (inodeOf(location) !== inode)
    throw new UnusableError(
      'A restore replaced the data while this command ran, so its changes are lost. Run it again.',
    )
}

/**
 * Turns a storage error that the operator can fix, such as a full disk, into a readable message.
 */
function explained(error: unknown): unknown {
  const failure = problemOf(error)
  if (!failure) return error
  const { problem, remedy } = failure
  return new UnusableError(`Nothing was changed: ${problem}. ${remedy}`)
}

/** The location of the data; creates the data folder if it does not exist. */
function createdLocation(config: Config): DatabaseLocation {
  if (!config.databaseUrl && !existsSync(pathsIn(config.data).database))
    openDataFolder(config.data).release()
  return config.databaseUrl ? locationOf(config) : { path: pathsIn(config.data).database }
}

/**
 * Refuses a database of another version. A command never migrates it, because the server it runs
 * beside may be of that other version.
 */
export async function assertSchemaLevel(location: DatabaseLocation, create = false): Promise<void> {
  const level = await databaseState(location)
  if (level === 'current' || (level === 'empty' && create)) return
  throw new UnusableError(
    level === 'empty'
      ? 'The database is empty. Run "cork init" or "cork serve" first.'
      : 'The database belongs to another version of cork. Use the version that serves it, or start "cork serve" of this version once: it makes a backup and migrates the database.',
  )
}

/** Refuses to create a signing key: a running server would go on signing with the old one. */
export function assertKeyExists({ data, databaseUrl }: Config): void {
  const { key } = pathsIn(data)
  if (!databaseUrl && !existsSync(key))
    throw new UnusableError(
      `The signing key ${key} is missing. Restore it from a backup, or restart the server: it creates a new key, and everybody must sign in again.`,
    )
}

/** Prints the result of a command: JSON with --json, text otherwise. Returns the exit code. */
export function printResult(values: Values, result: unknown, format: () => string): number {
  console.log(values.json === undefined ? format() : JSON.stringify(result))
  return 0
}
