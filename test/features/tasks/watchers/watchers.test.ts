import { expect, test } from 'bun:test'
import { faultOf } from '../../../support/faults.ts'
import { waitForFollowers } from '../../../support/followers.ts'
import { type Actor, type World, world } from '../../../support/world.ts'

const kindsOf = async (w: World, actor: Actor) => {
  await waitForFollowers(w)
  return (await actor['inbox.list']({ limit: 50 })).items.map(({ kind }) => kind)
}
const newTask = async (w: World, by: Actor) =>
  (await by['tasks.create']({ project_id: w.board.project_id, title: 'Paint the fence' })).task_id

test('who watches a task is notified of comments as if they took part in it', async () => {
  const w = await world()
  const task_id = await newTask(w, w.ada)
  const before = await kindsOf(w, w.ben)
  expect(await w.ben['watchers.watch']({ task_id })).toMatchObject({ task_id, watching: true })
  await w.cleo['comments.add']({ task_id, text: 'Green or blue?' })
  expect(await kindsOf(w, w.ben)).toEqual(['commented', ...before])
  expect(await w.ben['watchers.get']({ task_id })).toMatchObject({
    watching: true,
    watchers: [{ name: 'Ada' }, { name: 'Ben' }, { name: 'Cleo' }],
  })
  await w.ben['watchers.unwatch']({ task_id })
  await w.cleo['comments.add']({ task_id, text: 'Blue, then' })
  expect(await kindsOf(w, w.ben)).toEqual(['commented', ...before])
})

test('a creator who stops watching is notified of mentions and assignments only', async () => {
  const w = await world()
  const task_id = await newTask(w, w.ada)
  const before = await kindsOf(w, w.ada)
  expect((await w.ada['watchers.get']({ task_id })).watching).toBe(true)
  await w.ada['watchers.unwatch']({ task_id })
  await w.cleo['comments.add']({ task_id, text: 'Green or blue?' })
  expect(await kindsOf(w, w.ada)).toEqual(before)
  const mention = { user_id: w.ada.caller.actor_id, display_name: 'Ada' }
  await w.cleo['comments.add']({ task_id, text: '@Ada, green?', mentions: [mention] })
  await w.cleo['tasks.update']({ task_id, assignee_ids: [w.ada.caller.actor_id] })
  expect(await kindsOf(w, w.ada)).toEqual(['assigned', 'mentioned', ...before])
  await w.ada['watchers.watch']({ task_id })
  await w.cleo['comments.add']({ task_id, text: 'Blue' })
  expect(await kindsOf(w, w.ada)).toEqual(['commented', 'assigned', 'mentioned', ...before])
})

test('watching what is watched already changes nothing, and the activity shows none of it', async () => {
  const w = await world()
  const task_id = await newTask(w, w.ada)
  await w.ada['watchers.watch']({ task_id })
  expect(await w.changeTypes()).not.toContain('watcher.added')
  await w.ben['watchers.watch']({ task_id })
  await w.ben['watchers.watch']({ task_id })
  expect((await w.changeTypes()).filter((type) => type === 'watcher.added')).toHaveLength(1)
  const { items } = await w.ada['comments.list']({ task_id, include_activity: true })
  expect(JSON.stringify(items)).not.toContain('watcher')
})

test('a watcher who can no longer see the board is not notified and not listed', async () => {
  const w = await world()
  const task_id = await newTask(w, w.ada)
  await w.cleo['watchers.watch']({ task_id })
  const { project_id } = w.board
  await w.ada['projects.update']({ project_id, access: 'invited' })
  await w.ada['comments.add']({ task_id, text: 'In private' })
  expect(await kindsOf(w, w.cleo)).not.toContain('commented')
  const { watchers } = await w.ada['watchers.get']({ task_id })
  expect(watchers.map(({ name }) => name)).toEqual(['Ada'])
  const refusal = await faultOf(w.cleo['watchers.watch']({ task_id }))
  expect(refusal).toMatchObject({ code: 'not_found' })
})
