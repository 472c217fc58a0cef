import { ChangeSet } from '@codemirror/state'
import { changesBetween, toText } from '../../../../kernel/text-changes/index.ts'

export interface UnsavedChange {
  author_id: number
  changes: ChangeSet
}

/**
 * Rebases pending changes over one that was saved before them. `over` is the saved change as it
 * applies after all pending ones.
 */
export function rebase(pending: readonly ChangeSet[], saved: ChangeSet) {
  let over = saved
  const rebased = pending.map((changes) => {
    const after = changes.map(over, true)
    over = over.map(changes)
    return after
  })
  return { pending: rebased, over }
}

/** Applies changes to a text, in order. */
export const applyAll = (text: string, changes: readonly ChangeSet[]): string =>
  changes.reduce((doc, change) => change.apply(doc), toText(text)).toString()

/**
 * Divides changes by author. The texts follow each other: the first has only the changes of the
 * first author, the last has all. The author of the last change comes last.
 */
export function textsByAuthor(text: string, changes: readonly UnsavedChange[]) {
  const order = [...new Set(changes.map(({ author_id }) => author_id).reverse())].reverse()
  return order.map((author_id, index) => ({
    author_id,
    text:
      index === order.length - 1
        ? applyAll(
            text,
            changes.map((change) => change.changes),
          )
        : textOf(text, changes, new Set(order.slice(0, index + 1))),
  }))
}

/**
 * The text with the changes of some authors only. What they changed in the text of others is not
 * in it.
 */
function textOf(text: string, changes: readonly UnsavedChange[], authors: ReadonlySet<number>) {
  let whole = toText(text)
  let part = whole
  let others = ChangeSet.empty(whole.length)
  for (const { author_id, changes: change } of changes) {
    whole = change.apply(whole)
    if (!authors.has(author_id)) others = others.compose(change)
    else {
      part = change.map(others.invert(part)).apply(part)
      others = changesBetween(part.toString(), whole.toString())
    }
  }
  return part.toString()
}
