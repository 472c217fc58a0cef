/** Checks the OpenAPI document with Redocly's linter, without starting a server. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const root = join(import.meta.dir, '..')

export interface LintResult {
  errors: number
  warnings: number
  report: string
}

export async function lint(document: string): Promise<LintResult> {
  const folder = mkdtempSync(join(tmpdir(), 'cork-openapi-'))
  try {
    const file = join(folder, 'openapi.json')
    await Bun.write(file, document)
    const linter = Bun.spawn(
      [
        process.execPath,
        join(root, 'node_modules/@redocly/cli/bin/cli.js'),
        'lint',
        file,
        '--config',
        join(root, 'redocly.yaml'),
        '--format=json',
      ],
      // Turns off its update check and telemetry.
      {
        env: { ...process.env, REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true', REDOCLY_TELEMETRY: 'off' },
        stdout: 'pipe',
        stderr: 'pipe',
      },
    )
    const report = await new Response(linter.stdout).text()
    const problems = await new Response(linter.stderr).text()
    await linter.exited
    return parseReport(report, problems)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

function parseReport(report: string, problems: string): LintResult {
  const start = report.indexOf('{')
  if (start < 0) return { errors: 1, warnings: 0, report: problems || 'The linter printed nothing' }
  const { totals, problems: found } = JSON.parse(report.slice(start))
  return { ...totals, report: JSON.stringify(found, null, 2) }
}

if (import.meta.main) {
  const { fetchOpenApi } = await import('../test/contract/document.ts')
  const { errors, warnings, report } = await lint(await fetchOpenApi())
  if (errors || warnings) console.log(report)
  console.log(`OpenAPI: ${errors} errors, ${warnings} warnings`)
  process.exitCode = errors ? 1 : 0
}
