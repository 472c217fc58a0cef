import { BOARD, LEASE_ACTIONS, leaseStep, type Prompt } from './prompt.ts'

export const plan: Prompt = {
  name: 'plan',
  title: 'Plan the next work',
  description: 'Choose and order the next work, split large tasks, name risks',
  arguments: [
    BOARD,
    { name: 'goal', description: 'What the plan should achieve' },
    { name: 'days', description: 'Days to plan for, 1 to 30' },
  ],
  actions: [
    'svc_tasks.list',
    'svc_tasks.context',
    'svc_tasks.create',
    'svc_tasks.update',
    'svc_tasks.link',
    ...LEASE_ACTIONS,
    'svc_search.tasks',
    'svc_pages.create',
  ],
  facts: ['columns', 'guidance', 'inProgress', 'ready', 'blocked', 'dueSoon', 'overdue', 'pace'],
  defaultDays: 14,
  task: ({ key, days, goal }) =>
    `Plan the next ${days} days on the board ${key}.${goal ? ` The goal: ${goal}` : ''}`,
  steps: (input) => [
    'Compare the work in progress and the committed tasks with the pace below. Plan no more than was done in such a time before.',
    'Find tasks that serve the goal: svc_search tasks. Read the candidates: svc_tasks context {"ticket_number":"…","summary":true}.',
    'Propose the plan first: an ordered list of tasks, each with reason, size, owner and blockers; then what is left out, and the risks. Change the board only after the person agrees.',
    ...leaseStep(input),
    `Then move the tasks to a committed column (svc_tasks update with section_id, priority, due_date), split those that take longer than two days (svc_tasks create {"project_id":${input.project_id},"title":"…","parent_task_id":…}), and record dependencies (svc_tasks link, relation_type BlockedBy).`,
    'Write the plan down: svc_pages create on the task that leads it.',
  ],
}
