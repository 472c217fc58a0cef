import { expect, test } from 'bun:test'
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base'
import { catchRefusal, chatToolsWorld } from './chat-tools.ts'

const MAX_TOKENS = 2000

interface ToolResult {
  data: Record<string, unknown>[]
  page: { total: number; next_cursor?: string }
  shown_in_part?: string[]
}

const parseResult = (text: string): ToolResult =>
  JSON.parse(text.split('\n').slice(1, -1).join('\n'))

test('a list of more than 2,000 tokens is truncated, and its cursor continues with the other tasks', async () => {
  const w = await chatToolsWorld()
  const { project_id } = w.board
  const title = (n: number) => `${n} ${'Let people plan their week in peace. '.repeat(8)}`
  for (let n = 0; n < 3; n++) {
    const tasks = Array.from({ length: 20 }, (_, i) => ({ title: title(n * 20 + i) }))
    await w.chat.call('tasks_create_many', { project_id, tasks })
  }
  const ticketNumbers = new Set<unknown>()
  let cursor: string | undefined
  do {
    const input = { project_id, limit: 50, ...(cursor && { cursor }) }
    const { text, output, answer } = await w.chat.call('tasks_list', input)
    expect(countTokens(text)).toBeLessThanOrEqual(MAX_TOKENS)
    const { data, page } = parseResult(text)
    expect(output).toEqual({ data, page })
    expect((answer.data as unknown[]).length).toBeGreaterThanOrEqual(data.length)
    for (const { ticket_number } of data) ticketNumbers.add(ticket_number)
    cursor = page.next_cursor
  } while (cursor)
  expect(ticketNumbers.size).toBe(64)
})

test('a long text is truncated, and the number of omitted characters is added', async () => {
  const w = await chatToolsWorld()
  const description = `<p>${'People who sign in again should land there. '.repeat(5000)}</p>`
  await w.cleo['tasks.update']({ ...w.tasks.logo, description })
  const { text } = await w.chat.call('tasks_get', { ticket_number: w.tasks.logo.ticket_number })
  expect(countTokens(text)).toBeLessThanOrEqual(MAX_TOKENS)
  expect(text).toMatch(/… [\d,]+ more characters"/)
  expect(text).toContain('"title":"Draw the logo"')
})

test('a tree of more than 2,000 tokens is truncated, and the number of children shown is added', async () => {
  const w = await chatToolsWorld()
  const { project_id } = w.board
  const parent_task_id = w.tasks.logo.task_id
  for (let n = 0; n < 8; n++) {
    const tasks = Array.from({ length: 20 }, (_, i) => ({
      title: `Part ${n} ${i}`,
      parent_task_id,
    }))
    await w.chat.call('tasks_create_many', { project_id, tasks })
  }
  const { text } = await w.chat.call('tasks_tree', { ticket_number: w.tasks.logo.ticket_number })
  expect(countTokens(text)).toBeLessThanOrEqual(MAX_TOKENS)
  expect(parseResult(text).shown_in_part).toEqual([expect.stringMatching(/children: \d+ of 160$/)])
})

test('a refusal with a long text is truncated to 2,000 tokens', async () => {
  const w = await chatToolsWorld()
  const { ticket_number, task_id } = w.tasks.logo
  await w.cleo['tasks.update']({ task_id, description: `<p>${'Long words. '.repeat(9000)}</p>` })
  const staleUpdate = { ticket_number, description: '<p>x</p>', if_version: 1 }
  const { text } = await catchRefusal(w.chat.call('tasks_update', staleUpdate))
  expect(countTokens(text)).toBeLessThanOrEqual(MAX_TOKENS)
  expect(text).toContain('"error":"Conflict"')
})

test('the rows of a list have the task_id and ticket_number that further calls need', async () => {
  const w = await chatToolsWorld()
  const { text } = await w.chat.call('tasks_list', { project_id: w.board.project_id })
  for (const row of parseResult(text).data)
    expect(row).toMatchObject({ task_id: expect.any(Number), ticket_number: expect.any(String) })
})
