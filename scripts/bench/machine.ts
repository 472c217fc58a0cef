import { cpus, loadavg, release, totalmem, type } from 'node:os'
import type { Pace } from './sample.ts'

/** Where and when figures were taken, without which they mean little. */
export function machine({ rounds, seconds }: Pace): string {
  const cores = cpus()
  const lines = {
    Date: new Date().toISOString().slice(0, 16).replace('T', ' ') + ' UTC',
    Commit: commit(),
    Machine: `${cores.length} × ${cores[0]?.model.trim()}, ${Math.round(totalmem() / 2 ** 30)} GB, ${type()} ${release()}`,
    'Load at the end': loadavg()
      .map((load) => load.toFixed(2))
      .join(' '),
    Bun: Bun.version,
    Pace: `${rounds} rounds of ${seconds} s for each side, turn by turn; medians`,
  }
  return Object.entries(lines)
    .map(([name, text]) => `- ${name}: ${text}`)
    .join('\n')
}

function commit(): string {
  const git = (...args: string[]) => Bun.spawnSync(['git', ...args], { cwd: import.meta.dir })
  const head = git('rev-parse', '--short', 'HEAD')
  if (head.exitCode !== 0) return 'unknown'
  const changed = git('status', '--porcelain', '--untracked-files=no').stdout.toString().trim()
  return head.stdout.toString().trim() + (changed ? ', with changes' : '')
}
