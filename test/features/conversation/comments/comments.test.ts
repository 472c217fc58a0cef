import { expect, test } from 'bun:test'
import { canSeeChange } from '../../../../src/features/identity/callers/model/index.ts'
import { taskById } from '../../../../src/features/tasks/tasks/model/index.ts'
import type { Tx } from '../../../../src/kernel/caller.ts'
import { faultOf } from '../../../support/faults.ts'
import { waitForFollowers } from '../../../support/followers.ts'
import { type World, world } from '../../../support/world.ts'

const CREATED_AT = '2026-11-20T12:00:00.000Z'

const listComments = async (w: World, overrides = {}) =>
  (await w.ada['comments.list']({ ...w.tasks.logo, ...overrides })).items

const addComment = (w: World, actor: World['ada'], text: string, overrides = {}) =>
  actor['comments.add']({ ...w.tasks.logo, text, ...overrides })

async function commentCounts(tx: Tx, task_id: number) {
  const { comment_count, last_comment_at } = (await taskById(tx, task_id))!
  return { comment_count, last_comment_at }
}

test('adding a comment sanitizes it, keeps updated_at of the task and logs only a snippet', async () => {
  const { cleo, ben, tasks, changes, clock } = await world()
  clock.advance(60_000)
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
  expect(await ben['tasks.get'](tasks.logo)).toMatchObject({ updated_at: CREATED_AT })
  const [change, ...rest] = await changes()
  expect(rest).toEqual([])
  expect(change).toMatchObject({ type: 'comment.created', task_id: tasks.logo.task_id })
  expect(change!.data).toEqual({
    ...{ ticket_number: 'HP-1', title: 'Draw the logo', comment_id: receipt.comment_id },
    ...{ snippet: 'Two colours.', mentioned: [] },
  })
})

test('comment_count and last_comment_at follow added and deleted comments', async () => {
  const w = await world()
  const counts = () => w.store.read((tx) => commentCounts(tx, w.tasks.logo.task_id))
  expect(await counts()).toEqual({ comment_count: 0, last_comment_at: null })
  await addComment(w, w.cleo, 'one')
  w.clock.advance(60_000)
  const two = await addComment(w, w.ben, 'two')
  expect(await counts()).toEqual({ comment_count: 2, last_comment_at: w.clock.now })
  await w.ben['comments.delete']({ comment_id: two.comment_id })
  expect(await counts()).toEqual({ comment_count: 1, last_comment_at: new Date(CREATED_AT) })
})

test('a comment can be read as HTML or markdown, whichever it was written in', async () => {
  const w = await world()
  const html = await addComment(w, w.cleo, '<p>Two <strong>colours</strong></p>')
  await addComment(w, w.cleo, 'Two **colours**\n', { content_type: 'markdown' })
  const texts = async (overrides = {}) =>
    (await listComments(w, overrides)).map(({ text, content_type }) => [content_type, text?.trim()])
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
    await addComment(w, w.cleo, text)
    w.clock.advance(1000)
  }
  const texts = async (overrides: object) =>
    (await listComments(w, overrides)).map(({ text }) => text)
  expect(await texts({})).toEqual(['one', 'two', 'three'])
  expect(await texts({ sort: 'createdAt:desc' })).toEqual(['three', 'two', 'one'])
  expect(await texts({ query: 'TW' })).toEqual(['two'])
  const { page } = await w.ada['comments.list']({ ...w.tasks.logo, limit: 2 })
  expect(page).toMatchObject({ total: 3, has_more: true })
  expect(await texts({ limit: 2, cursor: page.next_cursor })).toEqual(['three'])
})

