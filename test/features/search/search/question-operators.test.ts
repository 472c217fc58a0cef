import { expect, test } from 'bun:test'
import { faultOf } from '../../../support/faults.ts'
import { type World, world } from '../../../support/world.ts'

/** Two tasks about ferries, one of them done, each with a page and a comment. */
async function ferries() {
  const w = await world()
  const { cleo, board } = w
  const { project_id } = board
  for (const [place, section_id] of [
    ['harbour', w.sections.Next],
    ['island', w.sections.Done],
  ] as const) {
    const { task_id } = await cleo['tasks.create']({
      ...{ project_id, section_id, title: `Paint the ${place}`, description: 'Where ferries land' },
    })
    await cleo['comments.add']({ task_id, text: `<p>The ferry of the ${place} is red.</p>` })
    await cleo['pages.create']({ task_id, title: `Ferry guide: ${place}`, content: 'Ferry times' })
  }
  return w
}

/** The keys that each search over texts finds for a query. */
async function keysOf({ cleo }: World, query: string) {
  const keys = (found: readonly { ticket_number: string }[]) =>
    [...new Set(found.map(({ ticket_number }) => ticket_number))].sort()
  const passages = await cleo['search.semantic']({ query, limit: 50 })
  return {
    semantic: keys(passages.map(({ source }) => source)),
    pages: keys(await cleo['pages.search']({ query })),
    related: keys(await cleo['search.related']({ text: query })),
  }
}

const onAll = (keys: string[]) => ({ semantic: keys, pages: keys, related: keys })

test('operators and excluded words narrow every search over texts', async () => {
  const w = await ferries()
  expect(await keysOf(w, 'ferry')).toMatchObject({ pages: ['HP-5', 'HP-6'] })
  for (const [query, keys] of [
    ['ferry is:done', ['HP-6']],
    ['ferry section:next', ['HP-5']],
    ['ferry board:hp is:open label:none', ['HP-5']],
    ['ferry by:@me is:done', ['HP-6']],
    ['ferry created:>7d', []],
  ] as const)
    expect([query, await keysOf(w, query)]).toEqual([query, onAll([...keys])])
  const texts = (await w.cleo['search.semantic']({ query: 'ferry -red' })).map(({ text }) => text)
  expect(texts.filter((text) => text.includes('red'))).toEqual([])
  expect(texts).toContain('Ferry times')
})

test('what only looks like an operator is a word in a question', async () => {
  const w = await ferries()
  for (const query of ['note: when does the ferry go?', 'ferry at 10:30', 'ferry OR', 'due: ferry'])
    expect((await w.cleo['search.semantic']({ query })).length).toBeGreaterThan(0)
  const { details } = await faultOf(w.cleo['search.semantic']({ query: 'ferry is:opne' }))
  expect(details).toMatchObject({ field: 'query', code: 'out_of_range' })
})

test('the words of a pasted document are no operators', async () => {
  const { cleo } = await ferries()
  const text = 'Ferry notes\n-ferry is:archived'
  expect((await cleo['search.related']({ text })).length).toBeGreaterThan(0)
})

test('related tasks of a text are on the board that project_id or board_id names', async () => {
  const { cleo, board, http } = await ferries()
  const { project_id } = board
  const text = 'ferry of the harbour'
  const expected = await cleo['search.related']({ text, project_id })
  expect(expected.length).toBeGreaterThan(0)
  expect(await cleo['search.related']({ text, board_id: project_id })).toEqual(expected)
  const { body } = await http(cleo, 'POST', '/api/v1/search/related', {
    text,
    board_id: project_id,
  })
  expect(body.data).toEqual(expected)
})
