import { Database } from 'bun:sqlite'
import { describe, expect, test } from 'bun:test'
import { emptyPlace, page, sections, shelves } from './shelved.ts'

const WHALES = 'Whales sing under water, and their songs travel far.'
const BREAD = 'Bread rises where yeast is warm.'

describe('a search index', () => {
  test('returns a matching passage with its task, board and headings', async () => {
    const library = shelves()
    const text = `Before.\n\n# Sea\n\n## Sounds\n\n${WHALES}`
    await library.give({ put: [page(7, text, { task_id: 3, title: 'Notes' })] })
    const [found] = await library.search({ text: 'song of a whale', projects: [1], limit: 10 })
    expect(found).toEqual({
      ...{ kind: 'page', id: 7, task_id: 3, project_id: 1 },
      ...{ headings: ['Notes', 'Sea', 'Sounds'], text: WHALES, score: expect.any(Number) },
    })
  })

  test('finds a text that has only a title', async () => {
    const library = shelves()
    const about = { kind: 'description', title: 'Feed the penguins' } as const
    await library.give({ put: [page(1, '', about)] })
    expect(await library.answers('penguin')).toEqual(['description 1'])
  })

  test('replaces the earlier state of a text', async () => {
    const library = shelves()
    await library.give({ put: [page(1, WHALES)] })
    await library.give({ put: [page(1, BREAD)] })
    expect(await library.answers('whales')).toEqual([])
    expect(await library.answers('yeast')).toEqual(['page 1'])
    expect(await library.state()).toMatchObject({ passages: 1, sources: 1, boards: 1 })
  })

  test('keeps texts of different kinds with the same id apart', async () => {
    const library = shelves()
    await library.give({ put: [page(1, WHALES), page(1, WHALES, { kind: 'comment' })] })
    await library.give({ deleted: [{ kind: 'page', id: 1 }] })
    expect(await library.answers('whales')).toEqual(['comment 1'])
  })

  test('removes deleted texts and ignores unknown ones', async () => {
    const library = shelves()
    await library.give({ put: [page(1, WHALES), page(2, WHALES)] })
    await library.give({
      deleted: [
        { kind: 'page', id: 2 },
        { kind: 'comment', id: 9 },
      ],
    })
    expect(await library.answers('whales')).toEqual(['page 1'])
  })

  test('keeps a text that one update both deletes and puts', async () => {
    const library = shelves()
    await library.give({ put: [page(1, BREAD)] })
    await library.give({ put: [page(1, WHALES)], deleted: [{ kind: 'page', id: 1 }] })
    expect(await library.answers('whales')).toEqual(['page 1'])
  })

  test('finds a moved text only on its new board', async () => {
    const library = shelves()
    await library.give({ put: [page(1, WHALES)] })
    // Board 2 is loaded before the text moves there.
    expect(await library.answers('whales', { projects: [2] })).toEqual([])
    await library.give({ put: [page(1, WHALES, { project_id: 2 })] })
    expect(await library.answers('whales', { projects: [1] })).toEqual([])
    expect(await library.answers('whales', { projects: [2] })).toEqual(['page 1'])
  })

  test('returns nothing from boards that the query does not name', async () => {
    const library = shelves()
    await library.give({ put: [page(1, WHALES), page(2, WHALES, { project_id: 2 })] })
    expect(await library.answers('whales', { projects: [2, 77] })).toEqual(['page 2'])
    expect(await library.answers('whales', { projects: [] })).toEqual([])
  })

  test('corrects a misspelt word', async () => {
    const library = shelves()
    await library.give({ put: [page(1, WHALES), page(2, BREAD)] })
    expect(await library.best('whlaes')).toBe('page 1')
  })

  test('finds a text right after it is added to a loaded board', async () => {
    const library = shelves()
    await library.give({ put: [page(1, BREAD)] })
    expect(await library.answers('yeast')).toEqual(['page 1'])
    await library.give({ put: [page(2, WHALES)] })
    expect(await library.best('whales')).toBe('page 2')
  })
})

