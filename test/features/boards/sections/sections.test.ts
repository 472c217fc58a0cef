import { expect, test } from 'bun:test'
import {
  guessDone,
  guessRoleOfAdded,
  guessRoles,
  roleFromTitle,
} from '../../../../src/features/boards/sections/model/rules.ts'
import { world } from '../../../support/world.ts'

const TITLES = ['Inbox', 'Next', 'Doing', 'Review', 'Done']

/** A team with one board of five columns, created by its member Cleo. */
async function openBoard() {
  const w = await world({ hasBoard: false })
  const { project_id, sections } = await w.cleo['projects.create']({
    ...{ title: 'Website', team_id: w.team_id },
    sections: TITLES.map((title) => ({ title })),
  })
  const [inbox, next, doing, review, done] = sections.map(({ section_id }) => section_id)
  const seq = (await w.changes()).at(-1)!.seq
  const titles = async (include_hidden = true) =>
    (await w.cleo['sections.list']({ project_id, include_hidden })).items.map((s) => s.title)
  const ids = { inbox: inbox!, next: next!, doing: doing!, review: review!, done: done! }
  return { ...w, ...ids, project_id, seq, titles }
}

test('the role of a column is inferred from its title', () => {
  const roles = {
    'Product backlog': 'intake',
    '💡 Ideas': 'intake',
    INBOX: 'intake',
    'To do': 'committed',
    'Next up': 'committed',
    'Sprint Backlog': 'committed',
    Planned: 'committed',
    'Not done': 'committed',
    'Ready for development': 'committed',
    'In Progress': 'building',
    WIP: 'building',
    'In development': 'building',
    'Ready for review': 'verify',
    'QA / Staging': 'verify',
    'In-Review': 'verify',
    Done: 'done',
    '✅ Completed!': 'done',
    Shipped: 'done',
    'Won’t do': 'done',
    Abandoned: undefined,
    Retesting: undefined,
    '': undefined,
  }
  const parsed = Object.fromEntries(
    Object.keys(roles).map((title) => [title, roleFromTitle(title)]),
  )
  expect<Record<string, string | undefined>>(parsed).toEqual(roles)
})

test('a column titled "Almost done" does not count as done, one titled "Recently done" does', async () => {
  const roles = {
    'Almost done': 'verify',
    'Nearly finished': 'verify',
    'Almost there': 'verify',
    'To be closed': 'verify',
    'Ready to be merged': 'verify',
    'Done soon': 'verify',
    'Half done': 'verify',
    '90% done': 'verify',
    'Waiting until released': 'verify',
    Unreleased: 'verify',
    Undone: 'committed',
    Unfinished: 'committed',
    'Not done': 'committed',
    'Not yet finished': 'committed',
    'Never shipped': 'committed',
    '100% done': 'done',
    'Recently done': 'done',
    'Done this week': 'done',
    'Merged to main': 'done',
    'Won’t do': 'done',
  }
  const parsed = Object.fromEntries(
    Object.keys(roles).map((title) => [title, roleFromTitle(title)]),
  )
  expect<Record<string, string | undefined>>(parsed).toEqual(roles)
  const { cleo, team_id } = await world({ hasBoard: false })
  const { sections } = await cleo['projects.create']({
    ...{ title: 'Garden', team_id },
    sections: ['To do', 'Doing', 'Almost done'].map((title) => ({ title })),
  })
  expect(sections.map(({ done }) => done)).toEqual([false, false, false])
})

test('columns with unknown titles get a role by their position on the board', () => {
  const roles = (many: number) => guessRoles(Array(many).fill({ title: 'Xyz' }))
  expect(roles(1)).toEqual(['intake'])
  expect(roles(2)).toEqual(['intake', 'building'])
  expect(roles(3)).toEqual(['intake', 'building', 'done'])
  expect(roles(4)).toEqual(['intake', 'committed', 'building', 'done'])
  expect(roles(5)).toEqual(['intake', 'committed', 'building', 'verify', 'done'])
  const [done, , last] = guessRoles([{ title: 'Done' }, { title: 'A' }, { title: 'B' }])
  expect([done, last]).toEqual(['done', 'verify'])
  const unfinished = guessRoles([{ title: 'A' }, { title: 'B' }, { title: 'C', is_done: false }])
  expect(unfinished).toEqual(['intake', 'building', 'verify'])
  expect(guessRoleOfAdded('Xyz', 5, 6)).toBe('verify')
  expect(guessRoleOfAdded('Done', 1, 6)).toBe('done')
  expect([guessDone('Done', 'verify'), guessDone('X', 'done'), guessDone('X', 'verify')]).toEqual([
    ...[true, true, false],
  ])
})

