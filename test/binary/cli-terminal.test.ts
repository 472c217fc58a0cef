import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { binary } from '../../scripts/build.ts'
import { ask, folder, initiated, type Serving, serving, sweep } from './cork.ts'

let server: Serving
let key: string
const settings = folder()

beforeAll(async () => {
  const { data, api_key, team_id } = await initiated()
  key = api_key
  server = await serving(data)
  const sections = [{ title: 'To do' }, { title: 'Done' }]
  await ask(server.url, key, 'POST', '/api/v1/projects', { team_id, title: 'Home', sections })
  const title = 'Paint the whole of the long garden fence before the winter comes'
  await ask(server.url, key, 'POST', '/api/v1/tasks', { project_id: 1, title })
}, 30_000)

afterAll(async () => {
  await server.end()
  sweep()
})

interface Typed {
  /** Each answer is typed once its question was shown. */
  answers?: [question: string, answer: string][]
  env?: Record<string, string>
  cols?: number
}

/** Runs the executable in a real terminal and returns everything that the terminal showed. */
async function seated(words: string[], { answers = [], env = {}, cols = 60 }: Typed = {}) {
  let shown = ''
  const run = Bun.spawn([binary, ...words], {
    env: { PATH: process.env.PATH, TERM: 'xterm', XDG_CONFIG_HOME: settings, ...env },
    terminal: {
      cols,
      rows: 24,
      data(terminal, bytes) {
        shown += new TextDecoder().decode(bytes)
        const [next] = answers
        if (!next || !shown.includes(next[0])) return
        answers.shift()
        terminal.write(next[1])
      },
    },
  })
  const code = await run.exited
  return { code, shown: shown.replaceAll('\r', '') }
}

describe('in a terminal', () => {
  test('cork login asks for the address and the key, and never shows the typed key', async () => {
    const { code, shown } = await seated(['login'], {
      answers: [
        ['Address of the server', `${server.url}\r`],
        ['is hidden', `${key}\r`],
      ],
    })
    expect(shown).toContain(`Signed in to ${server.url} as Ada`)
    expect(code).toBe(0)
    expect(shown).not.toContain(key.slice(0, 10))
    const { shown: self } = await seated(['whoami'])
    expect(self).toContain('ada@example.com')
  })

  test('Ctrl-C at a question exits with a message and saves nothing', async () => {
    const env = { XDG_CONFIG_HOME: folder() }
    const answers: [string, string][] = [['Address of the server', '\x03']]
    const { code, shown } = await seated(['login'], { answers, env })
    expect([code, shown]).toEqual([1, expect.stringContaining('Interrupted before it finished')])
    expect(shown).not.toMatch(/\n\s+at /)
    expect((await seated(['tasks', 'list'], { env })).shown).toContain('not signed in')
  })

  test('a table fits the width of the terminal, with bold titles unless NO_COLOR is set', async () => {
    const env = { CORK_URL: server.url, CORK_TOKEN: key }
    const { shown } = await seated(['tasks', 'list'], { env })
    const lines = shown.trimEnd().split('\n')
    expect(lines[0]).toStartWith('\x1b[1mKEY')
    expect(lines[1]).toMatch(/^HOM-1 {2}Paint the .*… {2}To do$/)
    for (const line of lines) expect(Bun.stringWidth(line)).toBeLessThanOrEqual(60)
    const wide = await seated(['tasks', 'list'], { env: { ...env, NO_COLOR: '1' }, cols: 200 })
    expect(wide.shown).toContain('before the winter comes')
    expect(wide.shown).not.toContain('\x1b')
  })

  test('JSON is printed with indentation', async () => {
    const env = { CORK_URL: server.url, CORK_TOKEN: key }
    const { shown } = await seated(['projects', 'list', '--json'], { env })
    expect(shown).toContain('\n    "title": "Home",\n')
  })
})
