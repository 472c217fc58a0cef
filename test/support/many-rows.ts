import { Client } from 'pg'
import { lastSeq } from '../../src/store/log.ts'
import { addCleanup } from './database.ts'
import { type World, world } from './world.ts'

/** Tables with few rows for each team or board, however many tasks there are. */
export const FEW_ROWS = new Set(
  (
    'actors agent_presence agents board_webhooks calendar_feeds channels code_hosts code_people ' +
    'credentials custom_fields default_views file_usage followers guidance_versions imported_actors ' +
    'imports invitations labels locks mailings members message_places migrations monthly_costs ' +
    'my_views notification_settings people project_members project_uses projects ' +
    'pull_request_receivers reports repositories rules section_counts sections signing_keys skills ' +
    'sweeps task_templates teams view_uses views webhooks'
  ).split(' '),
)
/** Of these, the ones that belong to a board. */
const BOARD_TABLES = ['projects', 'sections', 'labels', 'custom_fields']
const BOARD_IDS = ['project_id', 'section_id', 'label_id', 'custom_field_id']

/** Tables with rows for every task. Only every fourth task has rows in the others. */
const ROWS_OF_ALL = ['tasks', 'task_assignees', 'task_labels', 'task_moves', 'task_texts']

/** The ids of a copy are those of the original plus a multiple of this. */
const ID_STEP = 1000
const TASKS_PER_PERSON = 1000
const MIN_PEOPLE = 100
const OLDEST_DAYS = 730

/** What differs between the copies. Half of them are on the original board, the rest on four. */
const copiesFrom = (source: string, copies: number, people: number) => `(
  select copy, board, ${people} as people,
    copy * ${ID_STEP} as ids, board * ${ID_STEP} as board_ids,
    'HP' || (array['', 'A', 'B', 'C', 'D'])[board + 1] as key,
    copy % 4 = 0 as has_all, copy % 5 > 0 as is_done, copy % 10 = 9 as is_archived,
    copy % ${people} = 0 as is_own, copy % ${2 * people} = 0 as is_recent,
    copy % 400 - 200 as days_due,
    (1 - copy / ${copies}.0) * ${OLDEST_DAYS} * interval '1 day' as age
  from ${source}
) as c`

const NUMBER = 't.unique_index + c.ids'
const STATUS = `case when c.is_archived then 'Archive' else t.status end`
const STATUS_LETTER = `case when c.is_archived then 'a' else 'n' end`
const TICKET_WORD = `'''/' || lower(c.key) || '\\1' || t.task_id + c.ids || ''''`
const BOARD_WORD = `'''/b' || 1 + c.board_ids || ${STATUS_LETTER} || ''''`

/** The same actor for a few copies, so that each actor has an ordinary number of rows. */
const anyone = (actor: string) =>
  `case when c.is_own then ${actor} else ${ID_STEP} + (c.copy + 31 * ${actor}) % c.people end`

