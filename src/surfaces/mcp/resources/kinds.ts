import { fault } from '../../../kernel/fault.ts'
import { type TokenBudget, truncateToBudget } from '../../../kernel/token-budget.ts'
import { findBoard } from '../boards.ts'
import { RESULT_BUDGET } from '../call.ts'
import type { OperationName, Read } from '../reader.ts'
import { findArticle, type ManualText } from './manual.ts'
import {
  boardMarkdown,
  pageMarkdown,
  playbookMarkdown,
  type TaskContext,
  taskMarkdown,
} from './markdown.ts'
import type { ResourceKind } from './uris.ts'

export interface ResourceSource {
  read: Read
  manual(): Promise<ManualText>
}

/** The records that a resource shows, for its subscribers. */
export interface Subject {
  project_id?: number
  task_id?: number
  page_id?: number
}

export interface Readable {
  text: string
  subject: Subject
}

interface Kind {
  title: string
  description: string
  annotations: { audience: ('user' | 'assistant')[]; priority: number }
  /** What reads it: their scopes are needed, and their dependencies make it stale. */
  operations: readonly OperationName[]
  read(source: ResourceSource, id: string): Promise<Readable>
}

const BOTH: ('user' | 'assistant')[] = ['user', 'assistant']

/** Clips the texts of an answer. The last line of the document names the lists that were cut. */
function fit<T>(data: T, call: string, render: (fitted: T) => string): string {
  const budget: TokenBudget = { tokens: RESULT_BUDGET.tokens - 500, hint: `${call} returns all` }
  const { data: fitted, truncated } = truncateToBudget(data, budget)
  const text = render(fitted as T)
  return truncated.length
    ? `${text}\nLeft out: ${truncated.join('; ')}. ${call} returns all.\n`
    : text
}

const toolCall = (tool: string, action: string, input: object) =>
  `${tool} ${JSON.stringify({ action, input, response_format: 'detailed' })}`

const board: Kind = {
  title: 'Board',
  description: 'A board at a glance: purpose, columns with counts, labels',
  annotations: { audience: BOTH, priority: 0.8 },
  operations: ['projects.manifest'],
  async read({ read }, id) {
    const { project_id } = await findBoard(read, id)
    const manifest = await read('projects.manifest', { project_id })
    const call = toolCall('svc_projects', 'manifest', { project_id })
    return { text: fit(manifest, call, boardMarkdown), subject: { project_id } }
  },
}

const playbook: Kind = {
  title: 'Playbook',
  description: 'Working rules, definition of done, notes and AI instructions of a board',
  annotations: { audience: ['assistant'], priority: 0.9 },
  operations: ['projects.get_playbook', 'projects.get_instructions'],
  async read({ read }, id) {
    const found = await findBoard(read, id)
    const { project_id } = found
    const [rules, { custom_instruction }] = await Promise.all([
      read('projects.get_playbook', { project_id }),
      read('projects.get_instructions', { project_id }),
    ])
    const call = toolCall('svc_projects', 'get_playbook', { project_id })
    const text = fit({ ...rules, custom_instruction }, call, (fitted) =>
      playbookMarkdown(found, fitted),
    )
    return { text, subject: { project_id } }
  },
}

const task: Kind = {
  title: 'Task',
  description: 'A task with its description, relations, files, open questions and last comments',
  annotations: { audience: BOTH, priority: 0.8 },
  operations: ['tasks.context'],
  async read({ read }, ticket_number) {
    const context = (await read('tasks.context', { ticket_number })) as TaskContext
    const { task_id, project_id } = context.task
    const call = toolCall('svc_tasks', 'context', { ticket_number: context.task.ticket_number })
    return { text: fit(context, call, taskMarkdown), subject: { task_id, project_id } }
  },
}

const page: Kind = {
  title: 'Page',
  description: 'A page of a task with its text',
  annotations: { audience: BOTH, priority: 0.6 },
  operations: ['pages.get'],
  async read({ read }, id) {
    const page_id = parsePageId(id)
    const record = await read('pages.get', { page_id, format: 'markdown' })
    const { task_id, project_id } = record
    const call = toolCall('svc_pages', 'get', { page_id })
    return { text: fit(record, call, pageMarkdown), subject: { page_id, task_id, project_id } }
  },
}

function parsePageId(id: string): number {
  if (/^\d{1,10}$/.test(id)) return Number(id)
  throw fault.invalid(
    'page_id',
    'invalid_type',
    'page_id must be a whole number',
    id,
    'svc_pages list shows the pages with their page_id',
  )
}

const article: Kind = {
  title: 'Manual',
  description: 'An article of the Corkboard manual',
  annotations: { audience: BOTH, priority: 0.2 },
  operations: [],
  async read({ manual }, name) {
    const book = await manual()
    const { text } = findArticle(book, name)
    const call = toolCall('svc_search', 'help', { query: name })
    return { text: fit(book.linked(text), call, (fitted) => fitted), subject: {} }
  },
}

export const READERS: Record<ResourceKind, Kind> = { board, playbook, task, page, article }
