import { join } from 'node:path'
import { parseJson } from '../support/json.ts'
import { cork, createFolder, type RunningServer, startServer } from './cork.ts'

const PASSWORD = 'correct horse battery'
const ACCEPTED_TYPES = 'application/json, text/event-stream'

/** A JSON-RPC request. */
export const rpc = (method: string, params: unknown = {}) => ({
  jsonrpc: '2.0',
  id: 1,
  method,
  params,
})

interface RequestOptions {
  body?: unknown
  /** Null sends no credential at all. */
  secret?: string | null
  headers?: Record<string, string>
}

interface Task {
  task_id: number
  ticket_number: string
  project_id: number
  section_id: number
}

/** A served executable with an owner, Ada, and a board. */
export async function startBoardServer(
  env: Record<string, string> = {},
  launcher: string[] = [],
  args: string[] = [],
) {
  const data = join(createFolder(), 'data')
  const flags = ['--email', 'ada@example.com', '--name', 'Ada', '--team', 'Harbour']
  const result = await cork(['init', ...flags, '--password-stdin', '--json', '--data', data], {
    input: PASSWORD,
  })
  const { user_id, team_id, api_key: apiKey, mcp_token: mcpToken } = JSON.parse(result.out)
  let server: RunningServer = await startServer(data, { env, launcher, args })
  const { url } = server

  const http = async (
    method: string,
    path: string,
    { body, secret = apiKey, headers = {} }: RequestOptions = {},
  ) => {
    const response = await fetch(url + path, {
      method,
      redirect: 'manual',
      headers: {
        ...(secret !== null && { authorization: `Bearer ${secret}` }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
    const text = await response.text()
    return { status: response.status, headers: response.headers, text, body: parseJson(text) }
  }

  const board = await http('POST', '/api/v1/projects', {
    body: { team_id, title: 'Home', sections: [{ title: 'To do' }, { title: 'Done' }] },
  })
  const { project_id } = board.body.data

  const mcp = (
    body: unknown,
    headers: Record<string, string> = {},
    secret: string | null = mcpToken,
  ) => http('POST', '/mcp', { body, secret, headers: { accept: ACCEPTED_TYPES, ...headers } })

  return {
    url,
    pid: server.pid,
    apiKey,
    mcpToken,
    user_id,
    team_id,
    project_id,
    http,
    mcp,
    /** Calls a tool and returns the result. */
    callTool: async (name: string, args: unknown) =>
      (await mcp(rpc('tools/call', { name, arguments: args }))).body.result,
    close: () => server.end(),
    /** Sends a signal; `crash` kills the server, and `comeBack` restarts it at the same address. */
    sendSignal: (name: NodeJS.Signals) => process.kill(server.pid, name),
    kill: () => server.end('SIGKILL'),
    async restart() {
      server = await startServer(data, { env, launcher, args: ['--port', new URL(url).port] })
    },
    /** Limits the size of the server's files, to simulate a full disk. */
    limitFileSize: (bytes: number | 'unlimited') =>
      Bun.spawnSync(['prlimit', '--pid', `${server.pid}`, `--fsize=${bytes}:unlimited`]).success,
    /** The cookies of a browser that signed in. */
    async signIn(): Promise<string> {
      const response = await fetch(`${url}/sign-in`, {
        method: 'POST',
        redirect: 'manual',
        headers: { origin: url, 'sec-fetch-site': 'same-origin' },
        body: new URLSearchParams({ email: 'ada@example.com', password: PASSWORD }),
      })
      return response.headers
        .getSetCookie()
        .map((cookie) => cookie.split(';')[0])
        .join('; ')
    },
    async createTask(fields: object, secret = apiKey): Promise<Task> {
      return (await http('POST', '/api/v1/tasks', { body: { project_id, ...fields }, secret })).body
        .data
    },
    async createAgent(fields: object): Promise<{ agent_id: string; token: string }> {
      return (await http('POST', '/api/v1/agents', { body: { team_id, ...fields } })).body.data
    },
  }
}

export type BoardServer = Awaited<ReturnType<typeof startBoardServer>>
