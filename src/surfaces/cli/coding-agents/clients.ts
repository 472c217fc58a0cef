import { homedir } from 'node:os'
import { join } from 'node:path'
import type { CommandIO } from '../io.ts'

/** How a client starts `cork mcp`. */
export interface StdioServer {
  command: string
  args: string[]
  env: Record<string, string>
}

type Env = CommandIO['env']

/** A program that starts MCP servers, and the file that tells it which ones. */
export interface McpClient {
  title: string
  format: 'json' | 'toml'
  /** The key in the file that holds the servers, by their names. */
  key: string
  /** The file of a project, from its root, and that of a person. */
  projectFile: string
  userFile(env: Env, platform: NodeJS.Platform): string
  /** Whether an entry says that it is a program to start, as opposed to an address. */
  namesType: boolean
  /** Further fields of a new entry. */
  fields?: Record<string, unknown>
  /** What the person does next. */
  next: string
}

const homeOf = (env: Env) => env.HOME || env.USERPROFILE || homedir()

/** The folder in which desktop programs keep their settings. */
function applicationFolder(env: Env, platform: NodeJS.Platform): string {
  if (platform === 'win32') return env.APPDATA || join(homeOf(env), 'AppData', 'Roaming')
  if (platform === 'darwin') return join(homeOf(env), 'Library', 'Application Support')
  return env.XDG_CONFIG_HOME || join(homeOf(env), '.config')
}

export const CLIENTS = {
  'claude-code': {
    title: 'Claude Code',
    format: 'json',
    key: 'mcpServers',
    projectFile: '.mcp.json',
    userFile: (env) => join(env.CLAUDE_CONFIG_DIR || homeOf(env), '.claude.json'),
    namesType: true,
    next: 'Start Claude Code again. It asks once whether to use a server of a project; /mcp shows it.',
  },
  cursor: {
    title: 'Cursor',
    format: 'json',
    key: 'mcpServers',
    projectFile: join('.cursor', 'mcp.json'),
    userFile: (env) => join(homeOf(env), '.cursor', 'mcp.json'),
    namesType: true,
    next: 'Restart Cursor and turn the server on in its MCP settings.',
  },
  vscode: {
    title: 'VS Code',
    format: 'json',
    key: 'servers',
    projectFile: join('.vscode', 'mcp.json'),
    userFile: (env, platform) => join(applicationFolder(env, platform), 'Code', 'User', 'mcp.json'),
    namesType: true,
    next: 'Run "MCP: List Servers" in VS Code, and start the server.',
  },
  codex: {
    title: 'Codex',
    format: 'toml',
    key: 'mcp_servers',
    // Codex passes only few variables on. Others have to be named.
    fields: { env_vars: ['CORK_AGENT', 'CORK_TOKEN'] },
    projectFile: join('.codex', 'config.toml'),
    userFile: (env) => join(env.CODEX_HOME || join(homeOf(env), '.codex'), 'config.toml'),
    namesType: false,
    next: 'Start Codex again; /mcp shows the server. Codex reads the file of a project only if you trust the project.',
  },
  gemini: {
    title: 'Gemini CLI',
    format: 'json',
    key: 'mcpServers',
    projectFile: join('.gemini', 'settings.json'),
    userFile: (env) => join(homeOf(env), '.gemini', 'settings.json'),
    namesType: false,
    next: 'Start Gemini CLI again; /mcp shows the server.',
  },
  zed: {
    title: 'Zed',
    format: 'json',
    key: 'context_servers',
    projectFile: join('.zed', 'settings.json'),
    userFile: (env, platform) =>
      platform === 'win32'
        ? join(applicationFolder(env, platform), 'Zed', 'settings.json')
        : join(env.XDG_CONFIG_HOME || join(homeOf(env), '.config'), 'zed', 'settings.json'),
    namesType: false,
    next: 'Zed starts the server by itself; Settings, AI, MCP Servers shows it.',
  },
} as const satisfies Record<string, McpClient>
