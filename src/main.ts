import { version } from '../package.json'
import { type Command, columns, helpOf, read, WrongUsage } from './commands/command.ts'
import { init } from './commands/init.ts'
import { serve } from './commands/serve.ts'
import { BadConfig } from './config.ts'
import { Fault } from './kernel/fault.ts'
import { nearest } from './kernel/validate.ts'
import { Unusable } from './store/migrate.ts'

const COMMANDS: Record<string, Command> = { serve, init }

async function run([name = '', ...args]: string[]): Promise<number> {
  if (name === '--help' || name === 'help') return show(help())
  if (name === '--version') return show(`${version}\n`)
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined
  if (!command) throw unknown(name)
  const values = read(name, command, args)
  if (values.help !== undefined) return show(helpOf(name, command))
  return command.run(values)
}

function show(text: string): number {
  process.stdout.write(text)
  return 0
}

function help(): string {
  const rows = Object.entries(COMMANDS).map(([name, { summary }]) => [name, summary])
  return `Corkboard, the task board that people and AI agents share.

Usage: cork <command> [flags]

Commands:
${columns(rows)}

"cork <command> --help" tells its flags; "cork --version" the version.
`
}

function unknown(name: string): WrongUsage {
  if (!name) return new WrongUsage(help().trimEnd())
  const near = nearest(name, Object.keys(COMMANDS))
  return new WrongUsage(
    `There is no command "${name}"${near ? `; did you mean "cork ${near}"?` : '; see "cork --help"'}`,
  )
}

/** What people can put right is told in words; only what is broken is worth a trace. */
function report(error: unknown): number {
  if (error instanceof WrongUsage || error instanceof BadConfig) {
    console.error(error.message)
    return 2
  }
  if (error instanceof Unusable) console.error(error.message)
  else if (error instanceof Fault)
    console.error([error.message, error.hint].filter(Boolean).join('. '))
  else console.error('cork failed:', error)
  return 1
}

process.exit(await run(process.argv.slice(2)).catch(report))
