import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { noModel, openModel } from '../../src/ai/index.ts'
import { type Answer, startScriptedModel } from './scripted-model.ts'
import { ask, PROTOCOLS } from './turns.ts'

const KEY = 'sk-cork-very-secret'
const service = startScriptedModel({ key: KEY })
afterAll(() => service.stop())
// Loads the SDKs first, so that the first timed test does not wait for them.
beforeAll(() =>
  Promise.all([import('ai'), import('@ai-sdk/anthropic'), import('@ai-sdk/openai-compatible')]),
)

const list = { tool: 'tasks_list', input: {} }
/** Time limits that even a busy machine does not exceed. */
const timeLimits = { retryPause: 1, first: 20_000, idle: 20_000, step: 20_000, maxPause: 20_000 }
const STREAM = { 'content-type': 'text/event-stream' }
const htmlPage = (status = 200, headers: Record<string, string> = {}) =>
  new Response('<html>Welcome</html>', {
    status,
    headers: { 'content-type': 'text/html', ...headers },
  })

/**
 * Permanent failures: what the service does, its answer, the error, parts of the message and hint,
 * and the number of requests.
 */
const permanentFailures: [string, Answer, string, string, string, number][] = [
  ['refuses the key', { status: 401 }, 'Key refused', '(401)', 'CORK_AI_API_KEY', 1],
  ['denies access', { status: 403 }, 'Key refused', '(403)', 'CORK_AI_API_KEY', 1],
  ['does not know the model', { status: 404 }, 'Model unknown', '(404)', 'CORK_AI_MODEL', 1],
  [
    'does not support tools',
    { status: 400, message: 'tiny does not support tools' },
    'Question refused',
    'tiny does not support tools',
    'CORK_AI_MODEL can call tools',
    1,
  ],
  [
    'finds the request too long',
    { status: 400, message: 'maximum context length is 8192 tokens' },
    'Too long',
    '8192',
    'Start a new thread',
    1,
  ],
  ['is busy', { status: 429 }, 'Model busy', '(429)', 'Try again in a moment', 4],
  [
    'asks to wait for an hour',
    { status: 429, retryAfter: 3600 },
    'Model busy',
    '(429)',
    'Try again in 3600 s',
    1,
  ],
  [
    'has no quota left',
    { status: 429, message: 'You exceeded your current quota' },
    'Model busy',
    'quota',
    'the account that CORK_AI_API_KEY belongs to',
    1,
  ],
  ['fails with 500', { status: 500 }, 'Model in trouble', '(500)', 'Try again', 4],
  ['is overloaded', { status: 529 }, 'Model in trouble', '(529)', 'Try again', 4],
  [
    'responds with a web page',
    { response: htmlPage() },
    'Not a model',
    'responds with text/html',
    'CORK_AI_BASE_URL',
    1,
  ],
  [
    'reports an unknown address with status 200',
    { response: Response.json({ error: 'Unexpected endpoint or method' }) },
    'Not a model',
    'Unexpected endpoint',
    'CORK_AI_BASE_URL',
    1,
  ],
  [
    'sends a response that cannot be parsed',
    { response: new Response('data: {"choices": 7, "type": "none"}\n\n', { headers: STREAM }) },
    'Not a model',
    'its response cannot be parsed',
    'CORK_AI_PROVIDER',
    1,
  ],
  ['sends an empty answer', {}, 'Empty answer', 'empty', 'rephrase', 4],
  [
    'sends an error event at once',
    { streamError: 'Overloaded' },
    'Model in trouble',
    'Overloaded',
    'Try again',
    4,
  ],
  [
    'drops the connection at once',
    { disconnect: 'breaks' },
    'Answer cut off',
    'lost',
    'is kept',
    4,
  ],
  ['closes the connection at once', { disconnect: 'ends' }, 'Answer cut off', 'lost', 'is kept', 4],
  [
    'drops the connection in the middle of a call',
    { calls: [list], disconnect: 'breaks' },
    'Answer cut off',
    'lost',
    'is kept',
    4,
  ],
]

