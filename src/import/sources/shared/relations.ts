import type { Relation } from '../../record.ts'
import type { Report } from '../../source.ts'

/** The relations of an import, each once, however many of its ends name it. */
export class Relations {
  private readonly byKey = new Map<string, Relation>()

  add(kind: Relation['kind'], first: string, second: string): void {
    const ends = kind === 'related' ? [first, second].sort() : [first, second]
    if (first !== second)
      this.byKey.set(JSON.stringify([kind, ...ends]), { kind, first: ends[0]!, second: ends[1]! })
  }

  /** Those between two tasks that are imported. */
  *among(ids: ReadonlySet<string>, report: Report): Generator<Relation> {
    for (const relation of this.byKey.values())
      if (ids.has(relation.first) && ids.has(relation.second)) yield relation
      else report.lose('A relation to another task', 'That task is not imported')
  }
}
