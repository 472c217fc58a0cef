import { expect, test } from 'bun:test'
import { canSeeChange } from '../../src/features/callers/index.ts'
import { taskById } from '../../src/features/tasks/index.ts'
import type { Tx } from '../../src/kernel/caller.ts'
import { caughtUp } from '../caughtup.ts'
import { refused } from '../refused.ts'
import { type World, world } from '../world.ts'

const at = '2026-11-20T12:00:00.000Z'

const listed = async (w: World, more = {}) =>
  (await w.ada['comments.list']({ ...w.tasks.logo, ...more })).items

const added = (w: World, who: World['ada'], text: string, more = {}) =>
  who['comments.add']({ ...w.tasks.logo, text, ...more })

async function noted(tx: Tx, task_id: number) {
  const { comment_count, last_comment_at } = (await taskById(tx, task_id))!
  return { comment_count, last_comment_at }
}

test('adding a comment sanitizes it, keeps updated_at of the task and logs only a snippet', async () => {
  const { cleo, ben, tasks, changes, clock } = await world()
  clock.pass(60_000)
  const text = '<p>Two <b>colours</b>.</p><script>alert(1)</script>'
  const receipt = await cleo['comments.add']({ ...tasks.logo, text })
  expect(receipt).toEqual({
    ...{ comment_id: receipt.comment_id, ...tasks.logo, mentioned: [], attachments: [] },
    content_type: 'html',
    ...{ created_at: '2026-11-20T12:01:00.000Z', edited_at: null },
    url: `http://localhost/t/HP-1#comment-${receipt.comment_id}`,
  })
  const { items, page } = await ben['comments.list'](tasks.logo)
  expect(page).toMatchObject({ total: 1, has_more: false })
  expect(items[0]).toMatchObject({
    ...{ kind: 'comment', comment_id: receipt.comment_id, author: { name: 'Cleo' } },
    ...{ text: '<p>Two <b>colours</b>.</p>', content_type: 'html', mentions: [], reactions: [] },
  })
  expect(await ben['tasks.get'](tasks.logo)).toMatchObject({ updated_at: at })
  const [change, ...others] = await changes()
  expect(others).toEqual([])
  expect(change).toMatchObject({ type: 'comment.created', task_id: tasks.logo.task_id })
  expect(change!.data).toEqual({
    ...{ ticket_number: 'HP-1', title: 'Draw the logo', comment_id: receipt.comment_id },
    ...{ snippet: 'Two colours.', mentioned: [] },
  })
})

test('comment_count and last_comment_at follow added and deleted comments', async () => {
  const w = await world()
  const counts = () => w.store.read((tx) => noted(tx, w.tasks.logo.task_id))
  expect(await counts()).toEqual({ comment_count: 0, last_comment_at: null })
  await added(w, w.cleo, 'one')
  w.clock.pass(60_000)
  const two = await added(w, w.ben, 'two')
  expect(await counts()).toEqual({ comment_count: 2, last_comment_at: w.clock.now })
  await w.ben['comments.delete']({ comment_id: two.comment_id })
  expect(await counts()).toEqual({ comment_count: 1, last_comment_at: new Date(at) })
})

test('a comment can be read as HTML or markdown, whichever it was written in', async () => {
  const w = await world()
  const html = await added(w, w.cleo, '<p>Two <strong>colours</strong></p>')
  await added(w, w.cleo, 'Two **colours**\n', { content_type: 'markdown' })
  const texts = async (more = {}) =>
    (await listed(w, more)).map(({ text, content_type }) => [content_type, text?.trim()])
  expect(await texts()).toEqual([
    ['html', '<p>Two <strong>colours</strong></p>'],
    ['markdown', 'Two **colours**'],
  ])
  expect(await texts({ format: 'markdown' })).toEqual([
    ['markdown', 'Two **colours**'],
    ['markdown', 'Two **colours**'],
  ])
  expect(await texts({ format: 'html' })).toEqual([
    ['html', '<p>Two <strong>colours</strong></p>'],
    ['html', '<p>Two <strong>colours</strong></p>'],
  ])
  const { comment_id } = html
  expect(await w.gus['comments.get']({ comment_id }).catch(({ code }) => code)).toBe('not_found')
  const one = await w.ben['comments.get']({ comment_id, format: 'markdown' })
  expect(one).toMatchObject({ content_type: 'markdown', ticket_number: 'HP-1' })
})

