import type { Card } from './board.ts'
import type { Call, Scene } from './scene.ts'

/** For each card, the columns it was moved to and how many days ago. */
const MOVES: Record<string, readonly (readonly [column: string, days: number])[]> = {
  'Exports time out on boards with many tasks': [['In progress', 6.2]],
  'Show who is looking at a board': [['In progress', 3.1]],
  'Renew the certificate of the mail server': [['In progress', 2.3]],
  'Search finds words in comments': [['In progress', 1.2]],
  'Keyboard shortcuts for moving tasks': [
    ['In progress', 7.4],
    ['Review', 2.2],
  ],
  'Paste pictures into descriptions': [
    ['In progress', 5.3],
    ['Review', 1.4],
  ],
  'Webhooks wait longer after each failure': [
    ['In progress', 4.1],
    ['Review', 0.6],
  ],
  ...completed('Rate limits answer with Retry-After', 17.2, 15.1, 14.2),
  ...completed('Open large boards twice as fast', 16.4, 11.3, 10.1),
  ...completed('Take the old settings page away', 9.2, 8.3, 8.2),
  ...completed('Say in the manual how to move a server', 7.1, 5.2, 4.2),
  ...completed('Ask for the time zone when somebody joins', 18.3, 17.4, 17.1),
  ...completed('Sort labels by name', 15.2, 14.9, 13.3),
  ...completed('Keep drafts when the browser is closed', 13.4, 10.2, 9.3),
  ...completed('Mail what people missed once a day', 12.2, 8.1, 6.3),
  ...completed('Show times in the zone of the reader', 6.4, 4.3, 3.2),
  ...completed('Let agents hand a task back', 5.1, 2.4, 1.3),
  ...completed('Say why a webhook failed', 3.3, 1.9, 1.1),
}

function completed(title: string, started: number, review: number, end: number) {
  return {
    [title]: [
      ['In progress', started],
      ['Review', review],
      ['Done', end],
    ] as const,
  }
}

/** How many days ago the board was created. */
export const BOARD_AGE_DAYS = 20

/** The cards in the columns they had at the creation of the board. */
export const initialCards = (cards: readonly Card[]): Card[] =>
  cards.map((card) => (MOVES[card.title] ? { ...card, section_title: 'Next up' } : card))

/** Replays all moves in order of time, so that the change log has a history. */
export async function replayMoves(
  at: (days: number) => Promise<Call>,
  { sections }: Scene['board'],
  key: Scene['key'],
): Promise<void> {
  const steps = Object.entries(MOVES).flatMap(([title, moves]) =>
    moves.map(([column, days]) => ({ title, column, days })),
  )
  for (const { title, column, days } of steps.sort((a, b) => b.days - a.days)) {
    const { section_id } = sections.find((section) => section.title === column)!
    const robin = await at(days)
    await robin('tasks.update', { ticket_number: key(title), section_id })
  }
}

const TIME_ENTRIES = [
  ['robin', 'Renew the certificate of the mail server', 35, 1],
  ['robin', 'Exports time out on boards with many tasks', 95, 2],
  ['robin', 'Webhooks wait longer after each failure', 50, 3],
  ['mira', 'Show who is looking at a board', 180, 0],
  ['mira', 'Show who is looking at a board', 145, 1],
  ['mira', 'Keyboard shortcuts for moving tasks', 210, 3],
  ['jonas', 'Paste pictures into descriptions', 120, 1],
  ['jonas', 'Search finds words in comments', 75, 0],
  ['jonas', 'Paste pictures into descriptions', 160, 4],
  ['beacon', 'Exports time out on boards with many tasks', 42, 0],
  ['beacon', 'Exports time out on boards with many tasks', 65, 2],
  ['lantern', 'Webhooks wait longer after each failure', 55, 2],
  ['lantern', 'Search finds words in comments', 38, 0],
] as const

const REPORT = `<style>
  body { margin: 2rem auto; padding: 0 1rem; max-width: 44rem }
  body { font: 16px/1.6 system-ui, sans-serif; color: #24211d }
  h2 { font-size: 1.15rem; margin: 2rem 0 .5rem } table { border-collapse: collapse; width: 100% }
  th, td { padding: .4rem .8rem .4rem 0; border-bottom: 1px solid #e2dcd3; text-align: left }
</style>
<p><strong>On course.</strong> Two of three risks are in review; exports still need a decision.</p>
<h2>What got done</h2>
<ul><li>Agents hand a task back when they cannot go on</li><li>A webhook says why it failed</li>
<li>Times are shown in the zone of whoever reads them</li></ul>
<h2>Risks</h2>
<table><tr><th>Task</th><th>Where</th><th>What it needs</th></tr>
<tr><td>Exports time out</td><td>In progress</td><td>A decision: by mail, or as rows are read</td></tr>
<tr><td>Certificate of the mail server</td><td>In progress</td><td>Somebody with the password</td></tr></table>
`

/** Adds time entries and two reports. */
export async function addTimeAndReports({ as, key, day, board }: Scene): Promise<void> {
  for (const [actor, title, minutes, daysAgo] of TIME_ENTRIES)
    await as[actor]('time.log', { task_identifier: key(title), minutes, date: day(-daysAgo) })
  const { project_id } = board
  await as.robin('reports.create', {
    project_id,
    title: 'Release readiness',
    description: 'What is left before the release in spring',
    body_html: '<p>Four tasks are in progress, three in review.</p>',
  })
  await as.beacon('reports.create', {
    project_id,
    title: 'The week in the release',
    description: 'What got done, and what could still go wrong',
    body_html: REPORT,
  })
}

/** Cards that were completed before the ones on the board. */
export const COMPLETED_CARDS: readonly Card[] = [
  { title: 'Ask for the time zone when somebody joins', labels: ['web'], assignees: ['mira'] },
  { title: 'Sort labels by name', estimate: 2, labels: ['web'], assignees: ['jonas'] },
  {
    title: 'Keep drafts when the browser is closed',
    priority: 2,
    labels: ['web'],
    assignees: ['mira'],
  },
  {
    title: 'Mail what people missed once a day',
    priority: 3,
    labels: ['api'],
    assignees: ['jonas'],
  },
  { title: 'Show times in the zone of the reader', labels: ['web'], assignees: ['mira'] },
  { title: 'Let agents hand a task back', priority: 2, labels: ['api'], assignees: ['lantern'] },
  { title: 'Say why a webhook failed', estimate: 3, labels: ['api'], assignees: ['lantern'] },
]
