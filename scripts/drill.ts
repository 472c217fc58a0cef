/**
 * Rehearses disasters and upgrades with real servers. Those of other projects are installed if
 * necessary, except Citus.
 *
 *   npm run drill -- <agents | citus | failover | import | litestream | setup | upgrade> [--rounds 50]
 */
import { parseArgs } from 'node:util'

const DRILLS: Record<string, () => Promise<{ drill(rounds: number): Promise<boolean> }>> = {
  agents: () => import('./drills/agents.ts'),
  citus: () => import('./drills/citus.ts'),
  failover: () => import('./drills/failover.ts'),
  import: () => import('./drills/import.ts'),
  litestream: () => import('./drills/litestream.ts'),
  setup: () => import('./drills/setup.ts'),
  upgrade: () => import('./drills/upgrade.ts'),
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { rounds: { type: 'string', default: '50' } },
})
const load = DRILLS[positionals[0] ?? '']
const rounds = Number(values.rounds)
if (!load || !Number.isInteger(rounds) || rounds < 1) {
  console.error(`Usage: npm run drill -- <${Object.keys(DRILLS).join(' | ')}> [--rounds 50]`)
  process.exit(2)
}
const { drill } = await load()
process.exitCode = (await drill(rounds)) ? 0 : 1
