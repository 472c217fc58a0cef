import { expect, test } from 'bun:test'
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base'
import { clipToBudget, estimateTokens, truncateToBudget } from '../../src/kernel/token-budget.ts'
import { RESULT_BUDGET } from '../../src/surfaces/mcp/call.ts'
import { callTool } from '../support/surface-calls.ts'
import { type World, world } from '../support/world.ts'

const MAX_TOKENS = 10_000

async function call(w: World, tool: string, args: object) {
  const { result } = (await callTool(w, w.cleo, tool, args)).body
  const { text } = result.content[0]
  return { ...result.structuredContent, text, tokens: countTokens(text) }
}

const TITLES = [
  'Let people pick a dark theme',
  'Ask three customers how they plan their week',
  'Write the upgrade guide',
  'Sign-in fails when the session cookie is older than a month',
  'Show who is looking at a board',
  'Export a board as CSV',
  'Rate limits for agents',
  'Make the search box find ticket keys',
  'Invoices are rounded twice',
  'Move the nightly backup to the new bucket',
]

test('a list of twenty tasks costs at most 900 tokens, and a detailed one has empty fields too', async () => {
  const w = await world()
  const { Inbox, Next, Doing, Review } = w.sections
  const people = [w.ada, w.ben, w.cleo].map(({ caller }) => caller.actor_id)
  for (let i = 0; i < 20; i++)
    await w.cleo['tasks.create']({
      project_id: w.board.project_id,
      title: TITLES[i % 10]!,
      section_id: [Inbox, Next, Doing, Review][i % 4]!,
      priority: i % 5,
      ...(i % 3 && { estimate: 2 + (i % 5), labels: ['bug', 'ui'].slice(0, 1 + (i % 2)) }),
      ...(i % 2 && { due_date: `2026-12-${10 + i}` }),
      ...(i % 4 && { assignee_ids: [people[i % 3]!] }),
    })
  const input = { project_id: w.board.project_id }
  const { data, page, tokens, text } = await call(w, 'svc_tasks', { action: 'list', input })
  expect(data).toHaveLength(20)
  expect(page).toMatchObject({ total: 24, has_more: true, next_cursor: expect.any(String) })
  expect(tokens).toBeLessThanOrEqual(900)
  expect(text).not.toMatch(/null|"None"|"none"|\[\]|false/)
  const detailed = await call(w, 'svc_tasks', {
    ...{ action: 'list', input, response_format: 'detailed' },
  })
  expect(detailed.data[0]).toMatchObject({ blocked: false, start_date: null })
})

/** Returns pseudo-random texts of these characters, some of which no vocabulary covers. */
const randomText = (from: string) => (n: number) => {
  const characters = [...from]
  let seed = 7
  return Array.from({ length: n }, () => {
    seed = (seed * 48_271) % 2_147_483_647
    return characters[seed % characters.length]
  }).join('')
}
const range = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, i) => String.fromCodePoint(from + i)).join('')
const KINDS: Record<string, (n: number) => string> = {
  prose: (n) => 'People who sign in again should land where they were before. '.repeat(n / 50),
  html: (n) => '<p>One <strong>more</strong> &amp; <a href="/x">link</a></p>\n'.repeat(n / 50),
  'random characters': randomText('abcdefghijklmnopqrstuvwxyz'),
  base64: randomText('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'),
  punctuation: randomText('{}[]()<>"\'\\/|!?#$%^&*_=+~`.,:;-'),
  digits: randomText('0123456789'),
  'white space': randomText(' \n\t ab'),
  cyrillic: randomText(range(0x430, 0x450)),
  han: randomText(range(0x4e00, 0x9f00)),
  'rare han': randomText(range(0x3400, 0x4d00)),
  hangul: randomText(range(0xac00, 0xd7a0)),
  tibetan: randomText(range(0xf40, 0xfb0)),
  ethiopic: randomText(range(0x1200, 0x1240)),
  emoji: randomText(range(0x1f300, 0x1f600)),
  hieroglyphs: randomText(range(0x13000, 0x13400)),
}

for (const [kind, createText] of Object.entries(KINDS))
  test(`texts of ${kind} are clipped to the token limit of a result`, () => {
    const rows = Array.from({ length: 20 }, (_, i) => ({ id: i, text: createText(3000 + i * 400) }))
    const { data, ratio } = clipToBudget(rows, RESULT_BUDGET)
    const text = JSON.stringify(data)
    expect(ratio).toBeLessThanOrEqual(1)
    expect(countTokens(text)).toBeLessThanOrEqual(MAX_TOKENS)
    expect(estimateTokens(text)).toBeGreaterThan(MAX_TOKENS / 3)
    const clipped = data as typeof rows
    expect(clipped.map(({ id }) => id)).toEqual(rows.map(({ id }) => id))
    expect(text.isWellFormed()).toBe(true)
    for (const [i, { text: part }] of clipped.entries())
      if (part !== rows[i]!.text)
        expect(part).toMatch(/… [\d,]+ more characters; response_format detailed returns all$/)
  })

