import { type Instance, startEmpty } from '../screens/instances.ts'

const COLUMNS = [
  ['Ideas', 3000],
  ['Next up', 900],
  ['In progress', 400],
  ['Review', 300],
  ['Waiting', 250],
  ['Shipped', 150],
] as const
const VERBS = ['Show', 'Measure', 'Rewrite', 'Explain', 'Mend', 'Translate', 'Speed up', 'Test']
const THINGS = [
  ...['the export of large boards', 'who is looking at a board', 'the sign-in page in German'],
  ...['search in comments', 'webhooks that fail at night', 'the guide for new teams'],
  ...['pictures that are pasted into a description and then moved to another task', 'the backup'],
]
const LABELS = ['web', 'api', 'docs', 'risk', 'phone']
/** The largest number of tasks that a board can be created with. */
const BATCH = 200
const PARALLEL = 8

export interface Board extends Instance {
  /** The id of the board with all cards. */
  project_id: number
  team_id: number
  total: number
}

const taskAt = (at: number) => ({
  title: `${VERBS[at % VERBS.length]} ${THINGS[(at * 7) % THINGS.length]}`,
  priority: at % 5,
  ...(at % 3 === 0 && { estimate: 2 + (at % 5) }),
  ...(at % 4 === 0 && { due_date: dayIn(at % 40) }),
  labels: LABELS.filter((_, label) => (at >> label) % 3 === 1).slice(0, 2),
})

const dayIn = (days: number) =>
  new Date(Date.now() + days * 24 * 60 * 60 * 1000).toISOString().slice(0, 10)

/** Creates a board with thousands of cards, most of them in one column. */
export async function createLargeBoard(share = 1): Promise<Board> {
  const instance = await startEmpty()
  const { call } = instance
  const { teams, profile } = await call('GET', '/api/v1/user/context')
  const { team_id } = teams[0]
  const tasks = COLUMNS.flatMap(([section_title, count]) =>
    Array.from({ length: Math.round(count * share) }, (_, at) => ({
      section_title,
      ...taskAt(at),
    })),
  )
  const board = await call('POST', '/api/v1/projects', {
    ...{ team_id, title: 'Everything at once' },
    sections: COLUMNS.map(([title]) => ({ title, is_done: false })),
    labels: LABELS.map((name) => ({ name })),
    tasks: tasks.slice(0, BATCH),
  })
  const sections = new Map<string, number>(
    board.sections.map((section: { title: string; section_id: number }) => [
      section.title,
      section.section_id,
    ]),
  )
  const { project_id } = board
  const rest = tasks.slice(BATCH).values()
  const fill = async () => {
    for (const { section_title, ...task } of rest)
      await call('POST', '/api/v1/tasks', {
        ...{ project_id, ...task, section_id: sections.get(section_title) },
        ...(task.priority < 3 && { assignee_ids: [profile.user_id] }),
      })
  }
  await Promise.all(Array.from({ length: PARALLEL }, fill))
  return { ...instance, project_id, team_id, total: tasks.length }
}