test('comments are paged oldest first, and can be sorted newest first and searched', async () => {
  const w = await world()
  for (const text of ['one', 'two', 'three']) {
    await added(w, w.cleo, text)
    w.clock.pass(1000)
  }
  const texts = async (more: object) => (await listed(w, more)).map(({ text }) => text)
  expect(await texts({})).toEqual(['one', 'two', 'three'])
  expect(await texts({ sort: 'createdAt:desc' })).toEqual(['three', 'two', 'one'])
  expect(await texts({ query: 'TW' })).toEqual(['two'])
  const { page } = await w.ada['comments.list']({ ...w.tasks.logo, limit: 2 })
  expect(page).toMatchObject({ total: 3, has_more: true })
  expect(await texts({ limit: 2, cursor: page.next_cursor })).toEqual(['three'])
})

test('only the author can edit a comment, and an unchanged text emits no change', async () => {
  const w = await world()
  const { comment_id } = await added(w, w.cleo, 'First')
  w.clock.pass(60_000)
  const text = '<p>Second</p>'
  for (const who of [w.ada, w.ben, w.bot])
    expect((await refused(who['comments.update']({ comment_id, text }))).code).toBe('forbidden')
  const seq = (await w.changes()).at(-1)!.seq
  const receipt = await w.cleo['comments.update']({ comment_id, text })
  expect(receipt.edited_at).toBe('2026-11-20T12:01:00.000Z')
  await w.cleo['comments.update']({ comment_id, text })
  const told = await w.changes(seq)
  expect(told.map(({ type }) => type)).toEqual(['comment.updated'])
  expect(told[0]!.data).toMatchObject({ comment_id, snippet: 'Second', mentioned: [] })
  expect((await listed(w))[0]).toMatchObject({ text, created_at: at, edited_at: receipt.edited_at })
})

test('a comment can be deleted by its author, its agent’s owner and those who manage the board', async () => {
  const w = await world()
  const remove = (who: World['ada'], comment_id: number) => who['comments.delete']({ comment_id })
  const { comment_id: own } = await added(w, w.cleo, 'Mine')
  expect(await remove(w.cleo, own)).toEqual({ comment_id: own, deleted: true })
  const { comment_id: bots } = await added(w, w.bot, 'By the bot')
  expect((await listed(w))[0]!.author).toMatchObject({ kind: 'agent', name: 'Bot' })
  await remove(w.cleo, bots)
  const { comment_id: bens } = await added(w, w.ben, 'By Ben')
  for (const who of [w.cleo, w.bot])
    expect((await refused(remove(who, bens))).code).toBe('forbidden')
  const narrow = await w.as(w.ada.caller.actor_id, 'key', ['tasks:read', 'tasks:write'])
  expect((await refused(remove(narrow, bens))).code).toBe('forbidden')
  await remove(w.ada, bens)
  expect(await listed(w)).toEqual([])
  const gone = await refused(remove(w.ada, bens))
  expect(gone).toMatchObject({ code: 'not_found', details: { field: 'comment_id' } })
  const told = (await w.changes()).filter(({ type }) => type === 'comment.deleted')
  expect(told.map(({ data }) => data.comment_id)).toEqual([own, bots, bens])
})

test('a reply references a comment of the same task and remains when that one is deleted', async () => {
  const w = await world()
  const mentions = [{ agent_id: w.bot.caller.agent_id!, display_name: 'Bot' }]
  const { comment_id } = await added(w, w.cleo, 'Which colours, @Bot?', { mentions })
  await caughtUp(w)
  const [call] = (await w.bot['inbox.list']({ kind: 'mentioned' })).items
  const elsewhere = await w.ada['comments.add']({ ...w.tasks.copy, text: 'Elsewhere' })
  const reply = { reply_to_comment_id: comment_id, reply_to_invocation_id: call!.notification_id! }
  const answer = await added(w, w.bot, 'Red and blue', reply)
  expect((await w.changes()).at(-1)!.data).toMatchObject({ ...reply, snippet: 'Red and blue' })
  expect((await listed(w))[1]).toMatchObject(reply)
  for (const reply_to_comment_id of [elsewhere.comment_id, 4711]) {
    const fault = await refused(added(w, w.bot, 'x', { reply_to_comment_id }))
    expect(fault.details).toMatchObject({ field: 'reply_to_comment_id', code: 'not_found' })
  }
  await w.cleo['comments.delete']({ comment_id })
  const late = await refused(added(w, w.bot, 'x', { reply_to_comment_id: comment_id }))
  expect(late).toMatchObject({ code: 'invalid', details: { code: 'not_found' } })
  const left = await w.ada['comments.get']({ comment_id: answer.comment_id })
  expect(left.reply_to_comment_id).toBe(null)
})