test('only the author can edit a comment, and an unchanged text emits no change', async () => {
  const w = await world()
  const { comment_id } = await addComment(w, w.cleo, 'First')
  w.clock.advance(60_000)
  const text = '<p>Second</p>'
  for (const actor of [w.ada, w.ben, w.bot])
    expect((await faultOf(actor['comments.update']({ comment_id, text }))).code).toBe('forbidden')
  const seq = (await w.changes()).at(-1)!.seq
  const receipt = await w.cleo['comments.update']({ comment_id, text })
  expect(receipt.edited_at).toBe('2026-11-20T12:01:00.000Z')
  await w.cleo['comments.update']({ comment_id, text })
  const logged = await w.changes(seq)
  expect(logged.map(({ type }) => type)).toEqual(['comment.updated'])
  expect(logged[0]!.data).toMatchObject({ comment_id, snippet: 'Second', mentioned: [] })
  expect((await listComments(w))[0]).toMatchObject({
    text,
    created_at: CREATED_AT,
    edited_at: receipt.edited_at,
  })
})

test('a comment can be deleted by its author, its agent’s owner and those who manage the board', async () => {
  const w = await world()
  const remove = (actor: World['ada'], comment_id: number) =>
    actor['comments.delete']({ comment_id })
  const { comment_id: cleoComment } = await addComment(w, w.cleo, 'Mine')
  expect(await remove(w.cleo, cleoComment)).toEqual({ comment_id: cleoComment, deleted: true })
  const { comment_id: botComment } = await addComment(w, w.bot, 'By the bot')
  expect((await listComments(w))[0]!.author).toMatchObject({ kind: 'agent', name: 'Bot' })
  await remove(w.cleo, botComment)
  const { comment_id: benComment } = await addComment(w, w.ben, 'By Ben')
  for (const actor of [w.cleo, w.bot])
    expect((await faultOf(remove(actor, benComment))).code).toBe('forbidden')
  const limited = await w.authenticateAs(w.ada.caller.actor_id, 'key', [
    'tasks:read',
    'tasks:write',
  ])
  expect((await faultOf(remove(limited, benComment))).code).toBe('forbidden')
  await remove(w.ada, benComment)
  expect(await listComments(w)).toEqual([])
  const fault = await faultOf(remove(w.ada, benComment))
  expect(fault).toMatchObject({ code: 'not_found', details: { field: 'comment_id' } })
  const logged = (await w.changes()).filter(({ type }) => type === 'comment.deleted')
  expect(logged.map(({ data }) => data.comment_id)).toEqual([cleoComment, botComment, benComment])
})

test('a reply references a comment of the same task and remains when that one is deleted', async () => {
  const w = await world()
  const mentions = [{ agent_id: w.bot.caller.agent_id!, display_name: 'Bot' }]
  const { comment_id } = await addComment(w, w.cleo, 'Which colours, @Bot?', { mentions })
  await waitForFollowers(w)
  const [mention] = (await w.bot['inbox.list']({ kind: 'mentioned' })).items
  const elsewhere = await w.ada['comments.add']({ ...w.tasks.copy, text: 'Elsewhere' })
  const reply = {
    reply_to_comment_id: comment_id,
    reply_to_invocation_id: mention!.notification_id!,
  }
  const receipt = await addComment(w, w.bot, 'Red and blue', reply)
  expect((await w.changes()).at(-1)!.data).toMatchObject({ ...reply, snippet: 'Red and blue' })
  expect((await listComments(w))[1]).toMatchObject(reply)
  for (const reply_to_comment_id of [elsewhere.comment_id, 4711]) {
    const fault = await faultOf(addComment(w, w.bot, 'x', { reply_to_comment_id }))
    expect(fault.details).toMatchObject({ field: 'reply_to_comment_id', code: 'not_found' })
  }
  await w.cleo['comments.delete']({ comment_id })
  const fault = await faultOf(addComment(w, w.bot, 'x', { reply_to_comment_id: comment_id }))
  expect(fault).toMatchObject({ code: 'invalid', details: { code: 'not_found' } })
  const remaining = await w.ada['comments.get']({ comment_id: receipt.comment_id })
  expect(remaining.reply_to_comment_id).toBe(null)
})

