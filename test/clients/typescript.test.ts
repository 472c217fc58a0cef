import { afterAll, beforeAll, expect, test } from 'bun:test'
import { cpSync, mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { openBrowser } from '../../scripts/browser.ts'
import { typescriptSize } from '../../scripts/clients.ts'
import { cleanUp, createFolder } from '../binary/cork.ts'
import { runOrThrow } from '../support/commands.ts'
import { openClients } from './support.ts'

const MINUTES = 60_000
const LIMIT_BYTES = 12_000
const EXPECTED = {
  type: 'task.created',
  pages: [50, 10],
  rows: 60,
  title: 'Check the crane',
  labels: ['urgent'],
  text: 'cargo list',
  repeated: true,
  found: ['Check the crane'],
  refused: [true, 400, 'title'],
  webhook: 'task.assigned',
  forged: 'The signature of the webhook is not valid',
  retried: [2, 1],
}

let folder = ''
let options: Awaited<ReturnType<typeof openClients>>['options']
beforeAll(async () => {
  ;({ folder, options } = await openClients())
}, MINUTES)
afterAll(cleanUp)

const walkIn = async (command: string[]) => {
  const script = join(import.meta.dir, 'run.mjs')
  const args = [join(folder, 'typescript'), JSON.stringify(options)]
  return JSON.parse(await runOrThrow([...command, script, ...args]))
}

test('the TypeScript client has at most 12 kB and no dependencies', async () => {
  const { dependencies } = await Bun.file(join(folder, 'typescript/package.json')).json()
  expect(dependencies).toBeUndefined()
  expect(await typescriptSize(folder)).toBeLessThan(LIMIT_BYTES)
})

test(
  'its types accept valid calls and refuse invalid ones',
  async () => {
    const project = createFolder()
    mkdirSync(join(project, 'node_modules/@corkboard'), { recursive: true })
    symlinkSync(join(folder, 'typescript'), join(project, 'node_modules/@corkboard/client'))
    cpSync(join(import.meta.dir, 'consumer.ts'), join(project, 'consumer.ts'))
    const tsc = join(import.meta.dir, '../../node_modules/.bin/tsc')
    const flags = '--ignoreConfig --strict --noEmit --skipLibCheck false --target es2022'
    const modules = '--module nodenext --lib es2022,dom,dom.iterable,dom.asynciterable --types'
    await runOrThrow([
      ...[tsc, ...flags.split(' '), ...modules.split(' '), ''],
      join(project, 'consumer.ts'),
    ])
  },
  MINUTES,
)

for (const [name, command] of [
  ['Node', ['node']],
  ['Bun', [process.execPath]],
  ['Deno', ['deno', 'run', '--allow-all']],
] as const)
  test.skipIf(!Bun.which(command[0]))(
    `the TypeScript client works in ${name}`,
    async () => {
      expect(await walkIn([...command])).toEqual(EXPECTED)
    },
    MINUTES,
  )

const isBrowserSkipped = (process.env.CORK_TEST_SKIP ?? '').split(',').includes('browser')

test.skipIf(isBrowserSkipped)(
  'the TypeScript client works in Chromium',
  async () => {
    const browser = await openBrowser()
    const page = await browser.newPage()
    for (const [name, path, contentType] of [
      ['page.html', '', 'text/html'],
      ['index.js', join(folder, 'typescript/index.js'), 'text/javascript'],
      ['walk.mjs', join(import.meta.dir, 'walk.mjs'), 'text/javascript'],
    ] as const) {
      const body = path ? await Bun.file(path).text() : '<!doctype html>'
      await page.route(`**/client-test/${name}`, (route) => route.fulfill({ body, contentType }))
    }
    await page.goto(`${options.url}/client-test/page.html`)
    const result = await page.evaluate(async (given) => {
      const load = (path: string) => import(path)
      const { walk } = await load('/client-test/walk.mjs')
      return walk(await load('/client-test/index.js'), given)
    }, options)
    await browser.close()
    expect(result).toEqual(EXPECTED)
  },
  MINUTES,
)
