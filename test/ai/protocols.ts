import type { Answer, Call, ModelRequest } from './scripted-model.ts'

/** The wire format of one kind of service. */
export interface Protocol {
  name: 'openai' | 'anthropic'
  path: string
  readKey(headers: Headers): string | null
  parseRequest(
    body: Record<string, unknown>,
  ): Omit<ModelRequest, 'protocol' | 'path' | 'headers' | 'body'>
  events(answer: Answer, request: ModelRequest): string[]
  errorResponse(status: number, message: string, headers?: Record<string, string>): Response
}

interface Block {
  type: string
  text?: string
  content?: string | Block[]
}
type Event = { type: string } & Record<string, unknown>
interface Message {
  role: string
  content: string | Block[] | null
}

const textOf = (content: Message['content'] | undefined): string =>
  typeof content === 'string'
    ? content
    : (content ?? []).map(({ text, content: inner }) => text ?? textOf(inner)).join('')

const splitText = (text: string, size: number) =>
  text.match(new RegExp(`.{1,${size}}`, 'gsu')) ?? []
const argumentsOf = ({ input, malformed }: Call) => malformed ?? JSON.stringify(input ?? {})
const isResult = ({ type }: Block) => type === 'tool_result'

/** Token counts that grow with the length of the texts, as real counts do. */
const estimateUsage = (request: ModelRequest, answer: Answer) => ({
  in: Math.ceil(JSON.stringify(request.body).length / 4),
  out: Math.ceil(JSON.stringify([answer.text, answer.calls]).length / 4),
})

const modelOf = (body: Record<string, unknown>) => String(body.model)

export const openai: Protocol = {
  name: 'openai',
  path: '/v1/chat/completions',
  readKey: (headers) => headers.get('authorization')?.replace('Bearer ', '') ?? null,
  parseRequest(body) {
    const messages = body.messages as Message[]
    const tools = (body.tools ?? []) as { function: { name: string } }[]
    const last = messages.findLastIndex(({ role }) => role === 'user')
    return {
      model: modelOf(body),
      system: textOf(messages.find(({ role }) => role === 'system')?.content),
      tools: tools.map((tool) => tool.function.name),
      userText: textOf(messages[last]?.content),
      toolResults: messages
        .slice(last + 1)
        .filter(({ role }) => role === 'tool')
        .map(({ content }) => textOf(content)),
    }
  },
  events(answer, request) {
    const { text = '', reasoning = '', calls = [], finish = 'stop', disconnect, usage } = answer
    const header = { id: 'chatcmpl-1', object: 'chat.completion.chunk', model: request.model }
    const chunk = (delta: object, finish_reason: string | null = null) => ({
      ...header,
      choices: [{ index: 0, delta, finish_reason }],
    })
    const reason = { stop: calls.length ? 'tool_calls' : 'stop', length: 'length' }
    const { in: prompt_tokens, out: completion_tokens } = usage || estimateUsage(request, answer)
    const tokenCounts = { prompt_tokens, completion_tokens }
    const chunks: object[] = [
      chunk({ role: 'assistant', content: '' }),
      ...splitText(reasoning, 12).map((reasoning_content) => chunk({ reasoning_content })),
      ...splitText(text, 5).map((content) =>
        chunk(finish === 'refused' ? { refusal: content } : { content }),
      ),
      ...calls.flatMap((call, index) => callChunks(call, index, request).map((d) => chunk(d))),
      ...(answer.streamError
        ? [{ error: { message: answer.streamError, type: 'server_error' } }]
        : disconnect
          ? []
          : [
              chunk({}, finish === 'refused' ? 'content_filter' : reason[finish]),
              ...(usage === false ? [] : [{ ...header, choices: [], usage: tokenCounts }]),
            ]),
    ]
    const endMarker = disconnect || answer.streamError ? [] : ['data: [DONE]\n\n']
    return [...chunks.map((one) => `data: ${JSON.stringify(one)}\n\n`), ...endMarker]
  },
  errorResponse: (status, message, headers) =>
    Response.json(
      { error: { message, type: 'invalid_request_error', param: null, code: null } },
      { status, headers: headers ?? {} },
    ),
}

