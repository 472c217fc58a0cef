import './kernel/compressed-modules.ts'
import { run } from './commands/run.ts'
import { processIO } from './surfaces/cli/io.ts'

const START_MS = 500
// The build makes compilation rare (`jitPolicy`), because what only a start runs does not repay it.
setTimeout(() => Bun.unsafe.setJITPolicy(1), START_MS).unref()

process.exit(await run(process.argv.slice(2), processIO()))