/** The values of columns that are neither equal to the original nor an id or a time. */
const VALUES: Record<string, string> = {
  'projects.key': 'c.key',
  'projects.title': `t.title || ' ' || c.board`,
  'custom_fields.field_id': 't.field_id || c.board',
  'tasks.section_id': 'case when c.is_done then 5 else t.section_id end + c.board_ids',
  'tasks.unique_index': NUMBER,
  'tasks.ticket_number': `c.key || '-' || ${NUMBER}`,
  'tasks.title': `t.title || ' ' || c.copy`,
  'tasks.rank': `t.rank || lpad(c.copy::text, 7, '0') || 'V'`,
  'tasks.status': STATUS,
  'tasks.completed_at':
    'case when c.is_done or t.completed_at is not null then t.updated_at - c.age end',
  'tasks.due_date': `to_char(t.due_date::date + c.days_due, 'YYYY-MM-DD')`,
  'tasks.due_at': `t.due_at + c.days_due * interval '1 day'`,
  'tasks.leased_by': 'null',
  'tasks.created_by': anyone('t.created_by'),
  'comments.author_id': anyone('t.author_id'),
  'task_watchers.actor_id': anyone('t.actor_id'),
  'tasks.comment_count': 'case when c.has_all then t.comment_count else 0 end',
  'tasks.attachment_count': 'case when c.has_all then t.attachment_count else 0 end',
  'tasks.page_count': 'case when c.has_all then t.page_count else 0 end',
  'tasks.pr_badge': 'case when c.has_all then t.pr_badge end',
  'task_labels.status': STATUS,
  'task_assignees.status': STATUS,
  'task_assignees.open': 't.open and not c.is_done',
  'task_assignees.actor_id': anyone('t.actor_id'),
  'task_texts.words': `replace(replace(
    regexp_replace(t.words::text, '''/hp(\\D)\\d+''', ${TICKET_WORD}),
    '''/b1n''', ${BOARD_WORD}), '''/t1n''', '''/t1' || ${STATUS_LETTER} || '''')::tsvector`,
  'task_moves.from_id': 't.from_id + c.board_ids',
  'task_moves.to_id': 't.to_id + c.board_ids',
  'relations.first_id': 't.first_id + c.ids',
  'relations.second_id': 't.second_id + c.ids',
  // Readers of the change log wait at gaps in its numbers.
  'changes.seq': 't.seq + c.copy / 4 * (select max(seq) from changes)',
  'audit.subject_id': anyone('t.subject_id'),
  'drafts.author_id': anyone('t.author_id'),
  'notifications.archived_at': 'case when not c.is_recent then t.created_at - c.age end',
  'decision_requests.status': `case when c.is_recent then t.status else 'answered' end`,
  'time_entries.actor_id': anyone('t.actor_id'),
  'time_entries.ended_at': 'coalesce(t.ended_at, t.started_at) - c.age',
  'time_entries.running_since': 'null',
  'time_entries.day': `to_char(t.day::date - c.age, 'YYYY-MM-DD')`,
  'leases.lease_id': `t.lease_id || '-' || c.copy`,
  'leases.ended_at': 't.expires_at - c.age',
  'pages.public_id': `t.public_id || '-' || c.copy`,
  'rule_executions.seq': 't.seq + c.ids',
  'board_webhook_messages.message_id': `t.message_id || '-' || c.copy`,
  'board_webhook_deliveries.delivery_id': `t.delivery_id || '-' || c.copy`,
  'issues.number': 't.number + c.ids',
  'issue_comments.host_comment_id': `t.host_comment_id || '-' || c.copy`,
  'webhook_deliveries.delivery_id': `t.delivery_id || '-' || c.copy`,
}

interface Column {
  table: string
  name: string
  type: string
  /** Whether the database numbers the rows in it. */
  isIdentity: boolean
}

/**
 * A full world with this many tasks, half of them on its board and most of them completed. They are
 * copies of its own tasks, with comments, files and everything else that belongs to these.
 */
export async function worldWithManyTasks(tasks: number): Promise<World> {
  const w = await world({ full: true })
  const client = new Client(w.where.url)
  await client.connect()
  addCleanup(() => empty(client))
  const { rows } = await client.query('select count(*)::int as tasks from tasks')
  const people = Math.max(MIN_PEOPLE, Math.ceil(tasks / TASKS_PER_PERSON))
  // Foreign keys are not checked in this role.
  await client.query('set session_replication_role = replica')
  await addPeople(client, people)
  const copies = Math.floor(tasks / rows[0].tasks) - 1
  await withoutIndexes(client, () => copyRows(client, copies, people))
  await client.query('set session_replication_role = default')
  // ANALYZE reads 300 rows for each unit of the target. With a random sample, plans could differ
  // from run to run.
  await client.query(`set default_statistics_target = ${Math.ceil((3 * tasks) / 300)}`)
  await client.query('vacuum analyze')
  // The first reader of the change log counts all new changes.
  await w.store.read(lastSeq)
  return w
}

/** The pool restores the contents of the database, and would delete these rows one by one. */
async function empty(client: Client): Promise<void> {
  const { rows } = await client.query(
    "select string_agg(tablename, ', ') as tables from pg_tables where schemaname = 'public'",
  )
  await client.query(`truncate ${rows[0].tables}`)
  await client.end()
}

