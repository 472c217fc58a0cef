import { type Static, type TObject, Type as t } from '@sinclair/typebox'
import { and, count, eq, inArray, ne } from 'drizzle-orm'
import type { Context, Tx } from '../../kernel/caller.ts'
import { MOST_ROWS } from '../../kernel/list.ts'
import { operation } from '../../kernel/operation.ts'
import { locateTask, type Task } from './address.ts'
import { listed } from './columns.ts'
import { type Listed, shownTasks } from './records.ts'
import { MOST_LEVELS } from './rules.ts'
import { address, TaskRecord, type TaskRow } from './schema.ts'
import { tasks } from './tables.ts'

const MOST_NODES = 1000
const MOST_AT_ONCE = 500

const SHOWN = [
  ...(['task_id', 'ticket_number', 'title', 'section', 'done', 'blocked', 'status'] as const),
  ...(['priority_name', 'size', 'due_date', 'assignees'] as const),
] as const

const node = {
  ...t.Pick(TaskRecord, SHOWN).properties,
  child_count: t.Integer({ description: 'Direct sub-tasks, shown or not; deleted ones apart' }),
}
type Node = Static<TObject<typeof node>> & { children: Node[] }
const Node = t.Object(
  {
    ...node,
    children: t.Array(
      t.Unsafe<Node>({ type: 'object', again: true, description: 'Of the same form' }),
    ),
  },
  {
    columns: [
      ...['ticket_number', 'title', 'section', 'done', 'blocked', 'status', 'priority_name'],
      ...['size', 'due_date', 'assignees.name', 'child_count', 'children'],
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
  summary: 'A task with its sub-tasks and theirs, to any depth',
  needs: 'tasks:read',
  on: {
    rest: 'GET /api/v1/tasks/:task/tree',
    mcp: 'svc_tasks.tree',
    cli: 'tasks tree <task>',
    chat: true,
  },
  input: t.Object({
    ...address,
    depth: t.Optional(
      t.Integer({
        minimum: 0,
        maximum: MOST_LEVELS,
        description: 'Levels below the task; 0: the task alone; left out: all',
      }),
    ),
  }),
  output: t.Object({
    tree: Node,
    node_count: t.Integer(),
    truncated: t.Boolean({ description: `Only the first ${MOST_NODES} tasks are shown` }),
  }),
  async run({ depth, ...named }, ctx) {
    const { task } = await locateTask(ctx, named)
    const { nodes, truncated } = await below(ctx.tx, task, depth ?? MOST_LEVELS)
    return { tree: await grown(ctx, task, nodes), node_count: nodes.length, truncated }
  },
})

/** The task and all that hangs on it, level by level, as far as there is room. */
async function below(tx: Tx, root: Task, depth: number) {
  const nodes: Listed[] = [root]
  let level: readonly Listed[] = [root]
  for (let deep = 0; deep < depth && level.length; deep++) {
    const next: Listed[] = []
    for (let at = 0; at < level.length; at += MOST_AT_ONCE) {
      const room = MOST_NODES - nodes.length - next.length
      const found = await childrenOf(tx, level.slice(at, at + MOST_AT_ONCE), room + 1)
      next.push(...found.slice(0, room))
      if (found.length > room) return { nodes: [...nodes, ...next], truncated: true }
    }
    nodes.push(...next)
    level = next
  }
  return { nodes, truncated: false }
}

const isChild = (parents: readonly Listed[]) =>
  and(
    eq(tasks.team_id, parents[0]!.team_id),
    inArray(
      tasks.parent_task_id,
      parents.map(({ task_id }) => task_id),
    ),
    ne(tasks.status, 'Deleted'),
  )

const childrenOf = (tx: Tx, parents: readonly Listed[], most: number): Promise<Listed[]> =>
  tx
    .select(listed)
    .from(tasks)
    .where(isChild(parents))
    .orderBy(tasks.parent_task_id, tasks.task_id)
    .limit(most)

/** The first direct sub-tasks, deleted ones apart. */
export const subtasksOf = async (ctx: Context, task: Task): Promise<TaskRow[]> =>
  shownTasks(ctx, await childrenOf(ctx.tx, [task], MOST_ROWS))

/** The nodes as a tree; each comes after its parent. */
async function grown(ctx: Context, root: Task, nodes: readonly Listed[]): Promise<Node> {
  const made = new Map<number, Node>()
  for (let at = 0; at < nodes.length; at += MOST_ROWS) {
    const some = nodes.slice(at, at + MOST_ROWS)
    const counts = await countsUnder(ctx.tx, some)
    for (const [i, row] of (await shownTasks(ctx, some)).entries()) {
      const node = nodeOf(row, counts.get(row.task_id) ?? 0)
      made.set(row.task_id, node)
      if (some[i]!.task_id !== root.task_id) made.get(row.parent_task_id!)!.children.push(node)
    }
  }
  return made.get(root.task_id)!
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

async function countsUnder(tx: Tx, parents: readonly Listed[]) {
  const rows = await tx
    .select({ parent: tasks.parent_task_id, many: count() })
    .from(tasks)
    .where(isChild(parents))
    .groupBy(tasks.parent_task_id)
  return new Map(rows.map(({ parent, many }) => [parent, many]))
}
