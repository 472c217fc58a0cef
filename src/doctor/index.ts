import { existsSync } from 'node:fs'
import { bucketOf, type Config, readConfig, shownConfig, strangers } from '../config.ts'
import { placesIn, serverOfData } from '../data.ts'
import { openKey } from '../features/credentials/index.ts'
import { openFiles } from '../files/index.ts'
import type { Clock } from '../kernel/caller.ts'
import { openStore } from '../store/open.ts'
import { openSnapshot, type Snapshot } from '../store/snapshot.ts'
import { checkClock, checkFile, checkLog, checkSchema, hasSigned } from './database.ts'
import { checkEmbeddings } from './embeddings.ts'
import { checkFeedback } from './feedback.ts'
import { checkFiles } from './files.ts'
import { type Finding, ok, problem, warning } from './finding.ts'
import { checkBackups, checkFolder, checkKey, checkServer, unreadable } from './folder.ts'
import { checkMail } from './mail.ts'
import { checkModel } from './model.ts'
import { checkPassages } from './passages.ts'
import { checkEngine } from './postgres.ts'
import { checkProxy } from './proxy.ts'
import { checkTexts } from './texts.ts'

export type { Finding } from './finding.ts'

type Env = Record<string, string | undefined>

/** Everything that is worth a look, in the order in which one thing stands on another. */
export async function examine(env: Env, flags: Env, clock: Clock): Promise<Finding[]> {
  const settings = checkSettings(env, flags)
  if (settings.some(({ state }) => state === 'problem')) return settings
  const config = readConfig(env, flags)
  const rest = config.databaseUrl ? await onServer(config, clock) : await inFolder(config, clock)
  const services = [
    ...(await checkEmbeddings(config)),
    await checkModel(config),
    ...(await checkMail(config)),
  ]
  return [...settings, ...rest, ...services]
}

function checkSettings(env: Env, flags: Env): Finding[] {
  const check = 'settings'
  const wrong = shownConfig(env, flags).flatMap(({ problem }) => problem ?? [])
  const hint = '"cork config" shows every setting and where it comes from'
  const together = wrong.length ? undefined : unusable(env, flags)
  const found = [
    ...[...wrong, ...(together ? [together] : [])].map((says) => problem(check, says, hint)),
    ...strangers(env).map((says) => warning(check, says, hint)),
  ]
  return found.length ? found : [ok(check, 'can all be used')]
}

/** What each setting alone does not tell. */
function unusable(env: Env, flags: Env): string | undefined {
  try {
    readConfig(env, flags)
    return undefined
  } catch (error) {
    return (error as Error).message
  }
}

async function inFolder(config: Config, clock: Clock): Promise<Finding[]> {
  const { data } = config
  const { database } = placesIn(data)
  const folder = checkFolder(data)
  if (folder.some(({ state }) => state === 'problem')) return folder
  const proxy = checkProxy(config, serverOfData(data)?.proxy)
  const around = [await checkServer(data), proxy, checkBackups(data, clock())]
  if (!existsSync(database))
    return [
      ...folder,
      warning('database', 'there is none yet', 'Start with "cork init" or "cork serve"'),
      ...around,
    ]
  try {
    const file = checkFile(database)
    if (file.state === 'problem') return [...folder, file, ...around]
    const inside = await within({ path: database }, async (snapshot) => [
      ...(await checkLog(snapshot)),
      ...(await checkClock(snapshot.tx, clock(), database)),
      await checkFiles(snapshot.tx, filesOf(config)),
      await checkTexts(snapshot.tx),
      await checkPassages(snapshot.tx, placesIn(data).search),
      ...(await checkFeedback(snapshot.tx, config.feedbackProject)),
      checkKey(data, await hasSigned(snapshot.tx)),
    ])
    return [...folder, file, ...inside, ...around]
  } catch (error) {
    return [...folder, unreadable(database, error), ...around]
  }
}

async function onServer(config: Config, clock: Clock): Promise<Finding[]> {
  const url = config.databaseUrl!
  try {
    const engine = await checkEngine(url)
    const inside = await within({ path: '', url }, async (snapshot) => [
      ...(await checkLog(snapshot)),
      ...(await checkClock(snapshot.tx, clock())),
      await checkFiles(snapshot.tx, filesOf(config)),
      await checkTexts(snapshot.tx),
      await checkPassages(snapshot.tx, placesIn(config.data).search),
      ...(await checkFeedback(snapshot.tx, config.feedbackProject)),
      await checkSealed(config, clock),
    ])
    return [...engine, ...inside, checkProxy(config)]
  } catch (error) {
    return [problem('database', (error as Error).message, 'The last sentence says what to do')]
  }
}

const filesOf = (config: Config) => openFiles(placesIn(config.data).files, bucketOf(config))

/** The schema first: of a database that this program does not know, nothing more can be said. */
async function within(
  where: Parameters<typeof openSnapshot>[0],
  look: (snapshot: Snapshot) => Promise<Finding[]>,
): Promise<Finding[]> {
  const snapshot = await openSnapshot(where)
  try {
    const schema = checkSchema(snapshot)
    return schema.state === 'ok' ? [schema, ...(await look(snapshot))] : [schema]
  } finally {
    await snapshot.close()
  }
}

async function checkSealed(config: Config, clock: Clock): Promise<Finding> {
  const store = await openStore({ path: '', url: config.databaseUrl }, clock)
  try {
    await openKey(config, store, clock)
    return ok('signing key', 'is in the database, and CORK_SECRET opens it')
  } catch (error) {
    return problem('signing key', (error as Error).message, 'Correct CORK_SECRET, as said')
  } finally {
    await store.close()
  }
}
