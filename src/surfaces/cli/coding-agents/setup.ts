import {
  existsSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { closestWord } from '../../../kernel/validate.ts'
import { type Command, CommandError, UsageError, type Values } from '../command.ts'
import type { CommandIO } from '../io.ts'
import { accountOf } from '../logins.ts'
import { jsonOf } from '../operation-command.ts'
import { ensureAgent } from './agent.ts'
import { CLIENTS, type McpClient, type StdioServer } from './clients.ts'
import { type Entry, entryOf, isObject, SERVER_NAME } from './entry.ts'
import { parseJsonFile, setJsonValue } from './json-file.ts'
import { parseTomlFile, setTomlTable } from './toml-file.ts'

const names = Object.keys(CLIENTS)

export const setup = (io: CommandIO): Command => ({
  summary: 'Configure a coding agent to use Corkboard',
  about: `For ${names.join(', ')}. Shows and writes the file in which the client lists MCP servers; other entries and comments stay. The client then starts "cork mcp", which uses your login, so no key is in the file.`,
  example: 'cork agents setup claude-code',
  args: [{ name: 'client', about: `One of ${names.join(', ')}`, required: true }],
  flags: {
    user: { type: 'boolean', about: 'For all your projects, instead of the current one' },
    print: { type: 'boolean', about: 'Only print what would be written' },
    tools: { type: 'string', hint: 'NAMES', about: 'Only these tools: tasks,comments' },
    'read-only': { type: 'boolean', about: 'Only actions that read' },
    agent: {
      type: 'string',
      hint: 'NAME',
      about: 'Work as this agent, not as you; creates it and saves its token on this machine',
    },
    team: { type: 'string', hint: 'T', about: 'The team of a new agent, if you are in several' },
  },
  async run(values) {
    const client = clientNamed(values.client!)
    const isUser = values.user !== undefined
    const root = projectRoot(io.cwd())
    const file = isUser ? client.userFile(io.env, process.platform) : join(root, client.projectFile)
    const server = serverOf(values, io)
    const isPrinted = values.print !== undefined
    if (values.agent !== undefined && !isPrinted)
      await ensureAgent({ name: values.agent.trim(), team: values.team }, io)
    const change = changeOf(file, client, server, isPrinted)
    if (!isPrinted && change.isNew) writeFile(file, change.text)
    const name = isUser ? file : relative(io.cwd(), file) || file
    print({ name, client, change, server, values }, io)
    return 0
  },
})

function clientNamed(name: string): McpClient {
  if (Object.hasOwn(CLIENTS, name)) return CLIENTS[name as keyof typeof CLIENTS]
  const suggestion = closestWord(name, names)
  throw new UsageError(
    `There is no client "${name}"${suggestion ? `; did you mean ${suggestion}?` : `; there are ${names.join(', ')}`}`,
  )
}

/** The folder of the repository, or the current folder outside of one. */
function projectRoot(cwd: string): string {
  for (let folder = cwd; ; folder = dirname(folder)) {
    if (existsSync(join(folder, '.git'))) return folder
    if (dirname(folder) === folder) return cwd
  }
}

/**
 * How the client starts `cork mcp`. A file of a project is for everybody who works on it, so it has
 * no path of this machine. The address is written down: the session must not follow a later login.
 */
function serverOf(values: Values, io: CommandIO): StdioServer {
  const isOwnFile = values.user !== undefined && Bun.isStandaloneExecutable
  return {
    command: isOwnFile ? process.execPath : 'cork',
    args: [
      'mcp',
      ...(values.tools === undefined ? [] : ['--tools', values.tools]),
      ...(values['read-only'] === undefined ? [] : ['--read-only']),
    ],
    env: {
      CORK_URL: accountOf(io).url,
      ...(values.agent !== undefined && { CORK_AGENT: values.agent.trim() }),
    },
  }
}

interface Change {
  /** The whole file after the change, and whether it differs from the file before. */
  text: string
  isNew: boolean
  /** The part that belongs to Corkboard. */
  part: string
  entry: Entry
}

function changeOf(
  file: string,
  client: McpClient,
  server: StdioServer,
  isPrinted: boolean,
): Change {
  const before = existsSync(file) ? readFileSync(file, 'utf8') : ''
  try {
    return changeTo(before, client, server)
  } catch (error) {
    if (!(error instanceof CommandError)) throw error
    if (isPrinted) return changeTo('', client, server)
    throw new CommandError(
      `${file} was not changed: ${error.message}. Correct it and run this again, or add by hand what --print shows`,
    )
  }
}

function changeTo(before: string, client: McpClient, server: StdioServer): Change {
  const { key, format } = client
  const value = format === 'json' ? parseJsonFile(before) : parseTomlFile(before)
  const servers = value[key] ?? {}
  if (!isObject(servers)) throw new CommandError(`"${key}" must be an object`)
  const existing = servers[SERVER_NAME]
  const entry = entryOf(client, server, existing)
  const isNew = !Bun.deepEquals(existing, entry)
  const set = (text: string) =>
    format === 'json'
      ? setJsonValue(text, [key, SERVER_NAME], entry)
      : setTomlTable(text, [key, SERVER_NAME], entry)
  return { text: isNew ? set(before) : before, isNew, part: set('').trimEnd(), entry }
}

/** Replaces the file at once, so that no client reads half of it. Follows links to the real file. */
function writeFile(file: string, text: string): void {
  try {
    const isNew = !existsSync(file)
    if (isNew) mkdirSync(dirname(file), { recursive: true })
    const target = isNew ? file : realpathSync(file)
    const temporary = `${target}.${process.pid}`
    writeFileSync(temporary, text, isNew ? {} : { mode: statSync(target).mode })
    renameSync(temporary, target)
  } catch (error) {
    throw new CommandError(`${file} cannot be written: ${(error as Error).message}`)
  }
}

interface Outcome {
  name: string
  client: McpClient
  change: Change
  server: StdioServer
  values: Values
}

function print({ name, client, change, server, values }: Outcome, io: CommandIO): void {
  const isPrinted = values.print !== undefined
  const isWritten = change.isNew && !isPrinted
  if (values.json !== undefined) {
    io.out(jsonOf({ file: name, written: isWritten, entry: change.entry }, io))
  } else {
    const action = isPrinted
      ? `${client.title} reads ${name}. It should contain:`
      : isWritten
        ? `Wrote ${name} for ${client.title}:`
        : `${name} already has the server for ${client.title}:`
    io.out(`${action}\n\n${change.part}\n`)
    if (!isPrinted) io.out(client.next)
  }
  for (const warning of warningsOf(server, change.entry, io)) io.err(`Warning: ${warning}`)
}

function warningsOf({ command, env }: StdioServer, entry: Entry, io: CommandIO): string[] {
  const { CORK_URL: url, CORK_AGENT } = env
  const { token } = accountOf({ env: { ...io.env, CORK_AGENT } })
  const onPath = command !== 'cork' || Bun.which('cork', { PATH: io.env.PATH ?? '' })
  const hasKey = isObject(entry.env) && entry.env.CORK_TOKEN !== undefined
  return [
    ...(token ? [] : [`you are not signed in to ${url}. Run: cork login ${url}`]),
    ...(io.env.CORK_TOKEN
      ? [`the client does not see CORK_TOKEN of this shell. Run: cork login ${url}`]
      : []),
    ...(onPath ? [] : ['"cork" is not on the PATH, so the client cannot start it. Copy it there']),
    ...(hasKey
      ? ['the file contains a key in CORK_TOKEN. Anybody who can read it can use it']
      : []),
  ]
}
