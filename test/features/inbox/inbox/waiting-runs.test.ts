import { expect, test } from 'bun:test'
import { notifications } from '../../../../src/features/inbox/notifications/model/index.ts'
import { newestActions } from '../../../support/answers.ts'
import { waitForFollowers } from '../../../support/followers.ts'
import { type Actor, type World, world } from '../../../support/world.ts'

/** Cleo starts a run of Bot on Ada's task. */
async function runOfBot() {
  const w = await world()
  const { task_id } = w.tasks.logo
  const { run_id } = await w.cleo['runs.create']({ task_id, agent_id: w.bot.caller.agent_id! })
  await w.bot['runs.update']({ run_id, state: 'running' })
  await waitForFollowers(w)
  await w.store.write((tx) => tx.delete(notifications))
  w.clock.advance(1000)
  const wait = () => w.bot['runs.update']({ run_id, state: 'waiting', summary: 'Which port?' })
  const ask = () =>
    w.bot['comments.add']({
      task_id,
      text: '<p>@Cleo Which port?</p>',
      mentions: [{ user_id: w.cleo.caller.actor_id, display_name: 'Cleo' }],
    } as never)
  return { w, task_id, run_id, wait, ask }
}

async function unread(w: World, actor: Actor) {
  await waitForFollowers(w)
  const { items } = await actor['inbox.list']({ sort_order: 'asc' })
  return items.filter(({ read_at }) => read_at === null).map(({ kind }) => kind)
}

test('a run that waits notifies the person who started it, who can reply', async () => {
  const { w, run_id, wait } = await runOfBot()
  await wait()
  expect(await unread(w, w.cleo)).toEqual(['run_waiting'])
  expect((await w.cleo['inbox.list']({})).items).toMatchObject([
    { run_id, important: true, snippet: 'Which port?', actor: { name: 'Bot' } },
  ])
  expect(await newestActions(w, w.cleo)).toMatchObject([{ label: 'Reply' }])
  expect(await unread(w, w.ada)).toEqual([])
})

test('a run that its agent began notifies the people on the task when it waits', async () => {
  const w = await world()
  const { run_id } = await w.bot['runs.create']({ task_id: w.tasks.logo.task_id })
  await w.bot['runs.update']({ run_id, state: 'waiting', summary: 'Which port?' })
  expect(await unread(w, w.ada)).toEqual(['run_waiting'])
})

test('an agent that asks in a comment before its run waits causes one notification', async () => {
  const { w, wait, ask } = await runOfBot()
  await ask()
  await wait()
  expect(await unread(w, w.cleo)).toEqual(['mentioned'])
})

test('an agent that asks in a comment after its run waits causes one unread notification', async () => {
  const { w, wait, ask } = await runOfBot()
  await wait()
  await ask()
  expect(await unread(w, w.cleo)).toEqual(['mentioned'])
})

test('an answer ends the notification, and the next question creates another', async () => {
  const { w, run_id, wait, ask } = await runOfBot()
  await ask()
  await wait()
  w.clock.advance(1000)
  await w.cleo['runs.prompt']({ run_id, text: 'Hamburg' })
  await w.bot['runs.update']({ run_id, state: 'running' })
  w.clock.advance(1000)
  await wait()
  expect(await unread(w, w.cleo)).toEqual(['mentioned', 'run_waiting'])
  await w.cleo['runs.prompt']({ run_id, text: 'Bremen' })
  expect(await unread(w, w.cleo)).toEqual(['mentioned'])
})
