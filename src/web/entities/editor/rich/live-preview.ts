import { syntaxTree } from '@codemirror/language'
import type { Extension } from '@codemirror/state'
import {
  Decoration,
  type DecorationSet,
  EditorView,
  ViewPlugin,
  type ViewUpdate,
} from '@codemirror/view'
import type { SyntaxNode } from '@lezer/common'
import {
  previewCode,
  previewHeading,
  previewQuote,
  previewQuoteMark,
  previewRule,
} from './block-preview.ts'
import { previewInline } from './inline-preview.ts'
import { previewAddress, previewImage, previewLink } from './link-preview.ts'
import { previewItem, previewMark } from './list-preview.ts'
import { PreviewContext } from './preview-context.ts'
import { previewReferences } from './reference-preview.ts'
import { referencesLoaded } from './references.ts'

type Preview = (node: SyntaxNode, context: PreviewContext) => void

const PREVIEWS: Readonly<Record<string, Preview>> = {
  ...Object.fromEntries([1, 2, 3, 4, 5, 6].map((level) => [`ATXHeading${level}`, previewHeading])),
  SetextHeading1: previewHeading,
  SetextHeading2: previewHeading,
  Emphasis: previewInline,
  StrongEmphasis: previewInline,
  Strikethrough: previewInline,
  InlineCode: previewInline,
  Escape: previewInline,
  Link: previewLink,
  Image: previewImage,
  Autolink: previewAddress,
  URL: previewAddress,
  Blockquote: previewQuote,
  QuoteMark: previewQuoteMark,
  HorizontalRule: previewRule,
  FencedCode: previewCode,
  CodeBlock: previewCode,
  ListItem: previewItem,
  ListMark: previewMark,
}

function previewOf(view: EditorView): PreviewContext {
  const context = new PreviewContext(view)
  syntaxTree(view.state).iterate({
    ...view.viewport,
    // Rendered tables replace their source.
    enter({ name, node }) {
      if (name === 'Table' && node.parent?.name === 'Document') return false
      PREVIEWS[name]?.(node, context)
      return undefined
    },
  })
  previewReferences(context)
  return context
}

/** Renders the visible part of the source. Marks are shown while the selection touches them. */
const plugin = ViewPlugin.fromClass(
  class {
    decorations!: DecorationSet
    atoms!: DecorationSet
    constructor(view: EditorView) {
      this.#render(view)
    }
    update(update: ViewUpdate) {
      const isOutdated =
        update.docChanged ||
        update.viewportChanged ||
        update.selectionSet ||
        update.focusChanged ||
        syntaxTree(update.startState) !== syntaxTree(update.state) ||
        update.transactions.some((tr) => tr.effects.some((effect) => effect.is(referencesLoaded)))
      if (isOutdated) this.#render(update.view)
    }
    #render(view: EditorView) {
      const context = previewOf(view)
      this.decorations = context.decorations()
      this.atoms = context.atomSet()
    }
  },
  {
    decorations: ({ decorations }) => decorations,
    provide: (plugin) =>
      EditorView.atomicRanges.of((view) => view.plugin(plugin)?.atoms ?? Decoration.none),
  },
)

export const livePreview: Extension = plugin
