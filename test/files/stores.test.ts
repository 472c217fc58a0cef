import { afterEach, describe, expect, test } from 'bun:test'
import { existsSync, readdirSync, renameSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openFiles } from '../../src/files/index.ts'
import type { FileStore } from '../../src/kernel/services.ts'
import { emptyFolder } from '../support/database.ts'
import { bucket } from './bucket.ts'

const LATER = new Date(Date.now() + 60_000)
const EARLIER = new Date(Date.now() - 60_000)

async function* chunks(...texts: string[]) {
  for (const text of texts) yield new TextEncoder().encode(text)
}

async function storeTexts(files: FileStore, ...texts: string[]) {
  const draft = await files.draft(chunks(...texts))
  await draft.save()
  await draft.discard()
  return draft
}

const textOf = async (files: FileStore, sha256: string, from?: number, to?: number) => {
  const found = await files.read(sha256, from, to)
  return found && new Response(found).text()
}

const buckets: ReturnType<typeof bucket>[] = []
afterEach(() => {
  for (const one of buckets.splice(0)) one.stop()
})

function onDisk() {
  const folder = emptyFolder()
  const path = (sha256: string) => join(folder, sha256.slice(0, 2), sha256)
  return {
    files: openFiles(folder, undefined),
    age: (sha256: string, at: Date) => utimesSync(path(sha256), at, at),
    folder,
    path,
  }
}

function inBucket(page?: number) {
  const created = bucket({ ...(page && { page }) })
  buckets.push(created)
  const { where, objects } = created
  return {
    files: openFiles('', where),
    age: (sha256: string, at: Date) => {
      objects.get(`files/${sha256}`)!.at = at
    },
    where,
    objects,
  }
}

for (const [where, open] of [
  ['in a folder', onDisk],
  ['in a bucket', inBucket],
] as const)
  describe(where, () => {
    test('files are read whole or in ranges by their SHA-256', async () => {
      const { files } = open()
      const { sha256, size } = await storeTexts(files, 'Hello ', 'world')
      expect(sha256).toBe(new Bun.CryptoHasher('sha256').update('Hello world').digest('hex'))
      expect(size).toBe(11)
      expect(await textOf(files, sha256)).toBe('Hello world')
      expect(await textOf(files, sha256, 6)).toBe('world')
      expect(await textOf(files, sha256, 0, 5)).toBe('Hello')
      expect(await textOf(files, sha256, 4, 7)).toBe('o w')
    })

    test('two files of 15 MB that are stored at the same time stay unchanged', async () => {
      const { files } = open()
      const store = async () => {
        const bytes = crypto.getRandomValues(new Uint8Array(65_536))
        const many = (async function* () {
          for (let i = 0; i < 240; i++) yield bytes
        })()
        const draft = await files.draft(many)
        await draft.save()
        await draft.discard()
        return draft.sha256
      }
      for (const sha256 of await Promise.all([store(), store()])) {
        const found = await new Response(await files.read(sha256)).arrayBuffer()
        expect(found.byteLength).toBe(15 * 1024 * 1024)
        expect(new Bun.CryptoHasher('sha256').update(found).digest('hex')).toBe(sha256)
      }
    })

    test('a discarded draft is not stored', async () => {
      const { files } = open()
      const draft = await files.draft(chunks('draft'))
      await draft.discard()
      expect(await files.read(draft.sha256)).toBeUndefined()
      expect(await Array.fromAsync(files.list())).toEqual([])
    })

    test('identical content is stored once, and its time is updated', async () => {
      const { files, age } = open()
      const { sha256 } = await storeTexts(files, 'twice')
      age(sha256, new Date('2020-01-01'))
      await storeTexts(files, 'twi', 'ce')
      const all = await Array.fromAsync(files.list())
      expect(all).toHaveLength(1)
      expect(all[0]!.kept_at.getTime()).toBeGreaterThan(EARLIER.getTime())
    })

    test('a file is removed only if it is older than the given time', async () => {
      const { files } = open()
      const { sha256 } = await storeTexts(files, 'young')
      expect(await files.remove(sha256, EARLIER)).toBe(false)
      expect(await textOf(files, sha256)).toBe('young')
      expect(await files.remove(sha256, LATER)).toBe(true)
      expect(await files.read(sha256)).toBeUndefined()
      expect(await files.remove(sha256, LATER)).toBe(false)
    })

    test('a failing source leaves nothing stored', async () => {
      const { files } = open()
      const failing = (async function* () {
        yield new Uint8Array(10)
        throw new Error('gone')
      })()
      await expect(files.draft(failing)).rejects.toThrow('gone')
      expect(await Array.fromAsync(files.list())).toEqual([])
    })

    test('check succeeds where files can be stored', async () => {
      expect(await open().files.check()).toBeUndefined()
    })
  })

