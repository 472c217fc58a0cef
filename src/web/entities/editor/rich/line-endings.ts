import { EditorSelection, EditorState, type Extension, RangeSetBuilder } from '@codemirror/state'
import {
  Decoration,
  type DecorationSet,
  EditorView,
  ViewPlugin,
  type ViewUpdate,
} from '@codemirror/view'

const HIDDEN = Decoration.replace({})

/**
 * Lines are separated by `\n` only. A carriage return stays a character of its line, so that the
 * text of the editor is always exactly the stored text.
 */
const separator = [
  EditorState.lineSeparator.of('\n'),
  EditorView.clipboardInputFilter.of((text) => text.replace(/\r\n?/g, '\n')),
]

interface Returns {
  hidden: DecorationSet
  /** With the line break behind it, because the cursor skips both. */
  breaks: DecorationSet
}

function returnsIn({ state: { doc }, viewport }: EditorView): Returns {
  const hidden = new RangeSetBuilder<Decoration>()
  const breaks = new RangeSetBuilder<Decoration>()
  let line = doc.lineAt(viewport.from)
  while (line.from <= viewport.to) {
    if (line.text.endsWith('\r')) {
      hidden.add(line.to - 1, line.to, HIDDEN)
      breaks.add(line.to - 1, Math.min(line.to + 1, doc.length), HIDDEN)
    }
    if (line.number === doc.lines) break
    line = doc.line(line.number + 1)
  }
  return { hidden: hidden.finish(), breaks: breaks.finish() }
}

const hiddenReturns = ViewPlugin.fromClass(
  class {
    returns: Returns
    constructor(view: EditorView) {
      this.returns = returnsIn(view)
    }
    update({ docChanged, viewportChanged, view }: ViewUpdate) {
      if (docChanged || viewportChanged) this.returns = returnsIn(view)
    }
  },
  {
    decorations: ({ returns }) => returns.hidden,
    provide: (plugin) =>
      EditorView.atomicRanges.of((view) => view.plugin(plugin)?.returns.breaks ?? Decoration.none),
  },
)

/** The end of a line is before its carriage return, so that text is never typed behind it. */
const cursorBeforeReturn = EditorState.transactionFilter.of((tr) => {
  if (!tr.selection && !tr.docChanged) return tr
  const { newDoc: doc } = tr
  const before = (position: number) => {
    const line = doc.lineAt(position)
    return position === line.to && line.text.endsWith('\r') ? position - 1 : position
  }
  const { ranges, mainIndex } = tr.newSelection
  if (!ranges.some(({ anchor, head }) => before(anchor) !== anchor || before(head) !== head))
    return tr
  const moved = ranges.map(({ anchor, head }) =>
    EditorSelection.range(before(anchor), before(head)),
  )
  return [tr, { selection: EditorSelection.create(moved, mainIndex), sequential: true }]
})

/** Keeps the line endings of a text as they are. */
export const lineEndings = (text: string): Extension =>
  text.includes('\r') ? [separator, hiddenReturns, cursorBeforeReturn] : separator
