interface Server {
  url: string
  token: string
}

interface Program {
  name: string
  /** What to do with the text; `file` is the file it belongs into. */
  how: string
  file?: string
  text(server: Server): string
}

const headers = (token: string) => ({ Authorization: `Bearer ${token}` })
const json = (value: unknown) => JSON.stringify(value, null, 2)

/** How to add the server to common programs; each text can be pasted as it is. */
export const CLIENTS: readonly Program[] = [
  {
    name: 'Claude Code',
    how: 'Run this in the folder of your project; add --scope user to have it in all of them.',
    text: ({ url, token }) =>
      `claude mcp add --transport http corkboard ${url} --header "Authorization: Bearer ${token}"`,
  },
  {
    name: 'Cursor',
    how: 'Save this in your project, or under your home folder for all of them:',
    file: '.cursor/mcp.json',
    text: ({ url, token }) => json({ mcpServers: { corkboard: { url, headers: headers(token) } } }),
  },
  {
    name: 'VS Code',
    how: 'Save this in your project, and press Start above it:',
    file: '.vscode/mcp.json',
    text: ({ url, token }) =>
      json({ servers: { corkboard: { type: 'http', url, headers: headers(token) } } }),
  },
  {
    name: 'Plain HTTP',
    how: 'Everything that speaks MCP over HTTP needs the address and the header. To try them:',
    text: ({ url, token }) => `curl ${url} \\
  -H "Authorization: Bearer ${token}" \\
  -H "Content-Type: application/json" \\
  -H "Accept: application/json, text/event-stream" \\
  -d '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"svc_user_context","arguments":{"action":"hello"}}}'`,
  },
]
