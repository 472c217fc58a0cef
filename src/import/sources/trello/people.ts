import type { Person } from '../../record.ts'
import { type Json, objectOf, objectsOf, stringOf } from '../shared/json.ts'

/** The members of the board, and people in its history who left it. */
export function peopleOf(board: Json): Map<string, Person> {
  const people = new Map<string, Person>()
  for (const member of objectsOf(board.members)) addPerson(people, member)
  for (const action of objectsOf(board.actions)) {
    addPerson(people, objectOf(action.memberCreator))
    addPerson(people, objectOf(action.member))
  }
  return people
}

function addPerson(people: Map<string, Person>, member: Json): void {
  const id = stringOf(member.id)
  if (!id || people.has(id)) return
  const email = stringOf(member.email)
  const name = stringOf(member.fullName).trim() || stringOf(member.username) || id
  const hasEmail = /^[^\s@]+@[^\s@]+$/.test(email) && email.length <= 254
  people.set(id, { id, name: name.slice(0, 200), ...(hasEmail && { email }) })
}
