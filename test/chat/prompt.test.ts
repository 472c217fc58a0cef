import { describe, expect, test } from 'bun:test'
import { historyFor } from '../../src/chat/history.ts'
import type { Row } from '../../src/features/conversation/chat/model/index.ts'
import type { ThreadBrief } from '../../src/features/conversation/chat/operations/index.ts'
import { estimateTokens } from '../../src/kernel/token-budget.ts'
import { startCpuTimer } from '../support/time.ts'
import { NOON } from '../support/world.ts'
import { chatWorld } from './chat-client.ts'

describe('the system prompt of a chat', () => {
  test('has the person, the local time, board, task, guidance and skills', async () => {
    const w = await chatWorld()
    const { project_id } = w.board
    await w.ada['projects.set_instructions']({ project_id, custom_instruction: 'Answer in verse' })
    await w.ada['projects.set_playbook']({ project_id, definition_of_done: ['Tests pass'] })
    await w.cleo['skills.create']({
      ...{ name: 'Stand up', description: 'What happened since yesterday' },
      ...{ body: 'List what was done.', argument_hint: 'day' },
    })
    w.service.play([{ text: 'Yes' }])
    await w.say(w.cleo, 'Hello', { task: 'HP-1' })
    const { system } = w.service.requests[0]!
    for (const part of [
      'Cleo',
      'Friday, 20 November 2026 at 13:00 in their time zone, Europe/Berlin',
      '<data source="board">\nHome page; key HP, project_id 1\n</data>',
      '<data source="task">\nHP-1 Draw the logo\n</data>',
      '<data source="board instructions">\nAnswer in verse\n</data>',
      '- Tests pass',
      '/stand-up [day] – What happened since yesterday',
    ])
      expect(system).toContain(part)
  })

  test('has less than 3,000 tokens, however long the guidance and the skills are', async () => {
    const w = await chatWorld()
    const { project_id } = w.board
    const long = 'Éine sehr lange Regel. 規則。'.repeat(600)
    await w.ada['projects.set_instructions']({
      project_id,
      custom_instruction: long.slice(0, 9000),
    })
    await w.ada['projects.set_playbook']({ project_id, notes: long.slice(0, 9000) })
    for (let at = 0; at < 40; at++)
      await w.cleo['skills.create']({
        ...{ name: `Skill ${at}`, body: 'Do it.', description: long.slice(0, 300) },
      })
    w.service.play([{ text: 'Yes' }])
    await w.say(w.cleo, 'Hello', { project_id })
    expect(estimateTokens(w.service.requests[0]!.system)).toBeLessThan(3000)
  })
})

describe('a skill', () => {
  const skill = { name: 'Greet', slug: 'greet', body: 'Greet $ARGUMENTS warmly.' }

  test('called at the beginning of a message is expanded for the model but not in the thread', async () => {
    const w = await chatWorld()
    await w.cleo['skills.create'](skill)
    w.service.play([{ text: 'Dear Ada!' }, { text: 'Dear Ben!' }])
    const { thread_id } = await w.say(w.cleo, '/greet Ada')
    expect(w.service.requests[0]!.userText).toContain('Greet Ada warmly.')
    await w.say(w.cleo, 'And Ben', { thread_id })
    expect(JSON.stringify(w.service.requests[1]!.body)).toContain('Greet Ada warmly.')
    const { messages } = await w.cleo['chat.thread']({ thread_id })
    expect(messages[0]!.parts).toEqual([{ type: 'text', text: '/greet Ada' }])
    expect((await w.cleo['skills.list']({})).items[0]).toMatchObject({
      last_used_at: NOON.toISOString(),
    })
  })

  test('with an unknown slug is refused with the nearest slug, and no thread is created', async () => {
    const w = await chatWorld()
    await w.cleo['skills.create'](skill)
    expect(await w.say(w.cleo, '/gret Ada')).toMatchObject({
      status: 400,
      refusal: { details: { field: 'message' }, hint: 'Did you mean /greet?' },
    })
    expect((await w.say(w.ada, '/greet')).status).toBe(400)
    expect((await w.cleo['chat.threads']({})).items).toEqual([])
  })
})