describe('a filtered query', () => {
  const narrowed = async () => {
    const library = shelves()
    const late = new Date('2026-11-21T08:00:00.500Z')
    await library.give({
      put: [
        page(1, WHALES, { author_id: 5 }),
        page(2, WHALES, { kind: 'comment', task_id: 1 }),
        page(3, WHALES, { kind: 'description', written_at: late }),
      ],
    })
    return library
  }

  test('by kind, task or author returns only matching texts', async () => {
    const library = await narrowed()
    expect(await library.answers('whales', { kinds: ['comment'] })).toEqual(['comment 2'])
    expect(await library.answers('whales', { tasks: [3] })).toEqual(['description 3'])
    expect(await library.answers('whales', { authors: [5] })).toEqual(['page 1'])
    expect(await library.answers('whales', { authors: [5], tasks: [3] })).toEqual([])
  })

  test('by time returns only texts written since then', async () => {
    const library = await narrowed()
    const since = (time: string) => library.answers('whales', { since: new Date(time) })
    expect(await since('2026-11-21T08:00:00.500Z')).toEqual(['description 3'])
    expect(await since('2026-11-21T08:00:00.501Z')).toEqual([])
  })

  test('for texts related to a task leaves out that task', async () => {
    const library = await narrowed()
    expect(await library.answers('whales', { beside: 1 })).toEqual(['description 3'])
  })

  test('uses the current state of texts that changed while their board was loaded', async () => {
    const library = await narrowed()
    expect(await library.answers('whales', { authors: [9] })).toEqual([])
    await library.give({
      put: [page(1, WHALES, { author_id: 9 }), page(4, WHALES, { author_id: 9 })],
    })
    expect((await library.answers('whales', { authors: [9] })).sort()).toEqual(['page 1', 'page 4'])
    await library.give({ deleted: [{ kind: 'page', id: 4 }] })
    expect(await library.answers('whales', { authors: [9] })).toEqual(['page 1'])
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
    const path = emptyPlace()
    const first = shelves(path)
    await first.give({ put: [page(1, WHALES)], position: { seq: 41, mark: 'x' } })
    await first.give({ put: [page(2, BREAD)] })
    await first.close()
    const second = shelves(path)
    expect(await second.position()).toEqual({ seq: 41, mark: 'x' })
    expect(await second.best('whales')).toBe('page 1')
    expect(await second.best('yeast')).toBe('page 2')
    expect(second.said).toEqual([])
  })

  test('is unchanged after a failed update', async () => {
    const library = shelves(emptyPlace())
    await library.give({ put: [page(1, WHALES)], position: { seq: 1, mark: 'x' } })
    const never = page(3, WHALES, { written_at: new Date('never') })
    const refused = library.give({
      put: [page(2, BREAD), never],
      deleted: [{ kind: 'page', id: 1 }],
      position: { seq: 2, mark: 'x' },
    })
    expect(refused).rejects.toThrow('NOT NULL')
    await refused.catch(() => {})
    expect(await library.position()).toEqual({ seq: 1, mark: 'x' })
    expect(await library.answers('whales')).toEqual(['page 1'])
    expect(await library.answers('yeast')).toEqual([])
  })

  test('keeps the ids of passages that an edit leaves unchanged', async () => {
    const path = emptyPlace()
    const library = shelves(path)
    const parts = [WHALES, BREAD, 'Owls are awake at night.']
    await library.give({ put: [page(1, sections(...parts))] })
    const before = numbersIn(path)
    await library.give({ put: [page(1, sections(...parts, 'Ships need a harbour.'))] })
    const after = numbersIn(path)
    expect(before).toHaveLength(3)
    expect(after.slice(0, 3)).toEqual(before)
    expect(after).toHaveLength(4)
    await library.give({ put: [page(1, `Ahead of all.\n\n${sections(...parts)}`)] })
    expect(numbersIn(path).slice(1)).toEqual(before)
  })

  test('refuses an update that continues from another position', async () => {
    const library = shelves()
    await library.give({ put: [page(1, WHALES)], position: { seq: 5, mark: 'a' } })
    const late = { put: [page(2, BREAD)], place: { seq: 6, mark: 'b' } }
    for (const after of [undefined, { seq: 4, mark: 'a' }, { seq: 5, mark: 'c' }])
      await expect(library.give({ ...late, from: after })).rejects.toMatchObject({
        name: 'Unready',
      })
    expect(await library.answers('yeast')).toEqual([])
    expect(await library.position()).toEqual({ seq: 5, mark: 'a' })
    await library.give(late)
    expect(await library.best('yeast')).toBe('page 2')
  })

  test('is empty after it is cleared', async () => {
    const library = shelves(emptyPlace())
    await library.give({ put: [page(1, WHALES)], position: { seq: 1, mark: 'x' } })
    expect(await library.answers('whales')).toEqual(['page 1'])
    await library.clear()
    expect(await library.position()).toBeUndefined()
    expect(await library.answers('whales')).toEqual([])
    expect(await library.state()).toMatchObject({ passages: 0, sources: 0, boards: 0 })
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

  for (const [what, text] of [...Object.entries(STRANGE), ...Object.entries(HTML)])
    test(`${what}: the text is found by its title, and stored once if it is put twice`, async () => {
      const library = shelves(emptyPlace())
      const format = what in HTML ? 'html' : 'markdown'
      const strange = page(1, text, { title: 'Narwhal', format })
      await library.give({ put: [strange] })
      const { passages } = await library.state()
      await library.give({ put: [strange, page(2, WHALES)] })
      expect(await library.best('narwhal')).toBe('page 1')
      expect(await library.best('whales')).toBe('page 2')
      expect((await library.state()).passages).toBe(passages + 1)
      expect(library.said).toEqual([])
    })
})
