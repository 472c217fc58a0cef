import type { Person } from '../../record.ts'
import { newPerson } from '../shared/person.ts'
import type { Row } from './export-files.ts'

/** The people by name: issues name them without an id. */
export class People {
  readonly list: Person[] = []
  private readonly byName = new Map<string, string>()
  private readonly ids = new Set<string>()

  constructor(users: readonly Row[], issues: readonly Row[]) {
    for (const { Email = '', Name = '' } of users) this.add(Email || Name, Name || Email, Email)
    for (const { Creator = '' } of issues) this.add(Creator, Creator)
    for (const issue of issues)
      for (const name of this.namesIn(issue['Assignee(s)'] ?? '')) this.add(name, name)
  }

  private add(id: string, name: string, email = ''): void {
    if (!id || this.byName.has(name) || this.ids.has(id)) return
    this.byName.set(name, id)
    this.ids.add(id)
    this.list.push(newPerson(id, name, email))
  }

  idOf(name: string): string | undefined {
    return this.byName.get(name)
  }

  idsOf(names: string): string[] {
    return [...new Set(this.namesIn(names).flatMap((name) => this.byName.get(name) ?? []))]
  }

  /** Commas separate names, and may also be in a name: the longest known name wins. */
  private namesIn(text: string): string[] {
    const names: string[] = []
    const parts = text.split(', ').filter(Boolean)
    for (let start = 0; start < parts.length; ) {
      let end = Math.min(parts.length, start + 4)
      while (end > start + 1 && !this.byName.has(parts.slice(start, end).join(', '))) end--
      names.push(parts.slice(start, end).join(', '))
      start = end
    }
    return names
  }
}
