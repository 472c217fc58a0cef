/** Everything that reads the code without running it, at once; then the rules of the house. */
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

async function passes(name: string, command: string[]): Promise<boolean> {
  const began = performance.now()
  const run = Bun.spawn(command, { cwd: root, stdout: 'pipe', stderr: 'pipe' })
  const [out, err, code] = await Promise.all([
    new Response(run.stdout).text(),
    new Response(run.stderr).text(),
    run.exited,
  ])
  if (code !== 0) console.log(`${out}${err}`.trimEnd())
  const seconds = ((performance.now() - began) / 1000).toFixed(1)
  console.log(`${code === 0 ? 'ok    ' : 'FAILED'} ${name} (${seconds} s)`)
  return code === 0
}

/** True when all is well. */
export async function check(checks: Record<string, string[]> = CHECKS): Promise<boolean> {
  const all = Object.entries(checks).map(([name, command]) => passes(name, command))
  return (await Promise.all(all)).every(Boolean)
}

if (import.meta.main) process.exit((await check({ ...CHECKS, ...TIDY })) ? 0 : 1)
