import { BOARD, LEASE_ACTIONS, leaseStep, type Prompt } from './prompt.ts'

export const review: Prompt = {
  name: 'review',
  title: 'Review finished work',
  description: 'Check tasks in review against their description and the definition of done',
  arguments: [BOARD, { name: 'task', description: 'Key of one task; default all in review' }],
  actions: [
    'svc_tasks.list',
    'svc_tasks.context',
    'svc_tasks.update',
    ...LEASE_ACTIONS,
    'svc_attachments.get',
    'svc_pages.get',
    'svc_comments.add',
  ],
  facts: ['guidance', 'verify', 'columns'],
  defaultDays: 7,
  task: ({ key, task }) =>
    task
      ? `Review the task ${task} on the board ${key}.`
      : `Review the tasks in the verify columns of the board ${key}, the one that waits longest first.`,
  steps: (input) => [
    `Read everything about a task: svc_tasks context {"ticket_number":"${input.task ?? '…'}"}; svc_attachments get and svc_pages get for its files and pages.`,
    'Check each requirement of the description and each line of the definition of done. What you cannot verify yourself is not verified.',
    ...leaseStep(input),
    'If all is met: svc_comments add with what you checked and how, then svc_tasks update with the section_id of a done column.',
    input.isAgent
      ? 'If something is missing: svc_comments add with the findings, most important first, then svc_tasks hand_over to the person or agent who did the work.'
      : 'If something is missing: svc_comments add with the findings, most important first, then svc_tasks update with the section_id of a building column.',
    'Finish with one line per task: passed, returned or not verifiable, and why.',
  ],
}
