import type { Client } from '../catalog.ts'

/** Robin is the one who can sign in. Beacon and Lantern are agents. */
export type DemoActor = 'robin' | 'mira' | 'jonas' | 'beacon' | 'lantern'

type Board = Omit<Parameters<Client['projects.create']>[0], 'team_id'>
export type Card = NonNullable<Board['tasks']>[number] & { assignees?: readonly DemoActor[] }
export type DemoBoard = Omit<Board, 'tasks'> & { tasks: readonly Card[] }

/** The date so many days after the creation of the demo; negative for before. */
export type Day = (days: number) => string

const IDEAS = (): Card[] => [
  {
    title: 'Let people pick a dark theme',
    priority: 4,
    estimate: 4,
    labels: ['web'],
    assignees: ['robin'],
  },
  {
    title: 'Ask three customers how they plan their week',
    priority: 3,
    estimate: 3,
    assignees: ['mira'],
  },
  { title: 'Read boards without a connection', estimate: 6, labels: ['phone'] },
  {
    title: 'Bring in boards from a spreadsheet',
    priority: 4,
    labels: ['api'],
    assignees: ['jonas'],
  },
  { title: 'A summary of the week by email', estimate: 3 },
]

const NEXT_UP = (day: Day): Card[] => [
  {
    title: 'Write the upgrade guide',
    description:
      '## What it must say\n\n- what changes for whoever runs a server\n- how to go back\n',
    content_type: 'markdown',
    priority: 2,
    estimate: 3,
    start_date: `${day(5)}T09:00:00.000Z`,
    due_date: day(9),
    labels: ['docs'],
    assignees: ['robin'],
  },
  {
    title: 'Make a backup before every upgrade',
    priority: 2,
    estimate: 4,
    start_date: `${day(7)}T09:00:00.000Z`,
    due_date: day(12),
    labels: ['api', 'risk'],
    assignees: ['jonas'],
  },
  {
    title: 'Translate the sign-in page into German',
    priority: 4,
    estimate: 2,
    labels: ['web'],
    assignees: ['mira'],
  },
  {
    title: 'Look through the errors of last night',
    priority: 3,
    due_date: day(0),
    labels: ['api'],
    assignees: ['robin'],
  },
  { title: 'Send the notes of the week', due_date: day(3), labels: ['docs'], assignees: ['robin'] },
  {
    title: 'Answer the survey about screen readers',
    due_date: day(14),
    labels: ['web'],
    assignees: ['robin'],
  },
]

const IN_PROGRESS = (day: Day): Card[] => [
  {
    title: 'Exports time out on boards with many tasks',
    description:
      'An export of 20,000 tasks ends after 30 s, and nothing is left of it.\n\n1. Open a large board\n2. Export it as CSV\n3. Wait\n\nSmall boards are fine: 1,000 tasks take 0.4 s.\n',
    content_type: 'markdown',
    priority: 1,
    estimate: 5,
    start_date: `${day(-2)}T09:00:00.000Z`,
    due_date: day(2),
    labels: ['api', 'risk'],
    assignees: ['beacon', 'robin'],
  },
  {
    title: 'Show who is looking at a board',
    description: 'A dot on the avatar is enough. Nobody should have to press anything for it.\n',
    content_type: 'markdown',
    priority: 3,
    estimate: 5,
    start_date: `${day(-3)}T09:00:00.000Z`,
    due_date: day(5),
    labels: ['web'],
    assignees: ['mira'],
  },
  {
    title: 'Renew the certificate of the mail server',
    priority: 1,
    estimate: 2,
    due_date: day(-1),
    labels: ['risk'],
    assignees: ['robin'],
  },
  {
    title: 'Search finds words in comments',
    priority: 2,
    estimate: 4,
    start_date: `${day(-1)}T09:00:00.000Z`,
    due_date: day(4),
    labels: ['api'],
    assignees: ['lantern', 'jonas'],
  },
]

const REVIEW = (day: Day): Card[] => [
  {
    title: 'Keyboard shortcuts for moving tasks',
    priority: 2,
    estimate: 4,
    start_date: `${day(-4)}T09:00:00.000Z`,
    due_date: day(1),
    labels: ['web'],
    assignees: ['mira'],
  },
  {
    title: 'Paste pictures into descriptions',
    priority: 3,
    estimate: 4,
    labels: ['web', 'phone'],
    assignees: ['jonas'],
  },
  {
    title: 'Webhooks wait longer after each failure',
    priority: 3,
    estimate: 3,
    labels: ['api'],
    assignees: ['lantern', 'robin'],
  },
]

const DONE = (day: Day): Card[] => [
  {
    title: 'Rate limits answer with Retry-After',
    priority: 3,
    estimate: 2,
    labels: ['api'],
    assignees: ['lantern'],
  },
  { title: 'Open large boards twice as fast', priority: 2, labels: ['web'], assignees: ['jonas'] },
  { title: 'Take the old settings page away', estimate: 2, labels: ['web'], assignees: ['mira'] },
  { title: 'Say in the manual how to move a server', due_date: day(-4), labels: ['docs'] },
]

const inColumn = (section_title: string, cards: readonly Card[]): Card[] =>
  cards.map((card) => ({ ...card, section_title }))

/** Due dates are close to the day of creation, so that some tasks are due and one is overdue. */
export const releaseBoard = (day: Day): DemoBoard => ({
  title: 'Spring release',
  description: '<p>Everything between us and the release in spring.</p>',
  sections: [
    { title: 'Ideas', role: 'intake' },
    { title: 'Next up', role: 'committed' },
    { title: 'In progress', role: 'building' },
    { title: 'Review', role: 'verify' },
    { title: 'Done', role: 'done', is_done: true },
  ],
  labels: [
    { name: 'web', color: '#3d6fb5' },
    { name: 'api', color: '#2f8f6b' },
    { name: 'docs', color: '#b5823d' },
    { name: 'phone', color: '#8a5fb5' },
    { name: 'risk', color: '#c24a3f' },
  ],
  tasks: [
    ...inColumn('Ideas', IDEAS()),
    ...inColumn('Next up', NEXT_UP(day)),
    ...inColumn('In progress', IN_PROGRESS(day)),
    ...inColumn('Review', REVIEW(day)),
    ...inColumn('Done', DONE(day)),
  ],
})

/** A second board, so that there is something to switch to. */
export const supportBoard = (day: Day): DemoBoard => ({
  title: 'Customer questions',
  sections: [
    { title: 'New', role: 'intake' },
    { title: 'Waits for the customer', role: 'committed' },
    { title: 'Answered', role: 'done', is_done: true },
  ],
  labels: [
    { name: 'bill', color: '#b5823d' },
    { name: 'bug', color: '#c24a3f' },
  ],
  tasks: [
    ...inColumn('New', [
      {
        title: 'Harbour School: two bills for May',
        priority: 2,
        labels: ['bill'],
        assignees: ['robin'],
      },
      { title: 'The calendar begins its weeks on Sunday', labels: ['bug'], assignees: ['mira'] },
    ]),
    ...inColumn('Waits for the customer', [
      { title: 'Which browser did the drag fail in?', due_date: day(6), assignees: ['robin'] },
    ]),
    ...inColumn('Answered', [
      { title: 'Can we run it without the internet?', assignees: ['jonas'] },
    ]),
  ],
})
