import pkg from '../../package.json' with { type: 'json' }
import { TOOLS } from '../../src/surfaces/mcp/names.ts'
import type { Target } from '../executable.ts'
import { jsonFile, zip } from './zip.ts'

const PLATFORMS: Record<string, string> = { linux: 'linux', darwin: 'darwin', windows: 'win32' }

/** The bundle with which Claude Desktop installs `cork mcp` at a click, for one platform. */
export async function mcpBundle(executable: string, target: Target): Promise<Uint8Array> {
  const bytes = await Bun.file(executable).bytes()
  const manifest = mcpbManifest(target)
  return zip({
    'manifest.json': jsonFile(manifest),
    [manifest.server.entry_point]: { bytes, isExecutable: true },
  })
}

/** A value that the person enters when the bundle is installed. */
const setting = (name: string) => `\${user_config.${name}}`

function mcpbManifest(target: Target) {
  const [system = ''] = target.split('-')
  const entry_point = `server/cork${system === 'windows' ? '.exe' : ''}`
  return {
    manifest_version: '0.3',
    name: pkg.name,
    display_name: 'Corkboard',
    version: pkg.version,
    description: pkg.description,
    author: { name: 'Corkboard' },
    license: pkg.license,
    keywords: ['tasks', 'kanban', 'agents'],
    server: {
      type: 'binary',
      entry_point,
      mcp_config: {
        command: `\${__dirname}/${entry_point}`,
        args: ['mcp'],
        env: { CORK_URL: setting('url'), CORK_TOKEN: setting('token') },
      },
    },
    tools: Object.entries(TOOLS).map(([name, { summary }]) => ({ name, description: summary })),
    compatibility: { platforms: [PLATFORMS[system]!] },
    user_config: {
      url: {
        type: 'string',
        title: 'Server',
        description: 'Address of the Corkboard server',
        default: 'http://127.0.0.1:3210',
        required: true,
      },
      token: {
        type: 'string',
        title: 'Key or token',
        description: 'An API key of yours, or the token of an agent',
        sensitive: true,
        required: true,
      },
    },
  }
}
