import type { Database } from 'bun:sqlite'

type Fields = Record<string, string | number | null>

/** Returns a function that inserts a row with these fields and returns its id. */
export function inserter(database: Database, table: string, fields: readonly string[]) {
  const marks = fields.map(() => '?').join()
  const statement = database.prepare(`insert into ${table} (${fields.join()}) values (${marks})`)
  return (row: Fields) => {
    const { lastInsertRowid } = statement.run(...fields.map((field) => row[field] ?? null))
    return Number(lastInsertRowid)
  }
}

export const TASK_FIELDS = [
  ...['team_id', 'project_id', 'section_id', 'unique_index', 'ticket_number', 'title'],
  ...['description', 'content_type', 'description_version', 'priority', 'estimate', 'due_date'],
  ...['due_at', 'start_date', 'parent_task_id', 'status', 'rank', 'created_by', 'created_at'],
  ...['updated_at', 'completed_at', 'section_changed_at'],
]
const LINK_FIELDS = ['team_id', 'task_id', 'project_id', 'status']
export const LABEL_FIELDS = [...LINK_FIELDS, 'label_id']
export const ASSIGNEE_FIELDS = [...LINK_FIELDS, 'actor_id']
export const CHANGE_FIELDS = [
  ...['type', 'team_id', 'project_id', 'task_id', 'actor_id', 'data', 'created_at'],
]
export const VERSION_FIELDS = [
  ...['team_id', 'task_id', 'version', 'content', 'content_type', 'author_id', 'created_at'],
]
