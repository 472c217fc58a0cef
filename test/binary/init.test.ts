import { afterAll, describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import pkg from '../../package.json'
import { cleanUp, cork, createFolder, sendRequest, startServer } from './cork.ts'

afterAll(cleanUp)

const ownerFlags = ['--email', 'ada@example.com', '--name', 'Ada', '--team', 'Harbour']

describe('cork init', () => {
  test('prints working credentials, and a second init is refused', async () => {
    const data = join(createFolder(), 'data')
    const first = await cork(['init', ...ownerFlags, '--json', '--data', data])
    expect([first.code, first.err]).toEqual([0, ''])
    const credentials = JSON.parse(first.out)
    expect(Object.keys(credentials)).toEqual(['user_id', 'team_id', 'api_key', 'mcp_token'])
    const second = await cork(['init', ...ownerFlags, '--json', '--data', data])
    expect([second.code, second.out]).toEqual([1, ''])
    expect(second.err).toContain('already set up')

    const server = await startServer(data)
    expect(server.out()).not.toContain('/setup')
    for (const secret of [credentials.api_key, credentials.mcp_token]) {
      const { status, body } = await sendRequest(server.url, secret, 'GET', '/api/v1/user/context')
      expect([status, body.data.profile.user_id]).toEqual([200, credentials.user_id])
    }
    expect(await server.end()).toBe(0)
  })

  test('reads the password from standard input, and sign-in accepts only that one', async () => {
    const data = join(createFolder(), 'data')
    const input = 'correct horse battery\n'
    const result = await cork(['init', ...ownerFlags, '--password-stdin', '--data', data], {
      input,
    })
    expect([result.code, result.err]).toEqual([0, ''])
    expect(result.out).toContain('cork_')
    expect(result.out).not.toContain('correct horse')
    const server = await startServer(data)
    const signIn = (password: string) =>
      fetch(`${server.url}/sign-in`, {
        method: 'POST',
        redirect: 'manual',
        headers: { origin: server.url, 'sec-fetch-site': 'same-origin' },
        body: new URLSearchParams({ email: 'ada@example.com', password }),
      })
    expect((await signIn('correct horse battery')).headers.getSetCookie().join()).toContain(
      'cork_session=',
    )
    expect((await signIn('wrong horse battery')).headers.getSetCookie().join()).not.toContain(
      'cork_session=',
    )
    expect(await server.end()).toBe(0)
  })

  test('refuses invalid input and leaves the folder ready for another attempt', async () => {
    const data = ['--data', join(createFolder(), 'data')]
    const short = await cork(['init', ...ownerFlags, '--password-stdin', ...data], {
      input: 'short',
    })
    expect([short.code, short.out]).toEqual([1, ''])
    expect(short.err).toContain('10')
    const none = await cork(['init', ...ownerFlags, '--password-stdin', ...data])
    expect([none.code, none.err]).toEqual([2, expect.stringContaining('standard input is empty')])
    const invalid = await cork(['init', '--email', 'ada', '--name', 'A', '--team', 'T', ...data])
    expect([invalid.code, invalid.err]).toEqual([
      1,
      expect.stringContaining('email must look like'),
    ])
    expect((await cork(['init', ...ownerFlags, ...data])).code).toBe(0)
  })
})

describe('cork', () => {
  test('prints its version and its commands', async () => {
    expect(await cork(['--version'])).toEqual({ out: `${pkg.version}\n`, err: '', code: 0 })
    const help = await cork(['--help'])
    expect([help.code, help.err]).toEqual([0, ''])
    for (const command of ['serve', 'init']) {
      expect(help.out).toContain(`  ${command} `)
      const { out, code } = await cork([command, '--help'])
      expect([code, out]).toEqual([0, expect.stringContaining('--data DIR')])
    }
  })

  test('exits with 2 on wrong usage and prints the cause or the nearest name', async () => {
    const cases: [string[], string][] = [
      [[], 'Usage: cork <command>'],
      [['serv'], 'did you mean "cork serve"?'],
      [['constructor'], 'There is no command "constructor"'],
      [['serve', '--prot', '1'], 'did you mean --port?'],
      [['serve', '--port'], '--port needs a value'],
      [['serve', '--demo=yes'], '--demo takes no value'],
      [['serve', 'here'], 'takes no argument "here"'],
      [['serve', '--toString'], 'has no flag --toString'],
      [['init', '--name', 'Ada'], 'needs --email, --team'],
    ]
    for (const [args, message] of cases) {
      const { out, err, code } = await cork(args)
      expect([args, code, out]).toEqual([args, 2, ''])
      expect(err).toContain(message)
    }
  })
})
