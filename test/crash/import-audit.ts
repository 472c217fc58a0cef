import type { Query } from './audit.ts'

/** What an import has created in a database, read directly from it. */
export interface Imported {
  /** Kind and id of the tasks and comments, in no order. */
  records: string[]
  /** The content of each task by its id in the source, without texts. */
  tasks: Map<string, string>
}

const OF_TASKS = "from imported_rows r join tasks t on t.task_id = r.row_id and r.kind = 'task'"

/**
 * A row for each label, assignee and other part of a task. One statement reads one moment. The
 * option of a select has a random id, so it is compared in the exported boards only.
 */
const PARTS = `
  select r.source_id, 'title ' || t.title as part ${OF_TASKS}
  union all select r.source_id, 'status ' || t.status ${OF_TASKS}
  union all select r.source_id, 'priority ' || t.priority ${OF_TASKS}
  union all select r.source_id, 'described' ${OF_TASKS} where t.description is not null
  union all select r.source_id, 'completed' ${OF_TASKS} where t.completed_at is not null
  union all select r.source_id, 'column ' || s.title ${OF_TASKS}
    join sections s on s.section_id = t.section_id
  union all select r.source_id, 'label ' || l.name ${OF_TASKS}
    join task_labels x on x.task_id = t.task_id join labels l on l.label_id = x.label_id
  union all select r.source_id, 'assignee ' || a.name ${OF_TASKS}
    join task_assignees x on x.task_id = t.task_id join actors a on a.actor_id = x.actor_id
  union all select r.source_id, 'field ' || f.name || case when f.type = 'select' then ''
    else coalesce(cast(x.number as text), x.text) end ${OF_TASKS}
    join task_fields x on x.task_id = t.task_id
    join custom_fields f on f.custom_field_id = x.custom_field_id
  union all select r.source_id, 'parent ' || p.source_id ${OF_TASKS}
    join imported_rows p on p.row_id = t.parent_task_id and p.kind = 'task'
  union all select r.source_id, 'version ' || v.version ${OF_TASKS}
    join description_versions v on v.task_id = t.task_id and v.version = 1`

export async function readImported(query: Query): Promise<Imported> {
  const rows = await query<{ source_id: string; part: string }>(PARTS)
  const tasks = new Map<string, string>()
  for (const [id, parts] of Map.groupBy(rows, ({ source_id }) => source_id))
    tasks.set(id, JSON.stringify(parts.map(({ part }) => part).toSorted()))
  const records = await query<{ kind: string; source_id: string }>(
    `select kind, source_id ${RECORDS}`,
  )
  return { tasks, records: records.map(({ kind, source_id }) => `${kind} ${source_id}`) }
}

const RECORDS = "from imported_rows where kind in ('task', 'comment')"

/** How many tasks and comments are there. */
export async function countImported(query: Query): Promise<number> {
  const [row] = await query<{ count: number }>(`select count(*) as count ${RECORDS}`)
  return Number(row!.count)
}

/** Compares what has been imported so far with a complete import. */
export function findPartialTasks({ tasks }: Imported, complete: Imported): string[] {
  return [...tasks].flatMap(([id, content]) => {
    const expected = complete.tasks.get(id)
    return content === expected ? [] : [`task ${id} is ${content} instead of ${expected}`]
  })
}

/**
 * Records are sent in the order of the file, and of each request all are written or none. So those
 * that are there are the first ones of the file.
 */
export function findGaps({ records }: Imported, order: readonly string[]): string[] {
  const stored = new Set(records)
  const missing = order.slice(0, stored.size).filter((record) => !stored.has(record))
  return missing.map((record) => `${record} is missing, although later records are there`)
}

/** Each query finds rows that an import wrote twice, or that it does not know. */
const DUPLICATES: Record<string, string> = {
  'a task twice': 'select title as name from tasks group by title having count(*) > 1',
  'a comment twice': `select min(text) as name from comments group by task_id, text
    having count(*) > 1`,
  'a relation twice': `select min(relation_id) as name from relations
    group by case when first_id < second_id then first_id else second_id end,
    case when first_id < second_id then second_id else first_id end having count(*) > 1`,
  'a board twice': 'select title as name from projects group by title having count(*) > 1',
  'a column twice': `select title as name from sections group by project_id, title
    having count(*) > 1`,
  'a label twice': 'select name from labels group by project_id, name having count(*) > 1',
  'a custom field twice':
    'select name from custom_fields group by project_id, name having count(*) > 1',
  'a person twice': 'select name from actors group by name having count(*) > 1',
  'a task unknown to the import': unknownRows('tasks', 'task_id', 'task'),
  'a comment unknown to the import': unknownRows('comments', 'comment_id', 'comment'),
  'a relation unknown to the import': unknownRows('relations', 'relation_id', 'relation'),
}

function unknownRows(table: string, id: string, kind: string): string {
  return `select ${id} as name from ${table} where not exists (select 1 from imported_rows r
    where r.kind = '${kind}' and r.row_id = ${table}.${id})`
}

export async function findDuplicates(query: Query): Promise<string[]> {
  const problems: string[] = []
  for (const [what, sql] of Object.entries(DUPLICATES)) {
    const rows = await query<{ name: string | number }>(sql)
    if (rows.length) problems.push(`${rows.length} × ${what}, such as "${rows[0]!.name}"`)
  }
  return problems
}
