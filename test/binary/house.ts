import { join } from 'node:path'
import { parse } from '../json.ts'
import { cork, folder, type Serving, serving } from './cork.ts'

const PASSWORD = 'correct horse battery'
const BOTH = 'application/json, text/event-stream'

/** A JSON-RPC request. */
export const rpc = (method: string, params: unknown = {}) => ({
  jsonrpc: '2.0',
  id: 1,
  method,
  params,
})

interface Sent {
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
export async function openHouse(env: Record<string, string> = {}, under: string[] = []) {
  const data = join(folder(), 'data')
  const who = ['--email', 'ada@example.com', '--name', 'Ada', '--team', 'Harbour']
  const made = await cork(['init', ...who, '--password-stdin', '--json', '--data', data], {
    input: PASSWORD,
  })
  const { user_id, team_id, api_key: key, mcp_token: token } = JSON.parse(made.out)
  let server: Serving = await serving(data, { env, under })
  const { url } = server

  const http = async (
    method: string,
    path: string,
    { body, secret = key, headers = {} }: Sent = {},
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
    return { status: response.status, headers: response.headers, text, body: parse(text) }
  }

  const board = await http('POST', '/api/v1/projects', {
    body: { team_id, title: 'Home', sections: [{ title: 'To do' }, { title: 'Done' }] },
  })
  const { project_id } = board.body.data

  const mcp = (
    body: unknown,
    headers: Record<string, string> = {},
    secret: string | null = token,
  ) => http('POST', '/mcp', { body, secret, headers: { accept: BOTH, ...headers } })

  return {
    url,
    pid: server.pid,
    key,
    token,
    user_id,
    team_id,
    project_id,
    http,
    mcp,
    /** Calls a tool and returns the result. */
    tool: async (name: string, args: unknown) =>
      (await mcp(rpc('tools/call', { name, arguments: args }))).body.result,
    close: () => server.end(),
    /** Sends a signal; `crash` kills the server, and `comeBack` restarts it at the same address. */
    signal: (name: NodeJS.Signals) => process.kill(server.pid, name),
    crash: () => server.end('SIGKILL'),
    async comeBack() {
      server = await serving(data, { env, under, args: ['--port', new URL(url).port] })
    },
    /** Limits the size of the server's files, to simulate a full disk. */
    limitFiles: (bytes: number | 'unlimited') =>
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
    async create(fields: object, secret = key): Promise<Task> {
      return (await http('POST', '/api/v1/tasks', { body: { project_id, ...fields }, secret })).body
        .data
    },
    async agent(fields: object): Promise<{ agent_id: string; token: string }> {
      return (await http('POST', '/api/v1/agents', { body: { team_id, ...fields } })).body.data
    },
  }
}

export type House = Awaited<ReturnType<typeof openHouse>>
