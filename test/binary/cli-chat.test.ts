import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { binary } from '../../scripts/build.ts'
import { startScriptedModel } from '../ai/scripted-model.ts'
import {
  cleanUp,
  createFolder,
  initDataFolder,
  type RunningServer,
  runCommand,
  sendRequest,
  startServer,
} from './cork.ts'

/** The executable chats with a scripted model, with and without a terminal. */
const service = startScriptedModel()
const settings = createFolder()
let server: RunningServer
let key: string
let data: string

beforeAll(async () => {
  const setup = await initDataFolder()
  key = setup.api_key
  data = setup.data
  server = await startServer(data, { env: service.settings() })
  const sections = [{ title: 'To do' }, { title: 'Done' }]
  const board = { team_id: setup.team_id, title: 'Home', sections }
  await sendRequest(server.url, key, 'POST', '/api/v1/projects', board)
})
beforeEach(() => service.play([]))
afterAll(async () => {
  await server.end()
  service.stop()
  cleanUp()
})

const env = () => ({ CORK_URL: server.url, CORK_TOKEN: key, XDG_CONFIG_HOME: settings })
const runChat = (...words: string[]) => runCommand([binary, 'chat', ...words], { env: env() })

interface TerminalScript {
  /** Each text is typed once its prompt was shown, in order. */
  answers: [shown: string, typed: string][]
}

/** Runs the chat in a real terminal and returns everything that the terminal showed. */
async function runInTerminal(words: string[], { answers }: TerminalScript) {
  let output = ''
  let position = 0
  const run = Bun.spawn([binary, 'chat', ...words], {
    env: { PATH: process.env.PATH, TERM: 'xterm', ...env() },
    terminal: {
      cols: 100,
      rows: 24,
      data(terminal, bytes) {
        output += new TextDecoder().decode(bytes)
        for (const [words, text] of answers.slice()) {
          const at = output.indexOf(words, position)
          if (at < 0) return
          position = at + words.length
          answers.shift()
          if (text) return void terminal.write(text)
        }
      },
    },
  })
  // A run that never shows an expected prompt is killed, so that its output can explain why.
  const timer = setTimeout(() => run.kill('SIGKILL'), 15_000)
  const code = await run.exited
  clearTimeout(timer)
  return { code, output: output.replaceAll('\r', '') }
}

const create = (title: string) => ({
  tool: 'tasks_create_many',
  input: { project_id: 1, tasks: [{ title }] },
})
const titles = async () =>
  (await sendRequest(server.url, key, 'GET', '/api/v1/tasks?project_id=1')).body.data.map(
    ({ title }: { title: string }) => title,
  )

test('an answer is printed without control characters, and its thread is listed and continued', async () => {
  service.play([{ text: 'All is **well**.\x1b[2J' }])
  const { code, out, err } = await runChat('How are we?', '--board', 'Home')
  expect([code, err]).toEqual([0, ''])
  expect(out).toBe('All is **well**.\n')
  expect(service.requests[0]!.userText).toContain('How are we?')
  const threads = await runChat('threads', '--json')
  const [{ thread_id, title }] = JSON.parse(threads.out)
  expect(title).toContain('How are we?')
  const { out: thread } = await runChat('thread', `${thread_id}`)
  expect(thread).toMatch(/^Thread \d+: How are we\? \(HOM\), idle\n\nAda, .*\nHow are we\?\n\n/)
  expect(thread).toEndWith('\nAll is **well**.\n')
  service.play([{ text: 'Better.' }])
  expect((await runChat('--thread', `${thread_id}`, 'And now?')).out).toBe('Better.\n')
})

test('without a terminal a change is pending until a separate command confirms it', async () => {
  service.play([{ calls: [create('Paint')] }, { text: 'Made.' }])
  const { code, err } = await runChat('Make a task', '--board', 'Home')
  expect(code).toBe(1)
  expect(await titles()).not.toContain('Paint')
  const confirmCommand = /cork chat (confirm \d+ \S+)"/.exec(err)![1]!
  const confirmed = await runChat(...confirmCommand.split(' '))
  expect(confirmed).toMatchObject({ code: 0, out: 'Made.\n' })
  expect(confirmed.err).toContain('[done]')
  expect(await titles()).toContain('Paint')
  const [, thread_id, call_id] = confirmCommand.split(' ')
  expect((await runChat('thread', thread_id!)).out).toContain(
    `[done] Create 1 task on Home (${call_id})`,
  )
  const undone = await runChat('undo', thread_id!, call_id!)
  expect(undone).toMatchObject({ code: 0, out: '[undone] Create 1 task on Home\n' })
  expect((await runChat('confirm', '99', 'x')).err).toContain(
    'List your threads: cork chat threads',
  )
  expect((await runChat('delete', thread_id!)).out).toBe(
    `Deleted thread ${thread_id} "Make a task"\n`,
  )
  expect(await titles()).not.toContain('Paint')
})

