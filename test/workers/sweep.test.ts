import { expect, test } from 'bun:test'
import { mkdirSync, rmSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import pino from 'pino'
import { hasPreviousData, pathsIn } from '../../src/config/data-folder.ts'
import { openFiles } from '../../src/files/index.ts'
import { sweepFiles, sweepHourly } from '../../src/workers/index.ts'
import { type World, world } from '../support/world.ts'

const HOUR_MS = 60 * 60 * 1000
const now = new Date()

const attach = async (w: World, text: string) => {
  const { attachments } = await w.cleo['attachments.create']({
    task_id: w.tasks.logo.task_id,
    files: [{ filename: 'a.txt', content_type: 'text/plain', data: btoa(text) }],
  })
  return attachments[0]!
}

const setAge = (w: World, sha256: string, hours: number) => {
  const at = new Date(now.getTime() - hours * HOUR_MS)
  utimesSync(join(w.config.data, 'files', sha256.slice(0, 2), sha256), at, at)
}

test('a file without attachments is deleted after a day, and other files are kept', async () => {
  const w = await world()
  const files = openFiles(join(w.config.data, 'files'), undefined)
  const [recent, young, old, twice] = await Promise.all(
    ['attached', 'recent', 'old', 'twice'].map((text) => attach(w, text)),
  )
  await attach(w, 'twice')
  for (const { attachment_id } of [young!, old!, twice!])
    await w.cleo['attachments.delete']({ attachment_id })
  setAge(w, recent!.sha256, 1000)
  setAge(w, young!.sha256, 23)
  setAge(w, old!.sha256, 25)
  setAge(w, twice!.sha256, 25)
  expect(await sweepFiles({ store: w.store, files }, now)).toBe(1)
  const isStored = async (sha256: string) => (await files.read(sha256)) !== undefined
  expect(
    await Promise.all([recent!, young!, old!, twice!].map(({ sha256 }) => isStored(sha256))),
  ).toEqual([true, true, false, true])
  expect(await sweepFiles({ store: w.store, files }, now)).toBe(0)
})

test('a file that is attached again during a sweep is kept', async () => {
  const w = await world()
  const files = openFiles(join(w.config.data, 'files'), undefined)
  for (let turn = 0; turn < 20; turn++) {
    const { attachment_id, sha256 } = await attach(w, `turn ${turn}`)
    await w.cleo['attachments.delete']({ attachment_id })
    setAge(w, sha256, 25)
    await Promise.all([sweepFiles({ store: w.store, files }, now), attach(w, `turn ${turn}`)])
    expect(await files.read(sha256)).toBeDefined()
  }
})

test('the sweep runs soon after the start and again, but not while an old database is kept', async () => {
  const w = await world()
  const files = openFiles(join(w.config.data, 'files'), undefined)
  const { backups } = pathsIn(w.config.data)
  mkdirSync(join(backups, 'before-restore-2026'), { recursive: true })
  expect(hasPreviousData(w.config.data)).toBe(true)
  const deleteAttachment = async (text: string) => {
    const { attachment_id, sha256 } = await attach(w, text)
    await w.cleo['attachments.delete']({ attachment_id })
    setAge(w, sha256, 25)
    return sha256
  }
  const isGone = async (sha256: string) => (await files.read(sha256)) === undefined
  const until = async (sha256: string) => {
    while (!(await isGone(sha256))) await Bun.sleep(5)
  }
  const first = await deleteAttachment('first')
  const stop = sweepHourly({
    ...{ store: w.store, files, log: pino({ level: 'silent' }), pace: { soon: 1, hourly: 10 } },
    isPaused: () => hasPreviousData(w.config.data),
  })
  await Bun.sleep(100)
  expect(await isGone(first)).toBe(false)
  rmSync(backups, { recursive: true })
  expect(hasPreviousData(w.config.data)).toBe(false)
  await until(first)
  await until(await deleteAttachment('second'))
  await stop()
  const third = await deleteAttachment('third')
  await Bun.sleep(50)
  expect(await isGone(third)).toBe(false)
})

test('without attachments there is nothing to sweep', async () => {
  const w = await world()
  const files = openFiles(join(w.config.data, 'files'), undefined)
  expect(await sweepFiles({ store: w.store, files }, now)).toBe(0)
})
