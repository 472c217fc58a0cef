import { APPENDED, CAUSES, DECISION, EXPLORATION, TIMINGS } from './pages.ts'
import { setPlaybook } from './rules.ts'
import type { Scene } from './scene.ts'

const EXPORTS = 'Exports time out on boards with many tasks'
const DARK = 'Let people pick a dark theme'
const PRESENCE = 'Show who is looking at a board'
const SHORTCUTS = 'Keyboard shortcuts for moving tasks'

/** Adds comments, a decision request, relations, plans, pages and pull requests. */
export async function addActivity(scene: Scene): Promise<void> {
  await addComments(scene)
  await addDecisionRequest(scene)
  await addRelations(scene)
  await addPlans(scene)
  await addPages(scene)
  await addPullRequests(scene)
  await setPlaybook(scene)
}

async function addComments({ as, actors, key }: Scene) {
  const { comment_id } = await as.robin('comments.add', {
    ticket_number: key(EXPORTS),
    text: '<p>@Beacon where does the time go?</p>',
    mentions: [actors.beacon],
  })
  const answer = await as.beacon('comments.add', {
    ticket_number: key(EXPORTS),
    text: 'Nine tenths of it in `COUNT(*)`, once for each page of rows. The numbers are attached.',
    content_type: 'markdown',
    reply_to_comment_id: comment_id,
    attachments: [
      { filename: 'timings.csv', content_type: 'text/csv', data: Buffer.from(TIMINGS).toBase64() },
    ],
  })
  await as.jonas('comments.react', { comment_id: answer.comment_id, emoji: '👀' })
  await as.robin('comments.react', { comment_id: answer.comment_id, emoji: '👍' })
  await as.mira('comments.add', {
    ticket_number: key(PRESENCE),
    text: '<p>@Robin Vale a dot is in place; it takes three seconds to appear. Good enough?</p>',
    mentions: [actors.robin],
  })
  await as.robin('comments.add', {
    ticket_number: key(SHORTCUTS),
    text: 'Works well. **Shift** with the arrows feels right.',
    content_type: 'markdown',
  })
}

async function addDecisionRequest({ as, key }: Scene) {
  await as.beacon('decision_requests.create', {
    ticket_number: key(EXPORTS),
    question: 'May an export run in the background and be mailed?',
    options: ['Yes', 'No, it must stay quick'],
    note: 'Sending rows as they are read needs no mail, and two more days.',
  })
}

async function addRelations({ as, key }: Scene) {
  await as.robin('relations.create', {
    source_ticket_number: key('Write the upgrade guide'),
    target_ticket_number: key(EXPORTS),
    relation_type: 'BlockedBy',
  })
  await as.robin('custom_fields.set', {
    ticket_number: key(DARK),
    field_name: 'Customers asking',
    value: 14,
  })
}

/** Adds subtasks, repeat rules, a snoozed task and a view. */
async function addPlans({ as, key, day, board: { project_id, sections } }: Scene) {
  const idOf = async (title: string) => {
    const found = await as.robin('tasks.get', { ticket_number: key(title) })
    return (Array.isArray(found) ? found[0]! : found).task_id
  }
  const parent_task_id = await idOf(PRESENCE)
  const steps = [
    ['Tell the server who has a board open', 'Done'],
    ['A dot on the avatar', 'In progress'],
    ['Let people turn it off', 'Next up'],
  ] as const
  for (const [title, column] of steps) {
    const section_id = sections.find((section) => section.title === column)!.section_id
    await as.mira('tasks.create', { project_id, parent_task_id, title, section_id })
  }
  await as.robin('tasks.set_recurrence', {
    taskId: await idOf('Look through the errors of last night'),
    recurrence: 'Weekdays',
  })
  await as.robin('tasks.set_recurrence', {
    taskId: await idOf('Send the notes of the week'),
    recurrence: 'Weekly',
  })
  await as.robin('tasks.snooze', {
    ticket_number: key('Answer the survey about screen readers'),
    until: `${day(7)}T08:00:00.000Z`,
  })
  await as.robin('views.create', {
    project_id,
    title: 'At risk',
    label_names: ['risk'],
    sorting_mode: 'DueDate',
  })
}

/** Adds pages: the causes, the decision below them, and an exploration. */
async function addPages({ as, key }: Scene) {
  const causes = await as.beacon('pages.create', { ticket_number: key(EXPORTS), content: CAUSES })
  const { page_id } = await as.beacon('pages.create', {
    ticket_number: key(EXPORTS),
    content: DECISION,
    parent_page_id: causes.page_id,
  })
  await as.beacon('pages.update', {
    page_id,
    content: APPENDED,
    mode: 'append',
    note: 'Measured again with the new build',
  })
  await as.robin('pages.create', {
    ticket_number: key(DARK),
    content: EXPLORATION,
    kind: 'exploration',
  })
}

const PULLS = [
  [SHORTCUTS, 412, 'open', 'passing'],
  ['Paste pictures into descriptions', 409, 'open', 'failing'],
  ['Webhooks wait longer after each failure', 414, 'open', 'pending'],
  ['Rate limits answer with Retry-After', 398, 'merged', 'passing'],
] as const

async function addPullRequests({ as, key }: Scene) {
  for (const [title, number, state, checks] of PULLS)
    await as.jonas('pull_requests.create', {
      ticket_number: key(title),
      url: `https://git.example.com/lighthouse/app/pull/${number}`,
      title,
      state,
      checks,
    })
}
