import { afterAll, beforeAll, expect, test } from 'bun:test'
import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { validateManifest } from '@anthropic-ai/mcpb/node'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { unzipSync } from 'fflate'
import { version } from '../../package.json'
import { binary } from '../../scripts/build.ts'
import { root } from '../support/source-files.ts'
import {
  cleanUp,
  createFolder,
  type InitResult,
  initDataFolder,
  type RunningServer,
  runCommand,
  startServer,
} from './cork.ts'

const { platform, arch } = process
const target = `${platform === 'win32' ? 'windows' : platform}-${arch}`
const name = `cork-${version}-${target}${platform === 'win32' ? '.exe' : ''}`
const bundle = `cork-${version}-${target}.mcpb`
const plugin = `cork-${version}-claude-code-plugin.zip`
const debianArch = { x64: 'amd64', arm64: 'arm64' }[arch as 'x64' | 'arm64']
const linuxFiles = [
  `corkboard-${version}-${target}.oci.tar`,
  ...['deb', 'rpm'].map((format) => `corkboard_${version}_${debianArch}.${format}`),
]
const downloads = 'https://github.com/corkboard/corkboard/releases/download/v1'
const release = (...args: string[]) =>
  runCommand([process.execPath, join(root, 'scripts/release.ts'), ...args])

const directory = join(createFolder(), 'release')
const buildRelease = () =>
  release('--only', target, '--to', directory, '--downloads', `${downloads}/`)
const sums = () => readFileSync(join(directory, 'SHA256SUMS'), 'utf8')

let server: RunningServer
let account: InitResult
let output: Awaited<ReturnType<typeof release>>
beforeAll(async () => {
  const { data, ...created } = await initDataFolder()
  account = created
  server = await startServer(data)
  output = await buildRelease()
})
afterAll(async () => {
  await server.end()
  cleanUp()
})

test('a release has its names and checksums, runs, and is identical when built again', async () => {
  const first = sums()
  const files = [
    ...[bundle, name, plugin, `cork-${version}.cdx.json`, 'corkboard.rb', 'flake.nix'],
    ...['install.sh', 'server.json'],
    ...(process.platform === 'linux' ? linuxFiles : []),
  ]
  for (let round = 0; round < 2; round++) {
    const { out, err, code } = round ? await buildRelease() : output
    expect([err, code]).toEqual(['', 0])
    expect(out).toContain(`${files.length} verified, ${name} runs`)
    expect(readdirSync(directory).sort()).toEqual(
      [...files, 'SHA256SUMS', 'provenance.json'].sort(),
    )
    // The same command as in the installation guide.
    const check = `cd ${directory} && sha256sum --check --ignore-missing SHA256SUMS`
    const checked = (await runCommand(['sh', '-c', check])).out.trimEnd().split('\n')
    expect(checked.sort()).toEqual(files.map((file) => `${file}: OK`).sort())
    if (!round) rmSync(join(directory, name))
  }
  for (const file of files)
    expect(first).toMatch(new RegExp(`^[0-9a-f]{64}  ${RegExp.escape(file)}$`, 'm'))
  expect(sums()).toBe(first)
})

/** Unpacks an archive of the release into a new folder. */
function unpack(file: string): string {
  const folder = createFolder()
  for (const [path, bytes] of Object.entries(unzipSync(readFileSync(join(directory, file))))) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), bytes)
  }
  return folder
}

/** The Unix modes in the directory of an archive, by the names of the files. */
function modesIn(file: string): Record<string, number> {
  const bytes = readFileSync(join(directory, file))
  const modes: Record<string, number> = {}
  for (let at = bytes.indexOf('PK\x01\x02'); at >= 0; at = bytes.indexOf('PK\x01\x02', at + 46)) {
    const path = bytes.toString('utf8', at + 46, at + 46 + bytes.readUInt16LE(at + 28))
    modes[path] = (bytes.readUInt32LE(at + 38) >>> 16) & 0o777
  }
  return modes
}

