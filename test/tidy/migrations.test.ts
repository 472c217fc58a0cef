import { afterAll, expect, test } from 'bun:test'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import drizzle from '../../drizzle.config.ts'
import { root } from '../support/source-files.ts'

// drizzle-kit resolves its output folder against the current one. It must not change the real
// migrations, so it writes into a copy.
const parent = join(root, 'node_modules/.cache')
mkdirSync(parent, { recursive: true })
const folder = mkdtempSync(join(parent, 'migrations-'))
afterAll(() => rmSync(folder, { recursive: true }))

type Engine = 'sqlite' | 'postgres'

/** The migrations that drizzle-kit generates for these tables, because they are missing. */
function missingMigrations(engine: Engine, out: string, tables = drizzle.schema): string[] {
  const before = new Set(readdirSync(out))
  const config = `${out}.config.json`
  const dialect = engine === 'sqlite' ? 'sqlite' : 'postgresql'
  const settings = { ...drizzle, dialect, schema: tables, out: relative(root, out) }
  writeFileSync(config, JSON.stringify(settings))
  const drizzleKit = join(root, 'node_modules/drizzle-kit/bin.cjs')
  const args = ['generate', '--name', 'probe', '--config', relative(root, config)]
  const result = Bun.spawnSync([process.execPath, drizzleKit, ...args], {
    cwd: root,
    env: { ...process.env, DATABASE_URL: engine === 'sqlite' ? '' : 'postgres://tables.only' },
  })
  expect(result.stderr.toString() + result.stdout.toString()).not.toContain('rror')
  expect(result.exitCode).toBe(0)
  return readdirSync(out).filter((file) => file.endsWith('.sql') && !before.has(file))
}

for (const engine of ['sqlite', 'postgres'] as const)
  test(`every change of a table has a migration for ${engine}`, () => {
    const copyMigrations = (name: string) => {
      const out = join(folder, `${engine}-${name}`)
      cpSync(join(root, 'drizzle', engine), out, { recursive: true })
      return out
    }
    expect(
      missingMigrations(engine, copyMigrations('fewer'), ['./src/features/*/*/model/tables.ts']),
    ).toHaveLength(1)
    expect(missingMigrations(engine, copyMigrations('current'))).toEqual([])
  })

test('both engines have migrations with the same names', () => {
  const names = (engine: Engine) =>
    readdirSync(join(root, 'drizzle', engine)).filter((file) => file.endsWith('.sql'))
  expect(names('postgres')).toEqual(names('sqlite'))
})

/** These statements break the release before, which serves until its last server has stopped. */
const BREAKING = [
  /\bDROP (COLUMN|TABLE|DEFAULT)\b/i,
  /\bRENAME\b/i,
  /\bSET (NOT NULL|DATA TYPE)\b/i,
  /\bADD COLUMN (?!.*\bDEFAULT\b).*\bNOT NULL\b/i,
]
/** They are older than the rule. To upgrade across one of them, stop all old servers first. */
const EXCEPTIONS = ['0017_count_by_links.sql']

const isBreaking = (sql: string) =>
  sql.split(';').some((statement) => BREAKING.some((pattern) => pattern.test(statement)))

test('the previous release can serve after each migration of PostgreSQL', async () => {
  const folder = join(root, 'drizzle/postgres')
  const files = readdirSync(folder).filter((file) => file.endsWith('.sql'))
  const breaking = []
  for (const file of files)
    if (isBreaking(await Bun.file(join(folder, file)).text())) breaking.push(file)
  expect(breaking).toEqual(EXCEPTIONS)
  const column = 'ALTER TABLE "tasks" ADD COLUMN "points" integer'
  expect(isBreaking(`${column} NOT NULL;`)).toBe(true)
  expect(isBreaking(`${column} DEFAULT 0 NOT NULL;`)).toBe(false)
  for (const rest of ['DROP COLUMN "points"', 'RENAME TO "cards"', 'ALTER "rank" SET NOT NULL'])
    expect(isBreaking(`ALTER TABLE "tasks" ${rest};`)).toBe(true)
})
