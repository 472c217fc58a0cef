import { Type as t } from '@sinclair/typebox'
import { and, eq, getTableColumns } from 'drizzle-orm'
import type { Context } from '../../../../kernel/caller.ts'
import { missingScope } from '../../../../kernel/dispatch.ts'
import { fault } from '../../../../kernel/fault.ts'
import { listInput, listOf } from '../../../../kernel/list.ts'
import { operation } from '../../../../kernel/operation.ts'
import { pageOf } from '../../../../store/page.ts'
import { matchesSearch } from '../../../../store/text.ts'
import { findProject } from '../../../boards/projects/model/index.ts'
import { AttachmentId } from '../../../tasks/files/model/index.ts'
import { address, type Located, locateTask } from '../../../tasks/tasks/model/index.ts'
import { checkKind } from '../model/rules.ts'
import { EvidenceId, EvidenceReceipt, EvidenceRow, Kind, Summary, Url } from '../model/schema.ts'
import {
  add,
  checkAttached,
  drop,
  type Evidence,
  evidenceRecords,
  ofTask,
  urlIn,
} from '../model/store.ts'
import { evidence } from '../model/tables.ts'

const PLACE = '/api/v1/tasks/:task/evidence'

export const create = operation({
  name: 'evidence.add',
  summary: 'Add evidence of work on a task: a link, a file, a test result or a note',
  needs: 'tasks:write',
  creates: true,
  on: {
    rest: `POST ${PLACE}`,
    cli: {
      usage: 'evidence add <task> <kind> <summary>',
      example: "HOM-1 test_result 'All 214 tests pass' --url https://ci.example.com/build/12",
    },
  },
  input: t.Object({
    ...address,
    kind: Kind,
    summary: Summary,
    url: t.Optional(Url),
    attachment_id: t.Optional({ ...AttachmentId, description: 'A file of the task' }),
  }),
  output: EvidenceReceipt,
  async run({ kind, summary, url: given, attachment_id, ...named }, ctx) {
    const { task } = await locateTask(ctx, named)
    checkKind({ kind, url: given, attachment_id })
    const url = given === undefined ? null : urlIn(given)
    if (attachment_id !== undefined) await checkAttached(ctx, task, attachment_id)
    const row = await add(ctx, task, {
      kind,
      url,
      summary: summary.trim(),
      attachment_id: attachment_id ?? null,
    })
    const { task_id, ticket_number } = task
    return {
      evidence_id: row.evidence_id,
      task_id,
      ticket_number,
      kind,
      summary: row.summary,
      url,
      attachment_id: row.attachment_id,
    }
  },
})

export const list = operation({
  name: 'evidence.list',
  summary: 'Evidence of a task, newest first',
  needs: 'tasks:read',
  dependsOn: [{ about: 'task', changes: ['evidence'] }],
  on: { rest: `GET ${PLACE}`, cli: { usage: 'evidence list <task>', example: 'HOM-1' } },
  input: listInput({ ...address, kind: t.Optional(Kind) }, ['createdAt']),
  output: listOf(EvidenceRow),
  async run({ task_id, ticket_number, unique_index, project_id, kind, ...paging }, ctx) {
    const { task } = await locateTask(ctx, { task_id, ticket_number, unique_index, project_id })
    const { rows, page } = await pageOf(ctx.tx, paging, {
      name: `evidence ${task.task_id} ${kind ?? ''}`,
      from: evidence,
      columns: getTableColumns(evidence),
      where: and(
        ofTask(task),
        kind && eq(evidence.kind, kind),
        matchesSearch(paging, [evidence.summary, evidence.url]),
      ),
      sorts: { createdAt: { key: evidence.created_at } },
      id: 'evidence_id',
    })
    return { items: await evidenceRecords(ctx, task, rows as Evidence[]), page }
  },
})

export const remove = operation({
  name: 'evidence.delete',
  summary: 'Remove evidence from a task',
  needs: 'tasks:write',
  destroys: true,
  on: {
    rest: `DELETE ${PLACE}/:evidence_id`,
    cli: { usage: 'evidence delete <task> <evidence_id>', example: 'HOM-1 1' },
  },
  input: t.Object({ ...address, evidence_id: EvidenceId }),
  output: t.Object({
    evidence_id: EvidenceId,
    ticket_number: t.String(),
    deleted: t.Literal(true),
  }),
  async run({ evidence_id, ...named }, ctx) {
    const located = await locateTask(ctx, named)
    const { task } = located
    const one = and(ofTask(task), eq(evidence.evidence_id, evidence_id))
    const [row] = await ctx.tx.select().from(evidence).where(one)
    if (!row)
      throw fault.notFound(
        'evidence_id',
        `${task.ticket_number} has no evidence ${evidence_id}`,
        evidence_id,
        'List its evidence: GET /api/v1/tasks/{task}/evidence',
      )
    await checkCanRemove(ctx, located, row)
    await drop(ctx, task, row)
    return { evidence_id, ticket_number: task.ticket_number, deleted: true as const }
  },
})

/** The author and those who manage the board may remove it. */
async function checkCanRemove(ctx: Context, { project }: Located, { created_by }: Evidence) {
  if (created_by === ctx.caller.actor_id) return
  const needs = 'projects:manage'
  if (!ctx.caller.scopes.has(needs)) throw missingScope(needs)
  await findProject({ ...ctx, needs }, project.project_id)
}
