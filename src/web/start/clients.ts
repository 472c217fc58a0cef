interface Server {
  url: string
  token: string
}

const server = ({ url, token }: Server) => ({
  ...{ type: 'http', url },
  headers: { Authorization: `Bearer ${token}` },
})
const json = (value: unknown) => JSON.stringify(value, null, 2)

/** How the usual programs are told of a server; each is pasted as it is. */
export const CLIENTS: readonly { name: string; text(of: Server): string }[] = [
  {
    name: 'Claude Code',
    text: ({ url, token }) =>
      `claude mcp add --transport http corkboard ${url} --header "Authorization: Bearer ${token}"`,
  },
  { name: 'Cursor', text: (of) => json({ mcpServers: { corkboard: server(of) } }) },
  { name: 'VS Code', text: (of) => json({ servers: { corkboard: server(of) } }) },
  {
    name: 'HTTP',
    text: ({ url, token }) => `curl ${url} \\
  -H "Authorization: Bearer ${token}" \\
  -H "Content-Type: application/json" \\
  -H "Accept: application/json" \\
  -d '{"jsonrpc":"2.0","id":1,"method":"tools/list"}'`,
  },
]
