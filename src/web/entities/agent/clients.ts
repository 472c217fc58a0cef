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
    how: 'Run this in your project folder. Add --scope user to use it in all your projects.',
    text: ({ url, token }) =>
      `claude mcp add --transport http corkboard ${url} --header "Authorization: Bearer ${token}"`,
  },
  {
    name: 'Cursor',
    how: 'Save this in your project folder, or in your home folder for all your projects:',
    file: '.cursor/mcp.json',
    text: ({ url, token }) => json({ mcpServers: { corkboard: { url, headers: headers(token) } } }),
  },
  {
    name: 'VS Code',
    how: 'Save this in your project folder, then click Start above it:',
    file: '.vscode/mcp.json',
    text: ({ url, token }) =>
      json({ servers: { corkboard: { type: 'http', url, headers: headers(token) } } }),
  },
  {
    name: 'Plain HTTP',
    how: 'Any MCP client needs this URL and the Authorization header. To test the connection:',
    text: ({ url, token }) => `curl ${url} \\
  -H "Authorization: Bearer ${token}" \\
  -H "Content-Type: application/json" \\
  -H "Accept: application/json, text/event-stream" \\
  -d '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"svc_user_context","arguments":{"action":"hello"}}}'`,
  },
]
