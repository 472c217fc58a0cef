import { afterAll, expect, test } from 'bun:test'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import drizzle from '../../drizzle.config.ts'
import { root } from './files.ts'

// drizzle-kit takes its folder relative to where it runs, and must not touch the real one.
const parent = join(root, 'node_modules/.cache')
mkdirSync(parent, { recursive: true })
const folder = mkdtempSync(join(parent, 'migrations-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** The migrations that the tables of today, or others, would still need. */
function missing(out: string, tables = drizzle.schema): string[] {
  const before = new Set(readdirSync(out))
  const config = `${out}.config.json`
  const settings = { ...drizzle, dialect: 'sqlite', schema: tables, out: relative(root, out) }
  writeFileSync(config, JSON.stringify(settings))
  const kit = join(root, 'node_modules/drizzle-kit/bin.cjs')
  const args = ['generate', '--name', 'probe', '--config', relative(root, config)]
  const run = Bun.spawnSync([process.execPath, kit, ...args], {
    cwd: root,
    env: { ...process.env, DATABASE_URL: '' },
  })
  expect(run.stderr.toString() + run.stdout.toString()).not.toContain('rror')
  expect(run.exitCode).toBe(0)
  return readdirSync(out).filter((file) => file.endsWith('.sql') && !before.has(file))
}

test('every change of a table has its migration', () => {
  const copy = (name: string) => {
    const out = join(folder, name)
    cpSync(join(root, 'drizzle/sqlite'), out, { recursive: true })
    return out
  }
  expect(missing(copy('fewer'), ['./src/features/*/tables.ts'])).toHaveLength(1)
  expect(missing(copy('current'))).toEqual([])
}, 60_000)
