import type { Person } from '../../record.ts'
import { type Json, objectOf, objectsOf, stringOf } from '../shared/json.ts'
import { newPerson } from '../shared/person.ts'

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
  const name = stringOf(member.fullName) || stringOf(member.username)
  people.set(id, newPerson(id, name, stringOf(member.email)))
}
