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
import { emptyPlace, page, shelves } from './shelved.ts'

const PLACE = { seq: 5, mark: 'x' }
const many = Array.from({ length: 300 }, (_, at) => page(at + 1, `Whale${at} sings.`))

/** Shelves that were filled and closed. */
async function filled() {
  const path = emptyPlace()
  const library = shelves(path)
  await library.give({ put: many, position: PLACE })
  await library.give({})
  await library.close()
  return path
}

function edit(path: string, sql: string) {
  const db = new Database(path)
  db.run(sql)
  db.close()
}

describe('a file that cannot be used is made anew, and the log says so', () => {
  const ANEW = ['The search index is damaged and is rebuilt']

  test('where it is something else', async () => {
    const path = emptyPlace()
    writeFileSync(path, 'no database at all, '.repeat(500))
    const library = shelves(path)
    expect(await library.position()).toBeUndefined()
    expect(library.said).toEqual(ANEW)
    await library.give({ put: many, position: PLACE })
    expect(await library.best('whale7')).toBe('page 8')
    await library.close()
    expect(await shelves(path).position()).toEqual(PLACE)
  })

  test('where it is of another version', async () => {
    const path = await filled()
    edit(path, 'PRAGMA user_version=1')
    const library = shelves(path)
    expect(await library.position()).toBeUndefined()
    expect(await library.state()).toMatchObject({ passages: 0 })
    expect(library.said).toEqual([
      'The search index is from another version of cork and is rebuilt',
    ])
  })

  test('where a table is gone', async () => {
    const path = await filled()
    edit(path, 'DROP TABLE sources')
    const library = shelves(path)
    await library.position().catch(() => {})
    expect(await library.position()).toBeUndefined()
    await library.give({ put: many, position: PLACE })
    expect(await library.best('whale7')).toBe('page 8')
    expect(library.said).toEqual(ANEW)
  })

  test('where it is not there', async () => {
    const path = await filled()
    rmSync(path)
    const library = shelves(path)
    expect(await library.position()).toBeUndefined()
    expect(library.said).toEqual([])
  })

  test('where it is damaged while it is open: who asks is told to come again', async () => {
    const path = await filled()
    const library = shelves(path)
    expect(await library.position()).toEqual(PLACE)
    const { size } = statSync(path)
    const file = openSync(path, 'r+')
    for (let at = 4096; at < size; at += 4096)
      writeSync(file, new Uint8Array(4096).fill(7), 0, 4096, at)
    const refused = await library.best('whale7').catch((error) => error)
    expect(refused).toMatchObject({ name: 'Unready' })
    expect(await library.position()).toBeUndefined()
    await library.give({ put: many, position: PLACE })
    expect(await library.best('whale7')).toBe('page 8')
    expect(library.said).toEqual(ANEW)
  })
})

test('a damaged part of a board is made anew from the texts', async () => {
  const path = await filled()
  edit(path, "UPDATE segments SET shelf = substr(shelf, 1, 900) || x'ff' || substr(shelf, 902)")
  const library = shelves(path)
  expect(await library.best('whale7')).toBe('page 8')
  expect(library.said).toEqual(['A damaged part of the search index was rebuilt from its texts'])
  await library.close()
  const again = shelves(path)
  expect(await again.best('whale7')).toBe('page 8')
  expect(again.said).toEqual([])
})

describe('a folder', () => {
  test('holds a file of each process that uses it, and one that is free is used again', async () => {
    const path = await filled()
    const first = shelves(path)
    const second = shelves(path)
    const beside = path.replace('.db', '-2.db')
    expect(await first.best('whale7')).toBe('page 8')
    expect(await second.position()).toBeUndefined()
    await second.give({ put: [page(1, 'Owls are awake.')], position: PLACE })
    expect(await first.best('owls')).toBeUndefined()
    expect(existsSync(beside)).toBe(true)
    await first.close()
    const third = shelves(path)
    expect(await third.position()).toEqual(PLACE)
    expect(await third.best('whale7')).toBe('page 8')
    expect(existsSync(path.replace('.db', '-3.db'))).toBe(false)
  })

  test('that cannot be written leaves it in memory, and the log says so', async () => {
    const path = emptyPlace()
    writeFileSync(path, '')
    const library = shelves(`${path}/search.db`)
    await library.give({ put: many, position: PLACE })
    expect(await library.best('whale7')).toBe('page 8')
    expect(library.said).toEqual([
      expect.stringMatching(/^The search index is kept in memory only/),
    ])
  })

  test('is made where it is missing, and nobody else may look into it', async () => {
    const path = emptyPlace()
    const inner = `${dirname(path)}/inner/search.db`
    mkdirSync(dirname(path), { recursive: true })
    await shelves(inner).give({ put: many, position: PLACE })
    const open = ['', '-wal', '-shm', '.lock'].filter((end) => statSync(inner + end).mode & 0o077)
    expect(open).toEqual([])
    expect(statSync(dirname(inner)).mode & 0o077).toBe(0)
  })
})
