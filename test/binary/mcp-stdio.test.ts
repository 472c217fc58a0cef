import { afterAll, beforeAll, expect, test } from 'bun:test'
import { join } from 'node:path'
import { Client as NewClient } from '@modelcontextprotocol/client'
import { StdioClientTransport as NewTransport } from '@modelcontextprotocol/client/stdio'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { binary } from '../../scripts/build.ts'
import {
  cleanUp,
  cork,
  createFolder,
  executableEnv,
  initDataFolder,
  type RunningServer,
  startServer,
} from './cork.ts'

/** Real clients start the executable and talk with it over standard input and output. */
let data: string
let apiKey: string
let team_id: number
let server: RunningServer
beforeAll(async () => {
  const folder = await initDataFolder()
  data = folder.data
  apiKey = folder.api_key
  team_id = folder.team_id
  server = await startServer(data)
})
afterAll(async () => {
  await server.end()
  cleanUp()
})

const info = { name: 'test', version: '1' }
const hello = { name: 'svc_user_context', arguments: { action: 'hello' } }

interface Options {
  args?: string[]
  env?: Record<string, string>
}

async function parametersOf({ args = [], env }: Options) {
  const command = ['mcp', ...args]
  const account = { CORK_URL: server.url, CORK_TOKEN: apiKey, HOME: createFolder() }
  return {
    command: binary,
    args: command,
    env: await executableEnv(command, { ...account, ...env }),
    stderr: 'pipe' as const,
  }
}

/** A connected client of the older SDK, and what the command has written to standard error. */
async function connect(options: Options = {}) {
  const client = new Client(info)
  const transport = new StdioClientTransport(await parametersOf(options))
  const errors: string[] = []
  transport.stderr!.on('data', (chunk) => errors.push(String(chunk)))
  const protocolErrors: Error[] = []
  client.onerror = (error) => protocolErrors.push(error)
  await client.connect(transport).catch(async (error) => {
    throw new Error(`${error.message} | ${errors.join('')}`)
  })
  const call = async (name: string, action: string, input: object = {}) => {
    const result = await client.callTool({ name, arguments: { action, input } })
    return result.structuredContent as { success: boolean; data: Record<string, unknown> }
  }
  return { client, transport, call, errors, protocolErrors }
}

type Call = Awaited<ReturnType<typeof connect>>['call']

async function createBoard(call: Call, title: string, team_id: number) {
  const sections = [{ title: 'To do' }, { title: 'Done' }]
  const result = await call('svc_projects', 'create', { team_id, title, sections })
  expect(result).toMatchObject({ success: true })
}

test('both SDKs connect over stdio, see the tools of the HTTP endpoint and call them', async () => {
  const older = await connect()
  const { tools } = await older.client.listTools()
  expect(tools).toHaveLength(20)
  expect((await older.call('svc_user_context', 'hello')).success).toBe(true)
  const newer = new NewClient(info, { versionNegotiation: { mode: 'auto' } })
  await newer.connect(new NewTransport(await parametersOf({})))
  expect(newer.getNegotiatedProtocolVersion()).toBe('2026-07-28')
  expect((await newer.listTools()).tools.map(({ name }) => name)).toEqual(
    tools.map(({ name }) => name),
  )
  expect((await newer.callTool(hello)).structuredContent).toMatchObject({ success: true })
  expect([older.errors, older.protocolErrors]).toEqual([[], []])
  await Promise.all([older.client.close(), newer.close()])
})

test('the command uses the saved login, and ends when its client closes standard input', async () => {
  const home = createFolder()
  const login = ['login', server.url, '--token', '-']
  expect((await cork(login, { input: apiKey, env: { HOME: home } })).code).toBe(0)
  const env = { HOME: home, PATH: process.env.PATH! }
  const run = Bun.spawn([binary, 'mcp'], { env, stdin: 'pipe', stdout: 'pipe', stderr: 'pipe' })
  const request = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: hello }
  run.stdin.write(`${JSON.stringify(request)}\n`)
  await run.stdin.end()
  const [out, err] = await Promise.all([
    new Response(run.stdout).text(),
    new Response(run.stderr).text(),
  ])
  expect([await run.exited, err]).toEqual([0, ''])
  expect(JSON.parse(out).result.structuredContent.success).toBe(true)
})

