import { afterAll, expect, test } from 'bun:test'
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { createTemporaryFolder, removeTemporaryFolders, terminal } from '../../support/terminal.ts'
import { answerConsent, oauthWorld } from './oauth-client.ts'

afterAll(removeTemporaryFolders)

const LOCAL = 'http://localhost'

/** A user whose browser answers while the command waits. */
async function newUser(choices: Record<string, string> = {}) {
  const w = await oauthWorld()
  const folder = createTemporaryFolder()
  const addresses: string[] = []
  const t = terminal(w, undefined, {
    env: { XDG_CONFIG_HOME: folder },
    browse: async (url) => void addresses.push(url),
    async sleep(ms) {
      w.clock.advance(ms)
      const { searchParams } = new URL(addresses[0]!)
      const page = await w.browser.post('/device', { code: searchParams.get('code')! })
      await answerConsent(w.browser, page.text, choices)
    },
  })
  const file = join(folder, 'corkboard/logins.json')
  return { w, ...t, addresses, file, saved: () => JSON.parse(readFileSync(file, 'utf8')) }
}

test('cork login opens the browser, and later commands are the person who allowed it', async () => {
  const user = await newUser()
  const { code, out, err } = await user.cork('login', LOCAL)
  expect([code, out]).toEqual([0, 'Signed in to http://localhost as Ada (owner of Harbour)'])
  expect(user.addresses).toEqual([expect.stringMatching(/^http:\/\/localhost\/device\?code=/)])
  expect(err).toContain(user.addresses[0]!)
  expect(statSync(user.file).mode & 0o777).toBe(0o600)
  const { out: whoami } = await user.cork('whoami')
  for (const word of ['Ada', 'ada@example.com', 'with your browser']) expect(whoami).toContain(word)
  expect(err + out + whoami).not.toContain(user.saved().tokens[LOCAL])
})

test('cork login --json prints only JSON on standard output', async () => {
  const user = await newUser()
  expect(JSON.parse((await user.cork('login', LOCAL, '--json')).out)).toEqual({
    url: LOCAL,
    name: 'Ada',
  })
})

test('cork login can sign in as a new agent of the person', async () => {
  const user = await newUser({ who: 'agent', name: 'Lantern' })
  expect((await user.cork('login', LOCAL)).out).toContain('as Lantern, an agent')
})

test('cork login says that the person refused', async () => {
  const user = await newUser({ answer: 'deny' })
  const { code, err } = await user.cork('login', LOCAL)
  expect([code, err]).toEqual([1, expect.stringContaining('refused in the browser')])
  expect(() => user.saved()).toThrow('ENOENT')
})

test('a login is renewed before it expires, and keys created with it outlive its tokens', async () => {
  const user = await newUser()
  await user.cork('login', LOCAL)
  const before = user.saved()
  const { out } = await user.cork('keys', 'create', 'laptop', '--json')
  const { key } = JSON.parse(out)
  user.w.clock.advance(2 * 60 * 60_000)
  const now = Date.now
  Date.now = () => now() + 2 * 60 * 60_000
  try {
    expect((await user.cork('whoami')).out).toContain('Ada')
  } finally {
    Date.now = now
  }
  expect(user.saved().tokens[LOCAL]).not.toBe(before.tokens[LOCAL])
  expect((await user.w.rest(key)).status).toBe(200)
})

test('cork logout revokes the login and everything that was created with it', async () => {
  const user = await newUser()
  await user.cork('login', LOCAL)
  const token = user.saved().tokens[LOCAL]
  const { key } = JSON.parse((await user.cork('keys', 'create', 'laptop', '--json')).out)
  expect((await user.cork('logout')).out).toBe('Signed out of http://localhost')
  expect((await user.w.rest(token)).status).toBe(401)
  expect((await user.w.rest(key)).status).toBe(401)
  expect(user.saved()).toEqual({ tokens: {} })
  expect((await user.w.ada['grants.list']({})).apps).toEqual([])
})

test('a login that was revoked says how to sign in again', async () => {
  const user = await newUser()
  await user.cork('login', LOCAL)
  const [app] = (await user.w.ada['grants.list']({})).apps
  await user.w.ada['grants.revoke']({ grant_id: app!.grant_id })
  const { code, err } = await user.cork('tasks', 'list')
  expect([code, err]).toEqual([1, expect.stringContaining('cork login')])
})

test('a login that cannot be renewed for a moment is not called expired', async () => {
  const user = await newUser()
  await user.cork('login', LOCAL)
  const saved = user.saved()
  const now = Date.now
  Date.now = () => now() + 2 * 60 * 60_000
  try {
    user.io.fetch = async () => new Response('busy', { status: 503 })
    const { code, err } = await user.cork('tasks', 'list')
    expect([code, err]).toEqual([1, expect.stringContaining('could not renew your sign-in')])
    expect(err).not.toContain('expired')
    expect(user.saved()).toEqual(saved)
  } finally {
    Date.now = now
  }
})
