import { Database } from 'bun:sqlite'
import { describe, expect, test } from 'bun:test'
import {
  existsSync,
  mkdirSync,
  openSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { dirname } from 'node:path'
import { newIndexPath, openIndex, page } from './index-fixtures.ts'

const PLACE = { seq: 5, mark: 'x' }
const many = Array.from({ length: 300 }, (_, at) => page(at + 1, `Whale${at} sings.`))

/** The path of an index that was filled and closed. */
async function filled() {
  const path = newIndexPath()
  const index = openIndex(path)
  await index.update({ put: many, position: PLACE })
  await index.update({})
  await index.close()
  return path
}

function edit(path: string, sql: string) {
  const db = new Database(path)
  db.run(sql)
  db.close()
}

describe('an unusable index file is rebuilt', () => {
  const REBUILT = ['The search index is damaged and is rebuilt']

  test('if it is not a database, and the log says so', async () => {
    const path = newIndexPath()
    writeFileSync(path, 'no database at all, '.repeat(500))
    const index = openIndex(path)
    expect(await index.position()).toBeUndefined()
    expect(index.messages).toEqual(REBUILT)
    await index.update({ put: many, position: PLACE })
    expect(await index.bestResult('whale7')).toBe('page 8')
    await index.close()
    expect(await openIndex(path).position()).toEqual(PLACE)
  })

  test('if it is from another version, and the log says so', async () => {
    const path = await filled()
    edit(path, 'PRAGMA user_version=1')
    const index = openIndex(path)
    expect(await index.position()).toBeUndefined()
    expect(await index.state()).toMatchObject({ passages: 0 })
    expect(index.messages).toEqual([
      'The search index is from another version of cork and is rebuilt',
    ])
  })

  test('if a table is missing, and the log says so', async () => {
    const path = await filled()
    edit(path, 'DROP TABLE sources')
    const index = openIndex(path)
    await index.position().catch(() => {})
    expect(await index.position()).toBeUndefined()
    await index.update({ put: many, position: PLACE })
    expect(await index.bestResult('whale7')).toBe('page 8')
    expect(index.messages).toEqual(REBUILT)
  })

  test('if it does not exist, without a line in the log', async () => {
    const path = await filled()
    rmSync(path)
    const index = openIndex(path)
    expect(await index.position()).toBeUndefined()
    expect(index.messages).toEqual([])
  })

  test('if it is damaged while it is open, and queries are refused with Unready until then', async () => {
    const path = await filled()
    const index = openIndex(path)
    expect(await index.position()).toEqual(PLACE)
    const { size } = statSync(path)
    const file = openSync(path, 'r+')
    for (let at = 4096; at < size; at += 4096)
      writeSync(file, new Uint8Array(4096).fill(7), 0, 4096, at)
    const fault = await index.bestResult('whale7').catch((error) => error)
    expect(fault).toMatchObject({ name: 'Unready' })
    expect(await index.position()).toBeUndefined()
    await index.update({ put: many, position: PLACE })
    expect(await index.bestResult('whale7')).toBe('page 8')
    expect(index.messages).toEqual(REBUILT)
  })
})

test('a damaged segment is rebuilt from its texts, and the log says so once', async () => {
  const path = await filled()
  edit(path, "UPDATE segments SET shelf = substr(shelf, 1, 900) || x'ff' || substr(shelf, 902)")
  const index = openIndex(path)
  expect(await index.bestResult('whale7')).toBe('page 8')
  expect(index.messages).toEqual(['A damaged part of the search index was rebuilt from its texts'])
  await index.close()
  const again = openIndex(path)
  expect(await again.bestResult('whale7')).toBe('page 8')
  expect(again.messages).toEqual([])
})

describe('the folder of an index', () => {
  test('has a file for each process that uses it, and a free file is used again', async () => {
    const path = await filled()
    const first = openIndex(path)
    const second = openIndex(path)
    const beside = path.replace('.db', '-2.db')
    expect(await first.bestResult('whale7')).toBe('page 8')
    expect(await second.position()).toBeUndefined()
    await second.update({ put: [page(1, 'Owls are awake.')], position: PLACE })
    expect(await first.bestResult('owls')).toBeUndefined()
    expect(existsSync(beside)).toBe(true)
    await first.close()
    const third = openIndex(path)
    expect(await third.position()).toEqual(PLACE)
    expect(await third.bestResult('whale7')).toBe('page 8')
    expect(existsSync(path.replace('.db', '-3.db'))).toBe(false)
  })

  test('that cannot be written leaves the index in memory, and the log says so', async () => {
    const path = newIndexPath()
    writeFileSync(path, '')
    const index = openIndex(`${path}/search.db`)
    await index.update({ put: many, position: PLACE })
    expect(await index.bestResult('whale7')).toBe('page 8')
    expect(index.messages).toEqual([
      expect.stringMatching(/^The search index is kept in memory only/),
    ])
  })

  test('is created if it is missing, and only its owner can read it', async () => {
    const path = newIndexPath()
    const inner = `${dirname(path)}/inner/search.db`
    mkdirSync(dirname(path), { recursive: true })
    await openIndex(inner).update({ put: many, position: PLACE })
    const open = ['', '-wal', '-shm', '.lock'].filter((end) => statSync(inner + end).mode & 0o077)
    expect(open).toEqual([])
    expect(statSync(dirname(inner)).mode & 0o077).toBe(0)
  })
})
