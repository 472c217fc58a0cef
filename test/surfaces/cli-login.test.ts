import { afterAll, describe, expect, test } from 'bun:test'
import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { settingsFolder } from '../../src/surfaces/cli/io.ts'
import { settings, sweep, terminal } from '../terminal.ts'
import { world } from '../world.ts'

afterAll(sweep)

const HERE = 'http://localhost'
const THERE = 'https://other.example'

/** Somebody new, with no address and no key, neither in the environment nor saved. */
async function stranger(typed: string[] = [], env: Record<string, string> = {}) {
  const w = await world()
  const folder = settings()
  const asked: [string, boolean | undefined][] = []
  const seen: string[] = []
  const t = terminal(w, undefined, {
    env: { XDG_CONFIG_HOME: folder, ...env },
    input: async () => `${w.ada.secret}\n`,
    ask: async (question, hidden) => {
      asked.push([question, hidden])
      return typed.shift() ?? ''
    },
    fetch: (request) => {
      seen.push(`${new URL(request.url).origin} ${request.headers.get('authorization')}`)
      return w.app.handle(new Request(request.url.replace(THERE, HERE), request))
    },
  })
  const file = join(folder, 'corkboard/logins.json')
  return { w, ...t, asked, seen, file, kept: () => JSON.parse(readFileSync(file, 'utf8')) }
}

describe('cork login', () => {
  test('asks for the address and, with hidden input, for the key, and then whoami works', async () => {
    const s = await stranger(['localhost'])
    s.outside.ask = async (question, hidden) => {
      s.asked.push([question, hidden])
      return hidden ? s.w.ada.secret : 'localhost'
    }
    const { code, out } = await s.cork('login')
    expect([code, out]).toEqual([0, 'Signed in to http://localhost as Ada (owner of Harbour)'])
    expect(s.asked.map(([question]) => question)).toEqual([
      'Address of the server [http://127.0.0.1:3210]: ',
      'API key, created at http://localhost/settings/api-keys (input is hidden): ',
    ])
    expect(s.asked.map(([, hidden]) => hidden)).toEqual([undefined, true])
    const { out: told } = await s.cork('whoami')
    for (const word of ['Ada', 'ada@example.com', HERE, 'an API key', 'HP (Home page)'])
      expect(told).toContain(word)
  })

  test('saves the key in a file that only its owner can read, and does not print it', async () => {
    const s = await stranger()
    const { out, err } = await s.cork('login', HERE, '--token', '-', '--json')
    expect(JSON.parse(out)).toEqual({ url: HERE, name: 'Ada' })
    expect(out + err).not.toContain(s.w.ada.secret)
    expect(statSync(s.file).mode & 0o777).toBe(0o600)
    expect(statSync(join(s.file, '..')).mode & 0o777).toBe(0o700)
    expect(s.kept()).toEqual({ current: HERE, tokens: { [HERE]: s.w.ada.secret } })
  })

  test('saves nothing that the server refuses, and refuses invalid keys and addresses', async () => {
    const s = await stranger()
    const { code, err } = await s.cork('login', HERE, '--token', 'cork_nothing')
    expect([code, err]).toEqual([1, expect.stringContaining('http://localhost/settings/api-keys')])
    expect(() => s.kept()).toThrow('ENOENT')
    for (const token of ['', 'two words', 'naïve']) {
      s.outside.input = async () => token
      expect((await s.cork('login', HERE, '--token', '-')).code).toBe(2)
    }
    for (const url of ['ftp://localhost', 'http://localhost/board', 'http://', 'a b'])
      expect((await s.cork('login', url, '--token', '-')).code).toBe(2)
    expect(s.seen).toHaveLength(1)
    s.outside.env.CORK_URL = 'localhost/board'
    expect((await s.cork('whoami')).err).toStartWith('CORK_URL: "localhost/board" is not')
  })

  test('tells how to pass the key if there is no terminal', async () => {
    const s = await stranger()
    s.outside.ask = undefined
    const { code, err } = await s.cork('login', HERE)
    expect([code, err]).toEqual([2, expect.stringContaining('--token -')])
  })

  test('saves keys of several servers and sends each key only to its own server', async () => {
    const s = await stranger()
    await s.cork('login', HERE, '--token', '-')
    s.outside.input = async () => s.w.ben.secret
    await s.cork('login', 'other.example', '--token', '-')
    s.seen.length = 0
    expect((await s.cork('whoami')).out).toContain('Ben')
    s.outside.env.CORK_URL = HERE
    expect((await s.cork('whoami')).out).toContain('Ada')
    expect(s.seen).toEqual([
      `${THERE} Bearer ${s.w.ben.secret}`,
      `${HERE} Bearer ${s.w.ada.secret}`,
    ])
    s.outside.env.CORK_URL = 'http://127.0.0.1:1'
    expect((await s.cork('whoami')).err).toContain('not signed in to http://127.0.0.1:1')
  })

  test('is overridden by CORK_TOKEN in the environment', async () => {
    const s = await stranger()
    await s.cork('login', HERE, '--token', '-')
    s.outside.env.CORK_TOKEN = s.w.bot.secret
    expect((await s.cork('whoami')).out).toContain('Bot, an agent')
    expect((await s.cork('login', HERE, '--token', '-')).err).toContain('takes precedence')
  })
})

describe('cork logout', () => {
  test('removes the key and switches to another saved server', async () => {
    const s = await stranger()
    await s.cork('login', HERE, '--token', '-')
    await s.cork('login', THERE, '--token', '-')
    expect(await s.cork('logout')).toMatchObject({ code: 0, out: `Signed out of ${THERE}` })
    expect(s.kept()).toEqual({ current: HERE, tokens: { [HERE]: s.w.ada.secret } })
    expect((await s.cork('logout', 'localhost')).code).toBe(0)
    expect(s.kept()).toEqual({ tokens: {} })
    expect(await s.cork('logout')).toMatchObject({
      code: 1,
      err: 'No key is saved for http://127.0.0.1:3210',
    })
  })
})

describe('the file of saved keys', () => {
  test('is reported if it cannot be parsed, and not overwritten', async () => {
    const s = await stranger()
    await s.cork('login', HERE, '--token', '-')
    writeFileSync(s.file, '{"current":')
    const { code, err } = await s.cork('tasks', 'list')
    expect([code, err]).toEqual([1, expect.stringContaining(`${s.file} was not written`)])
    expect(err).not.toMatch(/\n\s+at /)
    expect(readFileSync(s.file, 'utf8')).toBe('{"current":')
  })

  test('is in the settings folder of the operating system', () => {
    expect(settingsFolder({ HOME: '/h' }, 'linux')).toBe('/h/.config/corkboard')
    expect(settingsFolder({ HOME: '/h', XDG_CONFIG_HOME: '/x' }, 'darwin')).toBe('/x/corkboard')
    expect(settingsFolder({ APPDATA: '/a' }, 'win32')).toBe('/a/corkboard')
  })
})