test('attachments are added with a comment and deleted with it', async () => {
  const w = await world()
  const data = Buffer.from('Red and blue').toString('base64')
  const attachments = [{ filename: 'colours.txt', content_type: 'text/plain', data }]
  const receipt = await added(w, w.cleo, 'See the file', { attachments })
  expect(receipt.attachments).toMatchObject([{ filename: 'colours.txt', size: 12 }])
  const [shown] = await listed(w)
  expect(shown!.attachments).toEqual(receipt.attachments)
  expect(await w.emitted()).toEqual(['comment.created', 'attachment.created'])
  await w.cleo['comments.delete']({ comment_id: receipt.comment_id })
  expect((await w.emitted()).slice(2)).toEqual(['attachment.deleted', 'comment.deleted'])
  expect((await w.ada['attachments.list'](w.tasks.logo)).items).toEqual([])
})

test('an empty, too long or malformed comment is refused', async () => {
  const w = await world()
  const cases: [string, string][] = [
    ['', 'required'],
    ['   ', 'required'],
    ['<p> </p><script>x</script>', 'required'],
    ['x'.repeat(5_000_000), 'too_long'],
    ['a\0b', 'invalid_format'],
    ['a\ud800', 'invalid_format'],
  ]
  for (const [text, code] of cases) {
    const fault = await refused(added(w, w.cleo, text))
    expect([text.slice(0, 9), fault.details]).toMatchObject([
      text.slice(0, 9),
      { field: 'text', code },
    ])
  }
  const odd = await refused(added(w, w.cleo, 'x', { content_type: 'rtf' }))
  expect(odd.details).toMatchObject({ field: 'content_type', code: 'out_of_range' })
  expect(await w.emitted()).toEqual([])
})

test('creating a comment over REST responds 201, and callers without access get 404', async () => {
  const w = await world()
  const path = '/api/v1/tasks/HP-1/comments'
  const made = await w.http(w.cleo, 'POST', path, { text: 'Hello' })
  expect(made.status).toBe(201)
  const { comment_id } = made.body.data
  const one = `/api/v1/comments/${comment_id}`
  const edit = await w.http(w.cleo, 'PATCH', one, { text: '*Hi*', content_type: 'markdown' })
  expect(edit.status).toBe(200)
  const list = await w.http(w.bot, 'GET', `${path}?format=html&limit=1`)
  expect(list.body).toMatchObject({ page: { total: 1 }, data: [{ text: '<p><em>Hi</em></p>\n' }] })
  for (const who of [w.otto, w.gus])
    for (const [method, where, body] of [
      ['GET', path],
      ['GET', one],
      ['POST', path, { text: 'x' }],
      ['PATCH', one, { text: 'x' }],
      ['DELETE', one],
      ['PUT', `${one}/reactions/👍`],
    ] as const)
      expect([method, (await w.http(who, method, where, body)).status]).toEqual([method, 404])
  expect((await w.http(w.cleo, 'DELETE', one)).body.data).toEqual({ comment_id, deleted: true })
  expect((await w.http(w.cleo, 'GET', one)).status).toBe(404)
})

test('comment changes are hidden from callers without tasks:read or board access', async () => {
  const w = await world()
  const { comment_id } = await added(w, w.cleo, 'Psst')
  await w.ada['comments.react']({ comment_id, emoji: '👍' })
  const boards = await w.as(w.ada.caller.actor_id, 'key', ['projects:read'])
  const told = await w.changes()
  expect(told.map(({ type }) => type)).toEqual(['comment.created', 'comment.reaction'])
  const sees = async (who: World['ada'], type: string) =>
    canSeeChange(who.caller, told.find((one) => one.type === type)!, async () => who !== w.gus)
  for (const type of ['comment.created', 'comment.reaction']) {
    expect(await sees(w.bot, type)).toBe(true)
    for (const who of [boards, w.gus]) expect(await sees(who, type)).toBe(false)
  }
})

test('replying to a comment while it is deleted leaves no reference to the missing comment', async () => {
  for (let round = 0; round < 5; round++) {
    const w = await world()
    const { comment_id } = await added(w, w.cleo, 'Which?')
    const [answer] = await Promise.allSettled([
      added(w, w.bot, 'This', { reply_to_comment_id: comment_id }),
      w.cleo['comments.delete']({ comment_id }),
      added(w, w.ben, 'Another'),
    ])
    const left = await listed(w)
    expect(left).toHaveLength(answer.status === 'fulfilled' ? 2 : 1)
    expect(left.map((one) => one.reply_to_comment_id).filter((id) => id !== null)).toEqual([])
    const { comment_count } = await w.store.read((tx) => noted(tx, w.tasks.logo.task_id))
    expect(comment_count).toBe(left.length)
  }
})
