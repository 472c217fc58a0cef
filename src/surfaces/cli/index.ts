import type { AnyOperation } from '../../kernel/operation.ts'
import { chat } from './chat/index.ts'
import type { Command } from './command.ts'
import { commandOf, nameOf, type Spoken } from './derived.ts'
import { download } from './download.ts'
import { events } from './events.ts'
import { login, logout } from './login.ts'
import type { Outside } from './outside.ts'
import { sayings } from './pages.ts'
import { whoami } from './whoami.ts'

/** Words that people use for a noun, which the server calls otherwise. */
export const ALIASES: Record<string, string> = {
  boards: 'projects',
  columns: 'sections',
  tickets: 'tasks',
}

/** What people look for first stands first; the rest follows as it is declared. */
const NOUNS = [
  ...['tasks', 'projects', 'sections', 'pages', 'labels', 'teams', 'invitations'],
  ...['agents', 'leases', 'runs', 'messages', 'webhooks'],
]
const VERBS = ['list', 'get', 'create', 'update', 'append', 'rename', 'move', 'assign']

const place = (list: string[], word: string) => list.indexOf(word) + 1 || list.length + 1

/** The operations that have a command, and the commands that say one of them in another way. */
export function spokenIn(catalog: readonly AnyOperation[]): Spoken[] {
  const spoken = catalog.filter(({ on }) => on.cli && on.rest)
  return [...spoken.map((op) => ({ op })), ...spoken.flatMap((op) => sayings[op.name]?.(op) ?? [])]
}

/** The commands that talk to a server: those of every operation, and a few more. */
export function remote(
  catalog: readonly AnyOperation[],
  outside: Outside,
): Record<string, Command> {
  const derived = spokenIn(catalog)
    .map((spoken) => [nameOf(spoken.op), commandOf(spoken, catalog, outside)] as const)
    .sort(([one], [other]) => rank(one) - rank(other))
  return {
    login: login(catalog, outside),
    logout: logout(outside),
    whoami: whoami(catalog, outside),
    ...Object.fromEntries(derived),
    'attachments download': download(outside),
    events: events(catalog, outside),
    ...chat(catalog, outside),
  }
}

function rank(name: string): number {
  const [noun = '', verb = ''] = name.split(' ')
  return place(NOUNS, noun) * 100 + place(VERBS, verb)
}
