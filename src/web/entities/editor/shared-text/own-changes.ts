import { ChangeSet, type Text, Transaction } from '@codemirror/state'
import { changesBetween } from '../../../../kernel/text-changes/index.ts'

/** Separates what was typed here from what others typed, so that it alone can be undone. */
export class OwnChanges {
  private changes: ChangeSet

  /** `base` is the text without the own changes. */
  constructor(private base: Text) {
    this.changes = ChangeSet.empty(base.length)
  }

  get isEmpty(): boolean {
    return this.changes.empty
  }

  add(transaction: Transaction) {
    const { changes, newDoc } = transaction
    if (changes.empty) return
    if (!transaction.annotation(Transaction.remote)) {
      this.changes = this.changes.compose(changes)
      return
    }
    const others = changes.map(this.changes.invert(this.base))
    this.base = others.apply(this.base)
    this.changes = changesBetween(this.base.toString(), newDoc.toString())
  }

  /** The text without and with the own changes. */
  texts(): { before: string; after: string } {
    return { before: this.base.toString(), after: this.changes.apply(this.base).toString() }
  }
}

/** Whether the other changes delete some of the text that the first ones would change. */
export function isOverwritten(changes: ChangeSet, others: ChangeSet): boolean {
  let result = false
  changes.iterChangedRanges((from, to) =>
    others.iterChangedRanges((otherFrom, otherTo) => {
      if (otherFrom < otherTo && otherFrom < to && otherTo > from) result = true
    }, true),
  )
  return result
}
