import { Database } from 'bun:sqlite'
import { describe, expect, test } from 'bun:test'
import { newIndexPath, openIndex, page, sections } from './index-fixtures.ts'

const WHALES = 'Whales sing under water, and their songs travel far.'
const BREAD = 'Bread rises where yeast is warm.'

describe('a search index', () => {
  test('returns a matching passage with its task, board and headings', async () => {
    const index = openIndex()
    const text = `Before.\n\n# Sea\n\n## Sounds\n\n${WHALES}`
    await index.update({ put: [page(7, text, { task_id: 3, title: 'Notes' })] })
    const [found] = await index.search({ text: 'song of a whale', projects: [1], limit: 10 })
    expect(found).toEqual({
      ...{ kind: 'page', id: 7, task_id: 3, project_id: 1 },
      ...{ headings: ['Notes', 'Sea', 'Sounds'], text: WHALES, score: expect.any(Number) },
    })
  })

  test('finds a text that has only a title', async () => {
    const index = openIndex()
    const about = { kind: 'description', title: 'Feed the penguins' } as const
    await index.update({ put: [page(1, '', about)] })
    expect(await index.results('penguin')).toEqual(['description 1'])
  })

  test('replaces the earlier state of a text', async () => {
    const index = openIndex()
    await index.update({ put: [page(1, WHALES)] })
    await index.update({ put: [page(1, BREAD)] })
    expect(await index.results('whales')).toEqual([])
    expect(await index.results('yeast')).toEqual(['page 1'])
    expect(await index.state()).toMatchObject({ passages: 1, sources: 1, boards: 1 })
  })

  test('keeps texts of different kinds with the same id apart', async () => {
    const index = openIndex()
    await index.update({ put: [page(1, WHALES), page(1, WHALES, { kind: 'comment' })] })
    await index.update({ deleted: [{ kind: 'page', id: 1 }] })
    expect(await index.results('whales')).toEqual(['comment 1'])
  })

  test('removes deleted texts and ignores unknown ones', async () => {
    const index = openIndex()
    await index.update({ put: [page(1, WHALES), page(2, WHALES)] })
    await index.update({
      deleted: [
        { kind: 'page', id: 2 },
        { kind: 'comment', id: 9 },
      ],
    })
    expect(await index.results('whales')).toEqual(['page 1'])
  })

  test('keeps a text that one update both deletes and puts', async () => {
    const index = openIndex()
    await index.update({ put: [page(1, BREAD)] })
    await index.update({ put: [page(1, WHALES)], deleted: [{ kind: 'page', id: 1 }] })
    expect(await index.results('whales')).toEqual(['page 1'])
  })

  test('finds a moved text only on its new board', async () => {
    const index = openIndex()
    await index.update({ put: [page(1, WHALES)] })
    // Board 2 is loaded before the text moves there.
    expect(await index.results('whales', { projects: [2] })).toEqual([])
    await index.update({ put: [page(1, WHALES, { project_id: 2 })] })
    expect(await index.results('whales', { projects: [1] })).toEqual([])
    expect(await index.results('whales', { projects: [2] })).toEqual(['page 1'])
  })

  test('returns nothing from boards that the query does not name', async () => {
    const index = openIndex()
    await index.update({ put: [page(1, WHALES), page(2, WHALES, { project_id: 2 })] })
    expect(await index.results('whales', { projects: [2, 77] })).toEqual(['page 2'])
    expect(await index.results('whales', { projects: [] })).toEqual([])
  })

  test('corrects a misspelt word', async () => {
    const index = openIndex()
    await index.update({ put: [page(1, WHALES), page(2, BREAD)] })
    expect(await index.bestResult('whlaes')).toBe('page 1')
  })

  test('finds a text right after it is added to a loaded board', async () => {
    const index = openIndex()
    await index.update({ put: [page(1, BREAD)] })
    expect(await index.results('yeast')).toEqual(['page 1'])
    await index.update({ put: [page(2, WHALES)] })
    expect(await index.bestResult('whales')).toBe('page 2')
  })
})

