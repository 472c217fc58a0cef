import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { noModel, openModel } from '../../src/ai/index.ts'
import { type Answer, models } from './models.ts'
import { ask, PROTOCOLS } from './turns.ts'

const KEY = 'sk-cork-very-secret'
const service = models({ key: KEY })
afterAll(() => service.stop())
// Loads the SDKs first, so that the first timed test does not wait for them.
beforeAll(() =>
  Promise.all([import('ai'), import('@ai-sdk/anthropic'), import('@ai-sdk/openai-compatible')]),
)

const list = { tool: 'tasks_list', input: {} }
const limits = { retryPause: 1, first: 400, idle: 200, step: 2000, maxPause: 5000 }
const STREAM = { 'content-type': 'text/event-stream' }
const page = (status = 200, headers: Record<string, string> = {}) =>
  new Response('<html>Welcome</html>', {
    status,
    headers: { 'content-type': 'text/html', ...headers },
  })

/**
 * A lasting failure: what the service does, the answer, the error, parts of its message and hint,
 * and the number of requests.
 */
const lasting: [string, Answer, string, string, string, number][] = [
  ['refuses the key', { status: 401 }, 'Key refused', '(401)', 'CORK_AI_API_KEY', 1],
  ['forbids it', { status: 403 }, 'Key refused', '(403)', 'CORK_AI_API_KEY', 1],
  ['does not know the model', { status: 404 }, 'Model unknown', '(404)', 'CORK_AI_MODEL', 1],
  [
    'takes no tools',
    { status: 400, message: 'tiny does not support tools' },
    'Question refused',
    'tiny does not support tools',
    'CORK_AI_MODEL can call tools',
    1,
  ],
  [
    'finds it too long',
    { status: 400, message: 'maximum context length is 8192 tokens' },
    'Too long',
    '8192',
    'Start a new thread',
    1,
  ],
  ['asks to wait', { status: 429 }, 'Model busy', '(429)', 'Try again in a moment', 4],
  [
    'asks to wait longer than anybody would',
    { status: 429, retryAfter: 3600 },
    'Model busy',
    '(429)',
    'Try again in 3600 s',
    1,
  ],
  [
    'has no more to give',
    { status: 429, message: 'You exceeded your current quota' },
    'Model busy',
    'quota',
    'the account that CORK_AI_API_KEY belongs to',
    1,
  ],
  ['breaks', { status: 500 }, 'Model in trouble', '(500)', 'Try again', 4],
  ['is overloaded', { status: 529 }, 'Model in trouble', '(529)', 'Try again', 4],
  [
    'is a page',
    { response: page() },
    'Not a model',
    'responds with text/html',
    'CORK_AI_BASE_URL',
    1,
  ],
  [
    'says with a 200 that it knows no such address',
    { response: Response.json({ error: 'Unexpected endpoint or method' }) },
    'Not a model',
    'Unexpected endpoint',
    'CORK_AI_BASE_URL',
    1,
  ],
  [
    'is none that can be read',
    { response: new Response('data: {"choices": 7, "type": "none"}\n\n', { headers: STREAM }) },
    'Not a model',
    'its response cannot be parsed',
    'CORK_AI_PROVIDER',
    1,
  ],
  ['says nothing', {}, 'Empty answer', 'empty', 'rephrase', 4],
  [
    'breaks off at once',
    { breaksDown: 'Overloaded' },
    'Model in trouble',
    'Overloaded',
    'Try again',
    4,
  ],
  ['cuts the line at once', { cut: 'breaks' }, 'Answer cut off', 'lost', 'is kept', 4],
  ['closes the line at once', { cut: 'ends' }, 'Answer cut off', 'lost', 'is kept', 4],
  [
    'cuts the line in a call',
    { calls: [list], cut: 'breaks' },
    'Answer cut off',
    'lost',
    'is kept',
    4,
  ],
  ['is silent', { text: 'Late', waitMs: 600 }, 'Model silent', 'for 1 s', 'CORK_AI_MODEL', 1],
]

