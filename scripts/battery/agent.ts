import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base'
import { parse } from '../../test/json.ts'

// biome-ignore lint/suspicious/noExplicitAny: answers are looked at, not typed
export type Answer = any

/** What a task cost whoever did it. */
export interface Cost {
  calls: number
  /** Of all that was answered, as a model reads it. */
  tokens: number
  /** Refused calls. */
  errors: number
}

/** What stands beside `action` in a call. */
export interface Beside {
  limit?: number
  offset?: number
  response_format?: 'concise' | 'detailed'
}

/** An agent of one's own with nothing but an address and a token, and what its work costs. */
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
    // With the list of tools the client checks every answer against its schema.
    await client.listTools()
    return new Agent(client, url, headers)
  }

  /** The answer to a call, its `page` and `warnings` with it; a refusal fails the task. */
  async whole(tool: string, action: string, input = {}, beside: Beside = {}): Promise<Answer> {
    const { isError, told } = await this.call(tool, action, input, beside)
    if (isError) throw new Error(`${tool} ${action} was refused: ${JSON.stringify(told)}`)
    return told
  }

  async do(tool: string, action: string, input = {}, beside: Beside = {}): Promise<Answer> {
    return (await this.whole(tool, action, input, beside)).data
  }

  /** The refusal of a call from which the agent learns what to do instead. */
  async refused(tool: string, action: string, input = {}): Promise<Answer> {
    const { isError, told } = await this.call(tool, action, input, {})
    if (!isError) throw new Error(`${tool} ${action} was accepted: ${JSON.stringify(told)}`)
    return told
  }

  /** What has no tool goes over REST, with the same token; it counts as a call. */
  async rest(method: string, path: string, body?: object): Promise<Answer> {
    const response = await fetch(this.url + path, {
      method,
      headers: { ...this.headers, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    this.count(text, !response.ok)
    const told = parse(text) as Answer
    if (!response.ok) throw new Error(`${method} ${path} was refused: ${text}`)
    return told.data
  }

  /** Whether something is there yet: looking does not count, for nobody would look so often. */
  async peek(tool: string, action: string, input = {}): Promise<Answer> {
    const before = { ...this.cost }
    const { told } = await this.call(tool, action, input, {})
    Object.assign(this.cost, before)
    return told.data
  }

  close = () => this.client.close()

  private async call(name: string, action: string, input: object, beside: Beside) {
    const told = await this.client.callTool({ name, arguments: { action, input, ...beside } })
    const [content] = told.content
    const text = content?.type === 'text' ? content.text : ''
    const isError = told.isError === true
    this.count(text, isError)
    return { isError, told: JSON.parse(text) as Answer }
  }

  private count(text: string, isError: boolean) {
    this.cost.calls++
    this.cost.tokens += countTokens(text)
    if (isError) this.cost.errors++
  }
}
