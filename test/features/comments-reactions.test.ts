import { expect, test } from 'bun:test'
import { refused } from '../refused.ts'
import { type World, world } from '../world.ts'

async function commented() {
  const w = await world()
  const { comment_id } = await w.cleo['comments.add']({ ...w.tasks.logo, text: 'Done' })
  const seq = (await w.changes()).at(-1)!.seq
  return { ...w, comment_id, seq }
}

const shown = async (w: World, comment_id: number, who = w.ada) =>
  (await who['comments.get']({ comment_id })).reactions

test('a reaction counts once per actor and is logged once', async () => {
  const w = await commented()
  const { comment_id } = w
  for (const who of [w.ada, w.ada, w.bot]) {
    await who['comments.react']({ comment_id, emoji: '👍' })
    w.clock.pass(1000)
  }
  await w.ada['comments.react']({ comment_id, emoji: '🎉' })
  expect(await shown(w, comment_id)).toMatchObject([
    { emoji: '👍', count: 2, mine: true, by: [{ name: 'Ada' }, { kind: 'agent', name: 'Bot' }] },
    { emoji: '🎉', count: 1, mine: true, by: [{ name: 'Ada' }] },
  ])
  expect((await shown(w, comment_id, w.ben)).map(({ mine }) => mine)).toEqual([false, false])
  for (const _ of [1, 2]) await w.ada['comments.unreact']({ comment_id, emoji: '👍' })
  expect(await shown(w, comment_id)).toMatchObject([
    { emoji: '👍', count: 1, mine: false },
    { emoji: '🎉', count: 1 },
  ])
  const told = await w.changes(w.seq)
  expect(told.map(({ type, data }) => [type, data.emoji, data.added])).toEqual([
    ['comment.reaction', '👍', true],
    ['comment.reaction', '👍', true],
    ['comment.reaction', '🎉', true],
    ['comment.reaction', '👍', false],
  ])
  const author_id = w.cleo.caller.actor_id
  expect(told[0]!.data).toMatchObject({ comment_id, author_id, ticket_number: 'HP-1' })
})

test('a reaction must be a single emoji, and a text symbol becomes its emoji form', async () => {
  const w = await commented()
  const { comment_id } = w
  const bait = ['a', '1', '#', '👍👍', '👍 ', '<b>', '\u200d', '🏿x', ':+1:', '️', '👍\u0301']
  for (const emoji of bait) {
    const { details } = await refused(w.ada['comments.react']({ comment_id, emoji }))
    expect([emoji, details]).toMatchObject([emoji, { field: 'emoji', code: 'invalid_format' }])
  }
  const long = await refused(w.ada['comments.react']({ comment_id, emoji: '👍'.repeat(17) }))
  expect(long.details).toMatchObject({ field: 'emoji', code: 'too_long' })
  const good = ['❤', '❤️', '1️⃣', '🇩🇪', '👩🏽‍🚀', '👨‍👩‍👧‍👦', '🏳️‍🌈']
  for (const emoji of good) {
    await w.ada['comments.react']({ comment_id, emoji })
    w.clock.pass(1000)
  }
  const emoji = (await shown(w, comment_id)).map((one) => one.emoji)
  expect(emoji).toEqual(good.slice(1))
})

test('a comment accepts at most 20 different reactions, also when they are concurrent', async () => {
  const w = await commented()
  const { comment_id } = w
  const faces = Array.from({ length: 24 }, (_, at) => String.fromCodePoint(0x1f600 + at))
  const who = [w.ada, w.ben, w.cleo, w.bot]
  const ends = await Promise.allSettled(
    faces.map((emoji, at) => who[at % 4]!['comments.react']({ comment_id, emoji })),
  )
  expect(ends.filter(({ status }) => status === 'fulfilled')).toHaveLength(20)
  const reactions = await shown(w, comment_id)
  expect(reactions).toHaveLength(20)
  const { emoji } = reactions[0]!
  await w.ben['comments.react']({ comment_id, emoji })
  const another = faces.find((one) => !reactions.some((known) => known.emoji === one))!
  const fault = await refused(w.ben['comments.react']({ comment_id, emoji: another }))
  expect(fault).toMatchObject({ code: 'conflict', details: { field: 'emoji', limit: 20 } })
})

test('concurrent identical reactions of one actor are stored and logged once', async () => {
  const w = await commented()
  const { comment_id } = w
  const react = () => w.bot['comments.react']({ comment_id, emoji: '👀' })
  await Promise.all(Array.from({ length: 10 }, react))
  expect(await shown(w, comment_id)).toMatchObject([{ emoji: '👀', count: 1 }])
  expect((await w.changes(w.seq)).map(({ type }) => type)).toEqual(['comment.reaction'])
})

test('over REST the emoji of a reaction is part of the URL', async () => {
  const w = await commented()
  const path = `/api/v1/comments/${w.comment_id}/reactions/${encodeURIComponent('❤️')}`
  const put = await w.http(w.ada, 'PUT', path)
  expect(put).toMatchObject({ status: 200, body: { data: { reactions: [{ emoji: '❤️' }] } } })
  const gone = await w.http(w.ada, 'DELETE', path)
  expect(gone.body.data).toEqual({ comment_id: w.comment_id, reactions: [] })
  const nowhere = path.replace(`/${w.comment_id}/`, '/4711/')
  expect((await w.http(w.ada, 'PUT', nowhere)).status).toBe(404)
})

test('reacting to a deleted comment is refused with not_found', async () => {
  const w = await commented()
  const { comment_id } = w
  await w.ada['comments.react']({ comment_id, emoji: '👍' })
  await w.cleo['comments.delete']({ comment_id })
  expect((await refused(w.ada['comments.react']({ comment_id, emoji: '👍' }))).code).toBe(
    'not_found',
  )
})
