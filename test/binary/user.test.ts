import { afterAll, describe, expect, test } from 'bun:test'
import { onPostgres } from '../support/postgres.ts'
import { cleanUp, sendRequest } from './cork.ts'
import { createInstallation } from './installation.ts'

afterAll(cleanUp)

const ben = ['--email', 'Ben@example.com', '--name', 'Ben', '--team', 'harbour']
const board = { title: 'Garden', sections: [{ title: 'Open' }, { title: 'Done' }] }

async function startWithOwner() {
  const installation = await createInstallation()
  const credentials = await installation.init()
  const server = await installation.serve()
  const statusFor = async (
    secret: string,
    method = 'GET',
    path = '/api/v1/user/context',
    body?: object,
  ) => (await sendRequest(server.url, secret, method, path, body)).status
  /** The cookies of a browser after signing in; empty if it was refused. */
  const signIn = async (email: string, password: string) => {
    const response = await fetch(`${server.url}/sign-in`, {
      method: 'POST',
      redirect: 'manual',
      headers: { origin: server.url, 'sec-fetch-site': 'same-origin' },
      body: new URLSearchParams({ email, password }),
    })
    return response.headers
      .getSetCookie()
      .map((cookie) => cookie.split(';')[0])
      .join('; ')
  }
  return { ...installation, ...credentials, server, statusFor, signIn }
}

describe('while a server runs', () => {
  test('the key, token and password of an added person work at once', async () => {
    const { runJson: json, statusFor, signIn, server, api_key } = await startWithOwner()
    const args = ['user', 'add', ...ben, '--role', 'member', '--password-stdin']
    const added = await json(args, 'three blind mice\n')
    expect(Object.keys(added)).toEqual(['user_id', 'api_key', 'mcp_token'])
    for (const secret of [added.api_key, added.mcp_token]) expect(await statusFor(secret)).toBe(200)
    expect(await signIn('ben@example.com', 'three blind mice')).toContain('session')
    const users = await json(['user', 'list'])
    expect(users.map(({ email }: { email: string }) => email)).toEqual([
      'ada@example.com',
      'ben@example.com',
    ])
    expect(users[1]).toMatchObject({
      has_password: true,
      teams: [{ team: 'Harbour', role: 'member' }],
    })
    const { body } = await sendRequest(server.url, api_key, 'GET', '/api/v1/teams/1/members')
    expect(JSON.stringify(body)).toContain('ben@example.com')
    expect(await server.end()).toBe(0)
  })

  test('a recovery link signs in once, and an erased account signs in no more', async () => {
    const { runJson: json, run, statusFor, signIn, server } = await startWithOwner()
    const args = ['user', 'add', ...ben, '--role', 'member', '--password-stdin']
    const { api_key } = await json(args, 'three blind mice\n')
    const { link } = await json(['user', 'recover', '--email', 'ben@example.com'])
    expect(link).toStartWith(`${server.url}/sign-in/password/`)
    const setPassword = () =>
      fetch(link, {
        method: 'POST',
        redirect: 'manual',
        headers: { origin: server.url, 'sec-fetch-site': 'same-origin' },
        body: new URLSearchParams({ password: 'four sighted mice' }),
      })
    expect((await setPassword()).headers.getSetCookie().join()).toContain('cork_session=')
    expect((await setPassword()).status).toBe(404)
    expect(await statusFor(api_key)).toBe(200)
    expect(await signIn('ben@example.com', 'four sighted mice')).toContain('session')

    const erase = ['user', 'erase', '--email', 'ben@example.com']
    expect((await run(erase)).err).toContain('Add --yes to confirm')
    await json([...erase, '--yes'])
    expect(await statusFor(api_key)).toBe(401)
    expect(await signIn('ben@example.com', 'four sighted mice')).toBe('')
    const users = JSON.stringify(await json(['user', 'list']))
    expect(users).toContain('Former member')
    expect(users).not.toContain('ben@example.com')
    expect(await server.end()).toBe(0)
  })

  test('a changed role applies at once, and the only owner keeps the role', async () => {
    const { runJson: json, run, statusFor, server, team_id } = await startWithOwner()
    const { api_key } = await json(['user', 'add', ...ben, '--role', 'guest'])
    const createBoard = () => statusFor(api_key, 'POST', '/api/v1/projects', { ...board, team_id })
    expect(await createBoard()).toBe(403)
    const roleCommand = ['user', 'role', '--email', 'ben@example.com', '--team', String(team_id)]
    expect(await json([...roleCommand, '--role', 'member'])).toMatchObject({ was: 'guest' })
    expect(await createBoard()).toBe(201)
    const lastOwner = ['user', 'role', '--email', 'ada@example.com', '--team', 'Harbour']
    const { code, err } = await run([...lastOwner, '--role', 'guest'])
    expect([code, err]).toEqual([1, expect.stringContaining('the only owner')])
    expect(await server.end()).toBe(0)
  })

  test('a revoked key is refused, and a new key or token works', async () => {
    const { runJson: json, run, statusFor, server, api_key } = await startWithOwner()
    expect(await statusFor(api_key)).toBe(200)
    const before = await json(['token', 'list', '--user', 'ada@example.com'])
    const key = before.find(({ kind }: { kind: string }) => kind === 'key')
    expect(JSON.stringify(before)).not.toContain(api_key)
    await json(['token', 'revoke', String(key.credential_id)])
    expect(await statusFor(api_key)).toBe(401)
    const again = await run(['token', 'revoke', String(key.credential_id)])
    expect([again.code, again.err]).toEqual([1, expect.stringContaining('cork token list')])
    for (const kind of ['key', 'token']) {
      const created = await json(['token', 'create', '--user', 'ada@example.com', '--kind', kind])
      expect(await statusFor(created.secret)).toBe(200)
    }
    expect(await server.end()).toBe(0)
  })

  test('an agent is created, revoked, and enabled again with a new token', async () => {
    const { runJson: json, run, statusFor, server } = await startWithOwner()
    const agent = await json(['agent', 'create', '--name', 'Scout', '--team', 'Harbour'])
    // On PostgreSQL the command does not know the server's address and uses the default.
    const address = onPostgres ? 'http://127.0.0.1:3210' : server.url
    expect(agent.client_configuration.url).toBe(`${address}/mcp`)
    expect(await statusFor(agent.token)).toBe(200)
    expect(await json(['agent', 'list'])).toMatchObject([
      { name: 'Scout', agent_id: agent.agent_id, owner: 'ada@example.com', state: 'active' },
    ])
    expect(await json(['agent', 'revoke', 'scout'])).toMatchObject({ revoked: 1 })
    expect(await statusFor(agent.token)).toBe(401)
    const result = await run(['token', 'create', '--agent', 'scout'])
    expect([result.code, result.err]).toEqual([1, expect.stringContaining('cork agent enable')])
    const enabled = await json(['agent', 'enable', 'scout'])
    expect(await statusFor(enabled.token)).toBe(200)
    const another = await json(['token', 'create', '--agent', agent.agent_id])
    expect(await statusFor(another.secret)).toBe(200)
    expect(await statusFor(enabled.token)).toBe(200)
    expect(await server.end()).toBe(0)
  })

  test('an owner without a password gets one, and changing it ends the sessions', async () => {
    const { run, signIn, server } = await startWithOwner()
    const passwordCommand = ['user', 'password', '--email', 'ada@example.com', '--password-stdin']
    expect(await signIn('ada@example.com', 'correct horse battery')).toBe('')
    expect((await run(passwordCommand, { input: 'correct horse battery' })).code).toBe(0)
    const cookie = await signIn('ada@example.com', 'correct horse battery')
    const sessionStatus = async () =>
      (await fetch(`${server.url}/api/session/verify`, { headers: { cookie } })).status
    expect(await sessionStatus()).toBe(200)
    expect((await run(passwordCommand, { input: 'three blind mice' })).code).toBe(0)
    expect(await sessionStatus()).toBe(401)
    const short = await run(passwordCommand, { input: 'short' })
    expect([short.code, short.err]).toEqual([1, expect.stringContaining('at least 10')])
    expect(await server.end()).toBe(0)
  })

  test('adding a person is recorded in the change log with their user id', async () => {
    const { runJson: json, server, api_key } = await startWithOwner()
    const { user_id } = await json(['user', 'add', ...ben, '--role', 'admin'])
    const stream = await fetch(`${server.url}/api/v1/events`, {
      headers: { authorization: `Bearer ${api_key}`, 'last-event-id': '0' },
    })
    let text = ''
    const decoder = new TextDecoder()
    for await (const chunk of stream.body!) {
      text += decoder.decode(chunk)
      if (text.includes('member.added')) break
    }
    expect(text).toContain(`"user_id":${user_id}`)
    expect(await server.end()).toBe(0)
  })
})

