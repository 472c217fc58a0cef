import { Type as t } from '@sinclair/typebox'
import { eq } from 'drizzle-orm'
import { fault } from '../../../../kernel/fault.ts'
import { operation } from '../../../../kernel/operation.ts'
import { assigneesOf } from '../../../tasks/assignees/model/index.ts'
import { locateTask, TaskId } from '../../../tasks/tasks/model/index.ts'
import { findProject, placeOf } from '../../projects/model/index.ts'
import { describeTask, insertMessage, lockWebhook } from '../../webhooks/model/index.ts'
import { changeOf } from '../model/executions.ts'
import { namesOf } from '../model/names.ts'
import { matchesConditions, stepsOf } from '../model/plan.ts'
import { Action, RuleId } from '../model/schema.ts'
import { ruleExecutions, rules } from '../model/tables.ts'

/*
 * Operations that only the worker of rules dispatches, as the rule itself.
 */

/** What an execution has to do: nothing, for a reason, or these calls. */
export const plan = operation({
  name: 'rules.plan',
  summary: 'The calls of a queued execution',
  needs: 'tasks:read',
  dependsOn: [],
  uncached: true,
  on: {},
  input: t.Object({ execution_id: t.Integer() }),
  output: t.Object({
    reason: t.Union([t.String(), t.Null()]),
    steps: t.Array(
      t.Object({
        do: t.String(),
        text: t.String(),
        op: t.String(),
        input: t.Record(t.String(), t.Unknown()),
      }),
    ),
  }),
  async run({ execution_id }, ctx) {
    const skip = (reason: string) => ({ reason, steps: [] })
    const [found] = await ctx.tx
      .select({ rule: rules, execution: ruleExecutions })
      .from(ruleExecutions)
      .innerJoin(rules, eq(rules.rule_row_id, ruleExecutions.rule_row_id))
      .where(eq(ruleExecutions.execution_id, execution_id))
    if (!found) return skip('The rule was deleted')
    const { rule, execution } = found
    const project = await findProject(ctx, rule.project_id)
    const { task } = await locateTask(ctx, { task_id: execution.task_id })
    if (task.project_id !== project.project_id) return skip('The task moved to another board')
    if (task.status !== 'Normal') return skip('The task is archived')
    const planned = {
      ...{ definition: rule, rule_id: rule.rule_id, project, task },
      names: await namesOf(ctx, project),
      cause: await changeOf(ctx.tx, execution),
    }
    if (!(await matchesConditions(ctx, planned))) return skip('Its conditions do not match')
    return { reason: null, steps: await stepsOf(ctx, planned) }
  },
})

export const notify = operation({
  name: 'rules.notify',
  summary: 'Notify people of a task',
  needs: 'tasks:write',
  on: {},
  input: t.Object({
    task_id: TaskId,
    who: Action.properties.who as never,
    text: t.String({ maxLength: 20_000 }),
    rule_id: RuleId,
  }),
  output: t.Object({ notified: t.Integer() }),
  async run({ task_id, who, text, rule_id }, ctx) {
    const { task, project } = await locateTask(ctx, { task_id })
    const names = await namesOf(ctx, project)
    const assignees = async () => (await assigneesOf(ctx.tx, task)).map(({ actor_id }) => actor_id)
    const actor = names.actors.get(String(who))
    const notified =
      who === 'assignees'
        ? await assignees()
        : who === 'creator'
          ? [task.created_by]
          : actor
            ? [actor.actor_id]
            : undefined
    if (!notified) throw fault.invalid('who', 'not_found', 'They are no member of this board', who)
    const { ticket_number, title } = task
    const data = { ticket_number, title, rule_id, text, notified }
    ctx.emit('rule.notified', { ...placeOf(project), task_id }, data)
    return { notified: notified.length }
  },
})

export const send = operation({
  name: 'rules.send',
  summary: 'Send a task to a webhook of its board',
  needs: 'tasks:write',
  on: {},
  input: t.Object({ task_id: TaskId, webhook_id: t.Integer(), rule_id: RuleId }),
  output: t.Object({ queued: t.Literal(true) }),
  async run({ task_id, webhook_id, rule_id }, ctx) {
    const { task } = await locateTask(ctx, { task_id })
    const webhook = await lockWebhook(ctx.tx, webhook_id)
    if (webhook?.project_id !== task.project_id)
      throw fault.invalid('webhook_id', 'not_found', 'The webhook was deleted', webhook_id)
    if (!webhook.active)
      throw fault.conflict('The webhook is not active', { field: 'webhook_id', value: webhook_id })
    await insertMessage(ctx.tx, webhook, {
      id: `msg_w${webhook_id}_${crypto.randomUUID()}`,
      type: 'rule.fired',
      at: ctx.now,
      actor_id: ctx.caller.actor_id,
      described: (await describeTask(ctx.tx, task_id))!,
      data: { rule_id },
    })
    return { queued: true as const }
  },
})