test('the bundle for MCP clients is valid, and starts a session as its manifest says', async () => {
  const folder = unpack(bundle)
  const file = join(folder, 'manifest.json')
  const manifest = await Bun.file(file).json()
  expect(validateManifest(file)).toBe(true)
  const broken = join(createFolder(), 'manifest.json')
  await Bun.write(broken, JSON.stringify({ ...manifest, author: {} }))
  expect(validateManifest(broken)).toBe(false)
  const { command, args, env } = manifest.server.mcp_config
  expect(modesIn(bundle)[manifest.server.entry_point]).toBe(0o755)
  const settings: Record<string, string> = {
    __dirname: folder,
    'user_config.url': server.url,
    'user_config.token': account.api_key,
  }
  const fill = (text: string) => text.replace(/\$\{([^}]+)\}/g, (_, key) => settings[key]!)
  chmodSync(fill(command), 0o755)
  const client = new Client({ name: 'test', version: '1' })
  const variables = Object.entries(env as Record<string, string>).map(([key, value]) => [
    key,
    fill(value),
  ])
  const transport = { command: fill(command), args, env: Object.fromEntries(variables) }
  await client.connect(new StdioClientTransport(transport))
  const { tools } = await client.listTools()
  expect(manifest.tools.map((tool: { name: string }) => tool.name)).toEqual(
    tools.map((tool) => tool.name),
  )
  expect(manifest.version).toBe(client.getServerVersion()!.version)
  await client.close()
})

test('the plugin for Claude Code starts the tools and the context, and has a skill', async () => {
  const folder = join(unpack(plugin), 'corkboard')
  const read = (path: string) => Bun.file(join(folder, path)).json()
  expect(await read('.claude-plugin/plugin.json')).toMatchObject({ name: 'corkboard', version })
  const { plugins } = await read('.claude-plugin/marketplace.json')
  expect(plugins).toMatchObject([{ name: 'corkboard', source: './', version }])
  const skill = await Bun.file(join(folder, 'skills/corkboard/SKILL.md')).text()
  const [, front = '', body] = /^---\n([\s\S]*?)\n---\n([\s\S]*)$/.exec(skill)!
  const description = /^description: (.+)$/m.exec(front)![1]!
  expect([front.startsWith('name: corkboard\n'), description.length <= 1024]).toEqual([true, true])
  expect(body).toContain('svc_tasks next')
  const env = {
    PATH: `${dirname(binary)}:${process.env.PATH}`,
    CORK_URL: server.url,
    CORK_TOKEN: account.api_key,
    HOME: createFolder(),
  }
  const { hooks } = await read('hooks/hooks.json')
  const [{ hooks: commands }] = hooks.SessionStart
  const context = await runCommand(['sh', '-c', commands[0].command], { env })
  expect([context.code, context.out]).toEqual([0, expect.stringContaining('You are Ada')])
  const { mcpServers } = await read('.mcp.json')
  const client = new Client({ name: 'test', version: '1' })
  await client.connect(new StdioClientTransport({ ...mcpServers.corkboard, env }))
  expect((await client.listTools()).tools).toHaveLength(20)
  await client.close()
})

test('server.json has what the registry requires, and the bundles if their address is known', async () => {
  const entry = await Bun.file(join(directory, 'server.json')).json()
  expect(entry.name).toMatch(/^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/)
  expect([entry.version, entry.description.length <= 100]).toEqual([version, true])
  const [sha256] = sums()
    .split('\n')
    .find((line) => line.endsWith(bundle))!
    .split(' ')
  expect(entry.packages).toMatchObject([
    {
      registryType: 'mcpb',
      identifier: `${downloads}/${bundle}`,
      fileSha256: sha256,
      transport: { type: 'stdio' },
    },
  ])
  const [remote] = entry.remotes
  for (const [, variable] of remote.url.matchAll(/\{(\w+)\}/g))
    expect(remote.variables).toHaveProperty(variable)
  expect(remote.headers[0].variables.token.isSecret).toBe(true)
})

test('an unknown release target is refused with the known ones, a blocked folder with the error', async () => {
  const unknown = await release('--only', 'amiga')
  expect(unknown.code).toBe(1)
  expect(unknown.err).toContain('no target "amiga"; there are linux-x64, linux-arm64')
  const blockedFolder = join(createFolder(), 'file')
  writeFileSync(blockedFolder, '')
  const blocked = await release('--only', target, '--to', blockedFolder)
  expect([blocked.code, blocked.err]).toEqual([1, expect.stringContaining('EEXIST')])
})
