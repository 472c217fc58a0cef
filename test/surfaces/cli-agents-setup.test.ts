import { afterAll, describe, expect, test } from 'bun:test'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { parse as parseJson } from 'jsonc-parser'
import { parse as parseToml } from 'smol-toml'
import { CLIENTS } from '../../src/surfaces/cli/coding-agents/clients.ts'
import { saveLogin } from '../../src/surfaces/cli/logins.ts'
import { createTemporaryFolder, removeTemporaryFolders, terminal } from '../support/terminal.ts'
import { world } from '../support/world.ts'

afterAll(removeTemporaryFolders)

const URL = 'https://board.example.com'
const KEY = 'cork_a-secret-key'

/** A person with a home, a repository and a saved login. */
function createPerson() {
  const home = createTemporaryFolder()
  const repository = join(home, 'repository')
  const cwd = join(repository, 'packages', 'web')
  mkdirSync(join(repository, '.git'), { recursive: true })
  mkdirSync(cwd, { recursive: true })
  const env = { HOME: home, PATH: dirname(process.execPath) }
  saveLogin(env, { url: URL, token: KEY })
  return { home, repository, ...terminal(undefined, undefined, { env, cwd: () => cwd }) }
}

/** The file of each client for a project and for a person, and where its servers are. */
const FILES = {
  'claude-code': ['.mcp.json', '.claude.json', 'mcpServers'],
  cursor: ['.cursor/mcp.json', '.cursor/mcp.json', 'mcpServers'],
  vscode: ['.vscode/mcp.json', '.config/Code/User/mcp.json', 'servers'],
  codex: ['.codex/config.toml', '.codex/config.toml', 'mcp_servers'],
  gemini: ['.gemini/settings.json', '.gemini/settings.json', 'mcpServers'],
  zed: ['.zed/settings.json', '.config/zed/settings.json', 'context_servers'],
} as const
type ClientName = keyof typeof FILES

const entries = Object.entries(FILES) as [ClientName, (typeof FILES)[ClientName]][]
const typed = ['claude-code', 'cursor', 'vscode']
const entryFor = (name: string, args: string[] = []) => ({
  ...(typed.includes(name) && { type: 'stdio' }),
  ...(name === 'codex' && { env_vars: ['CORK_AGENT', 'CORK_TOKEN'] }),
  command: 'cork',
  args: ['mcp', ...args],
  env: { CORK_URL: URL },
})

const parsed = (file: string) => {
  const text = readFileSync(file, 'utf8')
  return file.endsWith('.toml')
    ? parseToml(text)
    : parseJson(text, [], { allowTrailingComma: true })
}

test('every client has its files here', () => {
  expect(Object.keys(CLIENTS)).toEqual(Object.keys(FILES))
})

describe.each(entries)('%s', (name, [projectFile, userFile, key]) => {
  test('gets a file in the root of the repository, without a key, and then only once', async () => {
    const person = createPerson()
    const first = await person.cork('agents', 'setup', name)
    const file = join(person.repository, projectFile)
    expect(first.code).toBe(0)
    expect(first.out).toContain(`Wrote ../../${projectFile} for ${CLIENTS[name].title}`)
    expect(first.out).toContain(CLIENTS[name].next)
    expect(parsed(file)).toEqual({ [key]: { corkboard: entryFor(name) } })
    const text = readFileSync(file, 'utf8')
    expect(text).not.toContain(KEY)
    expect(text).toEndWith('\n')
    const { mtimeMs } = statSync(file)
    const second = await person.cork('agents', 'setup', name)
    expect(second.out).toContain('already has the server')
    expect([readFileSync(file, 'utf8'), statSync(file).mtimeMs]).toEqual([text, mtimeMs])
    expect(readdirSync(dirname(file)).filter((one) => one.includes(String(process.pid)))).toEqual(
      [],
    )
  })

  test('gets a file of the person with --user, and prints it without writing with --print', async () => {
    const person = createPerson()
    const file = join(person.home, userFile)
    const shown = await person.cork('agents', 'setup', name, '--user', '--print')
    expect(shown.out).toContain(`${CLIENTS[name].title} reads ${file}`)
    expect(existsSync(file)).toBe(false)
    await person.cork('agents', 'setup', name, '--user', '--tools', 'tasks', '--read-only')
    const entry = entryFor(name, ['--tools', 'tasks', '--read-only'])
    expect(parsed(file)[key].corkboard).toEqual(entry)
    expect(existsSync(join(person.repository, projectFile))).toBe(false)
  })
})

const COMMENTED = `{
\t// Servers of the team
\t"theme": "dark", /* as agreed */
\t"SERVERS": {
\t\t"other": { "command": "other", "args": [] }, // keep
\t},
}
`

const jsonClients = entries.filter(([name]) => name !== 'codex')