async function addPeople(client: Client, people: number): Promise<void> {
  const numbers = `generate_series(0, ${people - 1}) as one`
  const id = `${ID_STEP} + one`
  await client.query(
    `insert into actors (actor_id, kind, name, created_at) overriding system value
     select ${id}, 'person', 'Person ' || one, now() from ${numbers}`,
  )
  await client.query(
    `insert into people (actor_id, email, time_zone, locale, created_at)
     select ${id}, 'person' || one || '@example.com', 'UTC', 'en', now() from ${numbers}`,
  )
  await client.query(
    `insert into members (team_id, actor_id, role, joined_at)
     select 1, ${id}, 'member', now() from ${numbers}`,
  )
}

/** Creating the indexes afterwards is faster than updating them with every row. */
async function withoutIndexes(client: Client, job: () => Promise<void>): Promise<void> {
  const { rows } = await client.query(
    `select indexrelid::regclass as name, pg_get_indexdef(indexrelid) as definition
     from pg_index join pg_class on pg_class.oid = indrelid
     where relnamespace = 'public'::regnamespace
       and not exists (select 1 from pg_constraint where conindid = indexrelid)`,
  )
  for (const { name } of rows) await client.query(`drop index ${name}`)
  await job()
  for (const { definition } of rows) await client.query(definition)
}

async function copyRows(client: Client, copies: number, people: number): Promise<void> {
  const columns = await columnsOf(client)
  const growing = columns.filter(({ table }) => !FEW_ROWS.has(table))
  const ids = growing.filter(({ isIdentity }) => isIdentity).map(({ name }) => name)
  const copyTable = (table: string, source: string, condition = 'true') => {
    const own = columns.filter((column) => column.table === table)
    return client.query(
      `insert into ${table} (${own.map(({ name }) => `"${name}"`)}) overriding system value
       select ${own.map((column) => copiedValue(column, ids))} from ${table} as t
       cross join ${copiesFrom(source, copies, people)} where ${condition}`,
    )
  }
  const boards = '(select 0 as copy, board from generate_series(1, 4) as board) as boards'
  const board = '(array[0, 1, 0, 2, 0, 3, 0, 4])[copy / 8 % 8 + 1]'
  const all = `(
    select copy, ${board} as board from generate_series(1, ${copies}) as copy
  ) as copies`
  for (const table of BOARD_TABLES) await copyTable(table, boards)
  for (const table of new Set(growing.map(({ table }) => table)))
    await copyTable(table, all, ROWS_OF_ALL.includes(table) ? 'true' : 'c.has_all')
  await updateDerivedRows(client)
  for (const { table, name } of columns.filter(({ isIdentity }) => isIdentity))
    await client.query(
      `select setval(pg_get_serial_sequence('${table}', '${name}'), max("${name}"))
       from ${table} having max("${name}") > 0`,
    )
}

async function columnsOf(client: Client): Promise<Column[]> {
  const { rows } = await client.query(
    `select table_name as table, column_name as name, data_type as type,
       is_identity = 'YES' as "isIdentity"
     from information_schema.columns where table_schema = 'public' order by 1, ordinal_position`,
  )
  return rows
}

/** The SQL for a column of a copied row. A copy is older than its original. */
function copiedValue({ table, name, type }: Column, ids: readonly string[]): string {
  const value = VALUES[`${table}.${name}`]
  if (value) return value
  if (BOARD_IDS.includes(name)) return `t."${name}" + c.board_ids`
  if (ids.some((id) => name === id || name.endsWith(`_${id}`))) return `t."${name}" + c.ids`
  return type.startsWith('timestamp') ? `t."${name}" - c.age` : `t."${name}"`
}

/** Updates what the product derives from the rows, and marks all changes as processed. */
async function updateDerivedRows(client: Client): Promise<void> {
  await client.query('delete from section_counts')
  await client.query(
    `insert into section_counts (team_id, project_id, section_id, tasks)
     select team_id, project_id, section_id, count(*) from tasks where status = 'Normal'
     group by team_id, project_id, section_id`,
  )
  await client.query(
    `update projects set next_number = last.number + 1
     from (select project_id, max(unique_index) as number from tasks group by project_id) as last
     where last.project_id = projects.project_id`,
  )
  // Rules have no position yet, because nothing in the world started one.
  await client.query("insert into followers (name, seq) values ('rules', 0) on conflict do nothing")
  for (const table of ['followers', 'message_places'])
    await client.query(`update ${table} set seq = (select max(seq) from changes)`)
}
