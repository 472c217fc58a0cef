import type { Person } from '../../record.ts'
import { isEmail, newPerson } from '../shared/person.ts'
import { cut } from '../shared/task-limits.ts'
import type { Row } from './row.ts'

/** Registers a person and returns the id, which is the name where there is no id. */
export function addPerson(
  people: Map<string, Person>,
  id: string,
  name: string,
  email = '',
): string | undefined {
  const known = cut(id || name, 480)
  if (!known) return undefined
  const old = people.get(known)
  if (old && (old.name !== known || !name)) return known
  people.set(known, newPerson(known, name, [email, name, id].find(isEmail)))
  return known
}

const PAIRS = [
  ['Assignee', 'Assignee Id'],
  ['Reporter', 'Reporter Id'],
  ['Creator', 'Creator Id'],
  ['Project lead', 'Project lead id'],
  ['Watchers', 'Watchers Id'],
] as const

/** Collects the names of accounts, since comments and mentions name only the accounts. */
export function personsOf(row: Row, people: Map<string, Person>): void {
  for (const [name, id] of PAIRS) {
    const names = row.all(name)
    const ids = row.all(id)
    if (names.length !== ids.length && !(name !== 'Watchers' && names.length)) continue
    for (const [at, text] of names.entries()) addPerson(people, ids[at] ?? '', text)
  }
}
