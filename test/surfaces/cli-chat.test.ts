import { afterAll, expect, test } from 'bun:test'
import { removeTemporaryFolders } from '../support/terminal.ts'
import {
  call,
  chatTerminal,
  dataResponse,
  done,
  type Event,
  formatEvent,
  text,
  thread,
  typeAnswers,
} from './chat-terminal.ts'

afterAll(removeTemporaryFolders)

test('cork chat prints the answer to standard output and each call as a line to standard error', async () => {
  const { cork, requests } = chatTerminal([
    [
      thread,
      text('I am '),
      text('on it.'),
      call('one', 'running'),
      call('one', 'done'),
      text('Done'),
      done(),
    ],
  ])
  const { code, out, err } = await cork('chat', 'plan', 'the week', '--task', 'HOM-1')
  expect([code, err]).toEqual([0, '[done] Create one'])
  expect(out.replaceAll('\n', '')).toBe('I am on it.Done')
  expect(out).toContain('\n')
  expect(requests).toMatchObject([
    { route: 'POST /api/chat', body: { message: 'plan the week', task: 'HOM-1' } },
  ])
  expect(requests[0]!.body).not.toHaveProperty('allow_writes')
})

test('--board takes the key of a board and cannot be combined with --thread', async () => {
  const boards = dataResponse([{ project_id: 4, key: 'HOM', title: 'Home' }])
  const { cork, requests } = chatTerminal([boards, dataResponse([]), [thread, done()]])
  expect(await cork('chat', 'hi', '--board', 'hom', '--allow-writes')).toMatchObject({
    code: 0,
    err: '',
  })
  expect(requests.at(-1)!.body).toEqual({ message: 'hi', project_id: 4, allow_writes: true })
  const { code, err } = await cork('chat', 'hi', '--board', 'hom', '--thread', '7')
  expect([code, err]).toEqual([2, expect.stringContaining('--board and --task are only')])
})

test('--thread continues a thread, and - reads the message from standard input', async () => {
  const { cork, requests } = chatTerminal([[thread, done()]], { input: async () => 'Read this\n' })
  expect((await cork('chat', '-', '--thread', '7')).code).toBe(0)
  expect(requests[0]!.body).toEqual({ message: 'Read this\n', thread_id: 7 })
})

test('an empty message, an invalid number or a wrong flag is a usage error and sends nothing', async () => {
  const { cork, requests } = chatTerminal([], { input: async () => ' ' })
  for (const words of [[], ['-'], ['  '], ['hi', '--thread', 'x'], ['hi', '--threat', '1']])
    expect([words, (await cork('chat', ...words)).code]).toEqual([words, 2])
  expect((await cork('chat', 'confirm', 'x', 'y')).code).toBe(2)
  expect((await cork('chat', 'confirm', '7', 'y', '--deny', '--allow-writes')).code).toBe(2)
  expect(requests).toEqual([])
})

test('terminal control characters are removed from the answer and escaped with --json', async () => {
  const hostileText = '\x1b]0;owned\x07\x1b[2J\u009b31m'
  const { cork } = chatTerminal([
    [
      thread,
      text(`a${hostileText}b\r`),
      text('\x1b'),
      text('[31mred'),
      call('x', 'done', { title: `T${hostileText}` }),
      done(),
    ],
    [thread, text(hostileText), done()],
  ])
  const { out, err } = await cork('chat', 'hi')
  expect(out + err).not.toMatch(/(?!\n)\p{Cc}/u)
  expect(out).toContain('ab')
  const json = (await cork('chat', 'hi', '--json')).out
  expect(json).not.toMatch(/(?!\n)\p{Cc}/u)
  expect(JSON.parse(json.split('\n')[1]!)).toEqual(text(hostileText))
})

test('with --json, each event is printed as a line of JSON and no question is asked', async () => {
  const events = [thread, text('Hm'), call('one', 'waiting'), done('waiting')]
  const { cork } = chatTerminal([events], {
    ask: () => Promise.reject(new Error('The command asked a question')),
  })
  const { code, out, err } = await cork('chat', 'hi', '--json')
  expect(out.split('\n').map((line) => JSON.parse(line))).toEqual(events)
  expect([code, JSON.parse(err).message]).toEqual([
    1,
    expect.stringContaining('chat confirm 7 one'),
  ])
})

