import { Type as t } from '@sinclair/typebox'
import { and, desc, eq, gt, gte, inArray, sql } from 'drizzle-orm'
import type { Context } from '../../../../kernel/caller.ts'
import { fault } from '../../../../kernel/fault.ts'
import { listInput, listOf } from '../../../../kernel/list.ts'
import { operation } from '../../../../kernel/operation.ts'
import { type LoggedChange, lastSeq } from '../../../../store/log.ts'
import { pageOf } from '../../../../store/page.ts'
import { changes } from '../../../../store/tables.ts'
import {
  type Address,
  locateTask,
  TaskId,
  TicketNumber,
  tasksById,
} from '../../../tasks/tasks/model/index.ts'
import { findProject, type Project, ProjectId } from '../../projects/model/index.ts'
import { checkDefinition } from '../model/check.ts'
import { isStartedBy, typesFor } from '../model/match.ts'
import { matchesConditions, type Planned, stepsOf } from '../model/plan.ts'
import { definition, ExecutionRow, LOG_SIZE, PreviewRow, RuleId } from '../model/schema.ts'
import { sentenceOf } from '../model/sentence.ts'
import { locateRule } from '../model/store.ts'
import { ruleExecutions } from '../model/tables.ts'

export const executions = operation({
  name: 'rules.executions',
  summary: 'What a rule did, or why not: its last 200 executions, newest first',
  needs: 'projects:read',
  dependsOn: ['rule', 'task'],
  on: {
    rest: 'GET /api/v1/rules/:rule_id/executions',
    mcp: 'svc_projects.rule_log',
    cli: { usage: 'rules executions <rule_id>', example: 'RULE_ID' },
    chat: true,
  },
  input: listInput({ rule_id: RuleId }, ['createdAt']),
  output: listOf(ExecutionRow),
  async run({ rule_id, ...paging }, ctx) {
    const { rule, project } = await locateRule(ctx, rule_id)
    const own = eq(ruleExecutions.rule_row_id, rule.rule_row_id)
    const [oldest] = await ctx.tx
      .select({ execution_id: ruleExecutions.execution_id })
      .from(ruleExecutions)
      .where(own)
      .orderBy(desc(ruleExecutions.execution_id))
      .limit(1)
      .offset(LOG_SIZE - 1)
    const { rows, page } = await pageOf(ctx.tx, paging, {
      name: `rule_executions ${rule.rule_row_id}`,
      from: ruleExecutions,
      columns: { ...columns },
      where: and(own, oldest && gte(ruleExecutions.execution_id, oldest.execution_id)),
      sorts: { createdAt: { key: ruleExecutions.execution_id } },
      id: 'execution_id',
    })
    return { items: await toExecutionRows(ctx, project, rows as Row[]), page }
  },
})

const { execution_id, state, reason, task_id, results, at } = ruleExecutions
const columns = { execution_id, state, reason, task_id, results, at }
type Row = Pick<typeof ruleExecutions.$inferSelect, keyof typeof columns>

/** A task that has moved to another board is named without its title. */
async function toExecutionRows(
  { tx }: Context,
  { project_id }: Project,
  rows: readonly Row[],
): Promise<ExecutionRow[]> {
  const ids = rows.map((row) => row.task_id)
  const tasks = await tasksById(tx, ids)
  return rows.map((row) => {
    const task = tasks.get(row.task_id)
    const isHere = task?.project_id === project_id
    return {
      ...row,
      ticket_number: isHere ? task.ticket_number : '',
      title: isHere ? task.title : '',
      at: row.at.toISOString(),
    }
  })
}

/** How far back in the log of the whole server a preview looks. */
const MAX_LOG_ENTRIES = 5000
/** How many changes of the board a preview tests at most. */
const MAX_CHANGES = 200

