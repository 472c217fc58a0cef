import { existsSync, statSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { version } from '../../package.json'
import { placesIn } from '../data.ts'
import { openSnapshot } from '../store/snapshot.ts'
import { linesOf, manifestOf } from '../transfer/backup.ts'
import { readFile, writeFile } from '../transfer/lines.ts'
import { type Command, DATA, progress } from './command.ts'
import { answer, type House, within } from './house.ts'

export const backup: Command = {
  summary: 'Write everything to one file, also while the server works',
  about:
    'The file holds all that was answered for before the command began, and the key that signs tokens: keep it where only you can read it. "cork restore" takes it in, on SQLite and on PostgreSQL alike.',
  example: 'cork backup corkboard-2026-11-21.backup',
  args: [{ name: 'file', about: 'The file to write', required: true }],
  flags: { force: { type: 'boolean', about: 'Overwrite a file of that name' }, data: DATA },
  async run(values) {
    const file = values.file!
    const made = await within(values, (house) => take(house, file, values.force !== undefined))
    return answer(
      values,
      made,
      () =>
        `${file} holds ${made.rows} rows and ${made.files} attached files (${megabytes(made.bytes)} MB), and was read back whole.`,
    )
  },
}

const megabytes = (bytes: number) => (bytes / 1e6).toFixed(bytes < 1e7 ? 1 : 0)

async function take(house: House, file: string, force: boolean) {
  const { config, where, key, clock, server } = house
  await audited(house, resolve(file))
  const snapshot = await openSnapshot(where)
  try {
    const signing_key = Buffer.from(key.secret).toString('base64url')
    const manifest = await manifestOf({ snapshot, signing_key, cork: version, now: clock() })
    const rows = manifest.tables.reduce((sum, table) => sum + table.rows, 0)
    const told = progress('Backing up', rows)
    const { files } = server
    const lost: string[] = []
    const lines = linesOf({ snapshot, files, manifest }, told.at, (one) => lost.push(one))
    await writeFile(file, lines, { gzip: true, force })
    told.end(`${rows} rows`)
    tellLost(lost, files.place)
    await verify(file)
    remember(config.data, file, manifest.created_at)
    const { created_at, files: many = 0 } = manifest
    const kept = many - lost.length
    return { file, rows, files: kept, lost, bytes: statSync(file).size, created_at }
  } finally {
    await snapshot.close()
  }
}

/** A backup matters most where nothing can be written any more, so that does not keep it back. */
async function audited(house: House, file: string): Promise<void> {
  await house.audit('backup.created', { file }).catch((error) => {
    console.error(`Warning: this backup is not in the audit log: ${(error as Error).message}`)
  })
}

/** The rest is worth a backup all the same. */
function tellLost(lost: readonly string[], place: string): void {
  if (lost.length)
    console.error(
      `Warning: ${lost.length} attached files are not in ${place}, and so not in the backup; "cork doctor" tells which.`,
    )
}

/** For "cork doctor", which warns when the last one is long ago. */
function remember(folder: string, file: string, at: string): void {
  if (existsSync(folder))
    writeFileSync(placesIn(folder).lastBackup, JSON.stringify({ at, file: resolve(file) }))
}

/** A disk that does not give back what it was given is better known of today. */
async function verify(file: string): Promise<void> {
  const told = progress('Reading it back')
  let lines = 0
  for await (const _ of readFile(file)) told.at(++lines)
  told.end(`${lines} lines`)
}
