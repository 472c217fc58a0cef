import { expect, test } from 'bun:test'
import { startCpuTimer } from '../../../support/time.ts'
import { world } from '../../../support/world.ts'

const MB = 1_048_576

/** Texts in several scripts, each with a query that must find it. */
const SAID: [text: string, query: string][] = [
  ['係留ロープは二冬で擦り切れる。', 'ロープ'],
  ['Швартовый канат изнашивается за две зимы.', 'швартовый канат'],
  ['حبل الإرساء يبلى بعد شتاءين.', 'حبل الإرساء'],
  ['밧줄은 두 겨울이 지나면 닳는다.', '밧줄은'],
  ['เชือกผูกเรือสึกในสองฤดูหนาว', 'เชือกผูกเรือ'],
  ['Das Haltetau verschleißt übermäßig.', 'VERSCHLEISST'],
  ['A rope of 🧵 and ⚓️ holds.', '⚓️ rope'],
]

/** Unusual queries. Every search must respond to them with 200. */
const STRANGE = [
  ...[
    'the',
    'the of and a',
    '🎈',
    '🧂🧂🧂',
    '...',
    '"',
    '""',
    '(',
    '\\',
    '%',
    '_',
    '*',
    "' or 1=1 --",
  ],
  ...[
    'a',
    'ab',
    '\u202e\u200b',
    'x'.repeat(2000),
    '漢'.repeat(2000),
    '-',
    'NOT',
    'label:',
    'is:open',
  ],
  ...[
    '\ufdfa'.repeat(500),
    'e\u0301'.repeat(500),
    '\ud83d',
    '[object Object]',
    '<script>alert(1)</script>',
  ],
  Array.from({ length: 999 }, (_, at) => at % 10).join(' '),
]

async function createTexts() {
  const w = await world()
  const { task_id } = w.tasks.logo
  const pages = new Map<string, number>()
  for (const [content] of SAID)
    pages.set(content, (await w.cleo['pages.create']({ task_id, content })).page_id)
  return { ...w, pages }
}

test('a query in any script returns the page with its words as the first result', async () => {
  const { cleo, pages } = await createTexts()
  for (const [content, query] of SAID) {
    const [first] = await cleo['search.semantic']({ query })
    expect([query, first?.source.id]).toEqual([query, pages.get(content)!])
    const [page] = await cleo['pages.search']({ query })
    expect([query, page?.page_id]).toEqual([query, pages.get(content)!])
  }
})

test('a search for stop words, symbols, emoji or invalid characters responds with 200', async () => {
  const { cleo, http } = await createTexts()
  for (const query of STRANGE)
    for (const path of ['semantic', 'pages', 'help']) {
      const text = encodeURIComponent(query.toWellFormed())
      const { status, body } = await http(cleo, 'GET', `/api/v1/search/${path}?query=${text}`)
      expect([path, query.slice(0, 40), status]).toEqual([path, query.slice(0, 40), 200])
      expect(Array.isArray(body.data)).toBe(true)
    }
  for (const text of STRANGE) {
    const { status } = await http(cleo, 'POST', '/api/v1/search/related', {
      text: text.toWellFormed(),
    })
    expect([text.slice(0, 40), status]).toEqual([text.slice(0, 40), 200])
  }
})

test('a query of 10,000 words is refused; a text for related tasks may be that long, not 2 MB', async () => {
  const { cleo, http, pages } = await createTexts()
  const query = Array.from({ length: 10_000 }, (_, at) => `filler${at % 700}`).join(' ')
  for (const path of ['semantic', 'pages', 'help']) {
    const { status, body } = await http(cleo, 'GET', `/api/v1/search/${path}?query=${query}`)
    expect([path, status, body.details]).toEqual([
      ...[path, 400, expect.objectContaining({ field: 'query', code: 'too_long' })],
    ])
  }
  const elapsedCpu = startCpuTimer()
  const text = `${'Das Haltetau verschleißt übermäßig. '.repeat(50)} ${query}`
  const related = await cleo['search.related']({ text })
  expect(elapsedCpu()).toBeLessThan(5000)
  expect(related[0]).toMatchObject({ ticket_number: expect.any(String) })
  expect(pages.size).toBe(SAID.length)
  const { status, body } = await http(cleo, 'POST', '/api/v1/search/related', {
    text: 'x '.repeat(MB),
  })
  expect([status, body.details?.field]).toEqual([400, 'text'])
})
