import type { OperationDescription } from '../../kernel/operation.ts'
import { chat } from './chat/index.ts'
import type { Command } from './command.ts'
import { download } from './download.ts'
import { events } from './events.ts'
import { extraCommands } from './extra-commands.ts'
import type { CommandIO } from './io.ts'
import { login, logout } from './login.ts'
import { open } from './open.ts'
import { type CliOperation, commandOf, nameOf } from './operation-command.ts'
import { whoami } from './whoami.ts'
import { branch } from './work/branch.ts'
import { work } from './work/index.ts'

/** Other words for a noun, by the noun of the command. */
export const ALIASES: Record<string, string> = {
  boards: 'projects',
  columns: 'sections',
  tickets: 'tasks',
}

/** The order of nouns and verbs in the help. The others follow in the order of the catalog. */
const NOUNS = [
  'tasks',
  'projects',
  'sections',
  'pages',
  'labels',
  'teams',
  'invitations',
  'agents',
  'leases',
  'runs',
  'messages',
  'webhooks',
]
const VERBS = ['list', 'get', 'create', 'update', 'append', 'rename', 'move', 'assign']

const positionIn = (list: string[], word: string) => list.indexOf(word) + 1 || list.length + 1

/** All operations that have a command, and the extra commands for some of them. */
export function cliOperations(catalog: readonly OperationDescription[]): CliOperation[] {
  const operations = catalog.filter(({ on }) => on.cli && on.rest)
  return [
    ...operations.map((op) => ({ op })),
    ...operations.flatMap((op) => extraCommands[op.name]?.(op) ?? []),
  ]
}

/** All commands that talk to a server: one for each operation, and a few more. */
export function remoteCommands(
  catalog: readonly OperationDescription[],
  io: CommandIO,
): Record<string, Command> {
  const derived = cliOperations(catalog)
    .map((operation) => [nameOf(operation.op), commandOf(operation, catalog, io)] as const)
    .sort(([left], [right]) => rank(left) - rank(right))
  return {
    login: login(catalog, io),
    logout: logout(io),
    whoami: whoami(catalog, io),
    ...Object.fromEntries(derived),
    'attachments download': download(io),
    open: open(catalog, io),
    events: events(catalog, io),
    ...chat(catalog, io),
    work: work(catalog, io),
    branch: branch(io),
  }
}

function rank(name: string): number {
  const [noun = '', verb = ''] = name.split(' ')
  return positionIn(NOUNS, noun) * 100 + positionIn(VERBS, verb)
}
