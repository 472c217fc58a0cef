import { existsSync } from 'node:fs'
import { bucketOf, type Config, readConfig } from '../config.ts'
import { placesIn, seize, serverOfData } from '../data.ts'
import { keyRow } from '../features/credentials/index.ts'
import { openFiles } from '../files/index.ts'
import { openStore } from '../store/open.ts'
import { refill } from '../store/refill.ts'
import { migrationsFor } from '../store/shipped.ts'
import { Unusable } from '../store/unusable.ts'
import { readBackup } from '../transfer/backup.ts'
import { fill, isDatabase, type Restored, stage } from '../transfer/restore.ts'
import { type Command, DATA, progress, type Values } from './command.ts'
import { answer } from './house.ts'

const PATIENCE_MS = 60_000
const clock = () => new Date()

export const restore: Command = {
  summary: 'Put a backup in the place of all that is there',
  about:
    'The file is checked whole before anything is touched. A running server finishes what it does, takes the backup in and goes on with it; what was there before is kept in the folder "backups". On PostgreSQL stop every server first.',
  example: 'cork restore corkboard-2026-11-21.backup',
  args: [
    { name: 'file', about: 'What "cork backup" wrote, or a database it kept', required: true },
  ],
  flags: {
    force: { type: 'boolean', about: 'Replace a PostgreSQL database that is in use' },
    data: DATA,
  },
  async run(values) {
    const file = values.file!
    const config = readConfig(process.env, { data: values.data })
    if (!existsSync(file)) throw new Unusable(`There is no file ${file}`)
    const told = progress('Restoring')
    let share = 0
    const tell = (rows: number, of: number) => {
      share = of
      told.at(rows)
    }
    const restored = config.databaseUrl
      ? await intoServer(config, file, values, tell)
      : await intoFolder(config, file, tell)
    told.end(share ? `${share} rows` : 'done')
    return answer(values, restored, () => words(restored))
  },
}

type Told = (rows: number, of: number) => void
interface Outcome extends Restored {
  /** Where what was there before is. */
  aside: string | null
  /** Of the server that goes on with the backup. */
  url: string | null
}

function words({ created_at, aside, url }: Outcome): string {
  const what = created_at ? `The backup of ${created_at} is in place.` : 'The database is in place.'
  const kept = aside ? ` What was there before is in ${aside}.` : ''
  return `${what}${kept}${url ? ` The server at ${url} goes on with it.` : ''}`
}

async function intoFolder(config: Config, file: string, told: Told): Promise<Outcome> {
  const places = placesIn(config.data)
  const held = seize(config.data)
  try {
    if (!held && existsSync(places.staged))
      throw new Unusable('Another restore waits for the server already. Try again when it is done.')
    const restored = await stage(file, { ...places, files: filesOf(config) }, clock, told)
    if (held) return { ...restored, aside: held.adopt() ?? null, url: null }
    return { ...restored, aside: places.backups, url: await adopted(config.data) }
  } finally {
    held?.release()
  }
}

const filesOf = (config: Config) => openFiles(placesIn(config.data).files, bucketOf(config))

/** Waits until the server that serves the folder has taken the backup in and is ready again. */
async function adopted(folder: string): Promise<string | null> {
  const { staged } = placesIn(folder)
  const until = Date.now() + PATIENCE_MS
  while (Date.now() < until) {
    await Bun.sleep(200)
    if (existsSync(staged)) continue
    const url = serverOfData(folder)?.url
    if (url && (await ready(url))) return url
  }
  throw new Unusable(
    existsSync(staged)
      ? 'The backup is ready, but the server has not taken it in yet. It does so as soon as it can, or when it is started again.'
      : 'The backup is in place, but the server does not answer yet. See its log.',
  )
}

const ready = (url: string) =>
  fetch(`${url}/readyz`, { signal: AbortSignal.timeout(2000) }).then(
    ({ ok }) => ok,
    () => false,
  )

async function intoServer(
  config: Config,
  file: string,
  values: Values,
  told: Told,
): Promise<Outcome> {
  if (await isDatabase(file))
    throw new Unusable(
      `${file} is a database of SQLite. Restore it without DATABASE_URL, and take a backup of that with "cork backup".`,
    )
  const { databaseUrl, secret } = config
  const { manifest, bundles } = await readBackup(file, filesOf(config))
  const now = clock()
  const key = keyRow(Buffer.from(manifest.signing_key, 'base64url'), secret, now)
  const migrations = migrationsFor(manifest, 'postgres')
  const url = databaseUrl!
  const rebuild = await refill({ url, migrations, force: values.force !== undefined, now })
  const rows = await fill(rebuild, { file, manifest, bundles, key }, told)
  // Brings an older one up to this program.
  await (await openStore({ path: '', url }, clock)).close()
  return {
    ...{ created_at: manifest.created_at, cork: manifest.cork, rows },
    ...{ aside: null, url: null },
  }
}
