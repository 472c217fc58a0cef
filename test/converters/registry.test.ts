import { afterAll, beforeAll, expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type PublishedBundle, serverJson } from '../../scripts/release/server-json.ts'
import { cleanUp, createFolder, runCommand } from '../binary/cork.ts'
import { parseJson } from '../support/json.ts'
import { installPackages } from '../support/python.ts'

interface Report {
  stats: { rules_run: number }
  violations: { message: string }[]
}

const MINUTES = 60_000
const OPTIONS = ['--strict', '--format', 'json', '--type', 'mcp-registry', '--no-plugins']
const RULES = ['mcp-registry-server-json-valid', 'mcp-registry-version-semver']
const bundle: PublishedBundle = {
  url: 'https://github.com/corkboard/corkboard/releases/download/v1/cork-linux-x64.mcpb',
  sha256: 'a'.repeat(64),
}

let linter = ''
beforeAll(async () => {
  const requirements = join(import.meta.dir, 'registry-requirements.txt')
  linter = join(await installPackages(createFolder(), requirements, 'converters'), 'skillsaw')
}, 10 * MINUTES)
afterAll(cleanUp)

/** What a linter with the published schemas and rules of the MCP registry objects to. */
async function problemsOf(entry: object): Promise<string[]> {
  const folder = createFolder()
  writeFileSync(join(folder, 'server.json'), JSON.stringify(entry))
  const rules = RULES.flatMap((rule) => ['--rule', rule])
  const { out, err } = await runCommand([linter, 'lint', ...OPTIONS, ...rules, folder])
  const report = parseJson(out) as Report | undefined
  if (report?.stats.rules_run !== RULES.length) throw new Error(`The linter failed: ${err || out}`)
  return report.violations.map(({ message }) => message)
}

test(
  'server.json follows the rules of the MCP registry, with and without bundles',
  async () => {
    expect(await problemsOf(serverJson([]))).toEqual([])
    expect(await problemsOf(serverJson([bundle]))).toEqual([])
  },
  MINUTES,
)

test(
  'the linter finds a long text, a version range, an unknown variable and a wrong checksum',
  async () => {
    const { remotes, ...entry } = serverJson([{ ...bundle, sha256: 'none' }])
    const [remote] = remotes
    const problems = await problemsOf({
      ...entry,
      description: 'x'.repeat(101),
      version: '1.x',
      remotes: [{ ...remote, variables: {} }],
    })
    for (const field of ['description', 'version', 'remotes[0].url', 'packages[0]'])
      expect(problems).toContainEqual(expect.stringContaining(field))
  },
  MINUTES,
)
