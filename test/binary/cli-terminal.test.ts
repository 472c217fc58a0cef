import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { binary } from '../../scripts/build.ts'
import {
  cleanUp,
  createFolder,
  initDataFolder,
  type RunningServer,
  sendRequest,
  startServer,
} from './cork.ts'

let server: RunningServer
let key: string
const settings = createFolder()

beforeAll(async () => {
  const { data, api_key, team_id } = await initDataFolder()
  key = api_key
  server = await startServer(data)
  const sections = [{ title: 'To do' }, { title: 'Done' }]
  await sendRequest(server.url, key, 'POST', '/api/v1/projects', {
    team_id,
    title: 'Home',
    sections,
  })
  const title = 'Paint the whole of the long garden fence before the winter comes'
  await sendRequest(server.url, key, 'POST', '/api/v1/tasks', { project_id: 1, title })
})

afterAll(async () => {
  await server.end()
  cleanUp()
})

interface TerminalOptions {
  /** Each answer is typed once its question was shown. */
  answers?: [question: string, answer: string][]
  env?: Record<string, string>
  cols?: number
}

/** Runs the executable in a real terminal and returns everything that the terminal showed. */
async function runInTerminal(
  words: string[],
  { answers = [], env = {}, cols = 60 }: TerminalOptions = {},
) {
  let output = ''
  const run = Bun.spawn([binary, ...words], {
    env: { PATH: process.env.PATH, TERM: 'xterm', XDG_CONFIG_HOME: settings, ...env },
    terminal: {
      cols,
      rows: 24,
      data(terminal, bytes) {
        output += new TextDecoder().decode(bytes)
        const [next] = answers
        if (!next || !output.includes(next[0])) return
        answers.shift()
        terminal.write(next[1])
      },
    },
  })
  const code = await run.exited
  return { code, output: output.replaceAll('\r', '') }
}

describe('in a terminal', () => {
  test('cork login asks for the address, shows a code to allow in a browser, and can be stopped', async () => {
    const { code, output } = await runInTerminal(['login'], {
      answers: [
        ['Address of the server', `${server.url}\r`],
        ['Waiting for you to allow it', '\x03'],
      ],
    })
    expect(output).toContain(`${server.url}/device?code=`)
    expect(code).not.toBe(0)
    expect(output).not.toMatch(/\n\s+at /)
    expect((await runInTerminal(['whoami'])).output).toContain('not signed in')
    const login = await runInTerminal(['login', server.url, '--token', key])
    expect(login.output).toContain(`Signed in to ${server.url} as Ada`)
    expect((await runInTerminal(['whoami'])).output).toContain('ada@example.com')
  })

  test('Ctrl-C at a question exits with a message and saves nothing', async () => {
    const env = { XDG_CONFIG_HOME: createFolder() }
    const answers: [string, string][] = [['Address of the server', '\x03']]
    const { code, output } = await runInTerminal(['login'], { answers, env })
    expect([code, output]).toEqual([1, expect.stringContaining('Interrupted before it finished')])
    expect(output).not.toMatch(/\n\s+at /)
    expect((await runInTerminal(['tasks', 'list'], { env })).output).toContain('not signed in')
  })

  test('a table fits the width of the terminal, with bold titles unless NO_COLOR is set', async () => {
    const env = { CORK_URL: server.url, CORK_TOKEN: key }
    const { output } = await runInTerminal(['tasks', 'list'], { env })
    const lines = output.trimEnd().split('\n')
    expect(lines[0]).toStartWith('\x1b[1mKEY')
    expect(lines[1]).toMatch(/^HOM-1 {2}Paint the .*… {2}To do$/)
    for (const line of lines) expect(Bun.stringWidth(line)).toBeLessThanOrEqual(60)
    const wideOutput = await runInTerminal(['tasks', 'list'], {
      env: { ...env, NO_COLOR: '1' },
      cols: 200,
    })
    expect(wideOutput.output).toContain('before the winter comes')
    expect(wideOutput.output).not.toContain('\x1b')
  })

  test('JSON is printed with indentation', async () => {
    const env = { CORK_URL: server.url, CORK_TOKEN: key }
    const { output } = await runInTerminal(['projects', 'list', '--json'], { env })
    expect(output).toContain('\n    "title": "Home",\n')
  })
})
