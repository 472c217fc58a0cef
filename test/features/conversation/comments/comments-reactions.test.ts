import { expect, test } from 'bun:test'
import { faultOf } from '../../../support/faults.ts'
import { type World, world } from '../../../support/world.ts'

async function createComment() {
  const w = await world()
  const { comment_id } = await w.cleo['comments.add']({ ...w.tasks.logo, text: 'Done' })
  const seq = (await w.changes()).at(-1)!.seq
  return { ...w, comment_id, seq }
}

const reactionsOf = async (w: World, comment_id: number, actor = w.ada) =>
  (await actor['comments.get']({ comment_id })).reactions

test('a reaction counts once per actor and is logged once', async () => {
  const w = await createComment()
  const { comment_id } = w
  for (const actor of [w.ada, w.ada, w.bot]) {
    await actor['comments.react']({ comment_id, emoji: '👍' })
    w.clock.advance(1000)
  }
  await w.ada['comments.react']({ comment_id, emoji: '🎉' })
  expect(await reactionsOf(w, comment_id)).toMatchObject([
    { emoji: '👍', count: 2, mine: true, by: [{ name: 'Ada' }, { kind: 'agent', name: 'Bot' }] },
    { emoji: '🎉', count: 1, mine: true, by: [{ name: 'Ada' }] },
  ])
  expect((await reactionsOf(w, comment_id, w.ben)).map(({ mine }) => mine)).toEqual([false, false])
  for (const _ of [1, 2]) await w.ada['comments.unreact']({ comment_id, emoji: '👍' })
  expect(await reactionsOf(w, comment_id)).toMatchObject([
    { emoji: '👍', count: 1, mine: false },
    { emoji: '🎉', count: 1 },
  ])
  const logged = await w.changes(w.seq)
  expect(logged.map(({ type, data }) => [type, data.emoji, data.added])).toEqual([
    ['comment.reaction', '👍', true],
    ['comment.reaction', '👍', true],
    ['comment.reaction', '🎉', true],
    ['comment.reaction', '👍', false],
  ])
  const author_id = w.cleo.caller.actor_id
  expect(logged[0]!.data).toMatchObject({ comment_id, author_id, ticket_number: 'HP-1' })
})

test('a reaction must be a single emoji, and a text symbol becomes its emoji form', async () => {
  const w = await createComment()
  const { comment_id } = w
  const invalidEmoji = [
    'a',
    '1',
    '#',
    '👍👍',
    '👍 ',
    '<b>',
    '\u200d',
    '🏿x',
    ':+1:',
    '️',
    '👍\u0301',
  ]
  for (const emoji of invalidEmoji) {
    const { details } = await faultOf(w.ada['comments.react']({ comment_id, emoji }))
    expect([emoji, details]).toMatchObject([emoji, { field: 'emoji', code: 'invalid_format' }])
  }
  const fault = await faultOf(w.ada['comments.react']({ comment_id, emoji: '👍'.repeat(17) }))
  expect(fault.details).toMatchObject({ field: 'emoji', code: 'too_long' })
  const validEmoji = ['❤', '❤️', '1️⃣', '🇩🇪', '👩🏽‍🚀', '👨‍👩‍👧‍👦', '🏳️‍🌈']
  for (const emoji of validEmoji) {
    await w.ada['comments.react']({ comment_id, emoji })
    w.clock.advance(1000)
  }
  const emoji = (await reactionsOf(w, comment_id)).map((one) => one.emoji)
  expect(emoji).toEqual(validEmoji.slice(1))
})

test('a comment accepts at most 20 different reactions, also when they are concurrent', async () => {
  const w = await createComment()
  const { comment_id } = w
  const emojis = Array.from({ length: 24 }, (_, at) => String.fromCodePoint(0x1f600 + at))
  const actors = [w.ada, w.ben, w.cleo, w.bot]
  const outcomes = await Promise.allSettled(
    emojis.map((emoji, at) => actors[at % 4]!['comments.react']({ comment_id, emoji })),
  )
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(20)
  const reactions = await reactionsOf(w, comment_id)
  expect(reactions).toHaveLength(20)
  const { emoji } = reactions[0]!
  await w.ben['comments.react']({ comment_id, emoji })
  const otherEmoji = emojis.find((one) => !reactions.some((known) => known.emoji === one))!
  const fault = await faultOf(w.ben['comments.react']({ comment_id, emoji: otherEmoji }))
  expect(fault).toMatchObject({ code: 'conflict', details: { field: 'emoji', limit: 20 } })
})

test('concurrent identical reactions of one actor are stored and logged once', async () => {
  const w = await createComment()
  const { comment_id } = w
  const react = () => w.bot['comments.react']({ comment_id, emoji: '👀' })
  await Promise.all(Array.from({ length: 10 }, react))
  expect(await reactionsOf(w, comment_id)).toMatchObject([{ emoji: '👀', count: 1 }])
  expect((await w.changes(w.seq)).map(({ type }) => type)).toEqual(['comment.reaction'])
})

test('over REST the emoji of a reaction is part of the URL', async () => {
  const w = await createComment()
  const path = `/api/v1/comments/${w.comment_id}/reactions/${encodeURIComponent('❤️')}`
  const response = await w.http(w.ada, 'PUT', path)
  expect(response).toMatchObject({ status: 200, body: { data: { reactions: [{ emoji: '❤️' }] } } })
  const removed = await w.http(w.ada, 'DELETE', path)
  expect(removed.body.data).toEqual({ comment_id: w.comment_id, reactions: [] })
  const missingPath = path.replace(`/${w.comment_id}/`, '/4711/')
  expect((await w.http(w.ada, 'PUT', missingPath)).status).toBe(404)
})

test('reacting to a deleted comment is refused with not_found', async () => {
  const w = await createComment()
  const { comment_id } = w
  await w.ada['comments.react']({ comment_id, emoji: '👍' })
  await w.cleo['comments.delete']({ comment_id })
  expect((await faultOf(w.ada['comments.react']({ comment_id, emoji: '👍' }))).code).toBe(
    'not_found',
  )
})
