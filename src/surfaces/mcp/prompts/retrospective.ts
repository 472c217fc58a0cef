import { BOARD, DAYS, type Prompt } from './prompt.ts'

export const retrospective: Prompt = {
  name: 'retrospective',
  title: 'Retrospective',
  description: 'What the last weeks show, and what to change',
  arguments: [BOARD, DAYS],
  actions: ['svc_tasks.list', 'svc_tasks.context', 'svc_tasks.create', 'svc_pages.create'],
  facts: ['done', 'pace', 'inProgress', 'blocked', 'overdue', 'columns', 'guidance'],
  defaultDays: 14,
  task: ({ key, days }) => `Lead a retrospective of the last ${days} days on the board ${key}.`,
  steps: ({ project_id }) => [
    'Look for patterns: columns where tasks pile up, tasks in progress for far longer than the median, blocked and overdue tasks. Read three or four telling ones: svc_tasks context {"ticket_number":"…"}.',
    'Separate facts, each with a task or a number as evidence, from what you conclude. Judge the process, never people.',
    'Write: what went well, what did not, what surprised, and at most three changes, each with an owner and a sign by which to tell that it worked. Discuss it before you record anything.',
    `Record what was agreed: svc_tasks create {"project_id":${project_id},"title":"Retrospective …"}, then svc_pages create on that task. Each change becomes a task of its own.`,
  ],
}
