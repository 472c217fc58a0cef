import { Type as t } from '@sinclair/typebox'
import type { Context } from '../../../../kernel/caller.ts'
import { operation } from '../../../../kernel/operation.ts'
import { placeOf } from '../../../boards/projects/model/index.ts'
import { participantsOf } from '../../../conversation/comments/model/index.ts'
import { boardActors } from '../../../identity/members/model/index.ts'
import { Actor, asActor } from '../../../identity/people/model/index.ts'
import { type Address, address, type Located, locateTask, TaskId } from '../../tasks/model/index.ts'
import { setWatching, watchersAmong } from '../model/index.ts'

const Watching = t.Object({
  task_id: TaskId,
  ticket_number: t.String(),
  watching: t.Boolean({ description: 'Whether you watch the task' }),
})

export const get = operation({
  name: 'watchers.get',
  summary: 'Who watches a task: those who take part in it, and others who chose to',
  needs: 'tasks:read',
  dependsOn: [
    'watcher',
    'member',
    'profile',
    'agent',
    { about: 'task', changes: ['task', 'comment'] },
  ],
  on: {
    rest: 'GET /api/v1/tasks/:task/watchers',
    cli: { usage: 'tasks watchers <task>', example: 'HOM-1' },
  },
  input: t.Object(address),
  output: t.Object({ ...Watching.properties, watchers: t.Array(Actor) }),
  async run(input, ctx) {
    const located = await locateTask(ctx, input)
    const { task_id, ticket_number } = located.task
    const watchers = await watchersOf(ctx, located)
    const watching = watchers.some(({ actor_id }) => actor_id === ctx.caller.actor_id)
    return { task_id, ticket_number, watching, watchers: watchers.map(asActor) }
  },
})

export const watch = operation({
  name: 'watchers.watch',
  summary: 'Watch a task: you get its notifications as if you took part in it',
  needs: 'profile:write',
  on: {
    rest: 'PUT /api/v1/tasks/:task/watch',
    cli: { usage: 'tasks watch <task>', example: 'HOM-1' },
  },
  input: t.Object(address),
  output: Watching,
  run: (input, ctx) => choose(ctx, input, true),
})

export const unwatch = operation({
  name: 'watchers.unwatch',
  summary: 'Stop watching a task: only mentions and assignments still notify you',
  needs: 'profile:write',
  on: {
    rest: 'DELETE /api/v1/tasks/:task/watch',
    cli: { usage: 'tasks unwatch <task>', example: 'HOM-1' },
  },
  input: t.Object(address),
  output: Watching,
  run: (input, ctx) => choose(ctx, input, false),
})

async function choose(ctx: Context, input: Address, watching: boolean) {
  const located = await locateTask(ctx, input)
  const { task } = located
  const { task_id, ticket_number } = task
  const { actor_id } = ctx.caller
  const before = await watchersAmong(ctx.tx, task, await participantsOf(ctx.tx, task))
  if (before.includes(actor_id) !== watching) {
    await setWatching(ctx.tx, task, actor_id, watching)
    const place = { ...placeOf(task), task_id }
    ctx.emit(watching ? 'watcher.added' : 'watcher.removed', place, { ticket_number })
  }
  return { task_id, ticket_number, watching }
}

/** Those who watch a task and can see its board, which notifications require too. */
async function watchersOf(ctx: Context, { task, project }: Located) {
  const ids = new Set(await watchersAmong(ctx.tx, task, await participantsOf(ctx.tx, task)))
  return (await boardActors(ctx, project)).filter(({ actor_id }) => ids.has(actor_id))
}
