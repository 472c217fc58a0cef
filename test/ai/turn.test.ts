import { afterAll, describe, expect, test } from 'bun:test'
import { type HistoryMessage, openModel } from '../../src/ai/index.ts'
import { startScriptedModel } from './scripted-model.ts'
import { ask, PROTOCOLS, TOOLS } from './turns.ts'

const service = startScriptedModel({ key: 'sk-cork' })
afterAll(() => service.stop())

const list = { tool: 'tasks_list', input: { project_id: 1 } }
const create = { tool: 'tasks_create', input: { project_id: 1, title: 'Paint the “fence”' } }

describe.each(PROTOCOLS)('with the %s protocol', (provider) => {
  const ai = openModel(service.endpoint(provider), { retryPause: 1 })

  test('a turn sends system text, message and tools, and streams the answer with its usage', async () => {
    service.play([{ text: 'Nothing is open, Ada.', usage: { in: 120, out: 7 } }])
    const result = await ask(ai)
    expect(result).toMatchObject({ reason: 'said', text: 'Nothing is open, Ada.' })
    expect(result.usage).toEqual({ tokens_in: 120, tokens_out: 7 })
    expect(result.trouble).toBeUndefined()
    expect(result.events.length).toBeGreaterThan(3)
    const [request] = service.requests
    expect(request).toMatchObject({
      model: 'scripted',
      system: 'You help with a board.',
      userText: 'What is open?',
      tools: ['tasks_list', 'tasks_create'],
    })
    expect(JSON.stringify(request!.body)).toContain('What tasks_create does')
  })

  test('text is emitted while the rest of the answer is still streaming', async () => {
    const firstText = Promise.withResolvers<void>()
    // If nothing were emitted before the last chunk, the answer would never end.
    service.play([{ text: 'One two three', beforeLastChunk: firstText.promise }])
    const { reason } = await ask(ai, { onEvent: () => firstText.resolve() })
    expect(reason).toBe('said')
  })

  test('calls are announced together, run in order, and return their results to the model', async () => {
    service.play([
      { text: 'Let me look.', calls: [list, create, list] },
      { text: 'Three are done.' },
    ])
    const order: string[] = []
    const result = await ask(ai, {
      onEvent: ({ type }) => type === 'call' && order.push('announced'),
      outcome: async ({ tool }) => {
        order.push(`${tool} begins`)
        await Bun.sleep(tool === 'tasks_list' ? 5 : 0)
        order.push(`${tool} ends`)
        return { state: 'answered', text: `${tool} says ${order.length}` }
      },
    })
    expect(result).toMatchObject({ reason: 'said', text: 'Let me look.Three are done.' })
    expect(order).toEqual([
      ...['announced', 'announced', 'announced'],
      ...['tasks_list begins', 'tasks_list ends', 'tasks_create begins', 'tasks_create ends'],
      ...['tasks_list begins', 'tasks_list ends'],
    ])
    expect(result.calls.map(({ input }) => input)).toEqual([list.input, create.input, list.input])
    expect(new Set(result.calls.map(({ call_id }) => call_id)).size).toBe(3)
    expect(service.requests[1]?.toolResults).toEqual([
      'tasks_list says 5',
      'tasks_create says 7',
      'tasks_list says 9',
    ])
  })

  test('a waiting call ends the turn, but the other calls of its step still run', async () => {
    service.play([{ calls: [list, create, list] }])
    const result = await ask(ai, {
      outcome: ({ tool }) =>
        tool === 'tasks_create' ? { state: 'waiting' } : { state: 'answered', text: 'Seen' },
    })
    expect(result.reason).toBe('waiting')
    expect(result.calls).toHaveLength(3)
    expect(service.requests).toHaveLength(1)
  })

  test('a resumed turn sends the results of waiting calls before the text that followed them', async () => {
    service.play([{ text: 'It stands.' }])
    const history: HistoryMessage[] = [
      { role: 'user', text: 'Make one.' },
      {
        role: 'assistant',
        parts: [
          { text: 'I make it.' },
          { call_id: 'aaaaaaaa1', ...create, answer: 'Created HOM-1' },
          { text: 'And look.' },
          { call_id: 'aaaaaaaa2', tool: 'tasks_list', input: '{"project', answer: 'Unreadable' },
        ],
      },
    ]
    expect(await ask(ai, { history })).toMatchObject({ reason: 'said', text: 'It stands.' })
    expect(service.requests[0]).toMatchObject({
      userText: 'Make one.',
      toolResults: ['Created HOM-1', 'Unreadable'],
    })
    const body = JSON.stringify(service.requests[0]!.body.messages)
    expect(body.indexOf('Created HOM-1')).toBeLessThan(body.indexOf('And look.'))
  })

  test('an empty answer is left out of the history, and the user messages around it are merged', async () => {
    service.play([{ text: 'Yes.' }])
    await ask(ai, {
      history: [
        { role: 'user', text: 'Hello?' },
        { role: 'assistant', parts: [{ text: ' ' }] },
        { role: 'user', text: 'Is somebody there?' },
      ],
    })
    expect(service.requests[0]?.userText).toBe('Hello?\n\nIs somebody there?')
  })

  test('tools that a call adds are offered in the next step', async () => {
    service.play([{ calls: [list] }, { text: 'Found.' }])
    const offeredTools = TOOLS.slice(0, 1)
    await ask(ai, {
      tools: () => offeredTools,
      outcome: () => {
        offeredTools.push({ ...TOOLS[0]!, name: 'labels_list' })
        return { state: 'answered', text: 'Opened' }
      },
    })
    expect(service.requests.map(({ tools }) => tools)).toEqual([
      ['tasks_list'],
      ['tasks_list', 'labels_list'],
    ])
  })

  test('messages sent during a turn reach the model in the next step, even after its last answer', async () => {
    service.play([{ calls: [list] }, { text: 'Done.' }, { text: 'Blue, then.' }])
    const newTexts = [['In green, please.'], ['Or in blue.'], []]
    const result = await ask(ai, { takeNewTexts: () => newTexts.shift()! })
    expect(result).toMatchObject({ reason: 'said', text: 'Done.Blue, then.' })
    expect(service.requests.map(({ userText: history }) => history)).toEqual([
      'What is open?',
      'In green, please.',
      'Or in blue.',
    ])
  })

  test('an invalid call is not run; the model receives the error and can correct it', async () => {
    service.play([
      {
        calls: [
          { tool: 'tasks_create', malformed: '{"title": "Pai' },
          { tool: 'tasks_crate', input: {} },
          { tool: 'tasks_list', malformed: '[1]' },
          { tool: 'tasks_list', malformed: '' },
        ],
      },
      { calls: [create] },
      { text: 'Now it is there.' },
    ])
    const result = await ask(ai)
    expect(result).toMatchObject({ reason: 'said', text: 'Now it is there.' })
    expect(result.calls.map(({ tool, input }) => ({ tool, input }))).toEqual([
      { tool: 'tasks_list', input: {} },
      create,
    ])
    const refusedEvents = result.events.filter((one) => one.type === 'refused')
    expect(refusedEvents.map(({ text }) => text)).toEqual([
      expect.stringContaining('arguments of tasks_create cannot be read'),
      expect.stringContaining('no tool called "tasks_crate". Did you mean tasks_create?'),
      expect.stringContaining('arguments of tasks_list cannot be read'),
    ])
    expect(refusedEvents[0]?.call.input).toBe('{"title": "Pai')
    expect(service.requests[1]?.toolResults.slice(0, 3)).toEqual(
      refusedEvents.map(({ text }) => text),
    )
  })

  test('a turn fails after three steps with only unreadable calls', async () => {
    service.play(() => ({ calls: [{ tool: 'tasks_list', malformed: '{' }] }))
    const result = await ask(ai)
    expect(result).toMatchObject({ reason: 'failed', trouble: { error: 'Calls unreadable' } })
    expect(result.trouble?.hint).toContain('CORK_AI_MODEL')
    expect(service.requests).toHaveLength(3)
    expect(result.calls).toEqual([])
  })

  test('a step with more than 100 calls fails without running any of them; 100 calls run', async () => {
    const answerWithCalls = (calls: number) => ({
      calls: Array.from({ length: calls }, () => list),
    })
    service.play(() => answerWithCalls(101))
    const result = await ask(ai)
    expect(result).toMatchObject({ reason: 'failed', trouble: { error: 'Too many calls' } })
    expect(result.calls).toEqual([])
    expect(service.requests).toHaveLength(1)
    service.play([answerWithCalls(100), { text: 'Done.' }])
    expect((await ask(ai)).calls).toHaveLength(100)
  })

  test('a model that keeps calling tools is stopped at the step limit', async () => {
    service.play(() => ({ calls: [list] }))
    const result = await ask(ai, { bounds: { steps: 5, tokens: 1e6 } })
    expect(result).toMatchObject({ reason: 'steps', trouble: { error: 'Too many steps' } })
    expect(result.trouble?.hint).toContain('go on')
    expect(result.calls).toHaveLength(5)
    expect(service.requests).toHaveLength(5)
  })

  test('the token limit counts all steps together, by the usage that the service reports', async () => {
    service.play(() => ({ calls: [list], usage: { in: 400, out: 100 } }))
    const result = await ask(ai, { bounds: { steps: 50, tokens: 1500 } })
    expect(result).toMatchObject({ reason: 'tokens', trouble: { error: 'Too many tokens' } })
    expect(result.usage).toEqual({ tokens_in: 1200, tokens_out: 300 })
    expect(service.requests).toHaveLength(3)
  })

  test('an endless answer is cut off when it reaches the token limit', async () => {
    service.play([{ text: 'again and again '.repeat(5000) }])
    const result = await ask(ai, { bounds: { steps: 5, tokens: 2000 } })
    expect(result.reason).toBe('tokens')
    expect(result.text.length).toBeLessThan(8000)
    expect(result.text.length).toBeGreaterThan(4000)
    expect(result.usage.tokens_in + result.usage.tokens_out).toBeLessThan(2100)
  })

  test('tokens are estimated if the service reports no usage', async () => {
    service.play([{ text: 'word '.repeat(200), usage: false }])
    const { usage } = await ask(ai)
    expect(usage.tokens_out).toBe(250)
    expect(usage.tokens_in).toBeGreaterThan(50)
  })

  test('reasoning is not emitted, but is sent back to the model with its calls', async () => {
    service.play([{ reasoning: 'She means the fence.', calls: [list] }, { text: 'The fence.' }])
    const result = await ask(ai)
    expect(result.text).toBe('The fence.')
    expect(JSON.stringify(result.events)).not.toContain('She means')
    expect(JSON.stringify(service.requests[1]?.body)).toContain('She means the fence.')
  })

  test('an empty answer after a call ends the turn successfully', async () => {
    service.play([{ calls: [list] }, {}])
    expect(await ask(ai)).toMatchObject({ reason: 'said', text: '' })
    expect(service.requests).toHaveLength(2)
  })

  test('an error thrown while a call runs is rethrown, not reported as a failure of the model', async () => {
    service.play([{ calls: [list] }])
    const outcome = () => {
      throw new Error('Broken here')
    }
    expect(ask(ai, { outcome })).rejects.toThrow('Broken here')
  })
})
