/** Who makes vectors of texts: anything that speaks as OpenAI does. */
export interface Endpoint {
  /** What `/embeddings` is appended to. */
  base: string
  model: string
  key?: string
}

/**
 * refused: the key is not taken. busy: asked too often. unfit: what was sent is not taken, too long
 * for one. odd: the answer is none that can be used. failing: there is no answer.
 */
export type Trouble = 'refused' | 'busy' | 'unfit' | 'odd' | 'failing'

export class Unembedded extends Error {
  constructor(
    readonly trouble: Trouble,
    message: string,
    /** Milliseconds that the endpoint asks to be left alone. */
    readonly rest?: number,
  ) {
    super(message)
  }
}

const MOST_ANSWER = 32 * 1024 * 1024
const MOST_NUMBERS = 8192
const MOST_SAID = 200

/** A vector of each text, in their order. */
export async function embed(
  endpoint: Endpoint,
  texts: readonly string[],
  signal: AbortSignal,
): Promise<Float32Array[]> {
  const { status, headers, text } = await asked(endpoint, texts, signal)
  if (status !== 200) throw refusal(endpoint, status, headers, text)
  return vectorsIn(text, texts.length)
}

async function asked(
  { base, key, model }: Endpoint,
  input: readonly string[],
  signal: AbortSignal,
) {
  try {
    const response = await fetch(`${base}/embeddings`, {
      method: 'POST',
      // Where it leads elsewhere, the key and the texts do not follow.
      redirect: 'manual',
      headers: {
        'content-type': 'application/json',
        ...(key && { authorization: `Bearer ${key}` }),
      },
      body: JSON.stringify({ model, input, encoding_format: 'float' }),
      signal,
    })
    const { status, headers } = response
    return { status, headers, text: await bounded(response) }
  } catch (error) {
    if (error instanceof Unembedded) throw error
    const { name, message } = error as Error
    throw new Unembedded('failing', name === 'TimeoutError' ? 'it takes too long' : message)
  }
}

async function bounded(response: Response): Promise<string> {
  const decoder = new TextDecoder()
  let size = 0
  let text = ''
  for await (const chunk of response.body ?? []) {
    size += chunk.length
    if (size > MOST_ANSWER) throw new Unembedded('odd', 'its answer is far too long')
    text += decoder.decode(chunk, { stream: true })
  }
  return text + decoder.decode()
}

const UNFIT = [400, 413, 422]

function refusal({ key }: Endpoint, status: number, headers: Headers, text: string): Unembedded {
  const words = saidIn(text)
  // Some repeat the key that they were shown.
  const said = key ? words.replaceAll(key, '***') : words
  const message = `it answers with status ${status}${said && `: ${said.slice(0, MOST_SAID)}`}`
  const rest = restIn(headers.get('retry-after'))
  if (status === 401 || status === 403) return new Unembedded('refused', message)
  if (status === 429) return new Unembedded('busy', message, rest)
  if (UNFIT.includes(status)) return new Unembedded('unfit', message)
  return status >= 500
    ? new Unembedded('failing', message, rest)
    : new Unembedded('odd', message, rest)
}

/** What an endpoint says of why, in the forms there are. */
function saidIn(text: string): string {
  const { error, message, detail } = objectIn(text)
  const nested = typeof error === 'object' && error && 'message' in error ? error.message : error
  const said = [nested, message, detail].find((one) => typeof one === 'string')
  return typeof said === 'string' ? said : ''
}

/** Seconds or a date. */
function restIn(text: string | null): number | undefined {
  if (!text) return undefined
  const ms = /^\d+(\.\d+)?$/.test(text) ? Number(text) * 1000 : Date.parse(text) - Date.now()
  return Number.isFinite(ms) && ms > 0 ? ms : undefined
}

function objectIn(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value ? (value as Record<string, unknown>) : {}
  } catch {
    return {}
  }
}

function vectorsIn(text: string, count: number): Float32Array[] {
  const { data } = objectIn(text)
  if (!Array.isArray(data)) throw new Unembedded('odd', 'its answer holds no vectors')
  if (data.length !== count)
    throw new Unembedded('odd', `it makes ${data.length} vectors of ${count} texts`)
  const vectors: Float32Array[] = []
  for (const [at, one] of (data as unknown[]).entries()) {
    const { index = at, embedding } = (one ?? {}) as { index?: unknown; embedding?: unknown }
    vectors[Number(index)] = vectorOf(embedding)
  }
  const sizes = new Set(Array.from({ length: count }, (_, at) => vectors[at]?.length ?? 0))
  if (vectors.length !== count || sizes.size !== 1 || sizes.has(0))
    throw new Unembedded('odd', 'its vectors are of unequal length, or some are missing')
  return vectors
}

function vectorOf(embedding: unknown): Float32Array {
  const vector =
    typeof embedding === 'string' ? floatsIn(embedding) : Float32Array.from(numbersIn(embedding))
  if (vector.length > MOST_NUMBERS || !vector.every(Number.isFinite))
    throw new Unembedded('odd', 'its vectors are too long, or not of numbers')
  return vector
}

function numbersIn(embedding: unknown): number[] {
  const isList = Array.isArray(embedding) && embedding.every((one) => typeof one === 'number')
  if (!isList) throw new Unembedded('odd', 'its vectors are not of numbers')
  return embedding
}

/** Some answer in base64 whatever they are asked for: numbers of four bytes, the lowest first. */
function floatsIn(base64: string): Float32Array {
  const bytes = Uint8Array.from(Buffer.from(base64, 'base64'))
  if (bytes.length % 4) throw new Unembedded('odd', 'its vectors are not of numbers')
  return new Float32Array(bytes.buffer)
}
