import { Type as t } from '@sinclair/typebox'
import { and, eq, getTableColumns } from 'drizzle-orm'
import type { Context } from '../../../../kernel/caller.ts'
import { listInput, listOf } from '../../../../kernel/list.ts'
import { operation } from '../../../../kernel/operation.ts'
import { pageOf } from '../../../../store/page.ts'
import { matchesSearch } from '../../../../store/text.ts'
import { type ActorRow, actorsOf } from '../../../identity/people/model/index.ts'
import { address, type Located, locateTask } from '../../../tasks/tasks/model/index.ts'
import * as access from '../model/access.ts'
import { runRecords, sessionRecords } from '../model/records.ts'
import {
  AgentRef,
  MAX_TEXT,
  Prompt,
  RunId,
  RunOpened,
  RunReceipt,
  RunRow,
  RunState,
  Session,
  usageInput,
} from '../model/schema.ts'
import {
  actingAs,
  createRun,
  type Found,
  findRun,
  lockOpenRun,
  moveRun,
  promptRun,
  type Run,
} from '../model/store.ts'
import { runs } from '../model/tables.ts'
import { chargeCost, usageChange } from '../model/usage.ts'

export const create = operation({
  name: 'runs.create',
  summary: 'Start a run: an agent works on a task; agents can start their own',
  needs: 'tasks:write',
  creates: true,
  on: {
    rest: 'POST /api/v1/tasks/:task/runs',
    cli: { usage: 'runs create <task>', example: "HOM-1 --agent Bot --prompt 'Draw it in blue'" },
    chat: true,
  },
  input: t.Object({
    ...address,
    agent_id: t.Optional({
      ...AgentRef,
      description: 'UUID or self; default: yourself, or the only assigned agent',
    }),
    prompt: t.Optional(Prompt),
  }),
  output: RunOpened,
  async run({ agent_id, prompt, ...taskRef }, ctx) {
    const located = await locateTask(ctx, taskRef)
    access.checkTaskActive(located)
    const agent = await access.resolveAgent(ctx, located, agent_id)
    const { task } = located
    const open = await lockOpenRun(ctx.tx, task, agent.actor_id)
    await access.checkMayWork(ctx, task, agent, open)
    const origin = agent.actor_id === ctx.caller.actor_id ? 'self' : 'asked'
    const created = await createRun(actingAs(ctx), task, agent, { origin, prompt })
    const run = created ?? (await resume(ctx, located, agent, prompt))
    const { changed: _, ...receipt } = await receiptOf(ctx, { ...located, run }, [])
    return { ...receipt, created: created !== undefined }
  },
})

/** The open run that exists already: its own agent resumes it, anybody else prompts it. */
async function resume(ctx: Context, { task }: Located, agent: ActorRow, prompt?: string) {
  const run = (await lockOpenRun(ctx.tx, task, agent.actor_id))!
  if (agent.actor_id === ctx.caller.actor_id)
    return run.state === 'running' ? run : moveRun(actingAs(ctx), task, run, { state: 'running' })
  return prompt === undefined ? run : promptRun(actingAs(ctx), task, run, prompt)
}

async function receiptOf(ctx: Context, { task, run }: Omit<Found, 'project'>, changed: string[]) {
  const agent = (await actorsOf(ctx.tx, [run.actor_id])).get(run.actor_id)!
  const { task_id, ticket_number } = task
  const { run_id, state, updated_at } = run
  return {
    run_id,
    task_id,
    ticket_number,
    agent_id: agent.agent_id!,
    state,
    updated_at: updated_at.toISOString(),
    changed,
  }
}

export const list = operation({
  name: 'runs.list',
  summary: 'Runs of a task, newest first',
  needs: 'tasks:read',
  dependsOn: [{ about: 'task', changes: ['run'] }],
  on: {
    rest: 'GET /api/v1/tasks/:task/runs',
    cli: { usage: 'runs list <task>', example: 'HOM-1' },
    chat: true,
  },
  input: listInput({ ...address, state: t.Optional(RunState) }, ['createdAt', 'updatedAt']),
  output: listOf(RunRow),
  async run({ task_id, ticket_number, unique_index, project_id, state, ...paging }, ctx) {
    const { task } = await locateTask(ctx, { task_id, ticket_number, unique_index, project_id })
    const { rows, page } = await pageOf(ctx.tx, paging, {
      name: `runs ${task.task_id} ${state ?? ''}`,
      from: runs,
      columns: getTableColumns(runs),
      where: and(
        eq(runs.team_id, task.team_id),
        eq(runs.task_id, task.task_id),
        state && eq(runs.state, state),
        matchesSearch(paging, [runs.prompt, runs.summary]),
      ),
      sorts: { createdAt: { key: runs.created_at }, updatedAt: { key: runs.updated_at } },
      id: 'run_id',
    })
    return { items: await runRecords(ctx, rows as Run[]), page }
  },
})

