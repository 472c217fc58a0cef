import { writeFileSync } from 'node:fs'

const STATUSES = ['open', 'in_progress', 'blocked', 'closed']
const PEOPLE = ['Ana', 'Ben', 'Cleo', 'Olga']
const STAMP = Date.parse('2026-01-05T08:00:00Z')

/** Writes issues of beads: every epic has three tasks, which have subtasks and block others. */
export function writeIssues(path: string, count: number): void {
  const lines = Array.from({ length: count }, (_, number) => JSON.stringify(issueOf(number)))
  writeFileSync(path, `${lines.join('\n')}\n`)
}

const idOf = (number: number) => `quay-${number + 1}`
const timeOf = (number: number) => new Date(STAMP + number * 60_000).toISOString()

function issueOf(number: number) {
  const status = STATUSES[number % STATUSES.length]
  return {
    ...{ id: idOf(number), title: `Issue ${number}`, status, priority: number % 5 },
    description: `Check the quay, part ${number}`,
    ...{ acceptance_criteria: `- [ ] Part ${number} is dry`, issue_type: 'task' },
    ...{ labels: [`zone ${number % 6}`, `pier ${number % 4}`], assignee: personOf(number) },
    ...{ created_by: personOf(number + 1), created_at: timeOf(number), updated_at: timeOf(number) },
    ...(status === 'closed' && { closed_at: timeOf(number) }),
    dependencies: dependenciesOf(number),
    comments: [{ id: number + 1, author: personOf(number), text: `Seen ${number}` }],
  }
}

const personOf = (number: number) => PEOPLE[number % PEOPLE.length]

/** Groups of ten: an epic, three tasks of it, and two subtasks of each task. */
function dependenciesOf(number: number) {
  const place = number % 10
  const epic = number - place
  const parent = place === 0 ? undefined : place < 4 ? epic : epic + 1 + ((place - 4) % 3)
  const blocker = place > 1 && place < 4 ? number - 1 : undefined
  return [
    ...(parent === undefined ? [] : [{ depends_on_id: idOf(parent), type: 'parent-child' }]),
    ...(blocker === undefined ? [] : [{ depends_on_id: idOf(blocker), type: 'blocks' }]),
  ]
}
