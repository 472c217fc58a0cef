import { Database } from 'bun:sqlite'
import { afterAll, describe, expect, test } from 'bun:test'
import {
  chmodSync,
  chownSync,
  openSync,
  readdirSync,
  rmSync,
  truncateSync,
  utimesSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { binary } from '../../scripts/build.ts'
import { onPostgres } from '../support/postgres.ts'
import { cleanUp, createFolder, runCommand } from './cork.ts'
import { createInstallation, createSqliteInstallation, type Installation } from './installation.ts'

afterAll(cleanUp)

interface Finding {
  check: string
  state: 'ok' | 'warning' | 'problem'
  says: string
  hint?: string
}

async function runDoctor(installation: Installation, env: Record<string, string> = {}) {
  const { code, out, err } = await installation.run(['doctor', '--json'], env)
  expect(err).toBe('')
  const findings: Finding[] = JSON.parse(out)
  return {
    code,
    findings,
    findingsOf: (check: string) => findings.filter((one) => one.check === check),
  }
}

test('cork doctor finds no problem in intact data, with the server stopped or running', async () => {
  const installation = await createInstallation()
  await installation.init()
  await installation.runJson(['backup', join(createFolder(), 'b.backup')])
  const { code, findings } = await runDoctor(installation)
  expect(findings.filter(({ state }) => state === 'problem')).toEqual([])
  expect(code).toBe(0)
  const server = await installation.serve()
  const { findingsOf, code: exitCode } = await runDoctor(installation)
  if (!onPostgres)
    expect(findingsOf('server')[0]).toMatchObject({
      state: 'ok',
      says: expect.stringContaining(server.url),
    })
  expect(exitCode).toBe(0)
  expect(await server.end()).toBe(0)
  const { out } = await installation.run(['doctor'])
  expect(out).toContain('ok       settings')
})

/** Damage to the data of a stopped server, with the check that finds it, its message and hint. */
const damages: [string, (data: string) => void, string, string, string][] = [
  [
    'an overwritten page of the database',
    (data) => overwritePage(join(data, 'corkboard.db')),
    'database',
    '',
    'cork restore',
  ],
  [
    'a truncated database',
    (data) => truncateSync(join(data, 'corkboard.db'), 20_000),
    'database',
    '',
    'cork restore',
  ],
  [
    'a database file that is not a database',
    (data) => overwritePage(join(data, 'corkboard.db'), 0),
    'database',
    '',
    'cork restore',
  ],
  [
    'a missing signing key',
    (data) => rmSync(join(data, 'signing.key')),
    'signing key',
    'is missing',
    'backup',
  ],
  [
    'a truncated signing key',
    (data) => truncateSync(join(data, 'signing.key'), 5),
    'signing key',
    'has 5',
    'backup',
  ],
  [
    'a migration of a newer version',
    (data) => runStatement(data, "insert into migrations values ('9999_later', 1)"),
    'schema',
    '9999_later',
    'that version',
  ],
  [
    'a change with a time in the future',
    (data) => runStatement(data, 'update changes set created_at = created_at + 86400000'),
    'clock',
    'was written at',
    'NTP',
  ],
  [
    'a broken reference',
    (data) => runStatement(data, 'delete from teams'),
    'database',
    'refers to a row of teams',
    'cork restore',
  ],
]

function runStatement(data: string, statement: string): void {
  const database = new Database(join(data, 'corkboard.db'))
  database.run('PRAGMA foreign_keys=OFF')
  database.run(statement)
  database.close()
}

function overwritePage(path: string, page = 6): void {
  for (const name of readdirSync(join(path, '..')).filter((name) => /-(wal|shm)$/.test(name)))
    rmSync(join(path, '..', name))
  writeSync(openSync(path, 'r+'), 'scribble '.repeat(400), page * 4096)
}

describe.skipIf(onPostgres)('cork doctor finds', () => {
  for (const [damage, applyDamage, check, says, hint] of damages)
    test(damage, async () => {
      const installation = createSqliteInstallation()
      await installation.init()
      // Moves the write-ahead log into the database file.
      runStatement(installation.data, 'PRAGMA wal_checkpoint(TRUNCATE)')
      applyDamage(installation.data)
      const { code, findingsOf } = await runDoctor(installation)
      expect(findingsOf(check)).toContainEqual({
        ...{ check, state: 'problem' },
        says: expect.stringContaining(says),
        hint: expect.stringContaining(hint),
      })
      expect(code).toBe(1)
    })

  test('a data folder that is missing, is a file or is not writable', async () => {
    const installation = createSqliteInstallation()
    expect((await runDoctor(installation)).findingsOf('data folder')[0]).toMatchObject({
      state: 'problem',
    })
    await installation.init()
    const file = { ...installation, ...{ data: join(installation.data, 'corkboard.db') } }
    const { out } = await runCommand([binary, 'doctor', '--data', file.data])
    expect(out).toContain('is not a folder')
    chmodSync(installation.data, 0o555)
    // Root may write anywhere, so another account runs the command.
    const isRoot = process.getuid?.() === 0
    if (isRoot)
      for (const name of ['', ...readdirSync(installation.data)])
        chownSync(join(installation.data, name), 65534, 65534)
    const asNobody = isRoot ? ['setpriv', '--reuid', '65534', '--clear-groups'] : []
    const run = await runCommand([...asNobody, binary, 'doctor', '--data', installation.data])
    expect([run.code, run.out]).toEqual([1, expect.stringContaining('cannot be written to')])
    chmodSync(installation.data, 0o700)
  })

  test('a data folder that others can read, and a missing backup, as warnings', async () => {
    const installation = createSqliteInstallation()
    await installation.init()
    chmodSync(installation.data, 0o755)
    const { code, findingsOf } = await runDoctor(installation)
    expect(code).toBe(0)
    expect(findingsOf('data folder')[0]).toMatchObject({
      state: 'warning',
      hint: expect.stringContaining('chmod 700'),
    })
    expect(findingsOf('backups')[0]).toMatchObject({ state: 'warning' })
  })

  test('missing first or last entries of the change log', async () => {
    const installation = createSqliteInstallation()
    await installation.init()
    for (const [alreadyMissing, which] of ['min', 'max'].entries()) {
      runStatement(
        installation.data,
        `delete from changes where seq = (select ${which}(seq) from changes)`,
      )
      expect((await runDoctor(installation)).findingsOf('change log')[0]).toMatchObject({
        state: 'warning',
        says: `${alreadyMissing + 1} of its entries are missing`,
      })
    }
  })

  test('a database file with a modification time in the future', async () => {
    const installation = createSqliteInstallation()
    await installation.init()
    const tomorrow = Date.now() / 1000 + 86_400
    utimesSync(join(installation.data, 'corkboard.db'), tomorrow, tomorrow)
    expect((await runDoctor(installation)).findingsOf('clock')[0]).toMatchObject({
      state: 'problem',
    })
  })

  test('a server that does not answer', async () => {
    const installation = createSqliteInstallation()
    await installation.init()
    const server = await installation.serve()
    process.kill(server.pid, 'SIGSTOP')
    const { code, findingsOf } = await runDoctor(installation)
    expect(findingsOf('server')[0]).toMatchObject({
      state: 'problem',
      says: expect.stringContaining(server.url),
    })
    expect(code).toBe(1)
    process.kill(server.pid, 'SIGCONT')
    expect(await server.end()).toBe(0)
  })
})

test('cork doctor finds invalid and unknown settings and an unknown time zone', async () => {
  const installation = await createInstallation()
  await installation.init()
  const { code, findingsOf } = await runDoctor(installation, {
    CORK_PORT: 'harbour',
    CORK_RATE_LIMIT_BSE: '1',
    TZ: 'Mars/Base',
  })
  expect(code).toBe(1)
  expect(findingsOf('settings').map(({ state, says }) => [state, says])).toEqual([
    ['problem', expect.stringContaining('CORK_PORT')],
    ['warning', expect.stringContaining('did you mean CORK_RATE_LIMIT_BASE?')],
  ])
  const { findingsOf: findingsInZone } = await runDoctor(installation, { TZ: 'Mars/Base' })
  expect(findingsInZone('clock')[0]).toMatchObject({
    state: 'warning',
    says: expect.stringContaining('Mars/Base'),
  })
})

describe.if(onPostgres)('cork doctor finds on PostgreSQL', () => {
  test('a CORK_SECRET that does not decrypt the signing key', async () => {
    const installation = await createInstallation()
    await installation.init()
    const { code, findingsOf } = await runDoctor(installation, {
      CORK_SECRET: 'quite another secret than that',
    })
    expect(findingsOf('signing key')[0]).toMatchObject({
      state: 'problem',
      says: expect.stringContaining('CORK_SECRET'),
    })
    expect(code).toBe(1)
  })

  test('an unreachable database server, without printing its password', async () => {
    const installation = await createInstallation()
    const { code, out } = await installation.run(['doctor'], {
      DATABASE_URL: 'postgres://cork:geheim@127.0.0.1:1/none',
    })
    expect([code, out]).toEqual([1, expect.stringContaining('127.0.0.1:1/none')])
    expect(out).not.toContain('geheim')
  })
})