function callChunks(call: Call, index: number, request: ModelRequest): object[] {
  const id = `call_${request.toolResults.length + index}_${call.tool}`
  const name = { index, id, type: 'function', function: { name: call.tool, arguments: '' } }
  const argumentChunks = splitText(argumentsOf(call), 7).map((chunk) => ({
    index,
    function: { arguments: chunk },
  }))
  return [name, ...argumentChunks].map((one) => ({ tool_calls: [one] }))
}

export const anthropic: Protocol = {
  name: 'anthropic',
  path: '/v1/messages',
  readKey: (headers) => headers.get('x-api-key'),
  parseRequest(body) {
    const messages = body.messages as Message[]
    const tools = (body.tools ?? []) as { name: string }[]
    const blocksOf = ({ content }: Message): Block[] =>
      typeof content === 'string' ? [{ type: 'text', text: content }] : (content ?? [])
    const isUserMessage = (one: Message) => one.role === 'user' && !blocksOf(one).every(isResult)
    const last = messages.findLastIndex(isUserMessage)
    const results = messages
      .slice(last + 1)
      .flatMap(blocksOf)
      .filter(isResult)
    const userBlocks = messages[last]
      ? blocksOf(messages[last]).filter((one) => !isResult(one))
      : []
    return {
      model: modelOf(body),
      system: textOf(body.system as Message['content']),
      tools: tools.map(({ name }) => name),
      userText: textOf(userBlocks),
      toolResults: results.map(({ content }) => textOf(content)),
    }
  },
  events(answer, request) {
    const { text = '', reasoning = '', calls = [], finish = 'stop', disconnect, usage } = answer
    const tokenCounts = usage || estimateUsage(request, answer)
    const reason = { stop: calls.length ? 'tool_use' : 'end_turn', length: 'max_tokens' }
    const blocks = [
      ...(reasoning ? [thinking(reasoning)] : []),
      ...(text ? [textBlock(text)] : []),
      ...calls.map((call, at) =>
        callBlock(call, `toolu_${request.toolResults.length + at}_${call.tool}`),
      ),
    ]
    const input_tokens = usage === false ? 0 : tokenCounts.in
    const message = { id: 'msg_1', type: 'message', role: 'assistant', model: request.model }
    const empty = { content: [], stop_reason: null, stop_sequence: null }
    const events: Event[] = [
      {
        type: 'message_start',
        message: { ...message, ...empty, usage: { input_tokens, output_tokens: 1 } },
      },
      { type: 'ping' },
      ...blocks.flatMap((block, index) => block.map((event) => ({ ...event, index }))),
      ...(answer.streamError
        ? [{ type: 'error', error: { type: 'overloaded_error', message: answer.streamError } }]
        : disconnect
          ? []
          : [
              {
                type: 'message_delta',
                delta: {
                  stop_reason: finish === 'refused' ? 'refusal' : reason[finish],
                  stop_sequence: null,
                },
                usage: { output_tokens: usage === false ? 0 : tokenCounts.out },
              },
              { type: 'message_stop' },
            ]),
    ]
    return events.map((one) => `event: ${one.type}\ndata: ${JSON.stringify(one)}\n\n`)
  },
  errorResponse: (status, message, headers) =>
    Response.json(
      { type: 'error', error: { type: 'invalid_request_error', message } },
      { status, headers: headers ?? {} },
    ),
}

const block = (content_block: object, deltas: object[]): Event[] => [
  { type: 'content_block_start', content_block },
  ...deltas.map((delta) => ({ type: 'content_block_delta', delta })),
  { type: 'content_block_stop' },
]

const textBlock = (text: string) =>
  block(
    { type: 'text', text: '' },
    splitText(text, 5).map((chunk) => ({ type: 'text_delta', text: chunk })),
  )

const thinking = (reasoning: string) =>
  block({ type: 'thinking', thinking: '', signature: '' }, [
    ...splitText(reasoning, 12).map((chunk) => ({ type: 'thinking_delta', thinking: chunk })),
    { type: 'signature_delta', signature: 'c2lnbmVk' },
  ])

const callBlock = (call: Call, id: string) =>
  block(
    { type: 'tool_use', id, name: call.tool, input: {} },
    splitText(argumentsOf(call), 7).map((partial_json) => ({
      type: 'input_json_delta',
      partial_json,
    })),
  )