export const preview = operation({
  name: 'rules.preview',
  summary: 'Test a rule on the latest changes of its board, or on a task; changes nothing',
  needs: 'projects:read',
  dependsOn: ['task', 'comment', 'section', 'label', 'rule'],
  on: {
    rest: 'POST /api/v1/projects/:project_id/rules/preview',
    mcp: 'svc_projects.preview_rule',
    cli: {
      usage: 'rules preview <project_id> [--task <task>]',
      example:
        'HOM --when \'{"event": "task_created"}\' --actions \'[{"do": "comment", "text": "Hi"}]\'',
    },
    chat: true,
  },
  input: t.Object({
    project_id: ProjectId,
    ...definition,
    task_id: t.Optional({ ...TaskId, description: 'Tests this task, whatever happened to it' }),
    ticket_number: t.Optional({ ...TicketNumber, description: 'The same by its key' }),
    limit: t.Optional(t.Integer({ minimum: 1, maximum: 50, description: 'Default 20' })),
  }),
  output: t.Object({
    sentence: t.String({ description: 'The rule in words' }),
    tested: t.Integer({ description: 'Number of changes that were tested' }),
    matched: t.Integer({ description: 'Number of changes that would start it' }),
    rows: t.Array(PreviewRow),
  }),
  async run({ project_id, task_id, ticket_number, limit = 20, ...input }, ctx) {
    const project = await findProject(ctx, project_id)
    const { definition: checked, names } = await checkDefinition(ctx, project, input)
    const rule = { definition: checked, rule_id: 'preview', project, names }
    const sentence = sentenceOf(checked, names)
    if (task_id !== undefined || ticket_number !== undefined) {
      const task = await taskOn(ctx, project, { task_id, ticket_number })
      const row = await tested(ctx, { ...rule, task, cause: undefined })
      return { sentence, tested: 1, matched: row.matches ? 1 : 0, rows: [row] }
    }
    const rows: PreviewRow[] = []
    const recent = await recentChanges(ctx, project, checked.when)
    const byId = await tasksById(
      ctx.tx,
      recent.map((change) => change.task_id!),
    )
    for (const change of recent) {
      const one = byId.get(change.task_id!)
      if (one?.project_id !== project_id) continue
      if (!(await isStartedBy(ctx.tx, checked.when, change, names))) continue
      rows.push({
        ...(await tested(ctx, { ...rule, task: one, cause: change })),
        at: change.created_at.toISOString(),
      })
    }
    const matched = rows.filter(({ matches }) => matches).length
    return { sentence, tested: recent.length, matched, rows: rows.slice(0, limit) }
  },
})

type TaskAddress = Pick<Address, 'task_id' | 'ticket_number'>

async function taskOn(ctx: Context, project: Project, address: TaskAddress) {
  const { task } = await locateTask(ctx, address)
  const { ticket_number, project_id } = task
  if (project_id === project.project_id) return task
  const [field, value] = Object.entries(address).find(([, one]) => one !== undefined)!
  throw fault.notFound(field, `${ticket_number} is a task of another board`, value)
}

async function tested(ctx: Context, planned: Planned): Promise<PreviewRow> {
  const { ticket_number, title, status } = planned.task
  const isOpen = status === 'Normal'
  const matches = isOpen && (await matchesConditions(ctx, planned))
  const steps = matches ? await stepsOf(ctx, planned) : []
  return {
    ...{ ticket_number, title, matches },
    at: null,
    reason: matches ? null : isOpen ? 'Its conditions do not match' : 'The task is archived',
    actions: steps.map(({ text }) => text),
  }
}

/** The newest first, without those that are too far back in the log of the whole server. */
async function recentChanges(
  { tx }: Context,
  { team_id, project_id }: Project,
  when: Parameters<typeof typesFor>[0],
): Promise<LoggedChange[]> {
  return tx
    .select()
    .from(changes)
    .where(
      and(
        gt(changes.seq, (await lastSeq(tx)) - MAX_LOG_ENTRIES),
        // With "+" SQLite does not choose the index of the team, which it would have to sort.
        eq(sql`+${changes.team_id}`, team_id),
        eq(changes.project_id, project_id),
        inArray(changes.type, [...typesFor(when)]),
      ),
    )
    .orderBy(desc(changes.seq))
    .limit(MAX_CHANGES)
}
