import type { Person } from '../../record.ts'
import { cut } from './limits.ts'

const EMAIL = /^[^\s@]+@[^\s@]+$/

/** Collects the people that tasks name. Their names are their ids. */
export class People {
  private readonly people = new Map<string, Person>()

  /** The id of a person, from a name such as `@ana`; undefined if it is empty. */
  idOf(name: string): string | undefined {
    const id = cut(name.trim().replace(/^@/, ''), 200)
    if (!id) return undefined
    const email = EMAIL.test(id) && { email: id }
    this.people.set(id, { id, name: id, ...email })
    return id
  }

  all(): Person[] {
    return [...this.people.values()]
  }
}
