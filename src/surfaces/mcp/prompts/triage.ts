import { BOARD, LEASE_ACTIONS, leaseStep, type Prompt } from './prompt.ts'

export const triage: Prompt = {
  name: 'triage',
  title: 'Triage new tasks',
  description: 'Sort what has come in: priority, labels, duplicates, owner, column',
  arguments: [BOARD],
  actions: [
    'svc_tasks.list',
    'svc_tasks.context',
    'svc_tasks.update',
    'svc_tasks.link',
    ...LEASE_ACTIONS,
    'svc_search.related',
    'svc_comments.add',
    'svc_decision_requests.create',
    'svc_labels.list',
  ],
  facts: ['columns', 'guidance', 'intake', 'overdue'],
  defaultDays: 7,
  task: ({ key }) =>
    `Triage the tasks in the intake columns of the board ${key}, oldest first, so that everybody can see what each is about and what happens next.`,
  steps: (input) => [
    'Read each task: svc_tasks context {"ticket_number":"…","summary":true}.',
    'Look for duplicates: svc_search related {"ticket_number":"…"}. Link a duplicate with svc_tasks link, relation_type RelatedTo, and name the older task in a comment. Close or delete nothing.',
    ...leaseStep(input),
    `Set what is missing: svc_tasks update with priority (Urgent, High, Medium, Low), labels (svc_labels list {"project_id":${input.project_id}}), due_date only if the text names one.`,
    'Move a task that is clear and worth doing to a committed column: svc_tasks update with its section_id. Leave the rest where it is.',
    'If something is unclear, ask its author one precise question: svc_comments add. If people must choose between options, use svc_decision_requests create.',
    'Finish with a table: task, what you changed, why, open question.',
  ],
}
