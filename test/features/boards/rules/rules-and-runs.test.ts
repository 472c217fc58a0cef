import { expect, test } from 'bun:test'
import { waitForFollowers } from '../../../support/followers.ts'
import { runRules } from '../../../support/rules.ts'
import { type World, world } from '../../../support/world.ts'

/** Ada's rule calls Bot to each new task; Cleo creates one, and Bot starts to work on it. */
async function botAtWork() {
  const w = await world()
  const agent_id = w.bot.caller.agent_id!
  w.clock.advance(1000)
  const { rule_id, sentence } = await w.ada['rules.create']({
    project_id: w.board.project_id,
    when: { event: 'task_created' },
    actions: [{ do: 'call_agent', who: agent_id, text: 'Please split this task' }],
  } as never)
  const task = await createTask(w, w.cleo, 'Plan the launch')
  await runRules(w)
  await waitForFollowers(w, 'runs')
  const [run] = (await w.ada['runs.list'](task)).items
  await w.bot['runs.update']({ run_id: run!.run_id, state: 'running' })
  return { w, rule_id, sentence, task, run_id: run!.run_id }
}

async function createTask(w: World, actor: World['bot'], title: string) {
  const { project_id } = w.board
  const { task_id } = await actor['tasks.create']({ project_id, title })
  return { task_id }
}

const starts = async (w: World, rule_id: string) =>
  (await w.ada['rules.executions']({ rule_id })).items.length

test('a run that a rule starts names the rule', async () => {
  const { w, rule_id, sentence, task } = await botAtWork()
  const created = (await w.changes()).find(({ type }) => type === 'run.created')!
  const definition = expect.objectContaining({ when: { event: 'task_created' } })
  expect(created.data.cause).toEqual({ rule_id, depth: 1, sentence, definition })
  const { items } = await w.cleo['comments.list']({ ...task, include_activity: true })
  expect(items.find(({ type }) => type === 'run.created')).toMatchObject({ rule: sentence })
})

test('what an agent does in a run of a rule does not start the rule again', async () => {
  const { w, rule_id, run_id } = await botAtWork()
  await createTask(w, w.bot, 'Write the announcement')
  await w.bot['runs.update']({ run_id, state: 'done', summary: 'Split' })
  await runRules(w)
  expect(await starts(w, rule_id)).toBe(1)
  w.clock.advance(1000)
  await createTask(w, w.bot, 'Later, without a run')
  await runRules(w)
  expect(await starts(w, rule_id)).toBe(2)
})

test('what an agent does after a person prompted its run can start the rule again', async () => {
  const { w, rule_id, run_id } = await botAtWork()
  await w.cleo['runs.prompt']({ run_id, text: 'Create one task for each region' })
  await createTask(w, w.bot, 'North')
  await runRules(w)
  expect(await starts(w, rule_id)).toBe(2)
})

test('another rule reacts to an agent, one deeper in the chain of rules', async () => {
  const { w } = await botAtWork()
  w.clock.advance(1000)
  const { rule_id } = await w.ada['rules.create']({
    project_id: w.board.project_id,
    when: { event: 'task_created' },
    actions: [{ do: 'comment', text: 'Noted' }],
  } as never)
  await createTask(w, w.bot, 'Write the announcement')
  await runRules(w)
  const notes = (await w.changes()).filter(({ type }) => type === 'comment.created')
  expect(notes.at(-1)!.data.cause).toMatchObject({ rule_id, depth: 2 })
})
