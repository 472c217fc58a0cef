/** Words that mean much the same. Each line is one direction of the vectors. */
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

const directionOf = new Map(
  CONCEPTS.flatMap((line, at) => line.split(' ').map((word) => [word, at] as const)),
)

/** The same text always has the same vector; texts of one meaning have nearly the same. */
export function vectorOf(text: string, size: number): number[] {
  const vector = new Array<number>(size).fill(0.01)
  for (const word of text.toLowerCase().match(/\p{L}+/gu) ?? []) {
    const direction = directionOf.get(word)
    if (direction !== undefined) vector[direction]! += 1
  }
  return vector
}

export interface Asked {
  path: string
  model: string
  input: string[]
  authorization: string | null
}

/** What answers instead, if it does. */
type Fault = (asked: Asked) => Response | Promise<Response> | undefined

/** What a service may ask for, and how much it takes. */
interface Ways {
  key?: string
  models?: string[]
  /** At least as many as there are directions. */
  size?: number
  /** Answers in base64, whatever is asked for. */
  base64?: boolean
  mostTexts?: number
  mostLetters?: number
  port?: number
}

/** A service on this machine that speaks the protocol of OpenAI's embeddings. */
export function embeddings(ways: Ways = {}) {
  const asked: Asked[] = []
  const texts: string[] = []
  let fault: Fault | undefined
  const server = Bun.serve({
    port: ways.port ?? 0,
    hostname: '127.0.0.1',
    idleTimeout: 0,
    async fetch(request) {
      const body = (await request.json()) as { model: string; input: string[] }
      const { pathname: path } = new URL(request.url)
      const { model, input } = body
      const one = { path, model, input, authorization: request.headers.get('authorization') }
      asked.push(one)
      const wrong = await fault?.(one)
      if (wrong) return wrong
      const answer = answered(ways, one, request.method)
      if (answer.ok) texts.push(...input)
      return answer
    },
  })
  return {
    ways,
    asked,
    /** What it made vectors of. */
    texts,
    port: server.port!,
    base: `http://127.0.0.1:${server.port}/v1`,
    fail: (how: Fault | undefined) => {
      fault = how
    },
    stop: () => server.stop(true),
  }
}

function answered(ways: Ways, { path, model, input, authorization }: Asked, method: string) {
  const { key, models, size = CONCEPTS.length, base64, mostTexts = 2048, mostLetters = 1e6 } = ways
  if (method !== 'POST' || path !== '/v1/embeddings') return refused(404, 'Unknown request URL')
  if (key && authorization !== `Bearer ${key}`)
    return refused(401, `Incorrect API key provided: ${authorization}`)
  if (models && !models.includes(model)) return refused(404, `The model ${model} does not exist`)
  if (!Array.isArray(input) || !input.length || input.some((one) => !one))
    return refused(400, 'input cannot be an empty string')
  if (input.length > mostTexts) return refused(413, `batch size > maximum allowed ${mostTexts}`)
  if (input.some(({ length }) => length > mostLetters))
    return refused(400, `maximum context length is ${mostLetters}`)
  const data = input.map((text, index) => {
    const vector = vectorOf(text, size)
    const bytes = () => Buffer.from(new Float32Array(vector).buffer).toString('base64')
    return { object: 'embedding', index, embedding: base64 ? bytes() : vector }
  })
  return Response.json({ object: 'list', data, model, usage: { prompt_tokens: 8 } })
}

/** An error in the form that services have agreed on. */
export const refused = (status: number, message: string, headers: Record<string, string> = {}) =>
  Response.json({ error: { message, type: 'invalid_request_error' } }, { status, headers })