test('columns are listed from left to right', async () => {
  const { cleo, project_id } = await openBoard()
  const { items, page } = await cleo['sections.list']({ project_id })
  expect(items.map(({ title, role, done, position }) => [title, role, done, position])).toEqual([
    ['Inbox', 'intake', false, 0],
    ['Next', 'committed', false, 1],
    ['Doing', 'building', false, 2],
    ['Review', 'verify', false, 3],
    ['Done', 'done', true, 4],
  ])
  expect(items[4]).toMatchObject({ is_done: null, hidden: false, auto_assign: null, project_id })
  expect(page).toMatchObject({ total: 5, has_more: false })
})

test('pages of columns keep the board order, and can be sorted and filtered by title', async () => {
  const { cleo, project_id, inbox, done } = await openBoard()
  await cleo['sections.update']({ project_id, section_id: done, move_after_section_id: inbox })
  const first = await cleo['sections.list']({ project_id, limit: 2 })
  const cursor = first.page.next_cursor!
  const second = await cleo['sections.list']({ project_id, limit: 3, cursor })
  const titles = [...first.items, ...second.items].map(({ title }) => title)
  expect(titles).toEqual(['Inbox', 'Done', 'Next', 'Doing', 'Review'])
  expect(second.items.map(({ position }) => position)).toEqual([2, 3, 4])
  const named = await cleo['sections.list']({ project_id, sort: 'title', query: 'do' })
  expect(named.items.map(({ title }) => title)).toEqual(['Doing', 'Done'])
})

test('a hidden column is listed only with include_hidden', async () => {
  const { cleo, project_id, review, titles } = await openBoard()
  await cleo['sections.update']({ project_id, section_id: review, hidden: true })
  expect(await titles(false)).toEqual(['Inbox', 'Next', 'Doing', 'Done'])
  expect(await titles(true)).toEqual(TITLES)
})

test('a new column is placed last by default, first, or after a given column', async () => {
  const { cleo, project_id, next, seq, titles, changes } = await openBoard()
  const create = (title: string, after_section_id?: number | null) =>
    cleo['sections.create']({
      ...{ project_id, title },
      ...(after_section_id !== undefined && { after_section_id }),
    })
  const last = await create('Parked')
  expect(last).toMatchObject({ project_id, role: 'verify', done: false, position: 5 })
  expect(last.url).toBe(`http://localhost/projects/${project_id}`)
  await create('Ready', next)
  await create('Ideas', null)
  expect(await titles()).toEqual([
    ...['Ideas', 'Inbox', 'Next', 'Ready', 'Doing', 'Review', 'Done', 'Parked'],
  ])
  const newChanges = await changes(seq)
  expect(newChanges.map(({ type }) => type)).toEqual(Array(3).fill('section.created'))
  expect(newChanges[1]!.data).toMatchObject({ title: 'Ready', role: 'committed', done: false })
})

test('given values of is_done, role and hidden override the guess from the title', async () => {
  const { cleo, project_id } = await openBoard()
  const create = (title: string, overrides: object) =>
    cleo['sections.create']({ project_id, title, ...overrides })
  expect(await create('Archive', { is_done: false })).toMatchObject({
    ...{ is_done: false, done: false, role: 'done' },
  })
  expect(await create('Elsewhere', { is_done: true, hidden: true, role: 'verify' })).toMatchObject({
    ...{ is_done: true, done: true, role: 'verify', hidden: true },
  })
})

test('a column title that another column has, ignoring case and spaces, is refused with 409', async () => {
  const { cleo, project_id, next, http } = await openBoard()
  await cleo['sections.create']({ project_id, title: 'Größe “A” – 50% <b>\\' })
  const path = `/api/v1/projects/${project_id}/sections`
  for (const title of ['doing', ' DOING ', 'grÖSSE “A”'.replace('SS', 'ß') + ' – 50%  <B>\\']) {
    const { status, body } = await http(cleo, 'POST', path, { title })
    expect([title, status, body.details?.field]).toEqual([title, 409, 'title'])
    const renamed = await http(cleo, 'PATCH', `${path}/${next}`, { title })
    expect(renamed.status).toBe(409)
  }
  await cleo['sections.update']({ project_id, section_id: next, title: 'NEXT' })
})