test('attachments are added with a comment and deleted with it', async () => {
  const w = await world()
  const data = Buffer.from('Red and blue').toString('base64')
  const attachments = [{ filename: 'colours.txt', content_type: 'text/plain', data }]
  const receipt = await addComment(w, w.cleo, 'See the file', { attachments })
  expect(receipt.attachments).toMatchObject([{ filename: 'colours.txt', size: 12 }])
  const [shown] = await listComments(w)
  expect(shown!.attachments).toEqual(receipt.attachments)
  expect(await w.changeTypes()).toEqual(['comment.created', 'attachment.created'])
  await w.cleo['comments.delete']({ comment_id: receipt.comment_id })
  expect((await w.changeTypes()).slice(2)).toEqual(['attachment.deleted', 'comment.deleted'])
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
    const fault = await faultOf(addComment(w, w.cleo, text))
    expect([text.slice(0, 9), fault.details]).toMatchObject([
      text.slice(0, 9),
      { field: 'text', code },
    ])
  }
  const fault = await faultOf(addComment(w, w.cleo, 'x', { content_type: 'rtf' }))
  expect(fault.details).toMatchObject({ field: 'content_type', code: 'out_of_range' })
  expect(await w.changeTypes()).toEqual([])
})

test('creating a comment over REST responds 201, and callers without access get 404', async () => {
  const w = await world()
  const path = '/api/v1/tasks/HP-1/comments'
  const created = await w.http(w.cleo, 'POST', path, { text: 'Hello' })
  expect(created.status).toBe(201)
  const { comment_id } = created.body.data
  const commentPath = `/api/v1/comments/${comment_id}`
  const edit = await w.http(w.cleo, 'PATCH', commentPath, {
    text: '*Hi*',
    content_type: 'markdown',
  })
  expect(edit.status).toBe(200)
  const list = await w.http(w.bot, 'GET', `${path}?format=html&limit=1`)
  expect(list.body).toMatchObject({ page: { total: 1 }, data: [{ text: '<p><em>Hi</em></p>\n' }] })
  for (const actor of [w.otto, w.gus])
    for (const [method, url, body] of [
      ['GET', path],
      ['GET', commentPath],
      ['POST', path, { text: 'x' }],
      ['PATCH', commentPath, { text: 'x' }],
      ['DELETE', commentPath],
      ['PUT', `${commentPath}/reactions/👍`],
    ] as const)
      expect([method, (await w.http(actor, method, url, body)).status]).toEqual([method, 404])
  expect((await w.http(w.cleo, 'DELETE', commentPath)).body.data).toEqual({
    comment_id,
    deleted: true,
  })
  expect((await w.http(w.cleo, 'GET', commentPath)).status).toBe(404)
})

test('comment changes are hidden from callers without tasks:read or board access', async () => {
  const w = await world()
  const { comment_id } = await addComment(w, w.cleo, 'Psst')
  await w.ada['comments.react']({ comment_id, emoji: '👍' })
  const boardReader = await w.authenticateAs(w.ada.caller.actor_id, 'key', ['projects:read'])
  const logged = await w.changes()
  expect(logged.map(({ type }) => type)).toEqual(['comment.created', 'comment.reaction'])
  const canSee = async (actor: World['ada'], type: string) =>
    canSeeChange(
      actor.caller,
      logged.find((one) => one.type === type)!,
      async () => actor !== w.gus,
    )
  for (const type of ['comment.created', 'comment.reaction']) {
    expect(await canSee(w.bot, type)).toBe(true)
    for (const actor of [boardReader, w.gus]) expect(await canSee(actor, type)).toBe(false)
  }
})

test('replying to a comment while it is deleted leaves no reference to the missing comment', async () => {
  for (let round = 0; round < 5; round++) {
    const w = await world()
    const { comment_id } = await addComment(w, w.cleo, 'Which?')
    const [outcome] = await Promise.allSettled([
      addComment(w, w.bot, 'This', { reply_to_comment_id: comment_id }),
      w.cleo['comments.delete']({ comment_id }),
      addComment(w, w.ben, 'Another'),
    ])
    const comments = await listComments(w)
    expect(comments).toHaveLength(outcome.status === 'fulfilled' ? 2 : 1)
    expect(comments.map((one) => one.reply_to_comment_id).filter((id) => id !== null)).toEqual([])
    const { comment_count } = await w.store.read((tx) => commentCounts(tx, w.tasks.logo.task_id))
    expect(comment_count).toBe(comments.length)
  }
})
