import { existsSync } from 'node:fs'
import { findServer, pathsIn } from '../config/data-folder.ts'
import {
  bucketOf,
  type Config,
  describeConfig,
  readConfig,
  unknownVariables,
} from '../config/index.ts'
import { openKey } from '../features/identity/credentials/model/index.ts'
import { openFiles } from '../files/index.ts'
import type { Clock } from '../kernel/caller.ts'
import { openStore } from '../store/open.ts'
import { openSnapshot, type Snapshot } from '../store/snapshot.ts'
import { checkBasePath } from './base-path.ts'
import { checkClock, checkFile, checkLog, checkSchema, hasSignedCredentials } from './database.ts'
import { checkEmbeddings } from './embeddings.ts'
import { checkFeedback } from './feedback.ts'
import { checkFiles } from './files.ts'
import { type Finding, ok, problem, warning } from './finding.ts'
import { checkBackups, checkFolder, checkKey, checkServer, unreadableDatabase } from './folder.ts'
import { checkIssuers } from './issuers.ts'
import { checkMail } from './mail.ts'
import { checkModel } from './model.ts'
import { checkPassages } from './passages.ts'
import { checkEngine, checkReplicas } from './postgres.ts'
import { checkProxy } from './proxy.ts'
import { checkTexts } from './texts.ts'

export type { Finding } from './finding.ts'

type Env = Record<string, string | undefined>

/** Runs all checks; each check comes after those that it depends on. */
export async function runChecks(env: Env, flags: Env, clock: Clock): Promise<Finding[]> {
  const settings = checkSettings(env, flags)
  if (settings.some(({ state }) => state === 'problem')) return settings
  const config = readConfig(env, flags)
  const dataFindings = config.databaseUrl
    ? await checkPostgres(config, clock)
    : await checkDataFolder(config, clock)
  const services = [
    ...(await checkEmbeddings(config)),
    await checkModel(config),
    ...(await checkMail(config)),
    ...(await checkIssuers(config, clock)),
  ]
  return [...settings, ...dataFindings, ...services]
}

function checkSettings(env: Env, flags: Env): Finding[] {
  const check = 'settings'
  const errors = describeConfig(env, flags).flatMap(({ problem }) => problem ?? [])
  const hint = '"cork config" shows every setting and where it comes from'
  const combinedError = errors.length ? undefined : findConfigError(env, flags)
  const findings = [
    ...[...errors, ...(combinedError ? [combinedError] : [])].map((says) =>
      problem(check, says, hint),
    ),
    ...unknownVariables(env).map((says) => warning(check, says, hint)),
  ]
  return findings.length ? findings : [ok(check, 'are all valid')]
}

/** An error that shows only when the settings are combined. */
function findConfigError(env: Env, flags: Env): string | undefined {
  try {
    readConfig(env, flags)
    return undefined
  } catch (error) {
    return (error as Error).message
  }
}

async function checkDataFolder(config: Config, clock: Clock): Promise<Finding[]> {
  const { data } = config
  const { database } = pathsIn(data)
  const folder = checkFolder(data)
  if (folder.some(({ state }) => state === 'problem')) return folder
  const proxy = checkProxy(config, findServer(data)?.proxy)
  const path = await checkBasePath(config.url)
  const otherFindings = [await checkServer(data), proxy, ...path, checkBackups(data, clock())]
  if (!existsSync(database))
    return [
      ...folder,
      warning('database', 'there is none yet', 'Start with "cork init" or "cork serve"'),
      ...otherFindings,
    ]
  try {
    const file = checkFile(database)
    if (file.state === 'problem') return [...folder, file, ...otherFindings]
    const databaseFindings = await withSnapshot({ path: database }, async (snapshot) => [
      ...(await checkLog(snapshot)),
      ...(await checkClock(snapshot.tx, clock(), database)),
      await checkFiles(snapshot.tx, filesOf(config)),
      await checkTexts(snapshot.tx),
      await checkPassages(snapshot.tx, pathsIn(data).search),
      ...(await checkFeedback(snapshot.tx, config.feedbackProject)),
      checkKey(data, await hasSignedCredentials(snapshot.tx)),
    ])
    return [...folder, file, ...databaseFindings, ...otherFindings]
  } catch (error) {
    return [...folder, unreadableDatabase(database, error), ...otherFindings]
  }
}

async function checkPostgres(config: Config, clock: Clock): Promise<Finding[]> {
  const url = config.databaseUrl!
  try {
    const engine = [...(await checkEngine(url)), ...(await checkReplicas(url, config.replicaUrls))]
    const databaseFindings = await withSnapshot({ path: '', url }, async (snapshot) => [
      ...(await checkLog(snapshot)),
      ...(await checkClock(snapshot.tx, clock())),
      await checkFiles(snapshot.tx, filesOf(config)),
      await checkTexts(snapshot.tx),
      await checkPassages(snapshot.tx, pathsIn(config.data).search),
      ...(await checkFeedback(snapshot.tx, config.feedbackProject)),
      await checkSealedKey(config, clock),
    ])
    return [
      ...engine,
      ...databaseFindings,
      checkProxy(config),
      ...(await checkBasePath(config.url)),
    ]
  } catch (error) {
    return [
      problem('database', (error as Error).message, 'Follow the last sentence of the message'),
    ]
  }
}

const filesOf = (config: Config) => openFiles(pathsIn(config.data).files, bucketOf(config))

/** Checks the schema first; the other checks need a schema that this program knows. */
async function withSnapshot(
  location: Parameters<typeof openSnapshot>[0],
  check: (snapshot: Snapshot) => Promise<Finding[]>,
): Promise<Finding[]> {
  const snapshot = await openSnapshot(location)
  try {
    const schema = checkSchema(snapshot)
    return schema.state === 'ok' ? [schema, ...(await check(snapshot))] : [schema]
  } finally {
    await snapshot.close()
  }
}

async function checkSealedKey(config: Config, clock: Clock): Promise<Finding> {
  const store = await openStore({ path: '', url: config.databaseUrl }, clock)
  try {
    await openKey(config, store, clock)
    return ok('signing key', 'is in the database, and CORK_SECRET decrypts it')
  } catch (error) {
    return problem('signing key', (error as Error).message, 'Correct CORK_SECRET')
  } finally {
    await store.close()
  }
}
