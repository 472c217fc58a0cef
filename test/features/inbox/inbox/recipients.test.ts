import { expect, test } from 'bun:test'
import { notifications } from '../../../../src/features/inbox/notifications/model/index.ts'
import { Sweeper } from '../../../../src/workers/minutely.ts'
import { waitForFollowers } from '../../../support/followers.ts'
import { type Actor, type World, world } from '../../../support/world.ts'

/** Creates a task of Ada's that is assigned to Ben and Cleo, and deletes all notifications. */
async function assigned() {
  const w = await world()
  const { task_id } = await w.ada['tasks.create']({
    ...{ project_id: w.board.project_id, title: 'Anchor', due_date: '2026-11-20' },
    assignee_ids: [w.ben.caller.actor_id, w.cleo.caller.actor_id],
  })
  await waitForFollowers(w)
  await w.store.write((tx) => tx.delete(notifications))
  return { w, task_id }
}

const removeAssignee = (w: World, task_id: number, actor: Actor) =>
  w.ada['tasks.assign']({ task_id, user_id: actor.caller.actor_id, intent: 'unassign' })

async function kinds(w: World, actor: Actor) {
  await waitForFollowers(w)
  const { items } = await actor['inbox.list']({ sort_order: 'asc' })
  return items.map(({ kind }) => kind)
}

test('an assignee who is unassigned right after a comment is still notified of it', async () => {
  const { w, task_id } = await assigned()
  await w.ada['comments.add']({ task_id, text: 'Rusty' })
  await removeAssignee(w, task_id, w.ben)
  expect(await kinds(w, w.ben)).toEqual(['commented', 'unassigned'])
})

test('an assignee who is unassigned right after a reminder is still reminded', async () => {
  const { w, task_id } = await assigned()
  w.clock.advance(20 * 60 * 60 * 1000)
  const { store, clock } = w
  const log = { error: (about: unknown) => expect(about).toBeUndefined() } as never
  await new Sweeper({ store, clock: clock.read, log }).sweepAll()
  await removeAssignee(w, task_id, w.ben)
  expect(await kinds(w, w.ben)).toContain('overdue')
})

test('an assignee who is unassigned right after a run ended is still notified of it', async () => {
  const { w, task_id } = await assigned()
  await w.cleo['runs.create']({ task_id, agent_id: w.bot.caller.agent_id!, prompt: 'Go' })
  const { items } = await w.bot['runs.list']({ task_id })
  const { run_id } = items[0]!
  await w.bot['runs.update']({ run_id: run_id!, state: 'running' })
  await w.bot['runs.update']({ run_id: run_id!, state: 'done', summary: 'Painted' })
  await removeAssignee(w, task_id, w.ben)
  expect(await kinds(w, w.ben)).toEqual(['run_finished', 'unassigned'])
})

test('the author of a comment deleted right after a reply is still notified of the reply', async () => {
  const { w, task_id } = await assigned()
  const gus = await w.addMember(w.team_id, 'Vera', 'member')
  const { comment_id } = await gus['comments.add']({ task_id, text: 'Red?' })
  await w.ben['comments.add']({ task_id, text: 'No', reply_to_comment_id: comment_id })
  await gus['comments.delete']({ comment_id })
  expect(await kinds(w, gus)).toEqual(['replied'])
})

test('an actor who joins a task after a comment is not notified of that comment', async () => {
  const { w, task_id } = await assigned()
  const vera = await w.addMember(w.team_id, 'Vera', 'member')
  await w.ben['comments.add']({ task_id, text: 'First' })
  await vera['comments.add']({ task_id, text: 'Second' })
  expect(await kinds(w, vera)).toEqual([])
  expect(await kinds(w, w.ben)).toEqual(['commented'])
})

test('an assignee who can no longer see the board is not notified', async () => {
  const { w, task_id } = await assigned()
  await w.ada['comments.add']({ task_id, text: 'Secret' })
  await w.ada['teams.remove_member']({ team_id: w.team_id, user_id: w.ben.caller.actor_id })
  await waitForFollowers(w)
  const rows = await w.store.read((tx) => tx.select().from(notifications))
  expect(rows.map(({ actor_id }) => actor_id)).not.toContain(w.ben.caller.actor_id)
  expect(rows.map(({ actor_id }) => actor_id)).toContain(w.cleo.caller.actor_id)
})

test('recipients are stored in the log, and omitted from activity and messages', async () => {
  const { w, task_id } = await assigned()
  await w.ada['comments.add']({ task_id, text: 'Rusty' })
  const [change] = (await w.changes()).filter(({ type }) => type === 'comment.created').slice(-1)
  expect(change!.recipients!.participants).toContain(w.ben.caller.actor_id)
  const answers = [
    await w.cleo['comments.list']({ task_id, include_activity: true }),
    await w.bot['messages.list']({}).catch(() => ''),
  ]
  expect(JSON.stringify(answers)).not.toContain('recipients')
})