test('--allow-writes makes changes without asking, and --json prints each event', async () => {
  service.play([{ calls: [create('Sand')] }, { text: 'Made.' }])
  const { code, out } = await runChat('Make it', '--board', 'Home', '--allow-writes', '--json')
  const events = out
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect([code, events[0].type, events.at(-1)]).toMatchObject([
    ...[0, 'thread', { type: 'done', reason: 'said' }],
  ])
  expect(events.filter(({ type }) => type === 'call').at(-1).call.state).toBe('done')
  expect(await titles()).toContain('Sand')
})

test('in a terminal a change is confirmed with y and undone, and Ctrl+C ends the chat', async () => {
  service.play([{ calls: [create('Gate')] }, { text: 'The gate is noted.' }])
  const { code, output } = await runInTerminal(['--board', 'Home'], {
    answers: [
      ['> ', 'Note the gate\r'],
      ['[y/n/a', 'y\r'],
      ['The gate is noted.', ''],
      ['> ', '/undo\r'],
      ['[undone]', ''],
      ['> ', '\x03'],
    ],
  })
  expect(output).toContain('Chatting with')
  expect(output).toContain('[done]')
  expect(code).toBe(0)
  expect(await titles()).not.toContain('Gate')
})

test('Ctrl+C stops an answer, exits with 1 and leaves the thread idle', async () => {
  service.play([{ text: 'I count: one, two, three, four, five. '.repeat(40), chunkDelayMs: 50 }])
  const { code, output } = await runInTerminal(['Count', '--board', 'Home'], {
    answers: [['one, two', '\x03']],
  })
  expect(output).toContain('Stopping')
  expect([code, output]).toEqual([1, expect.stringContaining('was stopped')])
  const { out } = await runChat('threads', '--json')
  expect(JSON.parse(out)[0]).toMatchObject({ state: 'idle' })
})

test('the chat commands of docs/cli.md work, run one after another', async () => {
  const page = await Bun.file(join(import.meta.dir, '../../docs/cli.md')).text()
  const [, block = ''] = /## Talk with the model[\s\S]*?```console\n([\s\S]*?)```/.exec(page)!
  const setup = await initDataFolder()
  const other = await startServer(setup.data, { env: service.settings() })
  const board = { team_id: setup.team_id, title: 'Home', sections: [{ title: 'To do' }] }
  await sendRequest(other.url, setup.api_key, 'POST', '/api/v1/projects', board)
  await sendRequest(other.url, setup.api_key, 'POST', '/api/v1/tasks', {
    project_id: 1,
    title: 'Paint',
  })
  const cwd = createFolder()
  writeFileSync(join(cwd, 'notes.txt'), 'The paint is green')
  service.play([
    { text: 'Paint is.' },
    { calls: [create('Soon')] },
    { text: 'Moved.' },
    { text: 'Good.' },
  ])
  const run = Bun.spawn(['bash', '-euo', 'pipefail', '-c', block], {
    ...{ cwd, stdout: 'pipe', stderr: 'pipe' },
    env: {
      PATH: `${dirname(binary)}:${process.env.PATH}`,
      ...{ CORK_URL: other.url, CORK_TOKEN: setup.api_key, XDG_CONFIG_HOME: settings },
    },
  })
  const [out, err] = [await new Response(run.stdout).text(), await new Response(run.stderr).text()]
  expect([await run.exited, err]).toEqual([0, expect.stringContaining('[done]')])
  for (const words of ['Paint is.', 'Moved.', 'Good.']) expect(out).toContain(words)
  expect(service.requests.at(-1)!.userText).toContain('The paint is green')
  await other.end()
})

test('/skills lists the skills of the conversation', async () => {
  const { output } = await runInTerminal([], {
    answers: [
      ['> ', '/skills\r'],
      ['> ', '/quit\r'],
    ],
  })
  expect(output).toMatch(/SKILL|No skills/)
})

test('without a model the command fails and names the settings for one', async () => {
  const setup = await initDataFolder()
  const other = await startServer(setup.data)
  const credentials = { CORK_URL: other.url, CORK_TOKEN: setup.api_key }
  const { code, err } = await runCommand([binary, 'chat', 'Hello'], { env: credentials })
  expect(code).toBe(1)
  for (const name of ['CORK_AI_BASE_URL', 'CORK_AI_MODEL']) expect(err).toContain(name)
  await other.end()
})
