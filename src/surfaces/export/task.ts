/** What an export has to write, in order. */
export interface Plan {
  project_id: number
  key: string
  title: string
  custom_fields: { field_id: string; name: string }[]
  columns: Column[]
}

export interface Column {
  title: string
  role: string
  done: boolean
  task_ids: number[]
}

interface Actor {
  name: string
}

/** A task as it is exported. Its texts are markdown, unless they could not be converted. */
export interface Task {
  task_id: number
  ticket_number: string
  title: string
  section: string
  done: boolean
  description: string | null
  priority: number
  priority_name: string
  size: string
  labels: { name: string }[]
  assignees: Actor[]
  created_by: Actor
  due_date: string | null
  start_date: string | null
  recurrence: string | null
  parent_task_id: number | null
  parent: string | null
  relations: { relation_type: string; ticket_number: string; title: string }[]
  custom_fields: { field_id: string; value: string | number | boolean; label?: string }[]
  comment_count: number
  created_at: string
  updated_at: string
  completed_at: string | null
  url: string
  repeat: Repeat | null
  /** Only for writers that want them. */
  comments?: Comment[]
}

interface Repeat {
  rule: string
  time_zone: string
  begins: string
  alone: string[]
  also: string[]
  without: string[]
}

export interface Comment {
  author: Actor
  text: string
  created_at: string
}

/** Writes the parts of a file, one after the other. */
export interface Writer {
  head(): string
  /** Called before the tasks of each column, including empty ones. */
  column?(column: Column): string
  task(task: Task, column: Column): string
  end(): string
  /** Whether it writes the comments of tasks. */
  hasComments?: boolean
}
