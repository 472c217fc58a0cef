import { afterAll, expect, test } from 'bun:test'
import type { CommandIO } from '../../src/surfaces/cli/io.ts'
import { sweep } from '../terminal.ts'
import { call, data, done, ready, type Turn, talker, text, thread } from './chatting.ts'

afterAll(sweep)

/** A conversation in which these lines are typed. */
function conversing(lines: string[], turns: Turn[], more: Partial<CommandIO> = {}) {
  const pasts: (readonly string[])[] = []
  const t = talker([ready, ...turns], {
    line: async (_, past) => {
      pasts.push([...past])
      return lines.shift()
    },
    ...more,
  })
  return { ...t, pasts }
}

test('cork chat without a message is a conversation in one thread, with an input history', async () => {
  const { cork, heard, pasts } = conversing(
    ['hello', '', '/daily now', '/new', 'else'],
    [
      [thread, text('Hi'), done()],
      [thread, text('Go'), done()],
      [thread, done()],
    ],
  )
  const { code, err } = await cork('chat')
  expect([code, err]).toEqual([0, expect.stringContaining('Chatting with scripted')])
  expect(heard.slice(1).map(({ body }) => body)).toEqual([
    { message: 'hello' },
    { message: '/daily now', thread_id: 7 },
    { message: 'else' },
  ])
  expect(pasts.at(-1)).toEqual(['hello', '/daily now', '/new', 'else'])
})

test('a conversation lists skills and threads, undoes, retries, shows help and survives errors', async () => {
  const skills = data([
    { slug: 'daily', description: 'What is new', enabled: true },
    { slug: 'off', description: 'What is old', enabled: false },
  ])
  const refused = { status: 404, body: { success: false, error: 'x', message: 'No skill /nope' } }
  const undone = (call('two', 'undone') as unknown as { call: object }).call
  const { cork, heard, turns } = conversing(
    [
      '/undo',
      '/retry',
      '/skills',
      '/threads',
      'do',
      '/undo',
      '/retry',
      '/nope',
      '/help',
      '/quit',
      'x',
    ],
    [
      ...[skills, data([{ thread_id: 3, title: 'Old\x1b[2J' }])],
      [thread, call('one', 'done'), call('two', 'done'), call('bad', 'failed'), done()],
      ...[data({ call: undone }), [thread, done('stopped')], refused],
    ],
  )
  const { code, out, err } = await cork('chat')
  expect([code, turns]).toEqual([0, []])
  expect(out).toContain('/daily  What is new')
  expect(out).not.toContain('/off')
  expect(out).toMatch(/3 +Old$/m)
  for (const words of ['Nothing to undo', 'No messages yet', '[undone] Create two'])
    expect(err).toContain(words)
  for (const words of ['was stopped', 'No skill /nope', '/skills']) expect(err).toContain(words)
  expect(heard.map(({ route }) => route)).toEqual([
    ...['GET /api/chat', 'GET /api/v1/skills?limit=100', 'GET /api/chat/threads'],
    ...['POST /api/chat', 'POST /api/chat/threads/7/undo', 'POST /api/chat/threads/7/retry'],
    'POST /api/chat',
  ])
  expect(heard[4]!.body).toEqual({ tool_call_id: 'two' })
})

test('of two skills with the same slug, only the skill of the board is listed', async () => {
  const skill = (description: string) => data([{ slug: 'daily', description, enabled: true }])
  const boards = data([{ project_id: 4, key: 'HOM', title: 'Home' }])
  const lines = ['/skills']
  const { cork, heard } = talker(
    [boards, data([]), ready, skill('My own'), skill('Of the board')],
    { line: async () => lines.shift() },
  )
  const { out } = await cork('chat', '--board', 'HOM')
  expect(heard.at(-1)!.route).toBe('GET /api/v1/projects/4/skills?limit=100')
  expect([out.includes('My own'), out.includes('Of the board')]).toEqual([false, true])
})

test('a conversation does not start if no model is configured', async () => {
  const hint = 'Set CORK_AI_BASE_URL'
  const t = talker([data({ configured: false, provider: null, model: null, hint })], {
    line: () => Promise.reject(new Error('It asked')),
  })
  expect(await t.cork('chat')).toMatchObject({ code: 1, err: expect.stringContaining(hint) })
})