test.each(jsonClients)(
  'in the file of %s, comments, other servers and the indentation stay',
  async (name, [projectFile, , key]) => {
    const person = createPerson()
    const file = join(person.repository, projectFile)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, COMMENTED.replace('SERVERS', key))
    expect((await person.cork('agents', 'setup', name)).code).toBe(0)
    const text = readFileSync(file, 'utf8')
    for (const line of COMMENTED.replace('SERVERS', key).split('\n')) expect(text).toContain(line)
    expect(parsed(file)).toEqual({
      theme: 'dark',
      [key]: { other: { command: 'other', args: [] }, corkboard: entryFor(name) },
    })
    expect(text).toContain('\n\t\t"corkboard": {')
  },
)

const TOML = `# My settings
model = "o5" # fast

[mcp_servers.corkboard] # ours
command = "old"
startup_timeout_sec = 20

[mcp_servers.corkboard.env]
CORK_URL = "http://old"

[mcp_servers."other one"]
command = "other"  # keep

[profiles.x]
model = "o4"
`

test('in the file of Codex, comments and other tables stay, and an older entry is updated', async () => {
  const person = createPerson()
  const file = join(person.repository, '.codex/config.toml')
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, TOML)
  await person.cork('agents', 'setup', 'codex')
  const text = readFileSync(file, 'utf8')
  for (const part of ['# My settings', '"o5" # fast', '[profiles.x]', '"other"  # keep'])
    expect(text).toContain(part)
  expect(parseToml(text)).toEqual({
    model: 'o5',
    mcp_servers: {
      corkboard: { ...entryFor('codex'), startup_timeout_sec: 20 },
      'other one': { command: 'other' },
    },
    profiles: { x: { model: 'o4' } },
  })
  const inline = 'mcp_servers = { other = { command = "other" } }\n'
  writeFileSync(file, inline)
  const refused = await person.cork('agents', 'setup', 'codex')
  expect([refused.code, refused.err]).toEqual([1, expect.stringContaining('what --print shows')])
  expect(readFileSync(file, 'utf8')).toBe(inline)
})

test('an earlier entry keeps what the person added, and an address is replaced', async () => {
  const person = createPerson()
  const file = join(person.repository, '.cursor/mcp.json')
  mkdirSync(dirname(file), { recursive: true })
  const write = (corkboard: object) =>
    writeFileSync(file, JSON.stringify({ mcpServers: { corkboard } }))
  write({ command: 'old', args: ['x'], env: { LOG: '1' }, disabled: true })
  await person.cork('agents', 'setup', 'cursor')
  const entry = entryFor('cursor')
  const merged = { ...entry, disabled: true, env: { LOG: '1', CORK_URL: URL } }
  expect(parsed(file).mcpServers.corkboard).toEqual(merged)
  write({ url: 'http://old/mcp', headers: { Authorization: 'Bearer cork_old' } })
  await person.cork('agents', 'setup', 'cursor')
  expect(parsed(file).mcpServers.corkboard).toEqual(entry)
  write({ command: 'cork', args: ['mcp'], env: { CORK_TOKEN: 'cork_x' } })
  expect((await person.cork('agents', 'setup', 'cursor')).err).toContain('contains a key')
})

test('a broken file is not changed, and --print still shows the entry', async () => {
  const person = createPerson()
  const file = join(person.repository, '.mcp.json')
  for (const [text, problem] of [
    ['{\n  "mcpServers": {\n', 'line 3: '],
    ['[1]', 'it must contain an object'],
    ['{"mcpServers": 3}', '"mcpServers" must be an object'],
  ] as const) {
    writeFileSync(file, text)
    const { code, err } = await person.cork('agents', 'setup', 'claude-code')
    expect([code, err]).toEqual([1, expect.stringContaining(`${file} was not changed: ${problem}`)])
    expect(readFileSync(file, 'utf8')).toBe(text)
    const shown = await person.cork('agents', 'setup', 'claude-code', '--print')
    expect([shown.code, shown.out]).toEqual([0, expect.stringContaining('"command": "cork"')])
  }
})

test('a linked settings file stays a link, and its permissions stay', async () => {
  const person = createPerson()
  const real = join(person.home, 'dotfiles.json')
  writeFileSync(real, '{}', { mode: 0o600 })
  mkdirSync(join(person.home, '.gemini'))
  symlinkSync(real, join(person.home, '.gemini/settings.json'))
  await person.cork('agents', 'setup', 'gemini', '--user')
  expect(parsed(real).mcpServers.corkboard).toEqual(entryFor('gemini'))
  expect(statSync(real).mode & 0o777).toBe(0o600)
})

test('what is missing for the first session is said, and nothing else', async () => {
  const person = createPerson()
  const { err } = await person.cork('agents', 'setup', 'claude-code')
  expect(err).toContain('"cork" is not on the PATH')
  expect(err).not.toContain('not signed in')
  person.io.env.CORK_URL = 'https://other.example.com'
  person.io.env.CORK_TOKEN = KEY
  const other = await person.cork('agents', 'setup', 'claude-code')
  expect(other.err).toContain('does not see CORK_TOKEN of this shell')
  delete person.io.env.CORK_TOKEN
  const signedOut = await person.cork('agents', 'setup', 'claude-code')
  expect(signedOut.err).toContain('Run: cork login https://other.example.com')
})

