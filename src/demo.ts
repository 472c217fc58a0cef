import { randomBytes } from 'node:crypto'
import { type Client, catalog } from './catalog.ts'
import { ADDED, CAUSES, DECISION, EXPLORATION } from './demo-pages.ts'
import { prepare } from './features/accounts/index.ts'
import { callerOf } from './features/callers/index.ts'
import type { Dispatch } from './kernel/dispatch.ts'
import type { AnyOperation } from './kernel/operation.ts'

type House = Parameters<typeof prepare>[0] & { dispatch: Dispatch }
type Board = Parameters<Client['projects.create']>[0]

const DAY_MS = 24 * 60 * 60 * 1000

/** A team at work, so that the first look at the product is not at an empty page. */
export async function fillDemo(house: House): Promise<string> {
  const password = randomBytes(9).toString('base64url')
  const founder = { email: 'robin@example.com', name: 'Robin Vale', team: 'Lighthouse', password }
  const made = await prepare(house, founder)
  const now = house.clock()
  const as = (secret: string, kind: 'key' | 'agent') => playing(house, secret, kind, now)
  const call = await as(made.api_key, 'key')
  const { team_id, api_key } = made
  const board = await call('projects.create', { team_id, ...boardAt(now) })
  const agent = await call('agents.create', { team_id, name: 'Beacon' })
  await liven(call, await as(agent.token!, 'agent'), board, agent.agent_id)
  return `The demo team Lighthouse is at work on the board "${board.title}" (${board.key}).

  Sign in       ${house.server.url}/sign-in
  E-mail        ${founder.email}
  Password      ${password}
  API key       ${api_key}
  Agent token   ${agent.token}

An assistant joins as the agent Beacon with this MCP server:

${JSON.stringify({ mcpServers: { corkboard: agent.client_configuration } }, null, 2)}

None of these is shown again.`
}

type Call = <N extends keyof Client>(
  name: N,
  input: Parameters<Client[N]>[0],
) => Promise<Awaited<ReturnType<Client[N]>>>

/** Somebody of the team, with whatever they may ask for. */
async function playing(
  { store, dispatch }: House,
  secret: string,
  kind: 'key' | 'agent',
  now: Date,
): Promise<Call> {
  const { caller } = await store.read((tx) => callerOf(tx, secret, [kind], now))
  return async (name, input) => {
    const op: AnyOperation = catalog.find((one) => one.name === name)!
    return (await dispatch(caller, op, input)).data as never
  }
}

/** What people and the agent have said, asked and tied together so far. */
async function liven(
  robin: Call,
  beacon: Call,
  { project_id, tasks }: Awaited<ReturnType<Client['projects.create']>>,
  agent_id: string,
) {
  const [theme, , guide, exports] = tasks as [string, string, string, string]
  await robin('tasks.assign', { ticket_number: exports, agent_id })
  const { comment_id } = await robin('comments.add', {
    ticket_number: exports,
    text: '<p>@Beacon where does the time go?</p>',
    mentions: [{ agent_id, display_name: 'Beacon' }],
  })
  await beacon('comments.add', {
    ticket_number: exports,
    text: 'Nine tenths of it in `COUNT(*)`, once for each page of rows.',
    content_type: 'markdown',
    reply_to_comment_id: comment_id,
  })
  await beacon('decision_requests.create', {
    ticket_number: exports,
    question: 'May an export run in the background and be mailed?',
    options: ['Yes', 'No, it must stay quick'],
  })
  await robin('relations.create', {
    source_ticket_number: guide,
    target_ticket_number: exports,
    relation_type: 'BlockedBy',
  })
  await robin('custom_fields.set', {
    ticket_number: theme,
    field_name: 'Customers asking',
    value: 14,
  })
  await write(robin, beacon, theme, exports)
  await robin('views.create', {
    project_id,
    title: 'At risk',
    label_names: ['risk'],
    sorting_mode: 'DueDate',
  })
}

/** What was found out, and what came of it. */
async function write(robin: Call, beacon: Call, theme: string, exports: string) {
  const causes = await beacon('pages.create', { ticket_number: exports, content: CAUSES })
  const { page_id } = await beacon('pages.create', {
    ticket_number: exports,
    content: DECISION,
    parent_page_id: causes.page_id,
  })
  await beacon('pages.update', {
    ...{ page_id, content: ADDED, mode: 'append' },
    note: 'Measured again with the new build',
  })
  await robin('pages.create', { ticket_number: theme, content: EXPLORATION, kind: 'exploration' })
}

/** Dates are near the day the demo is made: some due, one late. */
function boardAt(now: Date): Omit<Board, 'team_id'> {
  const day = (days: number) => new Date(now.getTime() + days * DAY_MS).toISOString().slice(0, 10)
  return {
    title: 'Spring release',
    description: '<p>Everything between us and the release in spring.</p>',
    sections: [
      { title: 'Ideas', role: 'intake' },
      { title: 'Next up', role: 'committed' },
      { title: 'In progress', role: 'building' },
      { title: 'Review', role: 'verify' },
      { title: 'Done', role: 'done', is_done: true },
    ],
    labels: [{ name: 'web' }, { name: 'api' }, { name: 'docs' }, { name: 'risk' }],
    tasks: [
      {
        title: 'Let people pick a dark theme',
        section_title: 'Ideas',
        priority: 4,
        estimate: 4,
        labels: ['web'],
      },
      {
        title: 'Ask three customers how they plan their week',
        section_title: 'Ideas',
        priority: 3,
        estimate: 3,
      },
      {
        title: 'Write the upgrade guide',
        description:
          '## What it must say\n\n- what changes for whoever runs a server\n- how to go back\n',
        content_type: 'markdown',
        section_title: 'Next up',
        priority: 2,
        estimate: 3,
        due_date: day(9),
        labels: ['docs'],
      },
      {
        title: 'Exports time out on boards with many tasks',
        description:
          'An export of 20,000 tasks ends after 30 s.\n\n1. Open a large board\n2. Export it as CSV\n',
        content_type: 'markdown',
        section_title: 'Next up',
        priority: 1,
        estimate: 5,
        due_date: day(2),
        labels: ['api', 'risk'],
      },
      {
        title: 'Show who is looking at a board',
        section_title: 'In progress',
        priority: 3,
        estimate: 5,
        start_date: `${day(-3)}T09:00:00.000Z`,
        due_date: day(5),
        labels: ['web'],
      },
      {
        title: 'Renew the certificate of the mail server',
        section_title: 'In progress',
        priority: 1,
        estimate: 2,
        due_date: day(-1),
        labels: ['risk'],
      },
      {
        title: 'Keyboard shortcuts for moving tasks',
        section_title: 'Review',
        priority: 2,
        estimate: 4,
        labels: ['web'],
      },
      {
        title: 'Rate limits answer with Retry-After',
        section_title: 'Done',
        priority: 3,
        estimate: 2,
        labels: ['api'],
      },
    ],
  }
}
