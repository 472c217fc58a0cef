import { BOARD, DAYS, type Prompt } from './prompt.ts'

export const standUp: Prompt = {
  name: 'stand-up',
  title: 'Stand-up',
  description: 'What was done, what is in progress, what is stuck',
  arguments: [BOARD, DAYS],
  actions: ['svc_tasks.list', 'svc_tasks.next', 'svc_tasks.context'],
  facts: ['done', 'inProgress', 'blocked', 'overdue', 'dueSoon', 'ready', 'decisions', 'columns'],
  defaultDays: 2,
  task: ({ key, days }) =>
    `Write the stand-up for the board ${key}: the last ${days === 1 ? 'day' : `${days} days`}, today, and what is stuck.`,
  steps: ({ project_id }) => [
    'Look into what is blocked, overdue or in progress for unusually long: svc_tasks context {"ticket_number":"…","summary":true} names the blockers and the last comments.',
    `See what can start now: svc_tasks next {"project_id":${project_id}}.`,
    'Write at most 15 lines: Done, In progress, Stuck (what it waits for and who can help), Next. Name every task by its key, and people by their names.',
    'Change nothing on the board.',
  ],
}
