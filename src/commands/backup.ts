import { existsSync, statSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { version } from '../../package.json'
import { pathsIn } from '../config/data-folder.ts'
import { openSnapshot } from '../store/snapshot.ts'
import { linesOf, manifestOf } from '../transfer/backup.ts'
import { readFile, writeFile } from '../transfer/lines.ts'
import { type Command, DATA, progress } from './command.ts'
import { type LocalContext, printResult, withLocalContext } from './local-context.ts'

export const backup: Command = {
  summary: 'Back up everything to one file, also while the server runs',
  about:
    'The file contains all writes acknowledged before the command started, and the key that signs tokens: store it where only you can read it. Restore it with "cork restore", on SQLite or PostgreSQL.',
  example: 'cork backup corkboard-2026-11-21.backup',
  args: [{ name: 'file', about: 'File to write', required: true }],
  flags: { force: { type: 'boolean', about: 'Overwrite an existing file' }, data: DATA },
  async run(values) {
    const file = values.file!
    const result = await withLocalContext(values, (context) =>
      writeBackup(context, file, values.force !== undefined),
    )
    return printResult(
      values,
      result,
      () =>
        `${file} contains ${result.rows} rows and ${result.files} attached files (${megabytes(result.bytes)} MB), and was verified.`,
    )
  },
}

const megabytes = (bytes: number) => (bytes / 1e6).toFixed(bytes < 1e7 ? 1 : 0)

async function writeBackup(context: LocalContext, file: string, force: boolean) {
  const { config, location, key, clock, server } = context
  await auditBackup(context, resolve(file))
  const snapshot = await openSnapshot(location)
  try {
    const signing_key = Buffer.from(key.secret).toString('base64url')
    const manifest = await manifestOf({ snapshot, signing_key, cork: version, now: clock() })
    const rows = manifest.tables.reduce((sum, table) => sum + table.rows, 0)
    const bar = progress('Backing up', rows)
    const { files } = server
    const missing: string[] = []
    const lines = linesOf({ snapshot, files, manifest }, bar.at, (hash) => missing.push(hash))
    await writeFile(file, lines, { gzip: true, force })
    bar.end(`${rows} rows`)
    warnOfMissing(missing, files.location)
    await verifyReadable(file)
    recordLastBackup(config.data, file, manifest.created_at)
    const { created_at, files: fileCount = 0 } = manifest
    const saved = fileCount - missing.length
    return { file, rows, files: saved, lost: missing, bytes: statSync(file).size, created_at }
  } finally {
    await snapshot.close()
  }
}

/**
 * A failed audit entry only warns: a backup matters most when the database no longer accepts
 * writes.
 */
async function auditBackup(context: LocalContext, file: string): Promise<void> {
  await context.audit('backup.created', { file }).catch((error) => {
    console.error(`Warning: this backup is not in the audit log: ${(error as Error).message}`)
  })
}

/** Missing files do not fail the backup: everything else is still worth keeping. */
function warnOfMissing(missing: readonly string[], place: string): void {
  if (missing.length)
    console.error(
      `Warning: ${missing.length} attached files are missing in ${place}, so the backup lacks them; "cork doctor" lists them.`,
    )
}

/** Records the time of the backup for "cork doctor", which warns when the last one is too old. */
function recordLastBackup(folder: string, file: string, at: string): void {
  if (existsSync(folder))
    writeFileSync(pathsIn(folder).lastBackup, JSON.stringify({ at, file: resolve(file) }))
}

/**
 * Reads the file back at once, so that a disk that corrupts data is noticed now and not at a
 * restore.
 */
async function verifyReadable(file: string): Promise<void> {
  const bar = progress('Verifying')
  let lines = 0
  for await (const _ of readFile(file)) bar.at(++lines)
  bar.end(`${lines} lines`)
}