describe('the history of a long conversation', () => {
  const row = (number: number, role: Row['role'], parts: Row['parts']): Row => ({
    ...{ thread_id: 1, number, role, actor_id: null, parts, state: 'done', trouble: null },
    ...{ tokens_in: 0, tokens_out: 0, created_at: NOON, updated_at: NOON },
  })
  const call = (answer: string): Row['parts'][number] => ({
    ...{ type: 'call', call_id: 'a', tool: 'tasks_list', title: 'List', input: {}, answer },
    ...{ writes: false, destroys: false, state: 'done', can_undo: false },
  })
  const buildHistory = (messages: Row[]) =>
    historyFor({ messages, writers: new Map() } as unknown as ThreadBrief, messages.length)

  test('first shortens tool results of earlier turns, which stay fenced', () => {
    const long = `<data source="tasks_list">\n${'many words of a task '.repeat(800)}\n</data>`
    const history = buildHistory([
      row(1, 'person', [{ type: 'text', text: 'First question' }]),
      row(2, 'assistant', [call(long), { type: 'text', text: 'First answer' }]),
      row(3, 'person', [{ type: 'text', text: 'Second question' }]),
      row(4, 'assistant', [call(long)]),
    ])
    const answers = history.flatMap((one) =>
      one.role === 'assistant'
        ? one.parts.flatMap((part) => ('answer' in part ? part.answer : []))
        : [],
    )
    expect(history).toHaveLength(4)
    expect(answers[0]!.length).toBeLessThan(500)
    expect(answers[0]).toMatch(/^<data source="shortened">\n[^<]*\n<\/data>$/)
    expect(answers[1]).toBe(long)
  })

  test('shortens tool results of the last turn, except for the last three', () => {
    const long = `<data source="tasks_list">\n${'many words of a task '.repeat(250)}\n</data>`
    const history = buildHistory([
      row(1, 'person', [{ type: 'text', text: 'A question' }]),
      row(
        2,
        'assistant',
        Array.from({ length: 9 }, () => call(long)),
      ),
    ])
    const answers = history.flatMap((one) =>
      one.role === 'assistant'
        ? one.parts.map((part) => ('answer' in part ? part.answer : ''))
        : [],
    )
    expect(answers.map((answer) => answer === long)).toEqual([
      ...Array(6).fill(false),
      ...Array(3).fill(true),
    ])
  })

  test('drops whole turns, the oldest first, and always keeps the last one', () => {
    const text = 'some words that were said '.repeat(300)
    const history = buildHistory(
      Array.from({ length: 40 }, (_, at) =>
        row(at + 1, at % 2 ? 'assistant' : 'person', [{ type: 'text', text: `${at} ${text}` }]),
      ),
    )
    expect(history.length).toBeLessThan(40)
    expect(history[0]).toMatchObject({ role: 'user' })
    expect(history.at(-1)).toMatchObject({ parts: [{ text: expect.stringMatching(/^39 /) }] })
    const cost = estimateTokens(JSON.stringify(history))
    expect(cost).toBeLessThan(13_000)
    expect(cost).toBeGreaterThan(8_000)
  })

  test('is built from 500 long messages with little work, because dropped ones are not counted', () => {
    const text = 'All that somebody has to say. '.repeat(660)
    const long = Array.from({ length: 500 }, (_, at) =>
      row(at + 1, at % 2 ? 'assistant' : 'person', [{ type: 'text', text }]),
    )
    const elapsedCpu = startCpuTimer()
    expect(buildHistory(long)).toHaveLength(2)
    expect(elapsedCpu()).toBeLessThan(500)
  })
})
