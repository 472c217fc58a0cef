import { join } from 'node:path'
import { createFolder } from '../binary/cork.ts'
import { type RunResult, readReport } from './report.ts'

const CONFIG = join(import.meta.dir, 'schemathesis.toml')

export interface Plan {
  phases: string
  /** For each operation. */
  examples: number
  /** Arguments that select operations. */
  selection: readonly string[]
}

interface Run extends Plan {
  command: string
  url: string
  secret: string
}

/** Runs Schemathesis, whose exit code is 1 if it found failures. */
export async function run({
  command,
  url,
  secret,
  phases,
  examples,
  selection,
}: Run): Promise<RunResult> {
  // Schemathesis stores failures in the current folder and repeats them in the next run.
  const cwd = createFolder()
  const report = join(cwd, 'report.ndjson')
  const process = Bun.spawn(
    [
      ...[command, '--config-file', CONFIG, 'run', `${url}/openapi.json`],
      ...['--header', `Authorization: Bearer ${secret}`, '--checks', 'all', '--phases', phases],
      ...['--max-examples', String(examples), '--no-color', '--warnings', 'off'],
      ...selection,
      ...['--report', 'ndjson', '--report-ndjson-path', report],
    ],
    { cwd, stdout: 'pipe', stderr: 'pipe' },
  )
  const [out, err, code] = await Promise.all([
    new Response(process.stdout).text(),
    new Response(process.stderr).text(),
    process.exited,
  ])
  // After an exception in one of its threads, Schemathesis skips the remaining operations.
  const isComplete = !/^Exception in thread/m.test(err)
  if ((code !== 0 && code !== 1) || !isComplete)
    throw new Error(`Schemathesis ended with ${code}: ${err}${out}`)
  const result = await readReport(report)
  if (!result.cases) throw new Error(`Schemathesis sent nothing: ${err}${out}`)
  return result
}
