import { type Static, type TObject, Type as t } from '@sinclair/typebox'
import { count } from 'drizzle-orm'
import type { Context, Tx } from '../../../../kernel/caller.ts'
import { MAX_ROWS } from '../../../../kernel/list.ts'
import { operation } from '../../../../kernel/operation.ts'
import { MAX_LEVELS } from '../../edits/model/index.ts'
import {
  childrenOf,
  isChild,
  TaskRecord,
  type TaskRow,
  toTaskRows,
} from '../../records/model/index.ts'
import { locateTask, type Task } from '../model/address.ts'
import { address } from '../model/schema.ts'
import type { TaskSummary } from '../model/summary.ts'
import { tasks } from '../model/tables.ts'

const MAX_NODES = 1000
const BATCH_SIZE = 500

const NODE_FIELDS = [
  'task_id',
  'ticket_number',
  'title',
  'section',
  'done',
  'blocked',
  'status',
  'priority_name',
  'size',
  'due_date',
  'assignees',
] as const

const node = {
  ...t.Pick(TaskRecord, NODE_FIELDS).properties,
  child_count: t.Integer({
    description: 'Number of direct subtasks, shown or not, without deleted ones',
  }),
}
type Node = Static<TObject<typeof node>> & { children: Node[] }
const Node = t.Object(
  {
    ...node,
    children: t.Array(
      t.Unsafe<Node>({ type: 'object', again: true, description: 'Subtasks in the same format' }),
    ),
  },
  {
    columns: [
      'ticket_number',
      'title',
      'section',
      'done',
      'blocked',
      'status',
      'priority_name',
      'size',
      'due_date',
      'assignees.name',
      'child_count',
      'children',
    ],
    omits: {
      task_id: 'ticket_number names the task',
      'assignees.kind': 'names are enough',
      'assignees.user_id': 'names are enough',
      'assignees.agent_id': 'names are enough',
    },
  },
)

export const tree = operation({
  name: 'tasks.tree',
  summary: 'A task with its subtasks, to any depth',
  needs: 'tasks:read',
  dependsOn: [{ about: 'tasks' }, { about: 'subtasks' }],
  on: {
    rest: 'GET /api/v1/tasks/:task/tree',
    mcp: 'svc_tasks.tree',
    cli: { usage: 'tasks tree <task>', example: 'HOM-1 --depth 2' },
    chat: true,
  },
  input: t.Object({
    ...address,
    depth: t.Optional(
      t.Integer({
        minimum: 0,
        maximum: MAX_LEVELS,
        description: 'Levels below the task; 0: only the task; default: all',
      }),
    ),
  }),
  output: t.Object({
    tree: Node,
    node_count: t.Integer(),
    truncated: t.Boolean({ description: `True if only the first ${MAX_NODES} tasks are returned` }),
  }),
  async run({ depth, ...address }, ctx) {
    const { task } = await locateTask(ctx, address)
    const { nodes, truncated } = await descendants(ctx.tx, task, depth ?? MAX_LEVELS)
    return { tree: await buildTree(ctx, task, nodes), node_count: nodes.length, truncated }
  },
})

/** The task and its descendants, level by level, up to `MAX_NODES`. */
async function descendants(tx: Tx, root: Task, depth: number) {
  const nodes: TaskSummary[] = [root]
  let level: readonly TaskSummary[] = [root]
  for (let done = 0; done < depth && level.length; done++) {
    const next: TaskSummary[] = []
    for (let at = 0; at < level.length; at += BATCH_SIZE) {
      const remaining = MAX_NODES - nodes.length - next.length
      const found = await childrenOf(tx, level.slice(at, at + BATCH_SIZE), remaining + 1)
      next.push(...found.slice(0, remaining))
      if (found.length > remaining) return { nodes: [...nodes, ...next], truncated: true }
    }
    nodes.push(...next)
    level = next
  }
  return { nodes, truncated: false }
}

/** Builds the tree. Each node must come after its parent. */
async function buildTree(ctx: Context, root: Task, nodes: readonly TaskSummary[]): Promise<Node> {
  const nodeById = new Map<number, Node>()
  for (let at = 0; at < nodes.length; at += MAX_ROWS) {
    const batch = nodes.slice(at, at + MAX_ROWS)
    const counts = await childCounts(ctx.tx, batch)
    for (const [i, row] of (await toTaskRows(ctx, batch)).entries()) {
      const node = nodeOf(row, counts.get(row.task_id) ?? 0)
      nodeById.set(row.task_id, node)
      if (batch[i]!.task_id !== root.task_id) nodeById.get(row.parent_task_id!)!.children.push(node)
    }
  }
  return nodeById.get(root.task_id)!
}

const nodeOf = (row: TaskRow, child_count: number): Node => ({
  task_id: row.task_id,
  ticket_number: row.ticket_number,
  title: row.title,
  section: row.section,
  done: row.done,
  blocked: row.blocked,
  status: row.status,
  priority_name: row.priority_name,
  size: row.size,
  due_date: row.due_date,
  assignees: row.assignees,
  child_count,
  children: [],
})

async function childCounts(tx: Tx, parents: readonly TaskSummary[]) {
  const rows = await tx
    .select({ parent: tasks.parent_task_id, many: count() })
    .from(tasks)
    .where(isChild(parents))
    .groupBy(tasks.parent_task_id)
  return new Map(rows.map(({ parent, many }) => [parent, many]))
}
