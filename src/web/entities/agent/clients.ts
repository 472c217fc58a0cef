import { t } from '../../messages/t.ts'

interface Server {
  url: string
  token: string
}

interface Program {
  name: string
  /** Where to put the text. `file` is the name of the file for it, if any. */
  instruction: string
  file?: string
  text(server: Server): string
}

const headers = (token: string) => ({ Authorization: `Bearer ${token}` })
const json = (value: unknown) => JSON.stringify(value, null, 2)

/** How to add the server to common programs; each text can be pasted as it is. */
export const CLIENTS: readonly Program[] = [
  {
    name: t('agent.claude_code'),
    instruction: t('agent.run_this_in_your_project_folder_add'),
    text: ({ url, token }) => t('agent.claude_mcp_add_transport_http_corkboard', { url, token }),
  },
  {
    name: t('agent.cursor'),
    instruction: t('agent.save_this_in_your_project_folder_or'),
    file: '.cursor/mcp.json',
    text: ({ url, token }) => json({ mcpServers: { corkboard: { url, headers: headers(token) } } }),
  },
  {
    name: t('agent.vs_code'),
    instruction: t('agent.save_this_in_your_project_folder_then'),
    file: '.vscode/mcp.json',
    text: ({ url, token }) =>
      json({ servers: { corkboard: { type: 'http', url, headers: headers(token) } } }),
  },
  {
    name: t('agent.plain_http'),
    instruction: t('agent.any_mcp_client_needs_this_url_and'),
    text: ({ url, token }) => t('agent.curl_url_h_authorization_bearer_token_h', { url, token }),
  },
]
