/** Words with nearly the same meaning. Each line is one direction of the vectors. */
const CONCEPTS = [
  'car automobile vehicle driving',
  'doctor physician surgeon clinic',
  'money invoice payment salary wages',
  'fire blaze burning flames smoke',
  'rain storm weather drizzle',
  'ship vessel boat harbour',
  'bread bakery loaf dough',
  'password credential login secret',
]

const directions = new Map(
  CONCEPTS.flatMap((line, at) => line.split(' ').map((word) => [word, at] as const)),
)

/** Equal texts have equal vectors; texts with the same meaning have similar ones. */
export function vectorOf(text: string, size: number): number[] {
  const vector = new Array<number>(size).fill(0.01)
  for (const word of text.toLowerCase().match(/\p{L}+/gu) ?? []) {
    const direction = directions.get(word)
    if (direction !== undefined) vector[direction]! += 1
  }
  return vector
}

export interface EmbeddingsRequest {
  path: string
  model: string
  input: string[]
  authorization: string | null
}

/** Returns a response that replaces the regular one. */
type FaultHandler = (request: EmbeddingsRequest) => Response | Promise<Response> | undefined

/** What the service requires and accepts. */
interface ServiceOptions {
  key?: string
  models?: string[]
  /** At least as many as there are directions. */
  size?: number
  /** Always returns base64, whatever the request asks for. */
  base64?: boolean
  maxTexts?: number
  maxCharacters?: number
  port?: number
}

/** Starts a local service with the protocol of OpenAI's embeddings. */
export function embeddingsServer(options: ServiceOptions = {}) {
  const requests: EmbeddingsRequest[] = []
  const embeddedTexts: string[] = []
  let fault: FaultHandler | undefined
  const server = Bun.serve({
    port: options.port ?? 0,
    hostname: '127.0.0.1',
    idleTimeout: 0,
    async fetch(request) {
      const body = (await request.json()) as { model: string; input: string[] }
      const { pathname: path } = new URL(request.url)
      const { model, input } = body
      const one = { path, model, input, authorization: request.headers.get('authorization') }
      requests.push(one)
      const faultResponse = await fault?.(one)
      if (faultResponse) return faultResponse
      const response = respond(options, one, request.method)
      if (response.ok) embeddedTexts.push(...input)
      return response
    },
  })
  return {
    options,
    requests,
    /** The texts for which it returned vectors. */
    embeddedTexts,
    port: server.port!,
    baseUrl: `http://127.0.0.1:${server.port}/v1`,
    fail: (handler: FaultHandler | undefined) => {
      fault = handler
    },
    stop: () => server.stop(true),
  }
}

function respond(
  options: ServiceOptions,
  { path, model, input, authorization }: EmbeddingsRequest,
  method: string,
) {
  const {
    key,
    models,
    size = CONCEPTS.length,
    base64,
    maxTexts = 2048,
    maxCharacters = 1e6,
  } = options
  if (method !== 'POST' || path !== '/v1/embeddings')
    return errorResponse(404, 'Unknown request URL')
  if (key && authorization !== `Bearer ${key}`)
    return errorResponse(401, `Incorrect API key provided: ${authorization}`)
  if (models && !models.includes(model))
    return errorResponse(404, `The model ${model} does not exist`)
  if (!Array.isArray(input) || !input.length || input.some((one) => !one))
    return errorResponse(400, 'input cannot be an empty string')
  if (input.length > maxTexts) return errorResponse(413, `batch size > maximum allowed ${maxTexts}`)
  if (input.some(({ length }) => length > maxCharacters))
    return errorResponse(400, `maximum context length is ${maxCharacters}`)
  const data = input.map((text, index) => {
    const vector = vectorOf(text, size)
    const bytes = () => Buffer.from(new Float32Array(vector).buffer).toString('base64')
    return { object: 'embedding', index, embedding: base64 ? bytes() : vector }
  })
  return Response.json({ object: 'list', data, model, usage: { prompt_tokens: 8 } })
}

/** An error response in OpenAI's format. */
export const errorResponse = (
  status: number,
  message: string,
  headers: Record<string, string> = {},
) => Response.json({ error: { message, type: 'invalid_request_error' } }, { status, headers })