test('short texts stay complete beside a long one that is clipped', () => {
  const words = 'Everyone signs in again. '.repeat(40)
  const { data } = clipToBudget({ a: words, b: 'x y '.repeat(100_000), c: words }, RESULT_BUDGET)
  const { a, b, c } = data as Record<string, string>
  expect([a, c]).toEqual([words, words])
  expect(b!.length).toBeGreaterThan(5000)
  expect(b).toContain('more characters')
})

test('a result within the token limit is unchanged', () => {
  const small = { title: 'x'.repeat(5000), rows: [1, 2, 3] }
  expect(clipToBudget(small, RESULT_BUDGET).data).toBe(small)
})

test('a list with long descriptions has every row, clipped unless detailed is requested', async () => {
  const w = await world({ hasBoard: false })
  const { project_id } = await w.cleo['projects.create']({
    ...{ team_id: w.team_id, title: 'Long', sections: [{ title: 'Now' }] },
  })
  const description = `<p>${'People who sign in again should land there. '.repeat(500)}</p>`
  for (let i = 0; i < 20; i++)
    await w.cleo['tasks.create']({ project_id, title: `Task ${i}`, description })
  const input = { project_id, fields: 'ticket_number,description' }
  const short = await call(w, 'svc_tasks', { action: 'list', input })
  expect(short.data).toHaveLength(20)
  expect(short.tokens).toBeLessThanOrEqual(MAX_TOKENS)
  expect(short.data[0].description).toMatch(/… [\d,]+ more characters; /)
  const all = await call(w, 'svc_tasks', { action: 'list', input, response_format: 'detailed' })
  expect(all.data[0].description).toBe(description)
  expect(all.tokens).toBeGreaterThan(MAX_TOKENS)
})

test('if clipping is not enough, fewer rows are returned and the cursor leads to the rest', async () => {
  const w = await world({ hasBoard: false })
  const { project_id } = await w.cleo['projects.create']({
    ...{ team_id: w.team_id, title: 'Wide', sections: [{ title: 'Now' }] },
  })
  const title = KINDS.han!(400)
  for (let i = 0; i < 45; i++) await w.cleo['tasks.create']({ project_id, title: `${i} ${title}` })
  const ticketNumbers: string[] = []
  let cursor: string | undefined
  do {
    const page = await call(w, 'svc_tasks', {
      ...{ action: 'list', limit: 50, input: { project_id, cursor } },
    })
    expect(page.tokens).toBeLessThanOrEqual(MAX_TOKENS)
    ticketNumbers.push(...page.data.map((row: { ticket_number: string }) => row.ticket_number))
    if (page.data.length < 45 && page.page.has_more)
      expect(page.warnings).toMatchObject([{ field: 'limit', code: 'too_long' }])
    cursor = page.page.next_cursor
  } while (cursor)
  expect(ticketNumbers).toHaveLength(45)
  expect(new Set(ticketNumbers).size).toBe(45)
})

test('a tree that is too large is truncated with a warning unless detailed is requested', async () => {
  const w = await world()
  const { project_id } = w.board
  const { task_id } = w.tasks.logo
  for (let i = 0; i < 300; i++)
    await w.cleo['tasks.create']({ project_id, title: TITLES[i % 10]!, parent_task_id: task_id })
  const args = { action: 'tree', input: { task_id } }
  const part = await call(w, 'svc_tasks', args)
  expect(part.tokens).toBeLessThanOrEqual(MAX_TOKENS)
  expect(part.data.tree).toMatchObject({ child_count: 300 })
  expect(part.data.tree.children.length).toBeLessThan(300)
  expect(part.warnings[0].message).toMatch(/tree\.children: \d+ of 300/)
  const all = await call(w, 'svc_tasks', { ...args, response_format: 'detailed' })
  expect(all.data.tree.children).toHaveLength(300)
})

test('an error with a long text in its details is clipped too', async () => {
  const w = await world()
  const { task_id } = w.tasks.logo
  const description = `<p>${'People who sign in again should land there. '.repeat(3000)}</p>`
  await w.cleo['tasks.update']({ task_id, description })
  const input = { task_id, description: 'x', if_version: 1 }
  const refused = await call(w, 'svc_tasks', { action: 'update', input })
  expect(refused).toMatchObject({ success: false, details: { field: 'if_version', version: 2 } })
  expect(refused.tokens).toBeLessThanOrEqual(MAX_TOKENS)
  expect(refused.details.current).toContain('more characters')
})

test('nested lists are truncated to the token limit, with the number of rows that remain', () => {
  const large = { a: Array.from({ length: 100 }, () => ({ b: Array(100).fill('a word or two') })) }
  const { data, truncated } = truncateToBudget(large, RESULT_BUDGET)
  expect(countTokens(JSON.stringify(data))).toBeLessThanOrEqual(MAX_TOKENS)
  expect(truncated).toEqual(expect.arrayContaining([expect.stringMatching(/^a: \d+ of 100$/)]))
})
