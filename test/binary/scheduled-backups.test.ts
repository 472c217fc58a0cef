import { afterAll, expect, spyOn, test } from 'bun:test'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import pino from 'pino'
import { scheduleBackups } from '../../src/commands/scheduled-backups.ts'
import { readConfig } from '../../src/config/index.ts'
import { bucket } from '../files/bucket.ts'
import { cleanUp, cork, createFolder, initDataFolder } from './cork.ts'

afterAll(cleanUp)

const HOUR_MS = 3_600_000

/** Backs up a data folder every hour, with a clock that stands still until `passHour`. */
async function hourlyBackups(variables: Record<string, string>) {
  const { data } = await initDataFolder()
  const folder = join(createFolder(), 'backups')
  const lines: { msg: string }[] = []
  const log = pino({}, { write: (line) => void lines.push(JSON.parse(line)) })
  let now = new Date('2026-03-01T11:59:00Z')
  const config = readConfig({
    ...{ CORK_DATA: data, CORK_BACKUP_FOLDER: folder, CORK_BACKUP_SCHEDULE: '1h' },
    ...variables,
  })
  let check = () => {}
  const timers = spyOn(globalThis, 'setInterval').mockImplementation(((job: () => void) => {
    check = job
    return { unref() {} }
  }) as never)
  const stop = scheduleBackups({ config, clock: () => now, log })
  timers.mockRestore()
  const passHour = async () => {
    now = new Date(now.getTime() + HOUR_MS)
    const seen = lines.length
    check()
    while (lines.length === seen) await Bun.sleep(20)
    return lines.at(-1)!.msg
  }
  return { folder, passHour, stop }
}

const bucketVariables = ({ where }: Pick<ReturnType<typeof bucket>, 'where'>) => ({
  ...{ CORK_S3_ENDPOINT: where.endpoint, CORK_S3_BUCKET: where.bucket },
  ...{ CORK_S3_REGION: where.region, CORK_S3_ACCESS_KEY: where.accessKeyId },
  ...{ CORK_S3_SECRET_KEY: where.secretAccessKey, CORK_BACKUP_TO_BUCKET: 'yes' },
})

const NAMES = [12, 13, 14].map((hour) => `scheduled-2026-03-01T${hour}-59-00.backup`)

test('scheduled backups are copied to the bucket, and the newest can be restored from there', async () => {
  const storage = bucket()
  const variables = { ...bucketVariables(storage), CORK_BACKUP_KEEP: '2' }
  const { folder, passHour, stop } = await hourlyBackups(variables)
  for (const _ of NAMES)
    expect(await passHour()).toBe('the scheduled backup is complete and verified')
  expect(readdirSync(folder).sort()).toEqual(NAMES.slice(1))
  const keys = NAMES.slice(1).map((name) => `backups/${name}`)
  expect([...storage.objects.keys()].sort()).toEqual(keys)
  const file = join(createFolder(), 'from-the-bucket.backup')
  await Bun.write(file, storage.objects.get(keys[1]!)!.bytes)
  const restored = join(createFolder(), 'restored')
  const { code, err } = await cork(['restore', file, '--data', restored])
  expect([code, err]).toEqual([0, expect.any(String)])
  expect(existsSync(join(restored, 'corkboard.db'))).toBe(true)
  await stop()
  storage.stop()
}, 120_000)

test('while the bucket fails, backups are logged as failed and stay on the disk, but not all', async () => {
  const storage = bucket()
  const variables = { ...bucketVariables(storage), CORK_S3_SECRET_KEY: 'wrong' }
  const { folder, passHour, stop } = await hourlyBackups({ ...variables, CORK_BACKUP_KEEP: '1' })
  for (const _ of NAMES) expect(await passHour()).toBe('The scheduled backup failed')
  expect(readdirSync(folder)).toEqual(NAMES.slice(2))
  expect(storage.objects.size).toBe(0)
  await stop()
  storage.stop()
}, 120_000)
