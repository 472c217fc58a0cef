import { afterAll, expect, test } from 'bun:test'
import type { CommandIO } from '../../src/surfaces/cli/io.ts'
import { removeTemporaryFolders } from '../support/terminal.ts'
import {
  call,
  chatTerminal,
  dataResponse,
  done,
  readyResponse,
  type ScriptedResponse,
  text,
  thread,
} from './chat-terminal.ts'

afterAll(removeTemporaryFolders)

/** A conversation in which the user types these lines. */
function startConversation(
  lines: string[],
  responses: ScriptedResponse[],
  overrides: Partial<CommandIO> = {},
) {
  const histories: (readonly string[])[] = []
  const chat = chatTerminal([readyResponse, ...responses], {
    line: async (_, history) => {
      histories.push([...history])
      return lines.shift()
    },
    ...overrides,
  })
  return { ...chat, histories }
}

test('cork chat without a message is a conversation in one thread, with an input history', async () => {
  const { cork, requests, histories } = startConversation(
    ['hello', '', '/daily now', '/new', 'else'],
    [
      [thread, text('Hi'), done()],
      [thread, text('Go'), done()],
      [thread, done()],
    ],
  )
  const { code, err } = await cork('chat')
  expect([code, err]).toEqual([0, expect.stringContaining('Chatting with scripted')])
  expect(requests.slice(1).map(({ body }) => body)).toEqual([
    { message: 'hello' },
    { message: '/daily now', thread_id: 7 },
    { message: 'else' },
  ])
  expect(histories.at(-1)).toEqual(['hello', '/daily now', '/new', 'else'])
})

test('a conversation lists skills and threads, undoes, retries, shows help and survives errors', async () => {
  const skills = dataResponse([
    { slug: 'daily', description: 'What is new', enabled: true },
    { slug: 'off', description: 'What is old', enabled: false },
  ])
  const refusal = { status: 404, body: { success: false, error: 'x', message: 'No skill /nope' } }
  const undone = (call('two', 'undone') as unknown as { call: object }).call
  const { cork, requests, responses } = startConversation(
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
      ...[skills, dataResponse([{ thread_id: 3, title: 'Old\x1b[2J' }])],
      [thread, call('one', 'done'), call('two', 'done'), call('bad', 'failed'), done()],
      ...[dataResponse({ call: undone }), [thread, done('stopped')], refusal],
    ],
  )
  const { code, out, err } = await cork('chat')
  expect([code, responses]).toEqual([0, []])
  expect(out).toContain('/daily  What is new')
  expect(out).not.toContain('/off')
  expect(out).toMatch(/3 +Old$/m)
  for (const words of ['Nothing to undo', 'No messages yet', '[undone] Create two'])
    expect(err).toContain(words)
  for (const words of ['was stopped', 'No skill /nope', '/skills']) expect(err).toContain(words)
  expect(requests.map(({ route }) => route)).toEqual([
    ...['GET /api/chat', 'GET /api/v1/skills?limit=100', 'GET /api/chat/threads'],
    ...['POST /api/chat', 'POST /api/chat/threads/7/undo', 'POST /api/chat/threads/7/retry'],
    'POST /api/chat',
  ])
  expect(requests[4]!.body).toEqual({ tool_call_id: 'two' })
})

test('of two skills with the same slug, only the skill of the board is listed', async () => {
  const skill = (description: string) =>
    dataResponse([{ slug: 'daily', description, enabled: true }])
  const boards = dataResponse([{ project_id: 4, key: 'HOM', title: 'Home' }])
  const lines = ['/skills']
  const { cork, requests } = chatTerminal(
    [boards, dataResponse([]), readyResponse, skill('My own'), skill('Of the board')],
    { line: async () => lines.shift() },
  )
  const { out } = await cork('chat', '--board', 'HOM')
  expect(requests.at(-1)!.route).toBe('GET /api/v1/projects/4/skills?limit=100')
  expect([out.includes('My own'), out.includes('Of the board')]).toEqual([false, true])
})

test('a conversation does not start if no model is configured', async () => {
  const hint = 'Set CORK_AI_BASE_URL'
  const chat = chatTerminal(
    [dataResponse({ configured: false, provider: null, model: null, hint })],
    {
      line: () => Promise.reject(new Error('The command asked a question')),
    },
  )
  expect(await chat.cork('chat')).toMatchObject({ code: 1, err: expect.stringContaining(hint) })
})
