import { Database } from 'bun:sqlite'
import { expect, test } from 'bun:test'
import { drizzle } from 'drizzle-orm/bun-sqlite'
import type { Tx } from '../../src/kernel/caller.ts'
import { Fault } from '../../src/kernel/fault.ts'
import { describeProblem, problemOf, readError, writeError } from '../../src/store/errors.ts'
import { WriteQueue } from '../../src/store/queue.ts'

test('a write to a full database is refused, and writes succeed again once there is room', async () => {
  const database = new Database(':memory:', { strict: true })
  database.run('create table notes (text text)')
  const tx = drizzle(database) as unknown as Tx
  const queue = new WriteQueue({ database, tx, takeTouched: () => [], onCommit() {} })
  const add = (bytes: number) =>
    queue.push(async () => database.run('insert into notes values (?)', ['x'.repeat(bytes)]))
  database.run('pragma max_page_count = 20')
  const results = await Promise.allSettled([add(100), add(200_000)])
  const failure = results.find(({ status }) => status === 'rejected') as PromiseRejectedResult
  expect(failure.reason).toBeInstanceOf(Fault)
  expect(failure.reason).toMatchObject({
    code: 'unavailable',
    message: 'The database cannot be written now: the disk is full. Nothing was changed',
  })
  expect(describeProblem(failure.reason)).toStartWith('The disk is full. Free some space')
  // A write of the same transaction is acknowledged only if it was committed.
  const noteCount = () => database.query<{ n: number }, []>('select count(*) n from notes').get()!.n
  expect(noteCount()).toBe(results.filter(({ status }) => status === 'fulfilled').length)
  const before = noteCount()
  database.run('pragma max_page_count = 2000')
  await add(200_000)
  expect(noteCount()).toBe(before + 1)
})

test('an error that is not caused by the environment is passed on unchanged', () => {
  for (const error of [new Error('a bug'), new Fault('invalid', 'no'), undefined, 'text']) {
    expect(writeError(error)).toBe(error)
    expect(describeProblem(error)).toBe('failed')
  }
})

test('the most specific error code determines the message, also in a nested cause', () => {
  const errorWithCode = (code: string) => Object.assign(new Error('x'), { code })
  expect(problemOf(errorWithCode('SQLITE_READONLY_DBMOVED'))?.problem).toContain('moved or deleted')
  expect(problemOf(errorWithCode('SQLITE_READONLY'))?.problem).toBe(
    'the database file is read-only',
  )
  const cause = errorWithCode('SQLITE_IOERR_FSYNC')
  expect(writeError(errorWithCode('SQLITE_READONLY'))).toMatchObject({
    ...{ code: 'internal', message: 'The database could not be written; nothing was changed' },
  })
  for (const code of ['SQLITE_FULL', 'SQLITE_IOERR_WRITE', 'ENOSPC', 'EDQUOT', 'EFBIG', '53100'])
    expect(writeError(errorWithCode(code), 'Files')).toMatchObject({
      ...{ code: 'unavailable', message: expect.stringMatching(/^Files cannot be written now: /) },
    })
  expect(problemOf(new Error('outside', { cause: new Error('between', { cause }) }))?.problem).toBe(
    'the disk cannot be read or written',
  )
})

test('busy and unreachable databases are unavailable, busy ones with a retry after 2 s', () => {
  const errorWithCode = (code: string) => Object.assign(new Error('x'), { code })
  for (const code of ['SQLITE_BUSY', 'SQLITE_BUSY_RECOVERY', '57014', '55P03', 'EXHAUSTED'])
    for (const fault of [readError(errorWithCode(code)), writeError(errorWithCode(code))])
      expect(fault).toMatchObject({ code: 'unavailable', details: { retry_after: 2 } })
  for (const code of ['UNREACHABLE', '57P01', '57P03', '53300'])
    expect(readError(errorWithCode(code))).toMatchObject({
      ...{
        code: 'unavailable',
        message: expect.stringMatching(/^The database cannot be read now/),
      },
    })
  const fault = writeError(errorWithCode('SQLITE_BUSY'))
  expect(readError(fault)).toBe(fault)
})
