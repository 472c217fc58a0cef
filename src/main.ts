import { run } from './commands/run.ts'
import { processIO } from './surfaces/cli/io.ts'

process.exit(await run(process.argv.slice(2), processIO()))