test('a folder has only stored files, and only their owner can read them', async () => {
  const { files, folder, path } = onDisk()
  const { sha256 } = await storeTexts(files, 'mine')
  expect(readdirSync(folder)).toEqual([sha256.slice(0, 2)])
  expect(statSync(path(sha256)).mode & 0o077).toBe(0)
})

test('a truncated file is written again when its content is stored again', async () => {
  const { files, path } = onDisk()
  const { sha256 } = await storeTexts(files, 'whole')
  writeFileSync(path(sha256), 'wh')
  await storeTexts(files, 'whole')
  expect(await textOf(files, sha256)).toBe('whole')
})

test('listing deletes old partial files, and a file renamed for removal is not read', async () => {
  const { files, folder, path } = onDisk()
  const { sha256 } = await storeTexts(files, 'half removed')
  renameSync(path(sha256), `${path(sha256)}.doomed`)
  const part = join(folder, '.part-1')
  const recent = join(folder, '.part-2')
  for (const one of [part, recent]) writeFileSync(one, 'half')
  utimesSync(part, new Date('2020-01-01'), new Date('2020-01-01'))
  await Array.fromAsync(files.list())
  expect([existsSync(part), existsSync(recent)]).toEqual([false, true])
  // Another process may be removing the renamed file at this moment.
  expect(await files.read(sha256)).toBeUndefined()
})

test('check fails for a folder that cannot be created', async () => {
  const folder = emptyFolder()
  writeFileSync(folder, 'a file')
  await expect(openFiles(join(folder, 'files'), undefined).check()).rejects.toThrow()
})

test('a bucket with several pages is listed to its end', async () => {
  const { files } = inBucket(2)
  for (const text of ['a', 'b', 'c', 'd', 'e']) await storeTexts(files, text)
  expect(await Array.fromAsync(files.list())).toHaveLength(5)
})

test('a wrong key or a missing bucket fails check and save', async () => {
  const { where } = inBucket()
  for (const invalid of [{ secretAccessKey: 'guessed' }, { bucket: 'other' }]) {
    const files = openFiles('', { ...where, ...invalid })
    await expect(files.check()).rejects.toThrow()
    const draft = await files.draft(chunks('x'))
    await expect(draft.save()).rejects.toThrow()
    await draft.discard()
  }
})

test('removeStale deletes partial files of dead processes, and keeps those of running ones', async () => {
  const { files, folder } = onDisk()
  const { sha256 } = await storeTexts(files, 'whole')
  const dead = Bun.spawn(['true'])
  await dead.exited
  const running = join(folder, `.part-${process.ppid}-1`)
  const stale = [`${dead.pid}-1`, `${process.pid}-1`, 'unnamed'].map((one) =>
    join(folder, `.part-${one}`),
  )
  for (const path of [running, ...stale]) writeFileSync(path, 'half')
  expect(await files.removeStale(true)).toBe(0)
  expect(await files.removeStale(false)).toBe(3)
  expect(existsSync(running)).toBe(true)
  expect(await textOf(files, sha256)).toBe('whole')
  // Processes of other machines cannot be checked, so in a shared folder only age counts.
  utimesSync(running, new Date('2020-01-01'), new Date('2020-01-01'))
  expect(await files.removeStale(true)).toBe(1)
})
