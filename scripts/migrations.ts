/**
 * Generates a migration for each engine, from the state of the last migrations to the current
 * tables.
 *
 *   npm run migrations -- <name>
 */
import { join } from 'node:path'

/** DATABASE_URL selects the engine, even if no database is used. */
const ENGINES = ['', 'postgres://tables.only']

const [name] = process.argv.slice(2)
if (!name || !/^[a-z][a-z0-9_]*$/.test(name)) {
  console.error('Name what changes, in lower case: npm run migrations -- add_comments')
  process.exit(2)
}
const kit = join(import.meta.dir, '../node_modules/drizzle-kit/bin.cjs')
const args = ['generate', '--config', 'drizzle.config.ts', '--name', name]
for (const DATABASE_URL of ENGINES) {
  const run = Bun.spawnSync([process.execPath, kit, ...args], {
    cwd: join(import.meta.dir, '..'),
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { ...process.env, DATABASE_URL },
  })
  if (run.exitCode !== 0) process.exit(run.exitCode)
}
