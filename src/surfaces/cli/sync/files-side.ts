import type { Preview, WireRecord } from '../../../import/api.ts'
import { applyMapping } from '../../../import/apply-mapping.ts'
import { FieldAccount } from '../../../import/fields.ts'
import { defaultMapping, type Mapping } from '../../../import/mapping.ts'
import { type Plan, planImport } from '../../../import/plan.ts'
import { readRecords } from '../../../import/read-records.ts'
import type { Board, Comment, Person, Relation, Task } from '../../../import/record.ts'
import type { Source, SourceFile } from '../../../import/source.ts'
import { CommandError } from '../command.ts'
import type { Values } from './merge.ts'

type WireBoard = Board & { project_id?: number }

export interface FileTask {
  values: Values
  record: Task
  comments: Map<string, Comment>
}

/** What the files have. */
export interface FilesSide {
  plan: Plan
  boards: Map<string, WireBoard>
  people: Map<string, Person & { user_id: number | null }>
  /** Parents come before their children. */
  tasks: Map<string, FileTask>
  relations: Relation[]
}

/** Why a reader leaves out a file that a newer one replaces. */
const OLD = /^It is older than /

/** Reads the files completely, and checks them as an import does. */
export async function readPlan(source: Source, files: readonly SourceFile[]): Promise<Plan> {
  const plan = await planImport(source, files)
  const paths = files.map(({ path }) => path)
  const damaged = plan.lost.find(
    ({ what, why }) =>
      !OLD.test(why) && paths.some((path) => what === path || what.startsWith(`${path}, line`)),
  )
  // The reader leaves such a file out, and its tasks would be taken for deleted ones.
  if (damaged)
    throw new CommandError(
      `${damaged.what} cannot be read: ${damaged.why}. Repair it, then run the same command again`,
    )
  return plan
}

export async function readSide(
  source: Source,
  files: readonly SourceFile[],
  plan: Plan,
  preview: Preview,
  projects: ReadonlyMap<string, number>,
): Promise<FilesSide> {
  const side: FilesSide = {
    ...{ plan, boards: new Map(), people: new Map(), tasks: new Map(), relations: [] },
  }
  const mapping = mappingFor(plan, preview, projects)
  const report = { fields: new FieldAccount(source.fields), lose: () => {} }
  for await (const record of applyMapping(readRecords(source, files, report), mapping))
    if (!('origin' in record) && !('attachment' in record)) add(side, record)
  for (const task of side.tasks.values()) task.values = valuesOf(task.record, side)
  return side
}

function mappingFor(plan: Plan, preview: Preview, projects: ReadonlyMap<string, number>): Mapping {
  const mapping = defaultMapping(plan, preview)
  for (const board of mapping.boards) {
    const project_id = projects.get(board.id)
    if (project_id !== undefined) board.project_id = project_id
  }
  return mapping
}

function add(side: FilesSide, record: WireRecord): void {
  if ('person' in record) side.people.set(record.person.id, record.person)
  else if ('board' in record) side.boards.set(record.board.id, record.board)
  else if ('task' in record)
    side.tasks.set(record.task.id, { values: {}, record: record.task, comments: new Map() })
  else if ('comment' in record)
    side.tasks.get(record.comment.task)?.comments.set(record.comment.id, record.comment)
  else if ('relation' in record) side.relations.push(record.relation)
}

function valuesOf(task: Task, { relations }: FilesSide): Values {
  const blockers = relations.flatMap(({ kind, first, second }) =>
    kind === 'blocks' && second === task.id ? first : [],
  )
  return {
    title: task.title,
    description: (task.description ?? '').trim(),
    column: task.column,
    priority: Number(task.priority ?? 0),
    labels: task.labels ?? [],
    assignees: task.assignees ?? [],
    due_date: task.due_date ?? null,
    parent: task.parent ?? null,
    dependencies: [...new Set(blockers)],
    archived: task.archived ?? false,
  }
}