test.each([
  ['claude-code', '.claude.json', 'mcpServers'],
  ['gemini', '.gemini/settings.json', 'mcpServers'],
  ['codex', '.codex/config.toml', 'mcp_servers'],
])(
  '%s, set up for a person, starts a session as the agent of its file',
  async (name, file, key) => {
    const home = createFolder()
    const env = { HOME: home, PATH: process.env.PATH! }
    await cork(['login', server.url, '--token', '-'], { input: apiKey, env })
    const agent = `Agent of ${name}`
    const setup = await cork(['agents', 'setup', name, '--user', '--agent', agent], { env })
    expect([setup.code, setup.err]).toEqual([0, expect.stringContaining(`"${agent}"`)])
    const text = await Bun.file(join(home, file)).text()
    const settings = file.endsWith('.toml') ? Bun.TOML.parse(text) : JSON.parse(text)
    const started = settings[key].corkboard as { command: string; args: string[]; env: object }
    expect([started.command, text.includes(apiKey)]).toEqual([binary, false])
    const client = new Client(info)
    const variables = { ...env, ...started.env }
    await client.connect(new StdioClientTransport({ ...started, env: variables }))
    const result = await client.callTool(hello)
    expect(JSON.stringify(result.structuredContent)).toContain(agent)
    await client.close()
  },
)

test('--tools and --read-only limit a session, and refuse what they hide', async () => {
  const { client, call } = await connect({ args: ['--tools', 'tasks,svc_projects', '--read-only'] })
  const { tools } = await client.listTools()
  expect(tools.map(({ name, annotations }) => [name, annotations?.readOnlyHint])).toEqual([
    ...[
      ['svc_projects', true],
      ['svc_tasks', true],
    ],
  ])
  const refused = await call('svc_projects', 'create', { team_id, title: 'Hidden' })
  expect(refused).toMatchObject({ success: false, message: expect.stringContaining('only reads') })
  await expect(call('svc_comments', 'list')).rejects.toThrow('limited to')
  await client.close()
})

test('a wrong key, no key and no server are explained to the client and on stderr', async () => {
  for (const [env, message] of [
    [{ CORK_TOKEN: 'cork_wrong' }, 'does not accept this key'],
    [{ CORK_TOKEN: '' }, 'You are not signed in to http'],
    [{ CORK_URL: 'http://127.0.0.1:1' }, 'No server answers at http://127.0.0.1:1. Start one'],
  ] as const) {
    const [onProtocol, onStderr] = (
      await connect({ env }).then(
        () => 'it connected',
        (error) => error.message,
      )
    ).split(' | ')
    expect(onProtocol).toContain(message)
    expect(onStderr).toContain(message)
  }
})

test('a session survives a restart of the server, and a call made meanwhile runs once', async () => {
  const port = new URL(server.url).port
  const { client, call, errors } = await connect()
  await createBoard(call, 'Before', team_id)
  await server.end('SIGKILL')
  const pending = createBoard(call, 'Meanwhile', team_id)
  await Bun.sleep(500)
  server = await startServer(data, { args: ['--port', port] })
  await pending
  const { data: boards } = await call('svc_projects', 'list')
  const titles = (boards as unknown as { title: string }[]).map(({ title }) => title)
  expect(titles.filter((title) => title === 'Meanwhile')).toEqual(['Meanwhile'])
  expect(errors).toEqual([])
  await client.close()
})

test('with --data, a session uses the server of the folder, as the agent of the token', async () => {
  const create = ['agent', 'create', '--name', 'Scout', '--team', 'Harbour', '--json']
  const { token } = JSON.parse((await cork([...create, '--data', data])).out)
  const env = { CORK_URL: '', CORK_TOKEN: token }
  const { client, call } = await connect({ args: ['--data', data], env })
  const { data: context } = await call('svc_user_context', 'hello')
  expect(JSON.stringify(context)).toContain('Scout')
  await client.close()
})

test('without a server, sessions share the folder, and one goes on when the other ends', async () => {
  const folder = await initDataFolder()
  const env = { CORK_URL: '', CORK_TOKEN: folder.api_key, CORK_DATA: folder.data }
  const first = await connect({ env })
  const second = await connect({ args: ['--data', folder.data], env })
  await createBoard(first.call, 'From the first', folder.team_id)
  expect(JSON.stringify(await second.call('svc_projects', 'list'))).toContain('From the first')
  await first.client.close()
  await createBoard(second.call, 'From the second', folder.team_id)
  await second.client.close()
  expect([...first.errors, ...second.errors]).toEqual([])
  // Anything but JSON-RPC on standard output would be an error of the protocol.
  expect([...first.protocolErrors, ...second.protocolErrors]).toEqual([])
  // The folder is free again.
  const after = await startServer(folder.data)
  const list = await cork(['projects', 'list'], {
    env: { CORK_URL: after.url, CORK_TOKEN: folder.api_key, HOME: createFolder() },
  })
  for (const title of ['From the first', 'From the second']) expect(list.out).toContain(title)
  await after.end()
})

test('a data folder without a database, and one without a key, are explained', async () => {
  const nothing = join(createFolder(), 'nothing')
  const env = { CORK_URL: '', CORK_DATA: '' }
  await expect(connect({ args: ['--data', nothing], env })).rejects.toThrow('cork init')
  const withoutToken = connect({ args: ['--data', data], env: { ...env, CORK_TOKEN: '' } })
  await expect(withoutToken).rejects.toThrow('CORK_TOKEN is not set')
})
