/**
 * Writes the migration that brings a database from the last one to the tables of today.
 *
 *   npm run migrations -- <name>
 */
import { join } from 'node:path'

const [name] = process.argv.slice(2)
if (!name || !/^[a-z][a-z0-9_]*$/.test(name)) {
  console.error('Name what changes, in lower case: npm run migrations -- add_comments')
  process.exit(2)
}
const kit = join(import.meta.dir, '../node_modules/drizzle-kit/bin.cjs')
const args = ['generate', '--config', 'drizzle.config.ts', '--name', name]
const run = Bun.spawn([process.execPath, kit, ...args], {
  cwd: join(import.meta.dir, '..'),
  stdio: ['ignore', 'inherit', 'inherit'],
})
process.exit(await run.exited)
