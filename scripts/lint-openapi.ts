/** Checks the OpenAPI document with Redocly's linter; no server is started for it. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const root = join(import.meta.dir, '..')

export interface Verdict {
  errors: number
  warnings: number
  report: string
}

export async function lint(document: string): Promise<Verdict> {
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
      // It would ask a registry whether it is the newest, and tell its maker that it ran.
      {
        env: { ...process.env, REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true', REDOCLY_TELEMETRY: 'off' },
        stdout: 'pipe',
        stderr: 'pipe',
      },
    )
    const report = await new Response(linter.stdout).text()
    const problems = await new Response(linter.stderr).text()
    await linter.exited
    return counted(report, problems)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

function counted(report: string, problems: string): Verdict {
  const start = report.indexOf('{')
  if (start < 0) return { errors: 1, warnings: 0, report: problems || 'The linter said nothing' }
  const { totals, problems: found } = JSON.parse(report.slice(start))
  return { ...totals, report: JSON.stringify(found, null, 2) }
}

if (import.meta.main) {
  const { describedHouse } = await import('../test/contract/document.ts')
  const { errors, warnings, report } = await lint(await describedHouse())
  if (errors || warnings) console.log(report)
  console.log(`OpenAPI: ${errors} errors, ${warnings} warnings`)
  process.exitCode = errors ? 1 : 0
}
