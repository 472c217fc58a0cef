import type { EditorState, Range } from '@codemirror/state'
import { Decoration, type EditorView, type WidgetType } from '@codemirror/view'

interface Span {
  from: number
  to: number
}

/** Collects the decorations of one viewport. */
export class PreviewContext {
  readonly #ranges: Range<Decoration>[] = []
  readonly #atoms: Range<Decoration>[] = []
  readonly #lineClasses = new Map<number, Set<string>>()
  readonly view: EditorView
  readonly state: EditorState
  readonly viewport: Span

  constructor(view: EditorView) {
    this.view = view
    this.state = view.state
    this.viewport = view.viewport
  }

  text(from: number, to: number): string {
    return this.state.sliceDoc(from, to)
  }

  /** Whether the selection touches a range, so that its marks are shown. */
  isTouched(from: number, to: number): boolean {
    return (
      this.view.hasFocus && this.state.selection.ranges.some((r) => r.from <= to && r.to >= from)
    )
  }

  /** Whether the selection touches the lines of a range. */
  isLineTouched(from: number, to = from): boolean {
    const { doc } = this.state
    return this.isTouched(doc.lineAt(from).from, doc.lineAt(to).to)
  }

  hide(from: number, to: number) {
    if (to > from) this.#ranges.push(HIDDEN.range(from, to))
  }

  style(from: number, to: number, name: string, attributes: Record<string, string> = {}) {
    if (to > from) this.#ranges.push(Decoration.mark({ class: name, attributes }).range(from, to))
  }

  replace(from: number, to: number, widget: WidgetType) {
    this.#ranges.push(Decoration.replace({ widget }).range(from, to))
  }

  /** Replaces a range that the cursor skips and that no selection reveals. */
  replaceAtom(from: number, to: number, widget?: WidgetType) {
    this.#ranges.push((widget ? Decoration.replace({ widget }) : HIDDEN).range(from, to))
    // With the line break before it: the cursor goes from the end of a line to the next text.
    const isLineStart = from > 0 && this.state.doc.lineAt(from).from === from
    this.#atoms.push(HIDDEN.range(isLineStart ? from - 1 : from, to))
  }

  append(at: number, widget: WidgetType, side = 1) {
    this.#ranges.push(Decoration.widget({ widget, side }).range(at))
  }

  line(at: number, name: string) {
    const { from } = this.state.doc.lineAt(at)
    const names = this.#lineClasses.get(from) ?? new Set()
    this.#lineClasses.set(from, names.add(name))
  }

  /** Calls back with each line of a range that is in the viewport. */
  eachLine({ from, to }: Span, action: (line: { from: number; to: number; text: string }) => void) {
    const { doc } = this.state
    const end = Math.min(to, this.viewport.to)
    let line = doc.lineAt(Math.max(from, this.viewport.from))
    while (line.from <= end) {
      action(line)
      if (line.to >= doc.length) return
      line = doc.line(line.number + 1)
    }
  }

  lines(range: Span, name: string) {
    this.eachLine(range, ({ from }) => this.line(from, name))
  }

  atomSet() {
    return Decoration.set(this.#atoms, true)
  }

  decorations() {
    const lines = [...this.#lineClasses].map(([from, names]) =>
      Decoration.line({ class: [...names].join(' ') }).range(from),
    )
    return Decoration.set([...lines, ...this.#ranges], true)
  }
}

const HIDDEN = Decoration.replace({})
