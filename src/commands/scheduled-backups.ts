import { mkdirSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Logger } from 'pino'
import { pathsIn } from '../config/data-folder.ts'
import { bucketOf, type Config } from '../config/index.ts'
import type { Clock } from '../kernel/caller.ts'
import { nextBackup } from './backup-times.ts'

const PREFIX = 'scheduled-'
/** Timers cannot wait longer than 24 days, and clocks can be set. */
const CHECK_MS = 30_000

interface Options {
  config: Config
  clock: Clock
  log: Logger
}

/**
 * Runs `cork backup` at the times of CORK_BACKUP_SCHEDULE, in a process of its own: a backup of a
 * large database takes minutes of processor time.
 */
export function scheduleBackups({ config, clock, log }: Options) {
  const schedule = config.backupSchedule
  if (!schedule) return async () => {}
  let due = nextBackup(schedule, clock())
  let running: Bun.Subprocess | undefined
  let finished = Promise.resolve()
  const timer = setInterval(() => {
    if (running || clock() < due) return
    due = nextBackup(schedule, clock())
    finished = backUp()
      .catch((error) => log.error({ err: error }, 'The scheduled backup failed'))
      .finally(() => {
        running = undefined
      })
  }, CHECK_MS)
  timer.unref()
  return async () => {
    clearInterval(timer)
    running?.kill()
    await finished
  }

  async function backUp() {
    const folder = config.backupFolder ?? join(pathsIn(config.data).backups, 'scheduled')
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    const name = `${PREFIX}${clock().toISOString().slice(0, 19).replaceAll(':', '-')}.backup`
    const file = join(folder, name)
    running = Bun.spawn([...program(), 'backup', file, '--data', config.data], {
      ...{ stdin: 'ignore', stdout: 'ignore', stderr: 'pipe' },
    })
    const errors = await new Response(running.stderr as ReadableStream).text()
    if ((await running.exited) !== 0) throw new Error(errors.trim() || 'it was stopped')
    await keepNewest(folder, name)
    log.info({ file }, 'the scheduled backup is complete and verified')
  }

  /** Deletes old backups, and copies this one to the bucket if there is one for backups. */
  async function keepNewest(folder: string, name: string) {
    // Before the copy, so that the disk does not fill up while the bucket fails.
    for (const old of oldOnes(readdirSync(folder))) rmSync(join(folder, old))
    const bucket = config.backupToBucket ? bucketOf(config) : undefined
    if (!bucket) return
    const client = new Bun.S3Client(bucket)
    await client.write(`backups/${name}`, Bun.file(join(folder, name)))
    const { contents = [] } = (await client.list({ prefix: `backups/${PREFIX}` })) ?? {}
    for (const key of oldOnes(contents.map(({ key }) => key))) await client.delete(key)
  }

  /** Names contain the time, so they sort by it. Other files in the folder stay. */
  function oldOnes(names: readonly string[]): string[] {
    const backups = names.filter((name) => /(^|\/)scheduled-[\dT-]+\.backup$/.test(name)).sort()
    return backups.slice(0, Math.max(0, backups.length - config.backupKeep))
  }
}

/** The command of this program. */
const program = () =>
  Bun.isStandaloneExecutable
    ? [process.execPath]
    : [process.execPath, join(import.meta.dir, '../main.ts')]
