import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdirSync, readFileSync } from 'node:fs'
import { cleanUp, initDataFolder, sendRequest, startServer } from '../binary/cork.ts'
import { openWorkshop, type Workshop } from './folder.ts'

const MINUTES = 60_000
const TITLE = 'Check the crane'
const OAPI_CODEGEN = 'github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@v2.8.2'
const OGEN = 'github.com/ogen-go/ogen/cmd/ogen@v1.24.0'
const JAVA_GENERATOR = 'org.openapitools:openapi-generator-cli:7.25.0'
const JAVA_JAR = '.m2/repository/org/openapitools/openapi-generator-cli/7.25.0'
const GO_LINES = 60_000
/** Operations that only the web app needs, which would double the size of a client. */
const APP_TAGS = [
  ...['account', 'attachments', 'audit', 'authenticator_app', 'avatars', 'board_webhooks'],
  ...['browser_sessions', 'calendar_feeds', 'channels', 'chat', 'code_host_accounts', 'code_hosts'],
  ...['drafts', 'events', 'factors', 'feedback', 'grants', 'imports', 'linked_identities', 'mail'],
  ...['my_views', 'notification_settings', 'passkeys', 'password', 'placeholders', 'presence'],
  ...['pull_request_receivers', 'recovery_codes', 'repositories', 'rules', 'session'],
  ...['shared_texts', 'sidebar', 'system', 'team_policy', 'trash', 'verification', 'watchers'],
]

let url = ''
let call: string[] = []
let tags = ''
beforeAll(async () => {
  const { data, api_key, team_id } = await initDataFolder()
  ;({ url } = await startServer(data))
  const post = async (path: string, body: object) =>
    (await sendRequest(url, api_key, 'POST', path, body)).body.data
  const { project_id } = await post('/api/v1/projects', {
    ...{ team_id, title: 'Harbour', sections: [{ title: 'Next' }] },
  })
  const { ticket_number } = await post('/api/v1/tasks', { project_id, title: TITLE })
  call = [url, api_key, ticket_number]
  const document = await (await fetch(`${url}/openapi.json`)).json()
  const names: string[] = document.tags.map(({ name }: { name: string }) => name)
  tags = names.filter((name) => !APP_TAGS.includes(name)).join(',')
}, MINUTES)
afterAll(cleanUp)

async function writeDocument(workshop: Workshop, query = '') {
  const text = await (await fetch(`${url}/openapi.json${query}`)).text()
  const file = workshop.path('openapi.json')
  await Bun.write(file, text)
  return file
}

describe('TypeScript', () => {
  const workshop = openWorkshop()
  const generated = (name: string) => workshop.path('generated', name)
  const bin = (name: string) => workshop.path('node_modules/.bin', name)
  beforeAll(async () => {
    workshop.copy('package.json')
    await workshop.run(['npm', 'install', '--no-audit', '--no-fund'])
  }, 5 * MINUTES)

  /** Compiles a program with what was generated, and runs it. */
  async function compileAndCall(program: string) {
    workshop.copy(program)
    const flags = '--strict --skipLibCheck --noEmit --target es2022 --module esnext'
    const modules = '--moduleResolution bundler --lib es2022,dom,dom.iterable --types node'
    await workshop.run([bin('tsc'), ...flags.split(' '), ...modules.split(' '), program])
    return (await workshop.run([process.execPath, program, ...call])).trim()
  }

  test(
    'openapi-typescript and openapi-fetch',
    async () => {
      const file = await writeDocument(workshop)
      await workshop.run([
        bin('openapi-typescript'),
        file,
        '-o',
        generated('openapi-typescript.ts'),
      ])
      expect(await compileAndCall('openapi-fetch.ts')).toBe(TITLE)
    },
    5 * MINUTES,
  )

  test(
    'hey-api',
    async () => {
      const plugins = ['typescript', 'sdk', 'client-fetch'].flatMap((one) => [
        '-p',
        `@hey-api/${one}`,
      ])
      const file = await writeDocument(workshop)
      await workshop.run([bin('openapi-ts'), '-i', file, '-o', generated('hey-api'), ...plugins])
      expect(await compileAndCall('hey-api.ts')).toBe(TITLE)
    },
    5 * MINUTES,
  )

  for (const client of ['fetch', 'axios'])
    test(
      `orval with ${client}`,
      async () => {
        const file = await writeDocument(workshop, '?version=3.0')
        const target = generated(`orval-${client}.ts`)
        await workshop.run([bin('orval'), '--input', file, '--output', target, '--client', client])
        expect(await compileAndCall(`orval-${client}.ts`)).toBe(TITLE)
      },
      5 * MINUTES,
    )
})