test('invalid input for a new column is refused with its field, and another team gets 404', async () => {
  const { cleo, project_id, otto, http } = await openBoard()
  const path = `/api/v1/projects/${project_id}/sections`
  const refusalOf = async (body: object) => {
    const answer = await http(cleo, 'POST', path, body)
    return [answer.status, answer.body.details.field, answer.body.details.code]
  }
  expect(await refusalOf({})).toEqual([400, 'title', 'required'])
  expect(await refusalOf({ title: '  ' })).toEqual([400, 'title', 'required'])
  expect(await refusalOf({ title: 'x'.repeat(501) })).toEqual([400, 'title', 'too_long'])
  expect(await refusalOf({ title: 'X', role: 'later' })).toEqual([400, 'role', 'out_of_range'])
  expect(await refusalOf({ title: 'X', is_done: 1 })).toEqual([400, 'is_done', 'invalid_type'])
  expect(await refusalOf({ title: 'X', colour: 'red' })).toEqual([400, 'colour', 'unknown_field'])
  const after_section_id = 999
  expect(await refusalOf({ title: 'X', after_section_id })).toEqual([
    ...[400, 'after_section_id', 'not_found'],
  ])
  expect((await http(otto, 'POST', path, { title: 'X' })).status).toBe(404)
})

test('a column of another board is not found', async () => {
  const { cleo, project_id, team_id, inbox } = await openBoard()
  const other = await cleo['projects.create']({
    ...{ title: 'Garden', team_id, sections: [{ title: 'Inbox' }] },
  })
  const { section_id } = other.sections[0]!
  const missing = { code: 'not_found', details: { field: 'section_id' } }
  const invalid = { project_id, section_id }
  await expect(cleo['sections.get'](invalid)).rejects.toMatchObject(missing)
  await expect(cleo['sections.update']({ ...invalid, title: 'X' })).rejects.toMatchObject(missing)
  await expect(cleo['sections.delete'](invalid)).rejects.toMatchObject(missing)
  const after = { project_id, section_id: inbox, move_after_section_id: section_id }
  await expect(cleo['sections.update'](after)).rejects.toMatchObject({
    ...{ code: 'invalid', details: { field: 'move_after_section_id', code: 'not_found' } },
  })
})

test('a column moves first or after another; moving it to where it is changes nothing', async () => {
  const { cleo, project_id, inbox, doing, done, seq, titles, changes } = await openBoard()
  const move = (section_id: number, move_after_section_id: number | null) =>
    cleo['sections.update']({ project_id, section_id, move_after_section_id })
  expect(await move(done, null)).toMatchObject({ position: 0, changed: ['position'] })
  expect(await titles()).toEqual(['Done', 'Inbox', 'Next', 'Doing', 'Review'])
  await move(inbox, doing)
  expect(await titles()).toEqual(['Done', 'Next', 'Doing', 'Inbox', 'Review'])
  expect(await move(inbox, doing)).toMatchObject({ position: 3, changed: [] })
  expect(await move(done, null)).toMatchObject({ position: 0, changed: [] })
  await expect(move(done, done)).rejects.toMatchObject({
    ...{ code: 'invalid', details: { field: 'move_after_section_id', code: 'conflict' } },
  })
  const newChanges = await changes(seq)
  expect(newChanges.map(({ type }) => type)).toEqual(['section.updated', 'section.updated'])
  expect(newChanges[0]!.data).toMatchObject({ section_id: done, changed: ['position'] })
})

test('concurrent moves leave every column with a unique position', async () => {
  const { ada, ben, cleo, project_id, titles, inbox, next, doing, review, done } = await openBoard()
  const ids = [inbox, next, doing, review, done]
  const people = [ada, ben, cleo]
  await Promise.all(
    Array.from({ length: 60 }, (_, i) => {
      const after = ids[(i * 7 + 1) % 5]!
      const section_id = ids[i % 5]!
      return people[i % 3]!['sections.update']({
        ...{ project_id, section_id },
        move_after_section_id: after === section_id ? null : after,
      })
    }),
  )
  expect((await titles()).toSorted()).toEqual(TITLES.toSorted())
  const { items } = await cleo['sections.list']({ project_id })
  expect(items.map(({ position }) => position)).toEqual([0, 1, 2, 3, 4])
})

test('of concurrent creates with the same title only one succeeds', async () => {
  const { ada, cleo, project_id, titles } = await openBoard()
  const results = await Promise.allSettled(
    [ada, cleo, ada].map((actor) => actor['sections.create']({ project_id, title: 'Ready' })),
  )
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  expect((await titles()).filter((title) => title === 'Ready')).toHaveLength(1)
})

test('a board has at most fifty columns', async () => {
  const { cleo, project_id } = await openBoard()
  const create = (title: string) => cleo['sections.create']({ project_id, title })
  for (let i = 5; i < 50; i++) await create(`Column ${i}`)
  await expect(create('One more')).rejects.toMatchObject({ code: 'conflict' })
})