export const get = operation({
  name: 'runs.get',
  summary: 'A run with the parents and subtasks of its task',
  needs: 'tasks:read',
  dependsOn: ['run'],
  on: {
    rest: 'GET /api/v1/runs/:run_id',
    cli: { usage: 'runs get <run_id>', example: '1' },
    chat: true,
  },
  input: t.Object({ run_id: RunId }),
  output: Session,
  async run({ run_id }, ctx) {
    const { run } = await findRun(ctx, run_id)
    const [session] = await sessionRecords(ctx, [run])
    return { ...session!, prompt: run.prompt }
  },
})

export const update = operation({
  name: 'runs.update',
  summary: 'Update the state and summary of your own run and report its cost; agents only',
  needs: 'tasks:write',
  on: {
    rest: 'PATCH /api/v1/runs/:run_id',
    cli: { usage: 'runs update <run_id>', example: "1 --state done --summary 'Drew it in blue'" },
  },
  input: t.Object({
    run_id: RunId,
    state: t.Optional(RunState),
    summary: t.Optional(
      t.Union([t.String({ maxLength: MAX_TEXT }), t.Null()], {
        description: 'Result or progress',
      }),
    ),
    ...usageInput,
  }),
  output: RunReceipt,
  async run({ run_id, state, summary, ...report }, ctx) {
    const found = await findRun(ctx, run_id)
    access.checkIsRunAgent(ctx, found)
    const before = found.run
    const set = {
      ...(state !== undefined && state !== before.state && { state }),
      ...(summary !== undefined && summary !== before.summary && { summary }),
    }
    if (state !== undefined) access.checkTransition(found, state)
    if (set.state === 'running') await access.checkMayWork(ctx, found.task, before, before)
    // What a run has cost is also reported after it was stopped.
    if (Object.keys(set).length) access.checkNotOver(found)
    const usage = usageChange(before, report)
    const changed = [...Object.keys(set), ...Object.keys(usage).map(wireName)]
    if (!changed.length) return receiptOf(ctx, found, [])
    const on = actingAs(ctx)
    const run = await moveRun(on, found.task, before, { ...set, ...usage })
    await chargeCost(on, found.task, run, (run.cost_micro_usd ?? 0) - (before.cost_micro_usd ?? 0))
    return receiptOf(ctx, { ...found, run }, changed)
  },
})

const wireName = (column: string) => (column === 'cost_micro_usd' ? 'cost_usd' : column)

export const prompt = operation({
  name: 'runs.prompt',
  summary: 'Send a prompt to a run; a waiting run continues',
  needs: 'tasks:write',
  on: {
    rest: 'POST /api/v1/runs/:run_id/prompt',
    cli: { usage: 'runs prompt <run_id> <text>', example: "1 'And in red as well'" },
    chat: true,
  },
  input: t.Object({ run_id: RunId, text: Prompt }),
  output: RunReceipt,
  async run({ run_id, text }, ctx) {
    const found = await findRun(ctx, run_id)
    access.checkCanPrompt(ctx, found)
    access.checkNotOver(found)
    const run = await promptRun(actingAs(ctx), found.task, found.run, text)
    const moves = run.state !== found.run.state
    return receiptOf(ctx, { ...found, run }, ['prompt', ...(moves ? ['state'] : [])])
  },
})

export const stop = operation({
  name: 'runs.stop',
  summary: 'Stop a run permanently',
  needs: 'tasks:write',
  on: {
    rest: 'POST /api/v1/runs/:run_id/stop',
    cli: { usage: 'runs stop <run_id>', example: "1 --reason 'Not needed any more'" },
    chat: true,
  },
  input: t.Object({
    run_id: RunId,
    reason: t.Optional(t.String({ minLength: 1, maxLength: 2000, description: 'Why' })),
  }),
  output: RunReceipt,
  async run({ run_id, reason }, ctx) {
    const found = await findRun(ctx, run_id)
    await access.checkCanStop(ctx, found)
    if (found.run.state === 'stopped') return receiptOf(ctx, found, [])
    access.checkNotOver(found)
    const set = { state: 'stopped', reason: reason ?? null } as const
    const run = await moveRun(actingAs(ctx), found.task, found.run, set)
    return receiptOf(ctx, { ...found, run }, ['state'])
  },
})
