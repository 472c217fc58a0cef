import { run } from './commands/run.ts'
import { outside } from './surfaces/cli/outside.ts'

process.exit(await run(process.argv.slice(2), outside()))
