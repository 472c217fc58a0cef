import type { Client } from './catalog.ts'

/** Robin signs in; Beacon and Lantern are agents. */
export type Who = 'robin' | 'mira' | 'jonas' | 'beacon' | 'lantern'

type Board = Omit<Parameters<Client['projects.create']>[0], 'team_id'>
export type Card = NonNullable<Board['tasks']>[number] & { who?: readonly Who[] }
export type DemoBoard = Omit<Board, 'tasks'> & { tasks: readonly Card[] }

/** A day so many days from the one on which the demo is made. */
export type Day = (days: number) => string

const IDEAS = (): Card[] => [
  {
    title: 'Let people pick a dark theme',
    priority: 4,
    estimate: 4,
    labels: ['web'],
    who: ['robin'],
  },
  {
    title: 'Ask three customers how they plan their week',
    priority: 3,
    estimate: 3,
    who: ['mira'],
  },
  { title: 'Read boards without a connection', estimate: 6, labels: ['phone'] },
  { title: 'Bring in boards from a spreadsheet', priority: 4, labels: ['api'], who: ['jonas'] },
  { title: 'A summary of the week by e-mail', estimate: 3 },
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
    who: ['robin'],
  },
  {
    title: 'Make a backup before every upgrade',
    priority: 2,
    estimate: 4,
    start_date: `${day(7)}T09:00:00.000Z`,
    due_date: day(12),
    labels: ['api', 'risk'],
    who: ['jonas'],
  },
  {
    title: 'Translate the sign-in page into German',
    priority: 4,
    estimate: 2,
    labels: ['web'],
    who: ['mira'],
  },
  {
    title: 'Look through the errors of last night',
    priority: 3,
    due_date: day(0),
    labels: ['api'],
    who: ['robin'],
  },
  { title: 'Send the notes of the week', due_date: day(3), labels: ['docs'], who: ['robin'] },
  {
    title: 'Answer the survey about screen readers',
    due_date: day(14),
    labels: ['web'],
    who: ['robin'],
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
    who: ['beacon', 'robin'],
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
    who: ['mira'],
  },
  {
    title: 'Renew the certificate of the mail server',
    priority: 1,
    estimate: 2,
    due_date: day(-1),
    labels: ['risk'],
    who: ['robin'],
  },
  {
    title: 'Search finds words in comments',
    priority: 2,
    estimate: 4,
    start_date: `${day(-1)}T09:00:00.000Z`,
    due_date: day(4),
    labels: ['api'],
    who: ['lantern', 'jonas'],
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
    who: ['mira'],
  },
  {
    title: 'Paste pictures into descriptions',
    priority: 3,
    estimate: 4,
    labels: ['web', 'phone'],
    who: ['jonas'],
  },
  {
    title: 'Webhooks wait longer after each failure',
    priority: 3,
    estimate: 3,
    labels: ['api'],
    who: ['lantern', 'robin'],
  },
]

const DONE = (day: Day): Card[] => [
  {
    title: 'Rate limits answer with Retry-After',
    priority: 3,
    estimate: 2,
    labels: ['api'],
    who: ['lantern'],
  },
  { title: 'Open large boards twice as fast', priority: 2, labels: ['web'], who: ['jonas'] },
  { title: 'Take the old settings page away', estimate: 2, labels: ['web'], who: ['mira'] },
  { title: 'Say in the manual how to move a server', due_date: day(-4), labels: ['docs'] },
]

const inColumn = (section_title: string, cards: readonly Card[]): Card[] =>
  cards.map((card) => ({ ...card, section_title }))

/** Dates are near the day the demo is made: some due, one late. */
export const releaseAt = (day: Day): DemoBoard => ({
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

/** A second board, so that there is something to go to. */
export const supportAt = (day: Day): DemoBoard => ({
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
      { title: 'Harbour School: two bills for May', priority: 2, labels: ['bill'], who: ['robin'] },
      { title: 'The calendar begins its weeks on Sunday', labels: ['bug'], who: ['mira'] },
    ]),
    ...inColumn('Waits for the customer', [
      { title: 'Which browser did the drag fail in?', due_date: day(6), who: ['robin'] },
    ]),
    ...inColumn('Answered', [{ title: 'Can we run it without the internet?', who: ['jonas'] }]),
  ],
})
