import { afterEach, expect, test } from 'bun:test'
import { EmbeddingError, embed } from '../../src/search/vectors/client.ts'
import { embeddingsServer, errorResponse, vectorOf } from '../support/embeddings.ts'

const open: { stop(): void }[] = []
afterEach(() => {
  for (const one of open.splice(0)) one.stop()
})

function service(options: Parameters<typeof embeddingsServer>[0] = {}) {
  const server = embeddingsServer(options)
  open.push(server)
  const endpoint = { base: server.baseUrl, model: 'tiny', ...(options.key && { key: options.key }) }
  const ask = (texts: string[], ms = 2000) => embed(endpoint, texts, AbortSignal.timeout(ms))
  /** The error of a request that must fail. */
  const errorOf = async (texts = ['car'], ms?: number) => {
    const error = await ask(texts, ms).catch((one) => one)
    expect(error).toBeInstanceOf(EmbeddingError)
    const { kind, message, retryAfter } = error as EmbeddingError
    return { kind, message, retryAfter }
  }
  return { ...server, ask, errorOf }
}

const json = (value: unknown) => () => Response.json(value)
const embedding = (...vectors: unknown[]) =>
  json({ data: vectors.map((one, index) => ({ index, embedding: one })) })

test('vectors are returned in the order of their texts, and the key is sent', async () => {
  const { ask, requests } = service({ key: 'sk-1' })
  const vectors = await ask(['a car', 'rain'])
  expect(vectors.map((one) => [...one])).toEqual(
    ['a car', 'rain'].map((text) => [...new Float32Array(vectorOf(text, 8))]),
  )
  expect(requests).toEqual([
    {
      path: '/v1/embeddings',
      model: 'tiny',
      input: ['a car', 'rain'],
      authorization: 'Bearer sk-1',
    },
  ])
})

test('without a key no authorization header is sent', async () => {
  const { ask, requests } = service()
  await ask(['a car'])
  expect(requests[0]?.authorization).toBeNull()
})

test('vectors in base64 are decoded to the same values', async () => {
  const plain = await service().ask(['fire', 'bread'])
  expect(await service({ base64: true }).ask(['fire', 'bread'])).toEqual(plain)
})

test('vectors are assigned to texts by their index, not by their order', async () => {
  const { ask, fail } = service()
  fail(
    json({
      data: [
        { index: 1, embedding: [0, 1] },
        { index: 0, embedding: [1, 0] },
      ],
    }),
  )
  expect((await ask(['a', 'b'])).map((one) => [...one])).toEqual([
    [1, 0],
    [0, 1],
  ])
})

test('a rejected key is reported as refused, and the message does not contain it', async () => {
  const { errorOf, options } = service({ key: 'sk-secret' })
  options.key = 'another'
  const { kind, message } = await errorOf()
  expect(kind).toBe('refused')
  expect(message).toContain('status 401: Incorrect API key')
  expect(message).not.toContain('sk-secret')
})

test('a busy endpoint is reported with its Retry-After, if that is valid', async () => {
  const { errorOf, fail } = service()
  fail(() => errorResponse(429, 'slow down', { 'retry-after': '7' }))
  expect(await errorOf()).toMatchObject({ kind: 'busy', retryAfter: 7000 })
  fail(() =>
    errorResponse(429, 'x', { 'retry-after': new Date(Date.now() + 60_000).toUTCString() }),
  )
  const { retryAfter } = await errorOf()
  expect(retryAfter).toBeGreaterThan(50_000)
  expect(retryAfter).toBeLessThanOrEqual(60_000)
  fail(() => errorResponse(429, 'x', { 'retry-after': 'soon' }))
  expect(await errorOf()).toEqual({
    kind: 'busy',
    message: 'it answers with status 429: x',
    retryAfter: undefined,
  })
})

test('too many or too long texts are reported as invalid_input, a missing model as invalid_response', async () => {
  const { errorOf, options } = service({ maxTexts: 1, maxCharacters: 10, models: ['tiny'] })
  expect((await errorOf(['a', 'b'])).kind).toBe('invalid_input')
  expect((await errorOf(['a'.repeat(11)])).kind).toBe('invalid_input')
  options.models = ['huge']
  expect(await errorOf()).toMatchObject({
    kind: 'invalid_response',
    message: expect.stringContaining('tiny'),
  })
})

test('an unusable response is reported as invalid_response', async () => {
  const { errorOf, fail } = service()
  const answers: (() => Response)[] = [
    () => new Response('<html>Welcome</html>'),
    () => new Response('{"data":[{"embedding":[1,2'),
    json({ data: 'none' }),
    json({ data: [null] }),
    json([]),
    embedding(),
    embedding([1], [1]),
    embedding([]),
    embedding(['1']),
    embedding([1, null]),
    embedding('AAA='),
    embedding(new Array(9000).fill(1)),
    json({ data: [{ index: 1, embedding: [1] }] }),
    json({ data: [{ index: 'x', embedding: [1] }] }),
    json({ data: [{ index: 1e9, embedding: [1] }] }),
    () => Response.redirect('http://127.0.0.1:1/v1/embeddings'),
  ]
  for (const answer of answers) {
    fail(answer)
    expect((await errorOf()).kind).toBe('invalid_response')
  }
  fail(embedding([1, 2], [1]))
  expect((await errorOf(['a', 'b'])).kind).toBe('invalid_response')
})

test('an oversized response is not read to its end', async () => {
  const { errorOf, fail } = service()
  let sentBytes = 0
  fail(
    () =>
      new Response(
        new ReadableStream({
          pull(controller) {
            sentBytes += 1e6
            controller.enqueue(new Uint8Array(1e6).fill(32))
            if (sentBytes >= 200e6) controller.close()
          },
        }),
      ),
  )
  expect(await errorOf(['a'], 20_000)).toMatchObject({
    kind: 'invalid_response',
    message: expect.stringContaining('long'),
  })
  expect(sentBytes).toBeLessThan(200e6)
})

test('an unavailable, silent or stopped endpoint is reported as failing', async () => {
  const { errorOf, fail, stop } = service()
  fail(() => errorResponse(503, 'loading', { 'retry-after': '2' }))
  expect(await errorOf()).toMatchObject({ kind: 'failing', retryAfter: 2000 })
  fail(() => new Promise<Response>(() => {}))
  expect(await errorOf(['car'], 50)).toMatchObject({
    kind: 'failing',
    message: 'it takes too long',
  })
  stop()
  expect((await errorOf()).kind).toBe('failing')
})

test('a connection that closes within the response is reported as failing', async () => {
  const cutting = Bun.listen({
    hostname: '127.0.0.1',
    port: 0,
    socket: {
      data(socket) {
        socket.write('HTTP/1.1 200 OK\r\ncontent-length: 500\r\n\r\n{"data":[')
        socket.flush()
        setTimeout(() => socket.terminate(), 20)
      },
    },
  })
  const endpoint = { base: `http://127.0.0.1:${cutting.port}/v1`, model: 'tiny' }
  const error = await embed(endpoint, ['a'], AbortSignal.timeout(2000)).catch((one) => one)
  expect(error).toMatchObject({ kind: 'failing' })
  cutting.stop(true)
})
