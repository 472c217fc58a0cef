import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base'
import { parseJson } from '../../test/support/json.ts'

// biome-ignore lint/suspicious/noExplicitAny: scenarios read a few fields of many responses
export type Answer = any

/** What a task cost its agent. */
export interface Cost {
  calls: number
  /** Tokens of all results, as a model reads them. */
  tokens: number
  /** The number of refused calls. */
  errors: number
}

/** The arguments next to `action` in a call. */
export interface CallOptions {
  limit?: number
  offset?: number
  response_format?: 'concise' | 'detailed'
}

/** An agent that knows only an address and a token. It counts what its work costs. */
export class Agent {
  readonly cost: Cost = { calls: 0, tokens: 0, errors: 0 }

  private constructor(
    private readonly client: Client,
    private readonly url: string,
    private readonly headers: Record<string, string>,
  ) {}

  static async at(url: string, token: string): Promise<Agent> {
    const headers = { authorization: `Bearer ${token}` }
    const client = new Client(
      { name: 'battery', version: '1' },
      { versionNegotiation: { mode: 'auto' } },
    )
    const requestInit = { headers }
    await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit }))
    // After listing tools, the client validates every result against its schema.
    await client.listTools()
    return new Agent(client, url, headers)
  }

  /** Makes a call and returns the whole result. A refusal fails the task. */
  async callTool(
    tool: string,
    action: string,
    input: object | string = {},
    options: CallOptions = {},
  ): Promise<Answer> {
    const { isError, answer } = await this.call(tool, action, input, options)
    if (isError) throw new Error(`${tool} ${action} was refused: ${JSON.stringify(answer)}`)
    return answer
  }

  async do(
    tool: string,
    action: string,
    input: object | string = {},
    options: CallOptions = {},
  ): Promise<Answer> {
    return (await this.callTool(tool, action, input, options)).data
  }

  /** Makes a call that must be refused, and returns the error. */
  async callRefused(tool: string, action: string, input = {}): Promise<Answer> {
    const { isError, answer } = await this.call(tool, action, input, {})
    if (!isError) throw new Error(`${tool} ${action} was accepted: ${JSON.stringify(answer)}`)
    return answer
  }

  /** Sends a REST request, for what has no tool. It counts as a call. */
  async rest(method: string, path: string, body?: object): Promise<Answer> {
    const response = await fetch(this.url + path, {
      method,
      headers: { ...this.headers, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    this.count(text, !response.ok)
    const answer = parseJson(text) as Answer
    if (!response.ok) throw new Error(`${method} ${path} was refused: ${text}`)
    return answer.data
  }

  /** Makes a call that does not count, for polling that a real agent would not do. */
  async callUncounted(tool: string, action: string, input = {}): Promise<Answer> {
    const before = { ...this.cost }
    const { answer } = await this.call(tool, action, input, {})
    Object.assign(this.cost, before)
    return answer.data
  }

  close = () => this.client.close()

  private async call(name: string, action: string, input: object | string, options: CallOptions) {
    const result = await this.client.callTool({ name, arguments: { action, input, ...options } })
    const [content] = result.content
    const text = content?.type === 'text' ? content.text : ''
    const isError = result.isError === true
    this.count(text, isError)
    return { isError, answer: JSON.parse(text) as Answer }
  }

  private count(text: string, isError: boolean) {
    this.cost.calls++
    this.cost.tokens += countTokens(text)
    if (isError) this.cost.errors++
  }
}
