import { afterAll, describe, expect, test } from 'bun:test'
import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { settingsFolder } from '../../src/surfaces/cli/io.ts'
import { createTemporaryFolder, removeTemporaryFolders, terminal } from '../support/terminal.ts'
import { world } from '../support/world.ts'

afterAll(removeTemporaryFolders)

const LOCAL = 'http://localhost'
const OTHER = 'https://other.example'

/** A user without a server address or a key, neither in the environment nor saved. */
async function newUser(answers: string[] = [], env: Record<string, string> = {}) {
  const w = await world()
  const folder = createTemporaryFolder()
  const questions: [string, boolean | undefined][] = []
  const requests: string[] = []
  const t = terminal(w, undefined, {
    env: { XDG_CONFIG_HOME: folder, ...env },
    input: async () => `${w.ada.secret}\n`,
    ask: async (question, hidden) => {
      questions.push([question, hidden])
      return answers.shift() ?? ''
    },
    fetch: (request) => {
      requests.push(`${new URL(request.url).origin} ${request.headers.get('authorization')}`)
      return w.app.handle(new Request(request.url.replace(OTHER, LOCAL), request))
    },
  })
  const file = join(folder, 'corkboard/logins.json')
  return {
    w,
    ...t,
    questions,
    requests,
    file,
    savedLogins: () => JSON.parse(readFileSync(file, 'utf8')),
  }
}

describe('cork login', () => {
  test('saves the key in a file that only its owner can read, and does not print it', async () => {
    const user = await newUser()
    const { out, err } = await user.cork('login', LOCAL, '--token', '-', '--json')
    expect(JSON.parse(out)).toEqual({ url: LOCAL, name: 'Ada' })
    expect(out + err).not.toContain(user.w.ada.secret)
    expect(statSync(user.file).mode & 0o777).toBe(0o600)
    expect(statSync(join(user.file, '..')).mode & 0o777).toBe(0o700)
    expect(user.savedLogins()).toEqual({ current: LOCAL, tokens: { [LOCAL]: user.w.ada.secret } })
  })

  test('saves nothing that the server refuses, and refuses invalid keys and addresses', async () => {
    const user = await newUser()
    const { code, err } = await user.cork('login', LOCAL, '--token', 'cork_nothing')
    expect([code, err]).toEqual([1, expect.stringContaining('http://localhost/settings/api-keys')])
    expect(() => user.savedLogins()).toThrow('ENOENT')
    for (const token of ['', 'two words', 'naïve']) {
      user.io.input = async () => token
      expect((await user.cork('login', LOCAL, '--token', '-')).code).toBe(2)
    }
    for (const url of ['ftp://localhost', 'http://localhost/?board', 'http://', 'a b'])
      expect((await user.cork('login', url, '--token', '-')).code).toBe(2)
    expect(user.requests).toHaveLength(1)
    user.io.env.CORK_URL = 'localhost/?board'
    expect((await user.cork('whoami')).err).toStartWith('CORK_URL: "localhost/?board" is not')
  })

  test('explains how to pass a key to a server that has no sign-in for programs', async () => {
    const user = await newUser()
    user.io.fetch = async () => new Response('Not found', { status: 404 })
    const { code, err } = await user.cork('login', LOCAL)
    expect([code, err]).toEqual([1, expect.stringContaining('--token -')])
  })

  test('needs the token of an agent to save it as one', async () => {
    const user = await newUser()
    const { code, err } = await user.cork('login', LOCAL, '--agent')
    expect([code, err]).toEqual([2, expect.stringContaining('--token -')])
  })

  test('saves keys of several servers and sends each key only to its own server', async () => {
    const user = await newUser()
    await user.cork('login', LOCAL, '--token', '-')
    user.io.input = async () => user.w.ben.secret
    await user.cork('login', 'other.example', '--token', '-')
    user.requests.length = 0
    expect((await user.cork('whoami')).out).toContain('Ben')
    user.io.env.CORK_URL = LOCAL
    expect((await user.cork('whoami')).out).toContain('Ada')
    expect(user.requests).toEqual([
      `${OTHER} Bearer ${user.w.ben.secret}`,
      `${LOCAL} Bearer ${user.w.ada.secret}`,
    ])
    user.io.env.CORK_URL = 'http://127.0.0.1:1'
    expect((await user.cork('whoami')).err).toContain('not signed in to http://127.0.0.1:1')
  })

  test('is overridden by CORK_TOKEN in the environment', async () => {
    const user = await newUser()
    await user.cork('login', LOCAL, '--token', '-')
    user.io.env.CORK_TOKEN = user.w.bot.secret
    expect((await user.cork('whoami')).out).toContain('Bot, an agent')
    expect((await user.cork('login', LOCAL, '--token', '-')).err).toContain('takes precedence')
  })
})

describe('cork logout', () => {
  test('removes the key and switches to another saved server', async () => {
    const user = await newUser()
    await user.cork('login', LOCAL, '--token', '-')
    await user.cork('login', OTHER, '--token', '-')
    expect(await user.cork('logout')).toMatchObject({ code: 0, out: `Signed out of ${OTHER}` })
    expect(user.savedLogins()).toEqual({ current: LOCAL, tokens: { [LOCAL]: user.w.ada.secret } })
    expect((await user.cork('logout', 'localhost')).code).toBe(0)
    expect(user.savedLogins()).toEqual({ tokens: {} })
    expect(await user.cork('logout')).toMatchObject({
      code: 1,
      err: 'No key is saved for http://127.0.0.1:3210',
    })
  })
})

describe('the file of saved keys', () => {
  test('is reported if it cannot be parsed, and not overwritten', async () => {
    const user = await newUser()
    await user.cork('login', LOCAL, '--token', '-')
    writeFileSync(user.file, '{"current":')
    const { code, err } = await user.cork('tasks', 'list')
    expect([code, err]).toEqual([1, expect.stringContaining(`${user.file} was not written`)])
    expect(err).not.toMatch(/\n\s+at /)
    expect(readFileSync(user.file, 'utf8')).toBe('{"current":')
  })

  test('is in the settings folder of the operating system', () => {
    expect(settingsFolder({ HOME: '/h' }, 'linux')).toBe('/h/.config/corkboard')
    expect(settingsFolder({ HOME: '/h', XDG_CONFIG_HOME: '/x' }, 'darwin')).toBe('/x/corkboard')
    expect(settingsFolder({ APPDATA: '/a' }, 'win32')).toBe('/a/corkboard')
  })
})
