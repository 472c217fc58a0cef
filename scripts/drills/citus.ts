/**
 * Tries Corkboard on Citus, a coordinator and two workers, and compares it with one PostgreSQL
 * server. 16 clients create tasks in 8 teams on both. Then the drill distributes the tables by team,
 * counts the tables, statements and operations that Citus refuses, and measures the least that a
 * write needs. The extension Citus must be installed for the newest PostgreSQL on this machine.
 *
 *   npm run drill -- citus
 */
import { join } from 'node:path'
import { cleanUp } from '../../test/binary/cork.ts'
import { type Statement, startRecorder } from '../bench/statement-recorder.ts'
import { build, isStale } from '../build.ts'
import { startPostgres } from '../postgres.ts'
import {
  CitusCluster,
  distribute,
  planStatements,
  type Refusals,
  withClient,
} from './citus-cluster.ts'
import { createPlace, measureChanges, measureCreation, type Place } from './citus-load.ts'

const ROUNDS = 2

type SampleResults = [name: string, failure: string | null][]

async function checkExtension(url: string): Promise<void> {
  const sql = "select from pg_available_extensions where name = 'citus'"
  const { rowCount } = await withClient(url, (client) => client.query(sql))
  if (!rowCount)
    throw new Error(
      'Install the extension Citus for the newest PostgreSQL on this machine, for version 15 the package postgresql-15-citus-12.1 of its publisher, then try again',
    )
}

function printRefusals(step: string, refusals: Refusals): void {
  console.log(`${step}: Citus refuses ${countAll(refusals)}`)
  for (const [reason, names] of refusals)
    console.log(`  ${names.length} × ${reason}: ${names.join(', ')}`)
}

const countAll = (refusals: Refusals): number =>
  refusals.values().reduce((sum, names) => sum + names.length, 0)

/** Calls all operations on a database. */
async function callSamples(url: string, ...flags: string[]): Promise<SampleResults> {
  const file = join(import.meta.dir, 'citus-samples.ts')
  const child = Bun.spawn([process.execPath, file, ...flags], {
    ...{ env: { ...process.env, DATABASE_URL: url }, stdout: 'pipe', stderr: 'inherit' },
  })
  const output = await new Response(child.stdout).text()
  if ((await child.exited) !== 0) throw new Error(`The calls ended early: ${output}`)
  return JSON.parse(output.trim().split('\n').at(-1)!)
}

/** Calls all operations on PostgreSQL. Returns those that succeeded and their statements. */
async function recordSamples(url: string) {
  const recorder = await startRecorder(url)
  const results = await callSamples(recorder.url).finally(() => recorder.stop())
  const succeeded = results.filter(([, failure]) => failure === null).map(([name]) => name)
  return { total: results.length, succeeded: new Set(succeeded), statements: recorder.take() }
}

async function compareSamples(postgres: string, citus: string): Promise<void> {
  const { total, succeeded, statements } = await recordSamples(postgres)
  const results = await callSamples(citus, 'distribute')
  const failed = results.filter(([name, failure]) => failure !== null && succeeded.has(name))
  console.log(
    `${total} operations: ${succeeded.size} succeed on PostgreSQL, of which ${failed.length} fail on Citus`,
  )
  console.log(`  ${failed.map(([name]) => name).join(', ')}`)
  await printPlans(citus, statements)
}

async function printPlans(url: string, statements: readonly Statement[]): Promise<void> {
  const { total, toSeveralShards, refusals } = await planStatements(url, statements)
  console.log(
    `${total} statements: Citus refuses ${countAll(refusals)} and sends ${toSeveralShards} to several shards`,
  )
  for (const [reason, texts] of refusals) console.log(`  ${texts.length} × ${reason}`)
}

/** Runs the drill and prints its result. Returns whether Corkboard works on a coordinator. */
export async function drill(): Promise<boolean> {
  if (isStale()) await build()
  const postgres = await startPostgres({ durable: true })
  try {
    await checkExtension(postgres.url)
    const citus = await CitusCluster.start()
    try {
      return await compare(postgres.url, citus)
    } finally {
      await citus.stop()
    }
  } finally {
    cleanUp()
    await postgres.stop()
  }
}

async function compare(postgres: string, citus: CitusCluster): Promise<boolean> {
  const single = await createPlace('one PostgreSQL server', postgres)
  const coordinator = await createPlace('Citus coordinator', await citus.createDatabase('teams'))
  await withClient(coordinator.url, async (client) => {
    const { rows } = await client.query('select citus_version(), version()')
    console.log(`${rows[0].citus_version}\n${rows[0].version}`)
  })
  let failed = 0
  const places = [single, coordinator]
  for (const place of repeat(places)) failed += await measureCreation(place)
  await distribute(coordinator.url, printRefusals)
  coordinator.name = 'Citus, tables distributed'
  await measureCreation(coordinator)
  for (const place of repeat(places)) await measureChanges(place)
  const database = Object.assign(new URL(postgres), { pathname: 'samples' }).href
  await withClient(postgres, (client) => client.query('create database samples'))
  await compareSamples(database, await citus.createDatabase('samples'))
  return failed === 0
}

/** Two rounds in alternation. */
const repeat = (places: readonly Place[]): Place[] => Array(ROUNDS).fill(places).flat()