test(
  'Python: openapi-python-client',
  async () => {
    const workshop = openWorkshop()
    const file = await writeDocument(workshop)
    workshop.copy('requirements.txt')
    workshop.copy('call.py')
    await workshop.run(['python3', '-m', 'venv', 'venv'])
    const bin = (name: string) => workshop.path('venv/bin', name)
    const requirements = ['--no-deps', '--requirement', 'requirements.txt']
    await workshop.run([bin('python'), '-m', 'pip', 'install', '--quiet', ...requirements])
    const hooks = workshop.path('hooks.yaml')
    await Bun.write(hooks, 'post_hooks: []\n')
    const options = ['--output-path', workshop.path('client'), '--config', hooks]
    await workshop.run([bin('openapi-python-client'), 'generate', '--path', file, ...options])
    const path = `PYTHONPATH=${workshop.path('client')}`
    expect((await workshop.run(['env', path, bin('python'), 'call.py', ...call])).trim()).toBe(
      TITLE,
    )
  },
  10 * MINUTES,
)

const countLines = async (folder: string) => {
  const files = [...new Bun.Glob('*.go').scanSync({ cwd: folder, absolute: true })]
  return files.reduce((sum, file) => sum + readFileSync(file, 'utf8').split('\n').length, 0)
}

for (const [name, generator, selected] of [
  ['oapi-codegen', OAPI_CODEGEN, () => tags],
  // Its clients have about 600 lines for each operation, so this one has fewer.
  ['ogen', OGEN, () => 'tasks,labels'],
] as const)
  test(
    `Go: ${name}, in at most 60,000 lines`,
    async () => {
      const workshop = openWorkshop()
      const file = await writeDocument(workshop, `?version=3.0&tags=${selected()}`)
      workshop.copy(`${name}.go`, 'main.go')
      workshop.copy(`${name}.yaml`)
      mkdirSync(workshop.path('cork'))
      const options =
        name === 'ogen'
          ? ['--target', 'cork', '--package', 'cork', '--clean', '--config']
          : ['-config']
      await workshop.run(['go', 'run', generator, ...options, `${name}.yaml`, file])
      await workshop.run(['go', 'mod', 'init', 'example.com/call'])
      await workshop.run(['go', 'mod', 'tidy'])
      expect(await countLines(workshop.path('cork'))).toBeLessThanOrEqual(GO_LINES)
      expect((await workshop.run(['go', 'run', '.', ...call])).trim()).toBe(TITLE)
    },
    15 * MINUTES,
  )

for (const transport of ['native', 'okhttp-gson'])
  test(
    `Java: openapi-generator with ${transport}`,
    async () => {
      const workshop = openWorkshop()
      const file = await writeDocument(workshop, `?version=3.0&tags=${tags}`)
      await workshop.run(['mvn', '-q', '-B', 'dependency:get', `-Dartifact=${JAVA_GENERATOR}`])
      const jar = `${process.env.HOME}/${JAVA_JAR}/openapi-generator-cli-7.25.0.jar`
      const parts = 'apiTests=false,modelTests=false,apiDocs=false,modelDocs=false'
      const options = ['--library', transport, `--global-property=${parts}`]
      await workshop.run(['java', '-jar', jar, 'generate', '-i', file, '-g', 'java', ...options])
      const sources = 'src/main/java/org/openapitools/client'
      workshop.copy('Program.java', `${sources}/Program.java`)
      workshop.copy(`Connect-${transport}.java`, `${sources}/Connect.java`)
      await workshop.run(['mvn', '-q', '-B', '-DskipTests', '-Dmaven.javadoc.skip', 'package'])
      await workshop.run([
        'mvn',
        '-q',
        '-B',
        'dependency:copy-dependencies',
        '-DoutputDirectory=lib',
      ])
      const java = ['java', '-cp', 'target/classes:lib/*', 'org.openapitools.client.Program']
      expect((await workshop.run([...java, ...call])).trim()).toBe(TITLE)
    },
    30 * MINUTES,
  )

test(
  'Rust: progenitor',
  async () => {
    const workshop = openWorkshop()
    const file = await writeDocument(workshop, `?version=3.0&tags=${tags}`)
    // It knows no type for a response by default beside another one.
    const text = readFileSync(file, 'utf8').replaceAll('"default":{"$ref"', '"4XX":{"$ref"')
    await Bun.write(file, text)
    const install = ['install', '--quiet', '--locked', '--root', workshop.path('tools')]
    await workshop.run(['cargo', ...install, 'cargo-progenitor@0.15.1'])
    const generate = ['progenitor', '-i', file, '-o', 'corkapi', '-n', 'corkapi', '-v', '0.1.0']
    await workshop.run([workshop.path('tools/bin/cargo-progenitor'), ...generate])
    workshop.copy('main.rs', 'corkapi/examples/call.rs')
    const folder = workshop.path('corkapi')
    await workshop.run(['cargo', 'add', '--quiet', 'tokio@1', '--features', 'full'], folder)
    const example = ['run', '--quiet', '--example', 'call', '--', ...call]
    expect((await workshop.run(['cargo', ...example], folder)).trim()).toBe(TITLE)
  },
  60 * MINUTES,
)
