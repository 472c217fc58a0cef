import { afterAll, expect, test } from 'bun:test'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { join, relative } from 'node:path'
import { root } from './files.ts'

// drizzle-kit takes its folder relative to where it runs, and must not touch the real one.
const parent = join(root, 'node_modules/.cache')
mkdirSync(parent, { recursive: true })
const folder = mkdtempSync(join(parent, 'migrations-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** The migrations that the tables of today would still need. */
function missing(out: string): string[] {
  const before = new Set(readdirSync(out))
  const args = ['--dialect', 'sqlite', '--name', 'probe', '--out', relative(root, out)]
  const tables = ['./src/store/tables.ts', './src/features/*/tables.ts']
  const kit = join(root, 'node_modules/drizzle-kit/bin.cjs')
  const run = Bun.spawnSync(
    [process.execPath, kit, 'generate', ...args, ...tables.flatMap((path) => ['--schema', path])],
    { cwd: root, env: { ...process.env, DATABASE_URL: '' } },
  )
  expect(run.stderr.toString() + run.stdout.toString()).not.toContain('rror')
  expect(run.exitCode).toBe(0)
  return readdirSync(out).filter((file) => file.endsWith('.sql') && !before.has(file))
}

test('every change of a table has its migration', () => {
  const fresh = join(folder, 'fresh')
  mkdirSync(fresh)
  expect(missing(fresh)).toHaveLength(1)
  const current = join(folder, 'current')
  cpSync(join(root, 'drizzle/sqlite'), current, { recursive: true })
  expect(missing(current)).toEqual([])
}, 60_000)
