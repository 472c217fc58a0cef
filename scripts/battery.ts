/**
 * Has agents do 35 things over MCP on the built executable, and counts what each took.
 *
 *   npm run battery -- [--write]
 *
 * --write puts the table into docs/agents-measured.md.
 */
import { join } from 'node:path'
import { openGround } from './battery/ground.ts'
import { played, tasks } from './battery/run.ts'
import { type Row, tableOf, withTable } from './battery/table.ts'
import { build, stale } from './build.ts'

const page = join(import.meta.dir, '../docs/agents-measured.md')

if (stale()) await build()
const ground = await openGround()
const rows: Row[] = []
try {
  for (const task of tasks) rows.push(await played(ground, task))
} finally {
  await ground.close()
}
console.log(tableOf(rows))
const missed = rows.filter((row) => row.missed)
for (const { name, missed: why } of missed) console.error(`${name}\n  ${why}`)
if (process.argv.includes('--write') && !missed.length)
  await Bun.write(page, withTable(await Bun.file(page).text(), rows))
process.exitCode = missed.length ? 1 : 0
