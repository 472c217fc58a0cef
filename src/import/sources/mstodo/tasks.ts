import type { Report } from '../../source.ts'
import type { BoardDraft } from '../shared/board-draft.ts'
import { parseMoment } from '../shared/dates.ts'
import { type Json, objectOf, objectsOf, stringOf, stringsOf } from '../shared/json.ts'
import type { RecordCollector } from '../shared/record-collector.ts'
import { joinTexts, type TypedValue } from '../shared/task-limits.ts'
import { dayIn, momentIn } from '../shared/time-zones.ts'
import { groupAnnotations } from './lists.ts'
import { ruleOf } from './recurrence.ts'

const COLUMNS: Readonly<Record<string, string>> = {
  notStarted: 'Not started',
  inProgress: 'In progress',
  waitingOnOthers: 'Waiting on others',
  deferred: 'Deferred',
  completed: 'Completed',
}
const PRIORITIES: Readonly<Record<string, number>> = { high: 2, low: 4 }

/** Adds a task of Microsoft Graph. */
export function addTask(
  task: Json,
  board: BoardDraft,
  collector: RecordCollector,
  report: Report,
): void {
  report.fields.add(groupAnnotations(task), 'tasks[]')
  const status = stringOf(task.status) || 'notStarted'
  const isHtml = stringOf(objectOf(task.body).contentType).toLowerCase() === 'html'
  const repeat = repeatOf(task, report)
  const title = stringOf(task.title)
  const id = collector.task({
    id: stringOf(task.id) || `${title.slice(0, 400)} ${stringOf(task.createdDateTime)}`.trim(),
    board: board.id,
    column: board.column(COLUMNS[status] ?? status, status === 'completed' ? { done: true } : {}),
    title,
    description: isHtml ? htmlOf(task) : markdownOf(task),
    content_type: isHtml ? 'html' : 'markdown',
    priority: PRIORITIES[stringOf(task.importance)] ?? 0,
    start_date: dayOf(task.startDateTime),
    due_date: dayOf(task.dueDateTime),
    recurrence: repeat.rule,
    labels: stringsOf(task.categories),
    created_at: parseMoment(stringOf(task.createdDateTime)),
    updated_at: parseMoment(stringOf(task.lastModifiedDateTime)),
    completed_at: status === 'completed' ? momentOf(task.completedDateTime) : undefined,
    fields: repeat.fields,
  })
  for (const attachment of objectsOf(task.attachments)) addFile(attachment, id, collector, report)
}

function momentOf(value: unknown): string | undefined {
  const { dateTime, timeZone } = objectOf(value)
  const text = stringOf(dateTime).replace(/(\.\d{3})\d*/, '$1')
  if (!text) return undefined
  const hasZone = /Z$|[+-]\d\d:\d\d$/.test(text)
  return hasZone
    ? parseMoment(text)
    : momentIn(stringOf(timeZone) || 'UTC', text.replace(/\.\d+$/, ''))
}

const HALF_DAY_MS = 12 * 60 * 60 * 1000

/**
 * Days are the midnight of the user, which is written in UTC: the evening before in the east, and
 * the morning in the west. The nearest midnight is therefore the day.
 */
function dayOf(value: unknown): string | undefined {
  const zone = stringOf(objectOf(value).timeZone) || 'UTC'
  const moment = momentOf(value)
  return moment && dayIn(zone, new Date(Date.parse(moment) + HALF_DAY_MS).toISOString())
}

function repeatOf(task: Json, report: Report): { rule?: string; fields: TypedValue[] } {
  const recurrence = objectOf(task.recurrence)
  if (!Object.keys(objectOf(recurrence.pattern)).length) return { fields: [] }
  const rule = ruleOf(recurrence)
  if (rule) return { rule, fields: [] }
  const value = JSON.stringify(recurrence.pattern)
  report.lose(`Repeat of ${stringOf(task.title)}`, 'It is in the custom field Repeats')
  return { fields: [{ name: 'Repeats', type: 'text', value }] }
}

function markdownOf(task: Json): string {
  const steps = objectsOf(task.checklistItems).map(
    (item) => `- [${item.isChecked === true ? 'x' : ' '}] ${stringOf(item.displayName)}`,
  )
  const links = linksOf(task).map(({ text, url }) => (url ? `- [${text}](${url})` : `- ${text}`))
  return joinTexts(
    stringOf(objectOf(task.body).content).replaceAll('\r\n', '\n'),
    steps.length ? `## Steps\n\n${steps.join('\n')}` : '',
    links.length ? `## Links\n\n${links.join('\n')}` : '',
  )
}

const escapeHtml = (text: string) =>
  text.replace(
    /[&<>"]/g,
    (sign) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[sign]!,
  )

function htmlOf(task: Json): string {
  const content = stringOf(objectOf(task.body).content)
  const body = /<body[^>]*>([\s\S]*?)<\/body>/i.exec(content)?.[1] ?? content
  const steps = objectsOf(task.checklistItems).map(
    (item) =>
      `<li>${item.isChecked === true ? '☑' : '☐'} ${escapeHtml(stringOf(item.displayName))}</li>`,
  )
  const links = linksOf(task).map(({ text, url }) =>
    url
      ? `<li><a href="${escapeHtml(url)}">${escapeHtml(text)}</a></li>`
      : `<li>${escapeHtml(text)}</li>`,
  )
  return joinTexts(
    body,
    steps.length ? `<h2>Steps</h2><ul>${steps.join('')}</ul>` : '',
    links.length ? `<h2>Links</h2><ul>${links.join('')}</ul>` : '',
  )
}

const linksOf = (task: Json) =>
  objectsOf(task.linkedResources).map((link) => ({
    text:
      stringOf(link.displayName) ||
      stringOf(link.applicationName) ||
      stringOf(link.webUrl) ||
      'Link',
    url: /^https?:/.test(stringOf(link.webUrl)) ? stringOf(link.webUrl) : '',
  }))

function addFile(file: Json, task: string, collector: RecordCollector, report: Report): void {
  const base64 = stringOf(file.contentBytes)
  const name = stringOf(file.name) || 'file'
  const bytes = bytesOf(base64)
  if (!base64 || !bytes)
    return void report.lose(`Attachment ${name}`, 'The file has no content of it')
  collector.attachment({
    id: stringOf(file.id) || `${task}/${name}`,
    task,
    filename: name,
    content_type: stringOf(file.contentType).slice(0, 255) || undefined,
    bytes: async () => bytes,
  })
}

function bytesOf(base64: string): Uint8Array | undefined {
  try {
    return Uint8Array.from(atob(base64), (sign) => sign.charCodeAt(0))
  } catch {
    return undefined
  }
}
