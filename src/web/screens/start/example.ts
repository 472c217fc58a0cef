import type { Template, TemplateTask } from './templates.ts'

const task = (
  section_title: string,
  title: string,
  label: string,
  fields: Partial<TemplateTask> = {},
): TemplateTask => ({ section_title, title, labels: [label], ...fields })

/** An example board with tasks in every column, to look around in. */
export const EXAMPLE: Template = {
  name: 'Example board',
  about: 'A board with sample tasks. Archive it when you no longer need it',
  board: {
    title: 'Spring release (example)',
    sections: [
      { title: 'Ideas', role: 'intake' },
      { title: 'Next up', role: 'committed' },
      { title: 'In progress', role: 'building' },
      { title: 'Review', role: 'verify' },
      { title: 'Done', role: 'done' },
    ],
    labels: [
      { name: 'web', color: '#2f6f9f' },
      { name: 'api', color: '#6b4fa0' },
      { name: 'docs', color: '#2d7d46' },
      { name: 'risk', color: '#c0392b' },
    ],
  },
  tasks: [
    task('Ideas', 'Let people pick a dark theme', 'web', { priority: 4, estimate: 4 }),
    task('Ideas', 'Ask three customers how they plan their week', 'docs', { priority: 3 }),
    task('Ideas', 'Swimlanes by assignee', 'web', { estimate: 5 }),
    task('Next up', 'Exports time out on boards with many tasks', 'risk', {
      ...{ priority: 1, estimate: 5, due_in: 2, content_type: 'markdown' },
      description:
        'An export of 20,000 tasks stops after 30 s.\n\n1. Open a large board\n2. Export it',
    }),
    task('Next up', 'Write the upgrade guide', 'docs', {
      ...{ priority: 2, estimate: 3, due_in: 9, content_type: 'markdown' },
      description: '## Contents\n\n- what changes for operators\n- how to roll back',
    }),
    task('Next up', 'Cursor paging for comments', 'api', { priority: 3, estimate: 3 }),
    task('In progress', 'Show who is looking at a board', 'web', {
      ...{ priority: 3, estimate: 5, due_in: 5 },
    }),
    task('In progress', 'Renew the certificate of the mail server', 'risk', {
      ...{ priority: 1, estimate: 2, due_in: -1 },
    }),
    task('Review', 'Keyboard shortcuts for moving tasks', 'web', { priority: 2, estimate: 4 }),
    task('Review', 'Name the invalid field in error messages', 'api', { priority: 3, estimate: 2 }),
    task('Done', 'Rate limits answer with Retry-After', 'api', { priority: 3, estimate: 2 }),
    task('Done', 'One page for the whole manual', 'docs', { estimate: 3 }),
  ],
  playbook: {},
}