describe.each(PROTOCOLS)('with the %s protocol', (provider) => {
  const ai = openModel(service.endpoint(provider), timeLimits)

  test.each(permanentFailures)(
    'the turn fails with an error and a hint if the service %s',
    async (_, answer, error, message, hint, requestCount) => {
      service.play(() => answer)
      const result = await ask(ai)
      expect(result).toMatchObject({ reason: 'failed', text: '', calls: [], trouble: { error } })
      expect(result.trouble?.message).toContain(message)
      expect(result.trouble?.hint).toContain(hint)
      expect(JSON.stringify(result)).not.toContain(KEY)
      expect(service.requests).toHaveLength(requestCount)
    },
  )

  const temporaryFailures: Answer[] = [
    { status: 429, retryAfter: 0 },
    { status: 503 },
    { streamError: 'Overloaded' },
    { disconnect: 'breaks' },
    { reasoning: 'Hm, hm', disconnect: 'ends' },
    { calls: [list], disconnect: 'breaks' },
    {},
  ]
  test.each(temporaryFailures)(
    'a temporary failure is retried and not reported: %j',
    async (answer) => {
      service.play([answer, { calls: [list] }, answer, { text: 'Here.' }])
      const result = await ask(ai)
      // After a call, an empty answer is a valid end of the turn.
      const isEmptyAnswer = Object.keys(answer).length === 0
      expect(result).toMatchObject({ reason: 'said', text: isEmptyAnswer ? '' : 'Here.' })
      expect(result.calls).toHaveLength(1)
      expect(service.requests).toHaveLength(isEmptyAnswer ? 3 : 4)
    },
  )

  test.each(['breaks', 'ends'] as const)(
    'an answer cut off in the text fails, keeps the text and is not retried: %s',
    async (disconnect) => {
      service.play([{ text: 'It was a dark', disconnect }, { text: 'Never sent' }])
      const result = await ask(ai)
      expect(result).toMatchObject({ reason: 'failed', trouble: { error: 'Answer cut off' } })
      expect(result.text).toBe('It was a dark')
      expect(service.requests).toHaveLength(1)
      expect(result.usage.tokens_in).toBeGreaterThan(50)
      expect(result.usage.tokens_out).toBeGreaterThan(0)
    },
  )

  test('an error event after some text fails the turn, keeps the text and reports the error', async () => {
    service.play([{ text: 'It was a dark', streamError: 'Internal error' }])
    const result = await ask(ai)
    expect(result).toMatchObject({ reason: 'failed', text: 'It was a dark' })
    expect(result.trouble?.message).toContain('Internal error')
  })

  test('a service that does not answer in time fails the turn without a retry', async () => {
    service.play(() => ({ text: 'Late', startDelayMs: 600 }))
    const result = await ask(openModel(service.endpoint(provider), { ...timeLimits, first: 200 }))
    expect(result).toMatchObject({ reason: 'failed', text: '', trouble: { error: 'Model silent' } })
    expect(result.trouble?.message).toContain('for 1 s')
    expect(result.trouble?.hint).toContain('CORK_AI_MODEL')
    expect(service.requests).toHaveLength(1)
  })

  test('a model that falls silent in the middle of the text fails without a retry', async () => {
    service.play([{ text: 'It was a dark night', chunkDelayMs: 350 }])
    const result = await ask(openModel(service.endpoint(provider), { ...timeLimits, idle: 200 }))
    expect(result).toMatchObject({ reason: 'failed', trouble: { error: 'Model silent' } })
    expect(service.requests).toHaveLength(1)
  })

  test('a slow answer is accepted within the time limit of a step and fails beyond it', async () => {
    service.play([{ text: 'It was a dark night, and it rained.', chunkDelayMs: 60 }])
    expect(await ask(ai)).toMatchObject({ reason: 'said' })
    const impatientModel = openModel(service.endpoint(provider), { ...timeLimits, step: 4000 })
    service.play([{ text: 'It was a dark night, and it rained. '.repeat(3), chunkDelayMs: 400 }])
    const result = await ask(impatientModel)
    expect(result).toMatchObject({ reason: 'failed', trouble: { error: 'Answer too long' } })
    expect(result.text).toStartWith('It')
  })

  test('a refused or truncated answer fails with its text, and its calls are not run', async () => {
    service.play([{ text: 'I cannot help with that.', finish: 'refused' }])
    const refusedResult = await ask(ai)
    expect(refusedResult).toMatchObject({ reason: 'failed', trouble: { error: 'Answer refused' } })
    expect(refusedResult.text).toBe('I cannot help with that.')
    service.play([{ text: 'First', calls: [list], finish: 'length' }])
    const truncatedResult = await ask(ai)
    expect(truncatedResult).toMatchObject({
      reason: 'failed',
      trouble: { error: 'Answer cut short' },
    })
    expect(truncatedResult).toMatchObject({ text: 'First', calls: [] })
  })

  test('a 429 with retry-after is retried only after that time', async () => {
    service.play([{ status: 429, retryAfter: 0.3 }, { text: 'Now.' }])
    const startedAt = Date.now()
    expect(await ask(ai)).toMatchObject({ reason: 'said', text: 'Now.' })
    expect(Date.now() - startedAt).toBeGreaterThanOrEqual(295)
  })

  const abortCases: [string, Answer][] = [
    ['before it begins to answer', { text: 'Late', startDelayMs: 10_000 }],
    ['between two words', { text: 'One two three four', chunkDelayMs: 10_000 }],
    ['during the wait before a retry', { status: 429, retryAfter: 10 }],
  ]
  test.each(abortCases)('aborting a model %s ends the turn at once', async (_, answer) => {
    service.play(() => answer)
    const controller = new AbortController()
    const result = ask(ai, { signal: controller.signal })
    while (!service.requests.length) await Bun.sleep(5)
    await Bun.sleep(60)
    const abortedAt = Date.now()
    controller.abort()
    expect(await result).toMatchObject({ reason: 'stopped', calls: [] })
    expect((await result).trouble).toBeUndefined()
    expect(Date.now() - abortedAt).toBeLessThan(5000)
    expect(service.requests).toHaveLength(1)
  })

  test('aborting during a call lets that call finish and runs no other', async () => {
    service.play(() => ({ calls: [list, list] }))
    const controller = new AbortController()
    const result = await ask(ai, {
      signal: controller.signal,
      outcome: async () => {
        controller.abort()
        return { state: 'answered', text: 'Done' }
      },
    })
    expect(result.reason).toBe('stopped')
    expect(result.calls).toHaveLength(1)
    expect(service.requests).toHaveLength(1)
  })

  test('a turn that is aborted before it starts sends no request', async () => {
    service.play([{ text: 'Hello' }])
    const result = await ask(ai, { signal: AbortSignal.abort() })
    expect(result).toMatchObject({ reason: 'stopped', usage: { tokens_in: 0, tokens_out: 0 } })
    expect(service.requests).toEqual([])
  })

  test('aborting a turn closes the connection to the service', async () => {
    const droppedBefore = service.droppedAnswers.count
    service.play([{ text: 'One two three four five six', chunkDelayMs: 40 }])
    const controller = new AbortController()
    await ask(ai, { signal: controller.signal, onEvent: () => controller.abort() })
    const deadline = Date.now() + 20_000
    while (service.droppedAnswers.count === droppedBefore && Date.now() < deadline)
      await Bun.sleep(10)
    expect(service.droppedAnswers.count).toBe(droppedBefore + 1)
  })

  test('an API key that the service repeats in an error is masked', async () => {
    service.play(() => ({ status: 401, message: `Incorrect API key provided: ${KEY}` }))
    const { trouble } = await ask(ai)
    expect(trouble?.message).toContain('Incorrect API key provided: ***')
    expect(trouble?.message).not.toContain(KEY)
  })

  test('an unreachable service fails the turn with a hint about CORK_AI_BASE_URL', async () => {
    const stoppedService = startScriptedModel()
    const endpoint = stoppedService.endpoint(provider)
    stoppedService.stop()
    const result = await ask(openModel(endpoint, timeLimits))
    expect(result).toMatchObject({ reason: 'failed', trouble: { error: 'Model unreachable' } })
    expect(result.trouble?.hint).toContain('CORK_AI_BASE_URL')
    expect(result.usage).toEqual({ tokens_in: 0, tokens_out: 0 })
  })

  test('a redirect is not followed, and the other host receives no request', async () => {
    const otherService = startScriptedModel()
    otherService.play(() => ({ text: 'Give me your key' }))
    service.play([
      { response: htmlPage(307, { location: `${otherService.base}/chat/completions` }) },
    ])
    const result = await ask(ai)
    expect(result).toMatchObject({ reason: 'failed', trouble: { error: 'Not a model' } })
    expect(result.trouble?.message).toContain('it redirects to another address (307)')
    expect(otherService.requests).toEqual([])
    otherService.stop()
  })

  test('only the configured service is called, whatever keys and addresses the environment has', async () => {
    const { fetch } = globalThis
    const hosts = new Set<string>()
    const recordingFetch = (...[input, init]: Parameters<typeof fetch>) => {
      hosts.add(new URL(input instanceof Request ? input.url : input).host)
      return fetch(input, init)
    }
    globalThis.fetch = Object.assign(recordingFetch, { preconnect: fetch.preconnect })
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
      expect(JSON.stringify([...service.requests[0]!.headers])).not.toContain('elsewhere')
    } finally {
      globalThis.fetch = fetch
      for (const name of names) delete process.env[name]
    }
    expect([...hosts]).toEqual([new URL(service.base).host])
  })

  test('a service without a key is called without authentication headers', async () => {
    const serviceWithoutKey = startScriptedModel()
    serviceWithoutKey.play([{ text: 'Hello' }])
    expect(await ask(openModel(serviceWithoutKey.endpoint(provider)))).toMatchObject({
      text: 'Hello',
    })
    const headers = serviceWithoutKey.requests[0]!.headers
    expect([headers.get('authorization'), headers.get('x-api-key') || null]).toEqual([null, null])
    serviceWithoutKey.stop()
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
