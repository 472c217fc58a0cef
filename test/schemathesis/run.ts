import { join } from 'node:path'
import { folder } from '../binary/cork.ts'
import { type Found, readReport } from './report.ts'

const CONFIG = join(import.meta.dir, 'schemathesis.toml')

export interface Plan {
  phases: string
  /** For each operation. */
  examples: number
  /** Arguments that choose operations. */
  choice: readonly string[]
}

interface Run extends Plan {
  command: string
  url: string
  secret: string
}

/** Runs Schemathesis, whose exit code is 1 if it found failures. */
export async function run({ command, url, secret, phases, examples, choice }: Run): Promise<Found> {
  // Schemathesis keeps what it found in the current folder, and repeats that in the next run.
  const cwd = folder()
  const report = join(cwd, 'report.ndjson')
  const process = Bun.spawn(
    [
      ...[command, '--config-file', CONFIG, 'run', `${url}/docs/json`],
      ...['--header', `Authorization: Bearer ${secret}`, '--checks', 'all', '--phases', phases],
      ...['--max-examples', String(examples), '--no-color', '--warnings', 'off'],
      ...choice,
      ...['--report', 'ndjson', '--report-ndjson-path', report],
    ],
    { cwd, stdout: 'pipe', stderr: 'pipe' },
  )
  const [out, err, code] = await Promise.all([
    new Response(process.stdout).text(),
    new Response(process.stderr).text(),
    process.exited,
  ])
  if (code !== 0 && code !== 1) throw new Error(`Schemathesis ended with ${code}: ${err}${out}`)
  const found = await readReport(report)
  if (!found.cases) throw new Error(`Schemathesis sent nothing: ${err}${out}`)
  return found
}
