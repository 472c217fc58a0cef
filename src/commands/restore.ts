import { existsSync } from 'node:fs'
import { findServer, pathsIn, tryOpenDataFolder } from '../config/data-folder.ts'
import { bucketOf, type Config, readConfig } from '../config/index.ts'
import { keyRow } from '../features/identity/credentials/model/index.ts'
import { openFiles } from '../files/index.ts'
import { migrationsFor } from '../store/known-migrations.ts'
import { openStore } from '../store/open.ts'
import { restorePostgres } from '../store/restore-postgres.ts'
import { UnusableError } from '../store/unusable.ts'
import { readBackup } from '../transfer/backup.ts'
import { fill, isDatabase, type RestoreSummary, stage } from '../transfer/restore.ts'
import { type Command, DATA, progress, type Values } from './command.ts'
import { printResult } from './local-context.ts'

const ADOPTION_TIMEOUT_MS = 60_000
const clock = () => new Date()

export const restore: Command = {
  summary: 'Replace all data with a backup',
  about:
    'The whole file is checked before anything changes. A running server finishes its requests, loads the backup and continues with it; the previous data is kept in the folder "backups". On PostgreSQL, stop all servers first.',
  example: 'cork restore corkboard-2026-11-21.backup',
  args: [
    {
      name: 'file',
      about: 'File written by "cork backup", or a database kept in "backups"',
      required: true,
    },
  ],
  flags: {
    force: { type: 'boolean', about: 'Replace a PostgreSQL database that is in use' },
    data: DATA,
  },
  async run(values) {
    const file = values.file!
    const config = readConfig(process.env, { data: values.data })
    if (!existsSync(file)) throw new UnusableError(`File not found: ${file}`)
    const bar = progress('Restoring')
    let total = 0
    const onProgress = (rows: number, of: number) => {
      total = of
      bar.at(rows)
    }
    const restored = config.databaseUrl
      ? await restoreToPostgres(config, file, values, onProgress)
      : await restoreToFolder(config, file, onProgress)
    bar.end(total ? `${total} rows` : 'done')
    return printResult(values, restored, () => describeOutcome(restored))
  },
}

type OnProgress = (rows: number, of: number) => void
interface Outcome extends RestoreSummary {
  /** Where the previous data is. */
  aside: string | null
  /** The address of the running server that took over the backup. */
  url: string | null
}

function describeOutcome({ created_at, aside, url }: Outcome): string {
  const what = created_at ? `The backup of ${created_at} is restored.` : 'The database is restored.'
  const previous = aside ? ` The previous data is in ${aside}.` : ''
  return `${what}${previous}${url ? ` The server at ${url} uses it now.` : ''}`
}

async function restoreToFolder(config: Config, file: string, bar: OnProgress): Promise<Outcome> {
  const places = pathsIn(config.data)
  const folder = tryOpenDataFolder(config.data)
  try {
    if (!folder && existsSync(places.staged))
      throw new UnusableError(
        'Another restore is already waiting for the server. Try again when it is done.',
      )
    const restored = await stage(file, { ...places, files: filesOf(config) }, clock, bar)
    if (folder) return { ...restored, aside: folder.applyRestore() ?? null, url: null }
    return { ...restored, aside: places.backups, url: await waitForAdoption(config.data) }
  } finally {
    folder?.release()
  }
}

const filesOf = (config: Config) => openFiles(pathsIn(config.data).files, bucketOf(config))

/** Waits until the running server has taken over the staged backup and is ready again. */
async function waitForAdoption(folder: string): Promise<string | null> {
  const { staged } = pathsIn(folder)
  const until = Date.now() + ADOPTION_TIMEOUT_MS
  while (Date.now() < until) {
    await Bun.sleep(200)
    if (existsSync(staged)) continue
    const url = findServer(folder)?.url
    if (url && (await isReady(url))) return url
  }
  throw new UnusableError(
    existsSync(staged)
      ? 'The backup is ready, but the server has not loaded it yet. It will as soon as it can, or when it is restarted.'
      : 'The backup is restored, but the server does not respond yet. See its log.',
  )
}

const isReady = (url: string) =>
  fetch(`${url}/readyz`, { signal: AbortSignal.timeout(2000) }).then(
    ({ ok }) => ok,
    () => false,
  )

async function restoreToPostgres(
  config: Config,
  file: string,
  values: Values,
  bar: OnProgress,
): Promise<Outcome> {
  if (await isDatabase(file))
    throw new UnusableError(
      `${file} is an SQLite database. Restore it without DATABASE_URL, then back that up with "cork backup".`,
    )
  const { databaseUrl, secret } = config
  const { manifest, bundles } = await readBackup(file, filesOf(config))
  const now = clock()
  const key = keyRow(Buffer.from(manifest.signing_key, 'base64url'), secret, now)
  const migrations = migrationsFor(manifest, 'postgres')
  const url = databaseUrl!
  const rebuild = await restorePostgres({ url, migrations, force: values.force !== undefined, now })
  const rows = await fill(rebuild, { file, manifest, bundles, key }, bar)
  // Opening the store migrates a backup of an older version.
  await (await openStore({ path: '', url }, clock)).close()
  return {
    created_at: manifest.created_at,
    cork: manifest.cork,
    rows,
    aside: null,
    url: null,
  }
}
