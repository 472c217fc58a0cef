/**
 * Runs 50 agent tasks over MCP against the built executable, and counts calls and tokens of each.
 *
 *   npm run battery -- [--write]
 *
 * --write updates the table in docs/agents-measured.md.
 */
import { join } from 'node:path'
import { openEnvironment } from './battery/environment.ts'
import { runTask, tasks } from './battery/run.ts'
import { type Row, tableOf, withTable } from './battery/table.ts'
import { build, isStale } from './build.ts'

const page = join(import.meta.dir, '../docs/agents-measured.md')

if (isStale()) await build()
const environment = await openEnvironment()
const rows: Row[] = []
try {
  for (const task of tasks) rows.push(await runTask(environment, task))
} finally {
  await environment.close()
}
console.log(tableOf(rows))
const failed = rows.filter((row) => row.failure)
for (const { name, failure } of failed) console.error(`${name}\n  ${failure}`)
if (process.argv.includes('--write') && !failed.length)
  await Bun.write(page, withTable(await Bun.file(page).text(), rows))
process.exitCode = failed.length ? 1 : 0
