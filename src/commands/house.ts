import { existsSync, statSync } from 'node:fs'
import { serverOf } from '../app.ts'
import { type Client, catalog } from '../catalog.ts'
import { type Config, readConfig } from '../config.ts'
import { openData, placesIn, serverOfData, visitData } from '../data.ts'
import { callerFor } from '../features/callers/index.ts'
import { openKey, type SigningKey } from '../features/credentials/index.ts'
import { leasing } from '../features/leases/index.ts'
import { HOUSE } from '../features/people/index.ts'
import { teams } from '../features/teams/index.ts'
import type { Clock, Server, Tx } from '../kernel/caller.ts'
import { dispatcher } from '../kernel/dispatch.ts'
import type { AnyOperation } from '../kernel/operation.ts'
import { published } from '../store/imported.ts'
import { openStore, type Where } from '../store/open.ts'
import { levelOf } from '../store/snapshot.ts'
import type { OpenStore } from '../store/store.ts'
import { troubleOf } from '../store/trouble.ts'
import { Unusable } from '../store/unusable.ts'
import type { Values } from './command.ts'

export interface House {
  config: Config
  where: Where
  store: OpenStore
  clock: Clock
  server: Server
  key: SigningKey
  /** Writes what the operator did to the audit log: of one team, or of all where none is named. */
  audit(type: string, data: Record<string, unknown>, team_id?: number): Promise<void>
  /** An operation done in somebody's name. */
  as<N extends keyof Client>(
    user_id: number,
    name: N,
    input: Parameters<Client[N]>[0],
  ): Promise<Awaited<ReturnType<Client[N]>>>
}

const clock = () => new Date()

interface Done {
  type: string
  data: Record<string, unknown>
  team_id: number | undefined
}

async function auditAs(store: OpenStore, now: Date, { type, data, team_id }: Done): Promise<void> {
  await store.write(async (tx) => {
    const all = team_id === undefined ? await publishedTeams(tx) : []
    const seeing = new Map(all.map((team) => [team.team_id, 'owner' as const]))
    const by = { actor_id: HOUSE, credential: 'operator:0', teams: seeing }
    const place = team_id === undefined ? {} : { team_id }
    await store.append(tx, by, now, [{ type, place, data }])
  })
}

const publishedTeams = (tx: Tx) => tx.select().from(teams).where(published(tx, teams.team_id))

/** The data of this machine, for a command that may run beside the server. */
export async function within<T>(
  values: Values,
  job: (house: House) => Promise<T>,
  { create = false } = {},
): Promise<T> {
  const config = readConfig(process.env, { data: values.data })
  const where = create ? madePlace(config) : placeOf(config)
  await refuseOther(where, create)
  if (!create) refuseKeyless(config)
  const store = await openStore(where, clock)
  const file = fileOf(where)
  try {
    const key = await openKey(config, store, clock)
    const server = serverOf({ config, key })
    const dispatch = dispatcher({ store, clock, server, ...leasing })
    const made = await job({
      ...{ config, where, store, clock, server, key },
      audit: (type, data, team_id) => auditAs(store, clock(), { type, data, team_id }),
      async as(user_id, name, input) {
        const caller = await store.read((tx) => callerFor(tx, user_id))
        const op: AnyOperation = catalog.find((one) => one.name === name)!
        return (await dispatch(caller, op, input)).data as never
      },
    })
    refuseReplaced(where, file)
    return made
  } catch (error) {
    throw inWords(error)
  } finally {
    await store.close()
  }
}

/** Where the data is; links lead to the server that serves it, if one does. */
function placeOf(config: Config): Where {
  const { databaseUrl: url, host, port } = config
  if (url) config.url ||= `http://${host}:${port}`
  if (url) return { path: '', url }
  const { database } = visitData(config.data)
  config.url ||= serverOfData(config.data)?.url ?? `http://${host}:${port}`
  return { path: database }
}

const fileOf = ({ path }: Where) => (path ? statSync(path, { throwIfNoEntry: false })?.ino : 0)

/** A restore in the middle of it leaves whatever was done in the database that was put aside. */
function refuseReplaced(where: Where, file: number | undefined): void {
  if (fileOf(where) !== file)
    throw new Unusable(
      'A backup took the place of the data while this ran, so what was done is not in it. Do it again.',
    )
}

/** Whoever types a command can do something about a full disk, and hears of it plainly. */
function inWords(error: unknown): unknown {
  const trouble = troubleOf(error)
  if (!trouble) return error
  const { what, next } = trouble
  return new Unusable(`Nothing was changed: ${what}. ${next}`)
}

/** A folder that need not be there yet. */
function madePlace(config: Config): Where {
  if (!config.databaseUrl && !existsSync(placesIn(config.data).database))
    openData(config.data).release()
  return config.databaseUrl ? placeOf(config) : { path: placesIn(config.data).database }
}

/** A command never migrates: the server it runs beside may be of another version. */
async function refuseOther(where: Where, create: boolean): Promise<void> {
  const level = await levelOf(where)
  if (level === 'current' || (level === 'empty' && create)) return
  throw new Unusable(
    level === 'empty'
      ? 'The database is empty. "cork init" or the first "cork serve" prepares it.'
      : 'The database is not of this version of cork. Use the cork that serves it, or start "cork serve" of this version once: it makes a backup and brings the database up.',
  )
}

/** A key made now would not be the one that a running server still signs with. */
function refuseKeyless({ data, databaseUrl }: Config): void {
  const { key } = placesIn(data)
  if (!databaseUrl && !existsSync(key))
    throw new Unusable(
      `The signing key ${key} is gone. Restore it from a backup, or start the server again: it makes another, and everybody signs in again.`,
    )
}

/** What a command made, for programs or for people. */
export function answer(values: Values, made: unknown, told: () => string): number {
  console.log(values.json === undefined ? told() : JSON.stringify(made))
  return 0
}
