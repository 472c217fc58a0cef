/** Runs all static checks in parallel, then the project's own rules in test/tidy. */
import { join } from 'node:path'

const root = join(import.meta.dir, '..')
const tool = (name: string, ...args: string[]) => [
  ...[process.execPath, '--bun', join(root, 'node_modules/.bin', name)],
  ...args,
]

const CHECKS = {
  biome: tool('biome', 'check', '--error-on-warnings', '--colors=off'),
  types: tool('tsc', '--noEmit', '--pretty', 'false'),
  imports: tool('depcruise', '--config', '.dependency-cruiser.cjs', 'src'),
  knip: tool('knip', '--no-progress'),
}
const TIDY = { tidy: [process.execPath, 'test', '--timeout=60000', './test/tidy'] }

async function runCheck(name: string, command: string[]): Promise<boolean> {
  const startedAt = performance.now()
  const run = Bun.spawn(command, { cwd: root, stdout: 'pipe', stderr: 'pipe' })
  const [out, err, code] = await Promise.all([
    new Response(run.stdout).text(),
    new Response(run.stderr).text(),
    run.exited,
  ])
  if (code !== 0) console.log(`${out}${err}`.trimEnd())
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1)
  console.log(`${code === 0 ? 'ok    ' : 'FAILED'} ${name} (${seconds} s)`)
  return code === 0
}

/** Returns true if all checks pass. */
export async function check(checks: Record<string, string[]> = CHECKS): Promise<boolean> {
  const results = Object.entries(checks).map(([name, command]) => runCheck(name, command))
  return (await Promise.all(results)).every(Boolean)
}

if (import.meta.main) process.exit((await check({ ...CHECKS, ...TIDY })) ? 0 : 1)
