import { type Extension, type Range, StateEffect, StateField } from '@codemirror/state'
import { Decoration, type DecorationSet, EditorView, WidgetType } from '@codemirror/view'
import type { Actor } from '../../user/actor.ts'
import { actorColor } from '../../user/avatar.tsx'

/** The selection of somebody else. */
export interface OtherCursor {
  client_id: string
  actor: Actor
  anchor: number
  head: number
}

export const setCursor = StateEffect.define<OtherCursor>()
export const removeCursor = StateEffect.define<string>()

type Cursors = ReadonlyMap<string, OtherCursor>

/** The selections of others move with the text around them. */
const cursorField = StateField.define<Cursors>({
  create: () => new Map(),
  update(cursors, { changes, effects, newDoc }) {
    if (changes.empty && !effects.some((one) => one.is(setCursor) || one.is(removeCursor)))
      return cursors
    const next = new Map<string, OtherCursor>()
    for (const [id, one] of cursors)
      next.set(id, {
        ...one,
        anchor: changes.mapPos(one.anchor, 1),
        head: changes.mapPos(one.head, 1),
      })
    for (const effect of effects) {
      if (effect.is(removeCursor)) next.delete(effect.value)
      if (!effect.is(setCursor)) continue
      const { anchor, head, ...rest } = effect.value
      const clip = (position: number) => Math.min(position, newDoc.length)
      next.set(rest.client_id, { ...rest, anchor: clip(anchor), head: clip(head) })
    }
    return next
  },
  provide: (field) => EditorView.decorations.from(field, decorate),
})

function decorate(cursors: Cursors): DecorationSet {
  const ranges: Range<Decoration>[] = []
  for (const { actor, anchor, head } of cursors.values()) {
    const [from, to] = [Math.min(anchor, head), Math.max(anchor, head)]
    if (from < to) ranges.push(selection.range(from, to))
    ranges.push(Decoration.widget({ widget: new CursorWidget(actor), side: 1 }).range(head))
  }
  return Decoration.set(ranges, true)
}

const selection = Decoration.mark({ class: 'cm-other-selection' })

/** A caret with a name. Screen readers skip it, because the list of people names the editors. */
class CursorWidget extends WidgetType {
  constructor(private readonly actor: Actor) {
    super()
  }

  override eq({ actor }: CursorWidget): boolean {
    return actor.name === this.actor.name
  }

  toDOM(): HTMLElement {
    const caret = document.createElement('span')
    caret.className = 'cm-other-cursor'
    caret.ariaHidden = 'true'
    caret.style.setProperty('--who', actorColor(this.actor))
    caret.dataset.name = this.actor.name
    return caret
  }

  override ignoreEvent(): boolean {
    return true
  }
}

const theme = EditorView.baseTheme({
  '.cm-other-selection': { background: 'var(--cork-paper)' },
  '.cm-other-cursor': {
    position: 'relative',
    borderLeft: '2px solid var(--who)',
    marginLeft: '-1px',
    marginRight: '-1px',
  },
  // The name is no content, so that it is neither read, selected nor copied.
  '.cm-other-cursor::after': {
    content: 'attr(data-name)',
    position: 'absolute',
    left: '-2px',
    bottom: '100%',
    zIndex: '1',
    padding: '0 0.3125rem',
    borderRadius: '4px 4px 4px 0',
    background: 'var(--who)',
    color: '#fff',
    font: '500 0.6875rem/1.125rem var(--sans)',
    whiteSpace: 'nowrap',
    pointerEvents: 'none',
  },
})

export const cursors: Extension = [cursorField, theme]
