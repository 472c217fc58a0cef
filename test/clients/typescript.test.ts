import { afterAll, beforeAll, expect, test } from 'bun:test'
import { cpSync, mkdirSync, symlinkSync } from 'node:fs'
import { basename, join } from 'node:path'
import { MockLanguageModelV4 } from 'ai/test'
import { openBrowser } from '../../scripts/browser.ts'
import { typescriptSize } from '../../scripts/clients.ts'
import { cleanUp, createFolder } from '../binary/cork.ts'
import { runOrThrow } from '../support/commands.ts'
import { openClients } from './support.ts'

const MINUTES = 60_000
const examples = join(import.meta.dir, '../../clients/typescript/examples')
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
    const root = join(import.meta.dir, '../..')
    for (const name of ['ai', '@ai-sdk'])
      symlinkSync(join(root, 'node_modules', name), join(project, 'node_modules', name))
    const programs = [join(import.meta.dir, 'consumer.ts'), join(examples, 'vercel-ai.ts')].map(
      (file) => {
        const copy = join(project, basename(file))
        cpSync(file, copy)
        return copy
      },
    )
    const tsc = join(root, 'node_modules/.bin/tsc')
    const flags = '--ignoreConfig --strict --noEmit --skipLibCheck --target es2022'
    const modules = '--module nodenext --lib es2022,dom,dom.iterable,dom.asynciterable --types'
    await runOrThrow([...[tsc, ...flags.split(' '), ...modules.split(' '), ''], ...programs])
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

test('the example for the Vercel AI SDK comments on a task', async () => {
  const { createClient } = await import(join(folder, 'typescript/index.js'))
  const client = createClient(options)
  const { teams } = await client.user_context.get()
  const { project_id } = await client.projects.create({
    ...{ team_id: teams[0].team_id, title: 'Harbour', sections: [{ title: 'Next' }] },
  })
  const { ticket_number } = await client.tasks.create({ project_id, title: 'Mend the gate' })
  const { triage } = await import(join(examples, 'vercel-ai.ts'))
  const input = JSON.stringify({ task: ticket_number, text: 'Oil the hinge first' })
  const call = { type: 'tool-call', toolCallId: '1', toolName: 'comment', input }
  const answers = [[call], [{ type: 'text', text: 'Done' }]]
  const model = new MockLanguageModelV4({
    doGenerate: async () => answerOf(answers.shift()!) as never,
  })
  expect(await triage(client, project_id, model)).toBe('Done')
  const comments = await client.comments.list({ task: ticket_number }).all()
  expect(JSON.stringify(comments)).toContain('Oil the hinge first')
})

/** An answer of a model, in the form of the SDK. */
const answerOf = (content: object[]) => ({
  content,
  finishReason: { unified: content.length && 'text' in content[0]! ? 'stop' : 'tool-calls' },
  usage: { inputTokens: { total: 1 }, outputTokens: { total: 1 } },
  warnings: [],
})

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
