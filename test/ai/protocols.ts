import type { Answer, Asked, Call } from './models.ts'

/** The wire format of one kind of service. */
export interface Protocol {
  name: 'openai' | 'anthropic'
  path: string
  keyIn(headers: Headers): string | null
  read(body: Record<string, unknown>): Omit<Asked, 'protocol' | 'path' | 'headers' | 'body'>
  events(answer: Answer, asked: Asked): string[]
  refused(status: number, message: string, headers?: Record<string, string>): Response
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

const wordsOf = (content: Message['content'] | undefined): string =>
  typeof content === 'string'
    ? content
    : (content ?? []).map(({ text, content: inner }) => text ?? wordsOf(inner)).join('')

const inPieces = (text: string, size: number) => text.match(new RegExp(`.{1,${size}}`, 'gsu')) ?? []
const argumentsOf = ({ input, malformed }: Call) => malformed ?? JSON.stringify(input ?? {})
const isResult = ({ type }: Block) => type === 'tool_result'

/** Token counts that grow with the length of the texts, as real counts do. */
const guessed = (asked: Asked, answer: Answer) => ({
  in: Math.ceil(JSON.stringify(asked.body).length / 4),
  out: Math.ceil(JSON.stringify([answer.text, answer.calls]).length / 4),
})

const modelOf = (body: Record<string, unknown>) => String(body.model)

export const openai: Protocol = {
  name: 'openai',
  path: '/v1/chat/completions',
  keyIn: (headers) => headers.get('authorization')?.replace('Bearer ', '') ?? null,
  read(body) {
    const messages = body.messages as Message[]
    const tools = (body.tools ?? []) as { function: { name: string } }[]
    const last = messages.findLastIndex(({ role }) => role === 'user')
    return {
      model: modelOf(body),
      system: wordsOf(messages.find(({ role }) => role === 'system')?.content),
      tools: tools.map((tool) => tool.function.name),
      said: wordsOf(messages[last]?.content),
      told: messages
        .slice(last + 1)
        .filter(({ role }) => role === 'tool')
        .map(({ content }) => wordsOf(content)),
    }
  },
  events(answer, asked) {
    const { text = '', thoughts = '', calls = [], finish = 'stop', cut, usage } = answer
    const head = { id: 'chatcmpl-1', object: 'chat.completion.chunk', model: asked.model }
    const chunk = (delta: object, finish_reason: string | null = null) => ({
      ...head,
      choices: [{ index: 0, delta, finish_reason }],
    })
    const reason = { stop: calls.length ? 'tool_calls' : 'stop', length: 'length' }
    const { in: prompt_tokens, out: completion_tokens } = usage || guessed(asked, answer)
    const counted = { prompt_tokens, completion_tokens }
    const chunks: object[] = [
      chunk({ role: 'assistant', content: '' }),
      ...inPieces(thoughts, 12).map((reasoning_content) => chunk({ reasoning_content })),
      ...inPieces(text, 5).map((content) =>
        chunk(finish === 'refused' ? { refusal: content } : { content }),
      ),
      ...calls.flatMap((call, index) => callChunks(call, index, asked).map((d) => chunk(d))),
      ...(answer.breaksDown
        ? [{ error: { message: answer.breaksDown, type: 'server_error' } }]
        : cut
          ? []
          : [
              chunk({}, finish === 'refused' ? 'content_filter' : reason[finish]),
              ...(usage === false ? [] : [{ ...head, choices: [], usage: counted }]),
            ]),
    ]
    const done = cut || answer.breaksDown ? [] : ['data: [DONE]\n\n']
    return [...chunks.map((one) => `data: ${JSON.stringify(one)}\n\n`), ...done]
  },
  refused: (status, message, headers) =>
    Response.json(
      { error: { message, type: 'invalid_request_error', param: null, code: null } },
      { status, headers: headers ?? {} },
    ),
}

function callChunks(call: Call, index: number, asked: Asked): object[] {
  const id = `call_${asked.told.length + index}_${call.tool}`
  const name = { index, id, type: 'function', function: { name: call.tool, arguments: '' } }
  const pieces = inPieces(argumentsOf(call), 7).map((piece) => ({
    index,
    function: { arguments: piece },
  }))
  return [name, ...pieces].map((one) => ({ tool_calls: [one] }))
}

export const anthropic: Protocol = {
  name: 'anthropic',
  path: '/v1/messages',
  keyIn: (headers) => headers.get('x-api-key'),
  read(body) {
    const messages = body.messages as Message[]
    const tools = (body.tools ?? []) as { name: string }[]
    const blocksOf = ({ content }: Message): Block[] =>
      typeof content === 'string' ? [{ type: 'text', text: content }] : (content ?? [])
    const spoken = (one: Message) => one.role === 'user' && !blocksOf(one).every(isResult)
    const last = messages.findLastIndex(spoken)
    const results = messages
      .slice(last + 1)
      .flatMap(blocksOf)
      .filter(isResult)
    const words = messages[last] ? blocksOf(messages[last]).filter((one) => !isResult(one)) : []
    return {
      model: modelOf(body),
      system: wordsOf(body.system as Message['content']),
      tools: tools.map(({ name }) => name),
      said: wordsOf(words),
      told: results.map(({ content }) => wordsOf(content)),
    }
  },
  events(answer, asked) {
    const { text = '', thoughts = '', calls = [], finish = 'stop', cut, usage } = answer
    const counted = usage || guessed(asked, answer)
    const reason = { stop: calls.length ? 'tool_use' : 'end_turn', length: 'max_tokens' }
    const blocks = [
      ...(thoughts ? [thinking(thoughts)] : []),
      ...(text ? [textBlock(text)] : []),
      ...calls.map((call, at) => callBlock(call, `toolu_${asked.told.length + at}_${call.tool}`)),
    ]
    const input_tokens = usage === false ? 0 : counted.in
    const message = { id: 'msg_1', type: 'message', role: 'assistant', model: asked.model }
    const empty = { content: [], stop_reason: null, stop_sequence: null }
    const events: Event[] = [
      {
        type: 'message_start',
        message: { ...message, ...empty, usage: { input_tokens, output_tokens: 1 } },
      },
      { type: 'ping' },
      ...blocks.flatMap((block, index) => block.map((event) => ({ ...event, index }))),
      ...(answer.breaksDown
        ? [{ type: 'error', error: { type: 'overloaded_error', message: answer.breaksDown } }]
        : cut
          ? []
          : [
              {
                type: 'message_delta',
                delta: {
                  stop_reason: finish === 'refused' ? 'refusal' : reason[finish],
                  stop_sequence: null,
                },
                usage: { output_tokens: usage === false ? 0 : counted.out },
              },
              { type: 'message_stop' },
            ]),
    ]
    return events.map((one) => `event: ${one.type}\ndata: ${JSON.stringify(one)}\n\n`)
  },
  refused: (status, message, headers) =>
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
    inPieces(text, 5).map((piece) => ({ type: 'text_delta', text: piece })),
  )

const thinking = (thoughts: string) =>
  block({ type: 'thinking', thinking: '', signature: '' }, [
    ...inPieces(thoughts, 12).map((piece) => ({ type: 'thinking_delta', thinking: piece })),
    { type: 'signature_delta', signature: 'c2lnbmVk' },
  ])

const callBlock = (call: Call, id: string) =>
  block(
    { type: 'tool_use', id, name: call.tool, input: {} },
    inPieces(argumentsOf(call), 7).map((partial_json) => ({
      type: 'input_json_delta',
      partial_json,
    })),
  )
