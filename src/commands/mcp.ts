import type { CommandIO } from '../surfaces/cli/io.ts'
import { accountOf, hasLogin } from '../surfaces/cli/logins.ts'
import { Bridge } from '../surfaces/cli/mcp/bridge.ts'
import { type Command, DATA, type Values } from './command.ts'

export const mcp = (io: CommandIO): Command => ({
  summary: 'Connect an MCP client over standard input and output',
  about:
    'MCP clients start this command; "cork agents setup" configures them. It uses the server of "cork login", or CORK_URL and CORK_TOKEN. With --data, or with CORK_DATA alone, it uses the data folder: the server that serves it, or else its own on the loopback interface. Then set CORK_TOKEN.',
  example: 'cork mcp --tools tasks,comments --read-only',
  flags: {
    tools: { type: 'string', hint: 'NAMES', about: 'Only these tools: tasks,comments' },
    'read-only': { type: 'boolean', about: 'Only actions that read' },
    data: { ...DATA, about: 'Use this data folder instead of a server (CORK_DATA)' },
  },
  async run(values) {
    if (io.ask) io.err('Waiting for an MCP client on standard input; Ctrl+D ends this')
    const target = await targetOf(values, io)
    const bridge = new Bridge(io, { account: target.account, headers: selectionHeaders(values) })
    for await (const line of io.lines()) bridge.receive(line)
    await bridge.close()
    await target.close()
    return 0
  },
})

const selectionHeaders = (values: Values): Record<string, string> => ({
  ...(values.tools !== undefined && { 'x-mcp-tools': values.tools }),
  ...(values['read-only'] !== undefined && { 'x-mcp-readonly': 'true' }),
})

/** A server to talk to: a remote one, or the one of a data folder. */
async function targetOf({ data }: Values, io: CommandIO) {
  const { env } = io
  const isLocal = env.CORK_DATA && !env.CORK_URL && !hasLogin(env)
  const folder = data ?? (isLocal ? env.CORK_DATA : undefined)
  if (folder !== undefined) {
    const { DataFolderServer } = await import('./data-folder-server.ts')
    return new DataFolderServer(folder, io)
  }
  // The address stays the same for the session, even if somebody signs in to another server.
  let url: string | undefined
  return {
    async account() {
      url ??= accountOf(io).url
      return accountOf({ env: { ...env, CORK_URL: url } })
    },
    close: async () => {},
  }
}