test('an unknown client is refused with the nearest one, and --json describes the change', async () => {
  const person = createPerson()
  const unknown = await person.cork('agents', 'setup', 'claude')
  expect([unknown.code, unknown.err]).toEqual([2, expect.stringContaining('claude-code')])
  const { out } = await person.cork('agents', 'setup', 'zed', '--json')
  const entry = entryFor('zed')
  expect(JSON.parse(out)).toEqual({ file: '../../.zed/settings.json', written: true, entry })
})

describe('cork agents setup --agent', () => {
  /** Ada, signed in to a server. */
  async function createOwner() {
    const w = await world()
    const home = createTemporaryFolder()
    const env = { HOME: home, PATH: '' }
    saveLogin(env, { url: 'http://localhost', token: w.ada.secret })
    const t = terminal(w, undefined, { env, cwd: () => home, sleep: () => new Promise(() => {}) })
    const logins = join(home, '.config/corkboard/logins.json')
    return { w, home, logins, ...t, file: join(home, '.mcp.json') }
  }

  test('creates the agent once, and keeps its token beside the key of the person', async () => {
    const owner = await createOwner()
    const { code, err } = await owner.cork('agents', 'setup', 'claude-code', '--agent', ' Scout ')
    expect([code, err]).toEqual([0, expect.stringContaining('Created the agent "Scout"')])
    const env = { CORK_URL: 'http://localhost', CORK_AGENT: 'Scout' }
    expect(parsed(owner.file).mcpServers.corkboard.env).toEqual(env)
    const { tokens, agents } = parseJson(readFileSync(owner.logins, 'utf8'))
    const token = agents['http://localhost'].Scout
    expect([Object.keys(tokens), token]).toEqual([
      ['http://localhost'],
      expect.stringMatching(/^corkagent_/),
    ])
    expect(readFileSync(owner.file, 'utf8') + err).not.toContain(token)
    expect(statSync(owner.logins).mode & 0o777).toBe(0o600)
    const again = await owner.cork('agents', 'setup', 'cursor', '--agent', 'Scout')
    expect([again.code, again.err]).toEqual([0, expect.not.stringContaining('Created')])
    expect((await owner.cork('whoami')).out).toContain('Ada')
    const prime = await owner.cork('prime', '--agent', 'Scout')
    expect(prime.out).toContain('You are Scout, an agent.')
    Object.assign(owner.io.env, env)
    expect((await owner.cork('prime')).out).toContain('You are Scout, an agent.')
    const setup = await owner.cork('agents', 'setup', 'zed', '--agent', 'Lantern')
    expect([setup.code, setup.err]).toEqual([0, expect.stringContaining('"Lantern"')])
  })

  test('explains how to use an agent whose token is not on this machine', async () => {
    const owner = await createOwner()
    const refused = await owner.cork('agents', 'setup', 'claude-code', '--agent', 'Bot')
    expect([refused.code, refused.err]).toEqual([
      1,
      expect.stringContaining('save it with "cork login http://localhost --agent"'),
    ])
    expect(existsSync(owner.file)).toBe(false)
    owner.io.env.CORK_AGENT = 'Bot'
    expect((await owner.cork('prime')).err).toContain('No token of the agent "Bot" (CORK_AGENT)')
    owner.io.env.CORK_AGENT = 'constructor'
    expect((await owner.cork('prime')).err).toContain('No token of the agent "constructor"')
    owner.io.env.CORK_AGENT = 'Bot'
    owner.io.input = async () => owner.w.bot.secret
    const login = await owner.cork('login', 'http://localhost', '--agent', '--token', '-')
    expect(login.out).toBe('Signed in to http://localhost as Bot, an agent (member of Harbour)')
    expect((await owner.cork('prime')).out).toContain('You are Bot, an agent.')
    delete owner.io.env.CORK_AGENT
    expect((await owner.cork('whoami')).out).toContain('Ada')
    owner.io.input = async () => owner.w.ben.secret
    const person = await owner.cork('login', 'http://localhost', '--agent', '--token', '-')
    expect([person.code, person.err]).toEqual([1, expect.stringContaining('Ben, a person')])
  })

  test('creates nothing with --print, and nothing for a key that may not manage agents', async () => {
    const owner = await createOwner()
    await owner.cork('agents', 'setup', 'claude-code', '--agent', 'Scout', '--print')
    const { w } = owner
    const { team_id } = w
    expect((await w.ada['agents.list']({ team_id })).items.map(({ name }) => name)).toEqual(['Bot'])
    saveLogin(owner.io.env, { url: 'http://localhost', token: w.bot.secret })
    const { code, err } = await owner.cork('agents', 'setup', 'claude-code', '--agent', 'Scout')
    expect([code, err]).toEqual([1, expect.stringContaining('The agent "Scout" was not created')])
    saveLogin(owner.io.env, { url: 'http://localhost', token: w.ada.secret })
    const setup = ['agents', 'setup', 'claude-code', '--agent', 'Scout', '--team', 'Nowhere']
    expect((await owner.cork(...setup)).err).toBe('Choose one of your teams with --team: Harbour')
    expect((await w.ada['agents.list']({ team_id })).items.map(({ name }) => name)).toEqual(['Bot'])
  })
})