describe('a filtered query', () => {
  const indexForFilters = async () => {
    const index = openIndex()
    const evening = new Date('2026-11-21T08:00:00.500Z')
    await index.update({
      put: [
        page(1, WHALES, { author_id: 5 }),
        page(2, WHALES, { kind: 'comment', task_id: 1 }),
        page(3, WHALES, { kind: 'description', written_at: evening }),
      ],
    })
    return index
  }

  test('by kind, task or author returns only matching texts', async () => {
    const index = await indexForFilters()
    expect(await index.results('whales', { kinds: ['comment'] })).toEqual(['comment 2'])
    expect(await index.results('whales', { tasks: [3] })).toEqual(['description 3'])
    expect(await index.results('whales', { authors: [5] })).toEqual(['page 1'])
    expect(await index.results('whales', { authors: [5], tasks: [3] })).toEqual([])
  })

  test('by time returns only texts written since then', async () => {
    const index = await indexForFilters()
    const since = (time: string) => index.results('whales', { since: new Date(time) })
    expect(await since('2026-11-21T08:00:00.500Z')).toEqual(['description 3'])
    expect(await since('2026-11-21T08:00:00.501Z')).toEqual([])
  })

  test('for texts related to a task leaves out that task', async () => {
    const index = await indexForFilters()
    expect(await index.results('whales', { beside: 1 })).toEqual(['description 3'])
  })

  test('uses the current state of texts that changed while their board was loaded', async () => {
    const index = await indexForFilters()
    expect(await index.results('whales', { authors: [9] })).toEqual([])
    await index.update({
      put: [page(1, WHALES, { author_id: 9 }), page(4, WHALES, { author_id: 9 })],
    })
    expect((await index.results('whales', { authors: [9] })).sort()).toEqual(['page 1', 'page 4'])
    await index.update({ deleted: [{ kind: 'page', id: 4 }] })
    expect(await index.results('whales', { authors: [9] })).toEqual(['page 1'])
  })
})

describe('an index file', () => {
  const numbersIn = (path: string) => {
    const db = new Database(path, { readonly: true })
    const rows = db.query<{ id: number }, []>('SELECT id FROM passages ORDER BY ordinal').all()
    db.close()
    return rows.map(({ id }) => id)
  }

  test('keeps its texts and its position when it is reopened', async () => {
    const path = newIndexPath()
    const first = openIndex(path)
    await first.update({ put: [page(1, WHALES)], position: { seq: 41, mark: 'x' } })
    await first.update({ put: [page(2, BREAD)] })
    await first.close()
    const second = openIndex(path)
    expect(await second.position()).toEqual({ seq: 41, mark: 'x' })
    expect(await second.bestResult('whales')).toBe('page 1')
    expect(await second.bestResult('yeast')).toBe('page 2')
    expect(second.messages).toEqual([])
  })

  test('is unchanged after a failed update', async () => {
    const index = openIndex(newIndexPath())
    await index.update({ put: [page(1, WHALES)], position: { seq: 1, mark: 'x' } })
    const invalid = page(3, WHALES, { written_at: new Date('never') })
    const failedUpdate = index.update({
      put: [page(2, BREAD), invalid],
      deleted: [{ kind: 'page', id: 1 }],
      position: { seq: 2, mark: 'x' },
    })
    expect(failedUpdate).rejects.toThrow('NOT NULL')
    await failedUpdate.catch(() => {})
    expect(await index.position()).toEqual({ seq: 1, mark: 'x' })
    expect(await index.results('whales')).toEqual(['page 1'])
    expect(await index.results('yeast')).toEqual([])
  })

  test('keeps the ids of passages that an edit leaves unchanged', async () => {
    const path = newIndexPath()
    const index = openIndex(path)
    const parts = [WHALES, BREAD, 'Owls are awake at night.']
    await index.update({ put: [page(1, sections(...parts))] })
    const before = numbersIn(path)
    await index.update({ put: [page(1, sections(...parts, 'Ships need a harbour.'))] })
    const after = numbersIn(path)
    expect(before).toHaveLength(3)
    expect(after.slice(0, 3)).toEqual(before)
    expect(after).toHaveLength(4)
    await index.update({ put: [page(1, `Ahead of all.\n\n${sections(...parts)}`)] })
    expect(numbersIn(path).slice(1)).toEqual(before)
  })

  test('refuses an update that continues from another position', async () => {
    const index = openIndex()
    await index.update({ put: [page(1, WHALES)], position: { seq: 5, mark: 'a' } })
    const update = { put: [page(2, BREAD)], place: { seq: 6, mark: 'b' } }
    for (const after of [undefined, { seq: 4, mark: 'a' }, { seq: 5, mark: 'c' }])
      await expect(index.update({ ...update, from: after })).rejects.toMatchObject({
        name: 'Unready',
      })
    expect(await index.results('yeast')).toEqual([])
    expect(await index.position()).toEqual({ seq: 5, mark: 'a' })
    await index.update(update)
    expect(await index.bestResult('yeast')).toBe('page 2')
  })

  test('is empty after it is cleared', async () => {
    const index = openIndex(newIndexPath())
    await index.update({ put: [page(1, WHALES)], position: { seq: 1, mark: 'x' } })
    expect(await index.results('whales')).toEqual(['page 1'])
    await index.clear()
    expect(await index.position()).toBeUndefined()
    expect(await index.results('whales')).toEqual([])
    expect(await index.state()).toMatchObject({ passages: 0, sources: 0, boards: 0 })
  })
})

