import type { Person } from '../../record.ts'
import { cut } from './texts.ts'

const EMAIL = /^[^\s@]+@[^\s@]+$/

/** The people of an import, each once, by the ids of the source. */
export class People {
  private readonly byId = new Map<string, Person>()

  /** Adds what is known of a person. Returns the id, or undefined if it is empty. */
  add(id: string, name = '', email = ''): string | undefined {
    if (!id || id.length > 500) return
    const known = this.byId.get(id)
    const mail = EMAIL.test(email) && email.length <= 254 ? email : known?.email
    const isNamed = known && (known.name !== id || !name.trim())
    this.byId.set(id, {
      id,
      name: isNamed ? known.name : cut(name.trim() || id, 200),
      ...(mail && { email: mail }),
    })
    return id
  }

  has(id: string): boolean {
    return this.byId.has(id)
  }

  list(): Person[] {
    return [...this.byId.values()]
  }
}
