import type { State } from './writer.ts'

/** Queries the database directly instead of through the server. */
export type Query = <T = Record<string, unknown>>(sql: string) => Promise<T[]>

/** Each query finds what a half-done write would leave behind. */
const INCONSISTENCIES: Record<string, string> = {
  'a task without its entry in the change log': `
    select task_id from tasks t where not exists (select 1 from changes c
    where c.team_id = t.team_id and c.task_id = t.task_id
    and c.type in ('task.created', 'task.imported'))`,
  'an entry in the change log without its task': `
    select seq from changes c where task_id is not null and not exists
    (select 1 from tasks t where t.task_id = c.task_id)`,
  'a description without all its versions': `
    select task_id from tasks t where description_version <> (select count(*)
    from description_versions v where v.team_id = t.team_id and v.task_id = t.task_id)
    or (description is null) <> (description_version = 0)`,
  'a description that is not its newest version': `
    select t.task_id from tasks t left join description_versions v
    on v.team_id = t.team_id and v.task_id = t.task_id and v.version = t.description_version
    where t.description is not null and (v.content is null or v.content <> t.description)`,
  'a version without its task': `
    select version_id from description_versions v left join tasks t on t.task_id = v.task_id
    where t.task_id is null`,
  'a label on no task, or no label on a task': `
    select x.task_id from task_labels x left join tasks t on t.task_id = x.task_id
    left join labels l on l.label_id = x.label_id and l.project_id = t.project_id
    where l.label_id is null`,
  'a label or an assignee with a board or status that its task does not have': `
    select t.task_id from tasks t join (
      select task_id, project_id, status from task_labels union all
      select task_id, project_id, status from task_assignees) x on x.task_id = t.task_id
    where x.project_id <> t.project_id or x.status <> t.status`,
  'an assigned task that is not marked as such, or an unassigned one that is': `
    select task_id from tasks t where assigned <> exists (select 1 from task_assignees x
    where x.team_id = t.team_id and x.task_id = t.task_id)`,
  'a ticket number that two tasks share': `
    select project_id from tasks group by project_id, unique_index having count(*) > 1`,
  'a board with a wrong next ticket number': `
    select project_id from projects p where next_number <> 1 + coalesce((select max(n) from (
      select unique_index n from tasks t where t.project_id = p.project_id union all
      select cast(substr(f.ticket_number, length(p.key) + 2) as integer) n from former_tickets f
      where f.team_id = p.team_id and f.ticket_number like p.key || '-%') numbers), 0)`,
  'a page without its entry in the change log': `
    select page_id from pages p where not exists (select 1 from changes c
    where c.team_id = p.team_id and c.task_id = p.task_id and c.type = 'page.created')`,
  'a page without all its versions': `
    select page_id from pages p where version <> (select count(*) from page_versions v
    where v.team_id = p.team_id and v.page_id = p.page_id)`,
  'a page with a wrong stored length': `
    select page_id from pages p where p.length <> (select coalesce(sum(length(x.content)), 0)
    from page_pieces x where x.team_id = p.team_id and x.page_id = p.page_id)`,
  'a page without a task, or of a task of another team': `
    select page_id from pages p left join tasks t on t.task_id = p.task_id
    and t.team_id = p.team_id where t.task_id is null`,
  'a task with a wrong page count': `
    select task_id from tasks t where page_count <> (select count(*) from pages p
    where p.team_id = t.team_id and p.task_id = t.task_id and p.archived_at is null)`,
  'a move without a task.left entry for the former board': `
    select task_id from changes c where task_id is not null group by task_id
    having sum(case when type = 'task.left' then 1 else 0 end) <>
    sum(case when data -> 'before' ->> 'ticket_number' is null then 0 else 1 end)`,
  'a row of a refused write': `
    select title from projects where title like 'refused%' union all
    select title from tasks where title like 'refused%' union all
    select content from description_versions where content like 'refused%' union all
    select type from changes where cast(data as text) like '%refused%'`,
  'a follower ahead of the change log': `
    select name from followers where seq > (select max(seq) from changes)`,
  'a stored idempotent response without its task': `
    select key from answers a where key like 'key of %' and not exists (select 1 from tasks t
    where t.task_id = cast(a.answer -> 'data' ->> 'task_id' as integer))`,
}

/** Checks of what only SQLite guarantees or can report. */
const SQLITE_CHECKS: Record<string, string> = {
  'a damaged file': `select * from pragma_integrity_check where integrity_check <> 'ok'`,
  'a reference to a missing row': 'select * from pragma_foreign_key_check',
  'a gap in the change log': 'select count(*) n from changes having count(*) <> max(seq)',
}

/** Finds all traces of half-done writes in the database. */
export async function findInconsistencies(query: Query, isSqlite: boolean): Promise<string[]> {
  const problems: string[] = []
  for (const [name, sql] of Object.entries({
    ...INCONSISTENCIES,
    ...(isSqlite && SQLITE_CHECKS),
  })) {
    const [first, ...rest] = await query(sql)
    if (first)
      problems.push(`${name}: ${JSON.stringify(first)}${rest.length ? ` + ${rest.length}` : ''}`)
  }
  return problems
}

export interface StoredTask {
  task_id: number
  ticket_number: string
  state: State
  /** Entries in the change log, without those that record on a board that the task left it. */
  writes: number
}

/** The tasks as they are in the database. */
export async function readTasks(
  query: Query,
  ids: readonly number[],
): Promise<Map<number, StoredTask>> {
  const tasks = new Map<number, StoredTask>()
  const idList = `(${ids.join() || 'null'})`
  const labels = new Map<number, string[]>()
  const labelRows = await query<{ task_id: number; name: string }>(
    `select x.task_id, l.name from task_labels x join labels l on l.label_id = x.label_id
     where x.task_id in ${idList}`,
  )
  for (const { task_id, name } of labelRows)
    labels.set(task_id, [...(labels.get(task_id) ?? []), name].toSorted())
  const taskRows = await query<
    Omit<State, 'labels'> & { writes: number } & Omit<StoredTask, 'state'>
  >(
    `select task_id, ticket_number, title, priority, description, description_version,
     project_id, section_id, status,
     (select count(*) from changes c where c.team_id = t.team_id and c.task_id = t.task_id
     and c.type <> 'task.left') writes
     from tasks t where task_id in ${idList}`,
  )
  for (const { task_id, ticket_number, writes, ...state } of taskRows)
    tasks.set(task_id, {
      ...{ task_id, ticket_number, writes: Number(writes) },
      state: { ...state, labels: (labels.get(task_id) ?? []).join() },
    })
  return tasks
}