test('without a terminal, a waiting call exits with status 1 and the command that confirms it', async () => {
  const { cork } = chatTerminal([
    [thread, call('one', 'waiting'), done('waiting')],
    [thread, call('two', 'waiting', { destroys: true }), done('waiting')],
  ])
  const { code, err } = await cork('chat', 'hi')
  expect(code).toBe(1)
  expect(err).toContain(
    '"cork chat confirm 7 one" (--deny declines it), or repeat the command with --allow',
  )
  const second = await cork('chat', 'hi')
  expect(second.err).toContain('"cork chat confirm 7 two" (--deny declines it)')
  expect(second.err).not.toContain('--allow-writes')
})

test('on a terminal, calls are confirmed with yes, no or all, but destructive ones every time', async () => {
  const { ask, questions } = typeAnswers('what?', 'n', 'a', 'a', 'y')
  const waitingCalls = [call('one', 'waiting'), call('two', 'waiting'), call('three', 'waiting')]
  const { cork, requests } = chatTerminal(
    [
      [thread, ...waitingCalls, call('gone', 'waiting', { destroys: true }), done('waiting')],
      [thread, call('one', 'declined'), done('waiting')],
      [thread, call('two', 'done'), done('waiting')],
      [thread, call('three', 'done'), done('waiting')],
      [thread, call('gone', 'done'), text('All done'), done()],
    ],
    { ask },
  )
  const { code, out, err } = await cork('chat', 'hi')
  expect([code, out.trim()]).toEqual([0, 'All done'])
  expect(requests.slice(1)).toMatchObject([
    { route: 'POST /api/chat/threads/7/confirm', body: { tool_call_id: 'one', approve: false } },
    { body: { tool_call_id: 'two', approve: true, allow_writes: true } },
    { body: { tool_call_id: 'three', approve: true } },
    { body: { tool_call_id: 'gone', approve: true } },
  ])
  expect(requests[2 + 1]!.body).not.toHaveProperty('allow_writes')
  // "a" is not offered for a destructive call.
  expect(questions.map((one) => one.includes('/a'))).toEqual([true, true, true, false, false])
  expect(err).toContain('[declined] Create one')
  expect(err).toContain('with {"title":"gone"}')
})

test('a confirmation escapes bidirectional characters and says how much of the input it omits', async () => {
  const { ask, questions } = typeAnswers('n')
  const hostileCall = { title: 'Say \u202ey', input: { title: `\u2066${'x'.repeat(1000)}` } }
  const { cork } = chatTerminal(
    [
      [thread, call('one', 'waiting', hostileCall), done('waiting')],
      [thread, done()],
    ],
    { ask },
  )
  const { err } = await cork('chat', 'hi')
  expect(questions[0]).toContain('Say \\u202ey')
  expect(err).toContain('\\u2066xxx')
  expect(err).toMatch(/x… \d+ more characters/)
})

test('cork chat confirm and retry continue an answer', async () => {
  const { cork, requests } = chatTerminal([
    [thread, call('one', 'done'), text('Made'), done()],
    [thread, call('one', 'declined'), done()],
    [thread, text('Again'), done()],
  ])
  expect(await cork('chat', 'confirm', '7', 'one')).toMatchObject({ code: 0, out: 'Made\n\n' })
  await cork('chat', 'confirm', '7', 'one', '--deny')
  expect((await cork('chat', 'retry', '7')).out).toContain('Again')
  expect(requests.map(({ route, body }) => [route, body])).toEqual([
    ['POST /api/chat/threads/7/confirm', { tool_call_id: 'one', approve: true }],
    ['POST /api/chat/threads/7/confirm', { tool_call_id: 'one', approve: false }],
    ['POST /api/chat/threads/7/retry', {}],
  ])
})

test('an incomplete answer exits with status 1 and prints the reason', async () => {
  const error = { error: 'x', message: 'The model is busy', hint: 'Try again' }
  const endings: [Event, string][] = [
    [done('failed', { trouble: error }), 'The model is busy. Try again'],
    [done('failed'), 'The answer failed'],
    [done('stopped'), 'was stopped'],
    [done('steps'), 'the step limit'],
    [done('tokens'), "cork chat --thread 7 'Go on'"],
  ]
  for (const [end, words] of endings) {
    const { code, err } = await chatTerminal([[thread, text('So'), end]]).cork('chat', 'hi')
    expect([code, err]).toEqual([1, expect.stringContaining(words)])
  }
})

