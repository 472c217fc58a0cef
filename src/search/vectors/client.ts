/** An embeddings endpoint with OpenAI's protocol. */
export interface Endpoint {
  /** Base URL, without `/embeddings`. */
  base: string
  model: string
  key?: string
}

/**
 * refused: the key is rejected. busy: rate limited. invalid_input: the input is rejected, for
 * example as too long. invalid_response: the response cannot be used. failing: there is no response.
 */
export type FailureKind = 'refused' | 'busy' | 'invalid_input' | 'invalid_response' | 'failing'

export class EmbeddingError extends Error {
  constructor(
    readonly kind: FailureKind,
    message: string,
    /** Milliseconds to wait, as requested by the endpoint. */
    readonly retryAfter?: number,
  ) {
    super(message)
  }
}

const MAX_RESPONSE_BYTES = 32 * 1024 * 1024
const MAX_DIMENSIONS = 8192
const MAX_MESSAGE_LENGTH = 200

/** Requests the vectors of texts, in their order. */
export async function embed(
  endpoint: Endpoint,
  texts: readonly string[],
  signal: AbortSignal,
): Promise<Float32Array[]> {
  const { status, headers, text } = await post(endpoint, texts, signal)
  if (status !== 200) throw errorFor(endpoint, status, headers, text)
  return parseVectors(text, texts.length)
}

async function post({ base, key, model }: Endpoint, input: readonly string[], signal: AbortSignal) {
  try {
    const response = await fetch(`${base}/embeddings`, {
      method: 'POST',
      // A redirect is not followed, because it would receive the key and the texts.
      redirect: 'manual',
      headers: {
        'content-type': 'application/json',
        ...(key && { authorization: `Bearer ${key}` }),
      },
      body: JSON.stringify({ model, input, encoding_format: 'float' }),
      signal,
    })
    const { status, headers } = response
    return { status, headers, text: await readBounded(response) }
  } catch (error) {
    if (error instanceof EmbeddingError) throw error
    const { name, message } = error as Error
    throw new EmbeddingError('failing', name === 'TimeoutError' ? 'it takes too long' : message)
  }
}

async function readBounded(response: Response): Promise<string> {
  const decoder = new TextDecoder()
  let size = 0
  let text = ''
  for await (const chunk of response.body ?? []) {
    size += chunk.length
    if (size > MAX_RESPONSE_BYTES)
      throw new EmbeddingError('invalid_response', 'its answer is far too long')
    text += decoder.decode(chunk, { stream: true })
  }
  return text + decoder.decode()
}

const INVALID_INPUT_STATUSES = [400, 413, 422]

function errorFor(
  { key }: Endpoint,
  status: number,
  headers: Headers,
  text: string,
): EmbeddingError {
  const raw = messageIn(text)
  // Some endpoints repeat the key in their messages.
  const reason = key ? raw.replaceAll(key, '***') : raw
  const message = `it answers with status ${status}${reason && `: ${reason.slice(0, MAX_MESSAGE_LENGTH)}`}`
  const retryAfter = parseRetryAfter(headers.get('retry-after'))
  if (status === 401 || status === 403) return new EmbeddingError('refused', message)
  if (status === 429) return new EmbeddingError('busy', message, retryAfter)
  if (INVALID_INPUT_STATUSES.includes(status)) return new EmbeddingError('invalid_input', message)
  return status >= 500
    ? new EmbeddingError('failing', message, retryAfter)
    : new EmbeddingError('invalid_response', message, retryAfter)
}

/** The error message of a response, in any of the common formats. */
function messageIn(text: string): string {
  const { error, message, detail } = parseObject(text)
  const nested = typeof error === 'object' && error && 'message' in error ? error.message : error
  const found = [nested, message, detail].find((value) => typeof value === 'string')
  return typeof found === 'string' ? found : ''
}

/** Parses a Retry-After header: seconds or a date. */
function parseRetryAfter(text: string | null): number | undefined {
  if (!text) return undefined
  const ms = /^\d+(\.\d+)?$/.test(text) ? Number(text) * 1000 : Date.parse(text) - Date.now()
  return Number.isFinite(ms) && ms > 0 ? ms : undefined
}

function parseObject(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value ? (value as Record<string, unknown>) : {}
  } catch {
    return {}
  }
}

function parseVectors(text: string, count: number): Float32Array[] {
  const { data } = parseObject(text)
  if (!Array.isArray(data))
    throw new EmbeddingError('invalid_response', 'its answer has no vectors')
  if (data.length !== count)
    throw new EmbeddingError(
      'invalid_response',
      `it makes ${data.length} vectors of ${count} texts`,
    )
  const vectors: Float32Array[] = []
  for (const [position, item] of (data as unknown[]).entries()) {
    const { index = position, embedding } = (item ?? {}) as { index?: unknown; embedding?: unknown }
    vectors[Number(index)] = parseVector(embedding)
  }
  const sizes = new Set(Array.from({ length: count }, (_, index) => vectors[index]?.length ?? 0))
  if (vectors.length !== count || sizes.size !== 1 || sizes.has(0))
    throw new EmbeddingError(
      'invalid_response',
      'its vectors are of unequal length, or some are missing',
    )
  return vectors
}

function parseVector(embedding: unknown): Float32Array {
  const vector =
    typeof embedding === 'string'
      ? decodeFloats(embedding)
      : Float32Array.from(checkNumbers(embedding))
  if (vector.length > MAX_DIMENSIONS || !vector.every(Number.isFinite))
    throw new EmbeddingError('invalid_response', 'its vectors are too long, or not of numbers')
  return vector
}

function checkNumbers(embedding: unknown): number[] {
  const isList = Array.isArray(embedding) && embedding.every((value) => typeof value === 'number')
  if (!isList) throw new EmbeddingError('invalid_response', 'its vectors are not of numbers')
  return embedding
}

/** Some endpoints always answer in base64: 32-bit floats, little-endian. */
function decodeFloats(base64: string): Float32Array {
  const bytes = Uint8Array.from(Buffer.from(base64, 'base64'))
  if (bytes.length % 4)
    throw new EmbeddingError('invalid_response', 'its vectors are not of numbers')
  return new Float32Array(bytes.buffer)
}