describe('unusual content', () => {
  const STRANGE: Record<string, string> = {
    nothing: '',
    'only white space': ' \n\t\u00a0 ',
    'a zero character': 'before\u0000after',
    'half a character': 'broken \ud83d here',
    emoji: '🦑🦑 👩‍👩‍👧‍👦',
    Chinese: '鲸鱼在水下歌唱。'.repeat(200),
    Thai: 'ปลาวาฬร้องเพลงใต้น้ำ '.repeat(200),
    Arabic: 'الحيتان تغني تحت الماء',
    'half a megabyte without a space': 'x'.repeat(500_000),
    'headings only': '# a\n'.repeat(3000),
    'markdown within itself': '> '.repeat(3000),
  }
  const HTML = { 'broken HTML': '<p><b>un<i>closed', 'deep HTML': '<div>'.repeat(20_000) }

  for (const [name, text] of [...Object.entries(STRANGE), ...Object.entries(HTML)])
    test(`${name}: the text is found by its title, and stored once if it is put twice`, async () => {
      const index = openIndex(newIndexPath())
      const format = name in HTML ? 'html' : 'markdown'
      const unusual = page(1, text, { title: 'Narwhal', format })
      await index.update({ put: [unusual] })
      const { passages } = await index.state()
      await index.update({ put: [unusual, page(2, WHALES)] })
      expect(await index.bestResult('narwhal')).toBe('page 1')
      expect(await index.bestResult('whales')).toBe('page 2')
      expect((await index.state()).passages).toBe(passages + 1)
      expect(index.messages).toEqual([])
    })
})

test('a file whose reading ended the process twice is no longer read', async () => {
  const path = newIndexPath()
  const file = page(7, '', { kind: 'file', text: undefined, title: 'plan.pdf' })
  const first = openIndex(path)
  await first.update({ put: [file] })
  for (const expected of [[7], [7], []]) {
    expect(await first.unreadFiles()).toEqual(expected)
    if (expected.length) await first.recordAttempt(7)
  }
  await first.update({ put: [{ ...file, title: 'plan b.pdf' }] })
  expect(await first.unreadFiles()).toEqual([])
  expect(await first.bestResult('plan')).toBe('file 7')
})

test('a file keeps its text when it moves to another board or gets another name', async () => {
  const index = openIndex()
  const file = page(7, sections('The valve is blue', 'So is the pipe'), { kind: 'file' })
  await index.update({ put: [file] })
  await index.update({ put: [{ ...file, text: undefined, project_id: 2, title: 'b.pdf' }] })
  expect(await index.results('valve', { projects: [1] })).toEqual([])
  expect(await index.results('blue valve', { projects: [2] })).toEqual(['file 7', 'file 7'])
  expect(await index.unreadFiles()).toEqual([])
})
