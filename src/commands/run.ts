import { version } from '../../package.json'
import type { OperationDescription } from '../kernel/operation.ts'
import { type Command, UsageError } from '../surfaces/cli/command.ts'
import { findCommand } from '../surfaces/cli/find-command.ts'
import { type Group, helpOf, helpOfAll, helpOfNoun } from '../surfaces/cli/help.ts'
import type { CommandIO } from '../surfaces/cli/io.ts'
import { parseArguments } from '../surfaces/cli/parse-arguments.ts'
import { loadCatalog } from './catalog.ts'
import { forAgents, local } from './index.ts'

/** Runs a command line; returns the exit code. Only tests pass a catalog. */
export async function run(
  argv: string[],
  io: CommandIO,
  catalog?: readonly OperationDescription[],
): Promise<number> {
  try {
    return await perform(argv, io, catalog)
  } catch (error) {
    const { report } = await import('./report.ts')
    return report(error, argv.includes('--json'), io)
  }
}

async function perform(
  argv: string[],
  io: CommandIO,
  catalog?: readonly OperationDescription[],
): Promise<number> {
  const [first = '', second] = argv
  if (first === '--version') return show(version, io)
  if (first === 'help') return perform([...argv.slice(1), '--help'], io, catalog)
  const quick = quickCommand([`${first} ${second}`, first], io)
  if (quick) return start(quick.name, await quick.load(), argv.slice(quick.words), io)
  if (!first || first === '--help' || first === '-h') {
    const help = helpOfAll(await groupsOf(io, catalog))
    if (!first) throw new UsageError(help)
    return show(help, io)
  }
  const { ALIASES, remoteCommands } = await import('../surfaces/cli/index.ts')
  const noun = Object.hasOwn(ALIASES, first) ? ALIASES[first]! : first
  const remote = remoteCommands(catalog ?? (await loadCatalog()), io)
  const names = [remote, local, forAgents].flatMap(Object.keys).concat('completion', 'man')
  const found = findCommand([noun, ...argv.slice(1)], names)
  const command = found && remote[found.name]
  if (command) return start(found.name, command, found.rest, io)
  const groups = await groupsOf(io, catalog)
  const commands: Group['commands'] = Object.assign({}, ...groups.map((group) => group.commands))
  if (found) return start(found.name, commands[found.name]!, found.rest, io)
  const text = helpOfNoun(noun, commands)
  if (argv.length > 1) return show(text, io)
  throw new UsageError(text)
}

/** A command that needs nothing of the catalog, by the first of these names that it has. */
function quickCommand(names: readonly string[], io: CommandIO) {
  const name = names.find((one) => Object.hasOwn(local, one) || Object.hasOwn(forAgents, one))
  if (name === undefined) return undefined
  const load = async () => (await local[name]?.(io)) ?? (await forAgents[name]!())(io)
  return { name, load, words: name.split(' ').length }
}

async function start(name: string, command: Command, rest: string[], io: CommandIO) {
  const { values, lists } = parseArguments(name, command, rest)
  return values.help === undefined ? command.run(values, lists) : show(helpOf(name, command), io)
}

/**
 * All commands, for the help. Imports the client's modules only when needed, so that starting a
 * server does not wait for them.
 */
export async function groupsOf(
  io: CommandIO,
  catalog?: readonly OperationDescription[],
): Promise<Group[]> {
  const operations = catalog ?? (await loadCatalog())
  const { remoteCommands: remote } = await import('../surfaces/cli/index.ts')
  const { completion } = await import('../surfaces/cli/completion.ts')
  const { man } = await import('../surfaces/cli/man.ts')
  const commands = remote(operations, io)
  const localCommands: Group['commands'] = await loadAll(local, async (load) => load(io))
  const agentCommands: Group['commands'] = await loadAll(forAgents, async (load) =>
    (await load())(io),
  )
  const allCommands = { ...commands, ...agentCommands, ...localCommands }
  const groups: Group[] = [
    { title: 'Boards and tasks (talks to a server)', commands },
    { title: 'Coding agents', commands: agentCommands },
    { title: 'Running a server (on its machine)', commands: localCommands },
  ]
  const manual = { man: man(groups, io.out) }
  const own = { completion: completion({ ...allCommands, ...manual }, io.out), ...manual }
  return [...groups, { title: 'This program', commands: own }]
}

async function loadAll<T>(loaders: Record<string, T>, load: (loader: T) => Promise<Command>) {
  const loaded = Object.entries(loaders).map(
    async ([name, one]) => [name, await load(one)] as const,
  )
  return Object.fromEntries(await Promise.all(loaded))
}

function show(text: string, { out }: CommandIO): number {
  out(text.trimEnd())
  return 0
}
