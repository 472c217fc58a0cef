import { PRIORITIES } from '../../entities/task/priority.tsx'
import { t } from '../../messages/t.ts'

const ENGLISH_PRIORITIES = ['None', 'Urgent', 'High', 'Medium', 'Low']
const valueText = (value = '') => PRIORITIES[ENGLISH_PRIORITIES.indexOf(value)] ?? value

const FIELDS: ReadonlySet<string> = new Set(['priority', 'size', 'due date'])
const fieldText = (field = '') =>
  FIELDS.has(field) ? t('task.field_inline', { field: field.replace(' ', '_') }) : field
const countOf = (list = '') => list.split('", "').length

type Words = (...values: string[]) => string

/** The words of the server for a change of a task, and their message. */
const CHANGES: readonly (readonly [RegExp, Words])[] = [
  [/^created this task in (.+)$/s, (section) => t('task.did_create_in', { section })],
  [/^created this task$/, () => t('task.did_create')],
  [/^assigned (.+)$/s, (name) => t('task.did_assign', { name })],
  [/^unassigned (.+)$/s, (name) => t('task.did_unassign', { name })],
  [/^moved this task from (.+) to (.+)$/s, (from, to) => t('task.did_move', { from, to })],
  [/^changed its position in the column$/, () => t('task.did_change_position')],
  [/^renamed this task from "(.+)" to "(.+)"$/s, (from, to) => t('task.did_rename', { from, to })],
  [/^claimed this task$/, () => t('task.did_claim')],
  [/^released this task$/, () => t('task.did_release')],
  [/^archived this task$/, () => t('task.did_archive')],
  [/^deleted this task$/, () => t('task.did_delete')],
  [/^restored this task$/, () => t('task.did_restore')],
  [/^edited the description$/, () => t('task.did_edit_description')],
  [/^made this a subtask$/, () => t('task.did_make_subtask')],
  [/^made this a top-level task$/, () => t('task.did_make_top_level')],
  [
    /^set the (priority|size) from (.+) to (.+)$/,
    (name, was, is) => {
      const [field, from, to] = [fieldText(name), valueText(was), valueText(is)]
      return t('task.did_change_field', { field, from, to })
    },
  ],
  [
    /^set the (.+?) to (.+)$/s,
    (field, value) => t('task.did_set_field', { field: fieldText(field), value }),
  ],
  [/^cleared the (.+)$/s, (field) => t('task.did_clear_field', { field: fieldText(field) })],
  [
    /^added the labels? (".+")$/s,
    (labels) => t('task.did_add_labels', { count: countOf(labels), labels }),
  ],
  [
    /^removed the labels? (".+")$/s,
    (labels) => t('task.did_remove_labels', { count: countOf(labels), labels }),
  ],
  [/^attached (.+)$/s, (name) => t('task.did_attach', { name })],
  [/^removed the file (.+)$/s, (name) => t('task.did_remove_file', { name })],
  [/^added a relation: (.+)$/s, (text) => t('task.did_add_relation', { text })],
  [/^removed a relation: (.+)$/s, (text) => t('task.did_remove_relation', { text })],
  [/^requested a decision: (.+)$/s, (text) => t('task.did_request_decision', { text })],
  [/^decided: (.+)$/s, (text) => t('task.did_decide', { text })],
  [/^added evidence: (.+)$/s, (text) => t('task.did_add_evidence', { text })],
  [/^updated evidence: (.+)$/s, (text) => t('task.did_update_evidence', { text })],
  [/^removed evidence: (.+)$/s, (text) => t('task.did_remove_evidence', { text })],
  [/^escalated this task: (.+)$/s, (text) => t('task.did_escalate', { text })],
  [/^resolved the escalation$/, () => t('task.did_resolve_escalation')],
  [/^started a run$/, () => t('task.did_start_run')],
  [/^started a run of (.+)$/s, (name) => t('task.did_start_run_of', { name })],
  [/^prompted (.+?): (.+)$/s, (name, text) => t('task.did_prompt', { name, text })],
  [/^finished the run: (.+)$/s, (text) => t('task.did_finish_run', { text })],
  [/^created the page "(.+)"$/s, (title) => t('task.did_create_page', { title })],
  [/^edited the page "(.+)"$/s, (title) => t('task.did_edit_page', { title })],
  [/^started time$/, () => t('task.did_start_timer')],
  [/^logged time$/, () => t('task.did_log_time')],
  [/^sent a reminder: due soon$/, () => t('task.did_remind_due_soon')],
  [/^sent a reminder: overdue$/, () => t('task.did_remind_overdue')],
]

function translate(summary: string): string | undefined {
  for (const [pattern, words] of CHANGES) {
    const match = pattern.exec(summary)
    if (match) return words(...match.slice(1))
  }
  return undefined
}

/**
 * The summary of a change in the language of the page. The server writes it in English, because
 * agents read it, too. Words without a message stay as they are.
 */
export function changeText(type: string | undefined, summary: string): string {
  // A title may contain a semicolon, so a summary with parts is only split if each is known.
  const parts = type === 'task.updated' ? summary.split('; ').map(translate) : []
  if (parts.length > 1 && parts.every((part) => part !== undefined)) return parts.join('; ')
  return translate(summary) ?? summary
}