test('a server error is printed with its request id', async () => {
  const body = { success: false, error: 'x', message: 'It broke', request_id: 'abc' }
  const { code, err } = await chatTerminal([{ status: 500, body }]).cork('chat', 'hi')
  expect([code, err]).toEqual([1, 'It broke [request abc]'])
})

test('cork chat prints how to configure a model if the server has none', async () => {
  const hint = 'Set CORK_AI_BASE_URL and CORK_AI_MODEL'
  const body = { success: false, error: 'No model', message: 'No model answers', hint }
  const { code, err } = await chatTerminal([{ status: 503, body }]).cork('chat', 'hi')
  expect([code, err]).toEqual([1, expect.stringContaining(hint)])
})

test('after a lost connection, the same answer is resumed and nothing is printed twice', async () => {
  const connectionLost = Object.assign(new Error('x'), { code: 'ECONNRESET' })
  const { cork, requests, sleeps } = chatTerminal([
    [thread, text('One '), call('one', 'done'), text('tw')],
    connectionLost,
    [thread, text('One two'), call('one', 'done'), text(' three'), done()],
  ])
  const { code, out, err } = await cork('chat', 'hi')
  expect([code, out.replaceAll('\n', '')]).toEqual([0, 'One two three'])
  expect(err.match(/Create one/g)).toHaveLength(1)
  expect(new Set(requests.map(({ key }) => key)).size).toBe(1)
  expect(requests[0]!.key).toBeString()
  expect(sleeps).toEqual([1000, 2000])
})

test('a lost connection is retried four times at most, and a confirmation never', async () => {
  const { cork, requests } = chatTerminal(Array(9).fill('disconnect'))
  const { code, err } = await cork('chat', 'hi')
  expect([code, requests.length]).toEqual([1, 5])
  expect(err).toContain('The answer continues on the server')
  const confirmTerminal = chatTerminal(['disconnect', 'disconnect'])
  expect((await confirmTerminal.cork('chat', 'confirm', '7', 'one')).code).toBe(1)
  expect(confirmTerminal.requests).toHaveLength(1)
  const connectionRefused = Object.assign(new Error('x'), { code: 'ConnectionRefused' })
  expect((await chatTerminal([connectionRefused]).cork('chat', 'hi')).err).toContain(
    'No server answers',
  )
})

test('Ctrl+C stops the answer, and a second Ctrl+C exits', async () => {
  let sendEvents: (events: Event[]) => void = () => {}
  let streamOpened = Promise.withResolvers<void>()
  const { io, requests, interruptListeners, cork } = chatTerminal([])
  io.fetch = async (request) => {
    requests.push({ route: new URL(request.url).pathname, key: null, body: {} })
    if (request.url.endsWith('/stop')) return Response.json({ success: true, data: {} })
    const body = new ReadableStream({
      start(controller) {
        sendEvents = (events) => {
          for (const one of events) controller.enqueue(new TextEncoder().encode(formatEvent(one)))
        }
        sendEvents([thread, text('I go on and')])
        streamOpened.resolve()
      },
    })
    return new Response(body)
  }
  const first = cork('chat', 'hi')
  await streamOpened.promise
  while (!interruptListeners.length) await Bun.sleep(1)
  await Bun.sleep(20)
  interruptListeners[0]!()
  await Bun.sleep(20)
  expect(requests.map(({ route }) => route)).toEqual(['/api/chat', '/api/chat/threads/7/stop'])
  sendEvents([done('stopped')])
  expect(await first).toMatchObject({ code: 1, err: expect.stringContaining('was stopped') })
  expect(interruptListeners).toEqual([])
  streamOpened = Promise.withResolvers()
  const second = cork('chat', 'hi')
  await streamOpened.promise
  await Bun.sleep(20)
  interruptListeners[0]!()
  interruptListeners[0]!()
  expect(await second).toMatchObject({ code: 1, err: expect.stringContaining('Stopped. Messages') })
})

test('cork chat is in the help and in the shell completion', async () => {
  const { cork } = chatTerminal([])
  expect((await cork('--help')).out).toMatch(/chat +Chat with the model.*confirm, retry/)
  expect((await cork('chat', '--help')).out).toContain('--allow-writes')
  const { out } = await cork('completion', 'bash')
  expect(out).toMatch(/"chat"\) offers="[^"]*confirm[^"]*retry/)
  expect(out).toMatch(/"chat"\) offers="--board --task --thread --allow-writes --json --help"/)
})