describe('an error says what to do about', () => {
  const add = ['user', 'add', ...ben, '--role', 'member']
  test('an existing person, an unknown team, role, person or agent, and a missing flag', async () => {
    const { run, init } = await createInstallation()
    await init()
    expect((await run(add)).code).toBe(0)
    const cases: [string[], number, string][] = [
      [add, 1, 'cork user role'],
      [
        ['user', 'add', ...ben.slice(0, 4), '--team', 'Nowhere', '--role', 'guest'],
        1,
        'Harbour (1)',
      ],
      [['user', 'add', ...ben, '--role', 'membr'], 2, 'did you mean member?'],
      [['user', 'add', ...ben], 2, '--role'],
      [['user', 'password', '--email', 'x@example.com'], 2, '--password-stdin'],
      [
        ['user', 'role', '--email', 'x@example.com', '--team', '1', '--role', 'guest'],
        1,
        'user list',
      ],
      [['token', 'create'], 2, '--user'],
      [['agent', 'revoke', 'Nobody'], 1, 'cork agent list'],
    ]
    for (const [args, exit, message] of cases) {
      const { code, err } = await run(args)
      expect([args, code, err]).toEqual([args, exit, expect.stringContaining(message)])
      expect(err).not.toMatch(/\n\s+at /)
    }
  })

  test('missing data', async () => {
    const { run } = await createInstallation()
    const { code, err } = await run(['user', 'list'])
    expect([code, err]).toEqual([1, expect.stringContaining('cork init')])
  })
})
