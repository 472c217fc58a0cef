import type { Client } from '../../../catalog.ts'
import { uriOf } from './uris.ts'

type Result<Name extends keyof Client> = Awaited<ReturnType<Client[Name]>>
export type Manifest = Result<'projects.manifest'>
export type Playbook = Result<'projects.get_playbook'> & { custom_instruction: string | null }
export type TaskContext = Extract<Result<'tasks.context'>, { task: unknown }>
export type PageRecord = Result<'pages.get'>

interface Author {
  name: string
}

const names = (people: readonly Author[]) => people.map(({ name }) => name).join(', ')
const minute = (moment: string) => moment.slice(0, 16).replace('T', ' ')
const oneLine = (text: string) => text.replace(/\s+/g, ' ').trim()
const link = (text: string, uri: string) => `[${oneLine(text).replace(/[[\]]/g, '\\$&')}](${uri})`

/** Joins the parts of a document; empty parts are left out. */
const join = (parts: readonly (string | false | null | undefined)[]) =>
  `${parts.filter(Boolean).join('\n\n')}\n`

const section = (heading: string, lines: readonly string[]) =>
  lines.length > 0 && `## ${heading}\n\n${lines.join('\n')}`

const facts = (pairs: readonly (readonly [string, string | number | false | null | undefined])[]) =>
  pairs
    .filter(([, value]) => value !== '' && value !== false && value != null)
    .map(([name, value]) => `- ${name}: ${value}`)
    .join('\n')

export const boardMarkdown = (board: Manifest): string =>
  join([
    `# ${oneLine(board.title)}`,
    facts([
      ['Key', board.key],
      ['project_id', board.project_id],
      ['Status', board.status === 'Normal' ? '' : board.status],
      ['People', board.member_count],
      ['Agents', board.agent_count],
      ['Playbook', link('playbook', uriOf('playbook', board.key))],
      ['Web', board.url],
    ]),
    board.description,
    section(
      'Columns',
      board.sections.map(
        ({ section_id, title, role, task_count, wip_limit, hidden }) =>
          `- ${oneLine(title)} (section_id ${section_id}, ${role}): ${task_count}${wip_limit ? ` of at most ${wip_limit}` : ''} tasks${hidden ? ', hidden' : ''}`,
      ),
    ),
    section(
      'Labels',
      board.labels.map(({ label_id, name }) => `- ${oneLine(name)} (label_id ${label_id})`),
    ),
  ])

export const playbookMarkdown = ({ title }: { title: string }, playbook: Playbook): string =>
  join([
    `# Playbook of ${oneLine(title)}`,
    `Version ${playbook.version}`,
    playbook.working_rules && `## Working rules\n\n${playbook.working_rules}`,
    section(
      'Definition of done',
      playbook.definition_of_done.map((line) => `- ${oneLine(line)}`),
    ),
    playbook.notes && `## Notes\n\n${playbook.notes}`,
    playbook.custom_instruction && `## Instructions for AI\n\n${playbook.custom_instruction}`,
    playbook.model_selected && `Model: ${playbook.model_selected}`,
  ])

type Linked = Pick<TaskContext['subtasks'][number], 'ticket_number' | 'title' | 'section'>

const taskLink = ({ ticket_number, title, section: column }: Linked) =>
  `- ${link(`${ticket_number} ${title}`, uriOf('task', ticket_number))} · ${oneLine(column)}`

const taskFacts = ({ task, board, parent }: TaskContext) => {
  const { lease } = task
  return facts([
    ['Board', link(board.title, uriOf('board', board.key))],
    ['Column', `${oneLine(task.section)} (section_id ${task.section_id})`],
    ['Status', task.status === 'Normal' ? '' : task.status],
    ['Priority', task.priority_name === 'None' ? '' : task.priority_name],
    ['Due', task.due_date && `${task.due_date}${task.overdue ? ' (overdue)' : ''}`],
    ['Assignees', names(task.assignees)],
    ['Labels', names(task.labels)],
    ['Lease', lease && `held by ${lease.holder.name} until ${minute(lease.expires_at)}`],
    [
      'Parent',
      parent &&
        link(`${parent.ticket_number} ${parent.title}`, uriOf('task', parent.ticket_number)),
    ],
    ['Created', `${minute(task.created_at)} by ${task.created_by.name}`],
    ['Updated', minute(task.updated_at)],
    ['Web', task.url],
  ])
}

const openQuestions = ({ decision_requests }: TaskContext) =>
  section(
    'Open questions',
    decision_requests.map(
      ({ decision_request_id, question, options }) =>
        `- ${oneLine(question)} (${options.map(oneLine).join(' / ')}; decision_request_id ${decision_request_id})`,
    ),
  )

const files = ({ attachments }: TaskContext) =>
  section(
    'Files',
    attachments.map(
      ({ attachment_id, filename, content_type, size }) =>
        `- ${oneLine(filename)} (${content_type}, ${size} bytes, attachment_id ${attachment_id})`,
    ),
  )

const evidence = (context: TaskContext) =>
  section(
    'Evidence',
    context.evidence.map(
      ({ kind, summary, url }) => `- ${kind}: ${oneLine(summary)}${url ? ` <${url}>` : ''}`,
    ),
  )

export const taskMarkdown = (context: TaskContext): string => {
  const { task, comments } = context
  return join([
    `# ${task.ticket_number} ${oneLine(task.title)}`,
    taskFacts(context),
    task.description && `## Description\n\n${task.description}`,
    section('Blocked by', context.blocked_by.map(taskLink)),
    section('Blocks', context.blocks.map(taskLink)),
    section('Related', context.related.map(taskLink)),
    section('Subtasks', context.subtasks.map(taskLink)),
    openQuestions(context),
    files(context),
    evidence(context),
    comments.length > 0 && '## Comments',
    ...comments.map(
      ({ author, created_at, text }) => `### ${author.name}, ${minute(created_at)}\n\n${text}`,
    ),
  ])
}

export const pageMarkdown = (page: PageRecord): string =>
  join([
    `# ${oneLine(page.title)}`,
    facts([
      ['Task', link(page.ticket_number, uriOf('task', page.ticket_number))],
      ['Version', `${page.version}, by ${page.updated_by.name}, ${minute(page.updated_at)}`],
      ['Archived', page.archived_at && minute(page.archived_at)],
      ['Web', page.url],
    ]),
    page.content,
  ])