describe.each(PROTOCOLS)('with the %s protocol', (provider) => {
  const ai = openModel(service.endpoint(provider), limits)

  test.each(lasting)(
    'the turn fails with an error and a hint if the service %s',
    async (_, answer, error, words, hint, times) => {
      service.play(() => answer)
      const told = await ask(ai)
      expect(told).toMatchObject({ reason: 'failed', text: '', made: [], trouble: { error } })
      expect(told.trouble?.message).toContain(words)
      expect(told.trouble?.hint).toContain(hint)
      expect(JSON.stringify(told)).not.toContain(KEY)
      expect(service.asked).toHaveLength(times)
    },
  )

  const passing: Answer[] = [
    { status: 429, retryAfter: 0 },
    { status: 503 },
    { breaksDown: 'Overloaded' },
    { cut: 'breaks' },
    { thoughts: 'Hm, hm', cut: 'ends' },
    { calls: [list], cut: 'breaks' },
    {},
  ]
  test.each(passing)('a temporary failure is retried and not reported: %j', async (answer) => {
    service.play([answer, { calls: [list] }, answer, { text: 'Here.' }])
    const told = await ask(ai)
    // After a call, an empty answer is a valid end of the turn.
    const silent = Object.keys(answer).length === 0
    expect(told).toMatchObject({ reason: 'said', text: silent ? '' : 'Here.' })
    expect(told.made).toHaveLength(1)
    expect(service.asked).toHaveLength(silent ? 3 : 4)
  })

  test.each(['breaks', 'ends'] as const)(
    'an answer cut off in the text fails, keeps the text and is not retried: %s',
    async (cut) => {
      service.play([{ text: 'It was a dark', cut }, { text: 'Never asked' }])
      const told = await ask(ai)
      expect(told).toMatchObject({ reason: 'failed', trouble: { error: 'Answer cut off' } })
      expect(told.text).toBe('It was a dark')
      expect(service.asked).toHaveLength(1)
      expect(told.usage.tokens_in).toBeGreaterThan(50)
      expect(told.usage.tokens_out).toBeGreaterThan(0)
    },
  )

  test('an error event after some text fails the turn, keeps the text and reports the error', async () => {
    service.play([{ text: 'It was a dark', breaksDown: 'Internal error' }])
    const told = await ask(ai)
    expect(told).toMatchObject({ reason: 'failed', text: 'It was a dark' })
    expect(told.trouble?.message).toContain('Internal error')
  })

  test('a model that falls silent in the middle of the text fails without a retry', async () => {
    service.play([{ text: 'It was a dark night', slowMs: 350 }])
    const told = await ask(ai)
    expect(told).toMatchObject({ reason: 'failed', trouble: { error: 'Model silent' } })
    expect(service.asked).toHaveLength(1)
  })

  test('a slow answer is accepted within the time limit of a step and fails beyond it', async () => {
    // On a busy machine, one chunk may be later than the limits of the other tests allow.
    const patient = { ...limits, first: 20_000, idle: 20_000, maxPause: 20_000 }
    const slow = openModel(service.endpoint(provider), { ...patient, step: 20_000 })
    service.play([{ text: 'It was a dark night, and it rained.', slowMs: 60 }])
    expect(await ask(slow)).toMatchObject({ reason: 'said' })
    const hasty = openModel(service.endpoint(provider), { ...patient, step: 1500 })
    service.play([{ text: 'It was a dark night, and it rained.', slowMs: 400 }])
    const told = await ask(hasty)
    expect(told).toMatchObject({ reason: 'failed', trouble: { error: 'Answer too long' } })
    expect(told.text).toStartWith('It')
  })

  test('a refused or truncated answer fails with its text, and its calls are not run', async () => {
    service.play([{ text: 'I cannot help with that.', finish: 'refused' }])
    const no = await ask(ai)
    expect(no).toMatchObject({ reason: 'failed', trouble: { error: 'Answer refused' } })
    expect(no.text).toBe('I cannot help with that.')
    service.play([{ text: 'First', calls: [list], finish: 'length' }])
    const short = await ask(ai)
    expect(short).toMatchObject({ reason: 'failed', trouble: { error: 'Answer cut short' } })
    expect(short).toMatchObject({ text: 'First', made: [] })
  })

  test('a 429 with retry-after is retried only after that time', async () => {
    service.play([{ status: 429, retryAfter: 0.3 }, { text: 'Now.' }])
    const begun = Date.now()
    expect(await ask(ai)).toMatchObject({ reason: 'said', text: 'Now.' })
    expect(Date.now() - begun).toBeGreaterThanOrEqual(295)
  })

  const stops: [string, Answer][] = [
    ['before it begins to answer', { text: 'Late', waitMs: 300 }],
    ['between two words', { text: 'One two three four', slowMs: 150 }],
    ['while it is left alone', { status: 429, retryAfter: 4 }],
  ]
  test.each(stops)('aborting a model %s ends the turn at once', async (_, answer) => {
    service.play(() => answer)
    const stop = new AbortController()
    const told = ask(ai, { signal: stop.signal })
    while (!service.asked.length) await Bun.sleep(5)
    await Bun.sleep(60)
    const stopped = Date.now()
    stop.abort()
    expect(await told).toMatchObject({ reason: 'stopped', made: [] })
    expect((await told).trouble).toBeUndefined()
    expect(Date.now() - stopped).toBeLessThan(50)
    expect(service.asked).toHaveLength(1)
  })

  test('aborting during a call lets that call finish and runs no other', async () => {
    service.play(() => ({ calls: [list, list] }))
    const stop = new AbortController()
    const told = await ask(ai, {
      signal: stop.signal,
      outcome: async () => {
        stop.abort()
        return { state: 'answered', text: 'Done' }
      },
    })
    expect(told.reason).toBe('stopped')
    expect(told.made).toHaveLength(1)
    expect(service.asked).toHaveLength(1)
  })

  test('a turn that is aborted before it starts sends no request', async () => {
    service.play([{ text: 'Hello' }])
    const told = await ask(ai, { signal: AbortSignal.abort() })
    expect(told).toMatchObject({ reason: 'stopped', usage: { tokens_in: 0, tokens_out: 0 } })
    expect(service.asked).toEqual([])
  })

  test('aborting a turn closes the connection to the service', async () => {
    const dropped = service.dropped.count
    service.play([{ text: 'One two three four five six', slowMs: 40 }])
    const stop = new AbortController()
    await ask(ai, { signal: stop.signal, onEvent: () => stop.abort() })
    const patience = Date.now() + 2000
    while (service.dropped.count === dropped && Date.now() < patience) await Bun.sleep(10)
    expect(service.dropped.count).toBe(dropped + 1)
  })

  test('an API key that the service repeats in an error is masked', async () => {
    service.play(() => ({ status: 401, message: `Incorrect API key provided: ${KEY}` }))
    const { trouble } = await ask(ai)
    expect(trouble?.message).toContain('Incorrect API key provided: ***')
    expect(trouble?.message).not.toContain(KEY)
  })

  test('an unreachable service fails the turn with a hint about CORK_AI_BASE_URL', async () => {
    const gone = models()
    const endpoint = gone.endpoint(provider)
    gone.stop()
    const told = await ask(openModel(endpoint, limits))
    expect(told).toMatchObject({ reason: 'failed', trouble: { error: 'Model unreachable' } })
    expect(told.trouble?.hint).toContain('CORK_AI_BASE_URL')
    expect(told.usage).toEqual({ tokens_in: 0, tokens_out: 0 })
  })

  test('a redirect is not followed, and the other host receives no request', async () => {
    const other = models()
    other.play(() => ({ text: 'Give me your key' }))
    service.play([{ response: page(307, { location: `${other.base}/chat/completions` }) }])
    const told = await ask(ai)
    expect(told).toMatchObject({ reason: 'failed', trouble: { error: 'Not a model' } })
    expect(told.trouble?.message).toContain('it redirects to another address (307)')
    expect(other.asked).toEqual([])
    other.stop()
  })

  test('only the configured service is called, whatever keys and addresses the environment has', async () => {
    const { fetch } = globalThis
    const hosts = new Set<string>()
    const watched = (...[input, init]: Parameters<typeof fetch>) => {
      hosts.add(new URL(input instanceof Request ? input.url : input).host)
      return fetch(input, init)
    }
    globalThis.fetch = Object.assign(watched, { preconnect: fetch.preconnect })
    const names = [
      'OPENAI_API_KEY',
      'ANTHROPIC_API_KEY',
      'ANTHROPIC_BASE_URL',
      'AI_GATEWAY_API_KEY',
    ]
    for (const name of names) process.env[name] = 'https://elsewhere.example'
    try {
      service.play([{ calls: [list] }, { text: 'Done' }])
      expect(await ask(ai)).toMatchObject({ reason: 'said' })
      expect(JSON.stringify([...service.asked[0]!.headers])).not.toContain('elsewhere')
    } finally {
      globalThis.fetch = fetch
      for (const name of names) delete process.env[name]
    }
    expect([...hosts]).toEqual([new URL(service.base).host])
  })

  test('a service without a key is called without authentication headers', async () => {
    const near = models()
    near.play([{ text: 'Hello' }])
    expect(await ask(openModel(near.endpoint(provider)))).toMatchObject({ text: 'Hello' })
    const headers = near.asked[0]!.headers
    expect([headers.get('authorization'), headers.get('x-api-key') || null]).toEqual([null, null])
    near.stop()
  })
})

test('a printed or serialized model does not contain the key; without settings there is no model', () => {
  const ai = openModel(service.endpoint('openai'))
  expect(JSON.stringify(ai)).toBe('{"provider":"openai","model":"scripted"}')
  expect(Bun.inspect(ai)).not.toContain(KEY)
  expect(openModel(undefined)).toBeUndefined()
})

test('the hint for a missing model names the variables that configure one', () => {
  for (const name of ['CORK_AI_BASE_URL', 'CORK_AI_MODEL', 'CORK_AI_API_KEY'])
    expect(noModel.hint).toContain(name)
})
