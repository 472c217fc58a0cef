import {
  type Completion,
  type CompletionContext,
  type CompletionResult,
  startCompletion,
} from '@codemirror/autocomplete'
import { syntaxTree } from '@codemirror/language'
import type { EditorState } from '@codemirror/state'
import type { EditorView } from '@codemirror/view'
import { t } from '../../../messages/t.ts'
import { insertBlock, toggleHeading } from './format-commands.ts'

type Apply = (view: EditorView, from: number, to: number) => void

const block =
  (template: string): Apply =>
  (view, from, to) =>
    insertBlock(template, from, to)(view)

const replaceWith =
  (text: () => string, completes = false): Apply =>
  (view, from, to) => {
    const insert = text()
    view.dispatch({
      changes: { from, to, insert },
      selection: { anchor: from + insert.length },
      userEvent: 'input.complete',
    })
    if (completes) startCompletion(view)
  }

/** Removes what was typed after the slash, then makes the line a heading. */
const heading =
  (level: number): Apply =>
  (view, from, to) => {
    view.dispatch({ changes: { from, to }, userEvent: 'input.complete' })
    toggleHeading(level)(view)
  }

/** The day after a number of days, as `2026-03-19`. */
function dayIn(days: number): string {
  const date = new Date()
  date.setDate(date.getDate() + days)
  const pad = (number: number) => `${number}`.padStart(2, '0')
  return `${date.getFullYear()}-${pad(date.getMonth() + 1)}-${pad(date.getDate())}`
}

const TABLE = '| | | |\n|---|---|---|\n| | | |\n| | | |\n'.replaceAll('| |', '|  |')

/** Label, what else finds it, what it inserts, and a short sample of its source. */
type Item = readonly [label: string, words: string, detail: string, apply: Apply]

const callout = (kind: string): Apply => block(`> [!${kind}]\n> |`)

const itemsFor = (attach: () => void): readonly Item[] => [
  [t('editor.heading_1'), 'h1 title', '#', heading(1)],
  [t('editor.heading_2'), 'h2', '##', heading(2)],
  [t('editor.heading_3'), 'h3', '###', heading(3)],
  [t('editor.bulleted_list'), 'ul bullet', '-', block('- |')],
  [t('editor.numbered_list'), 'ol ordered', '1.', block('1. |')],
  [t('editor.checklist'), 'todo task check box', '[ ]', block('- [ ] |')],
  [t('editor.table'), 'grid', '', block(TABLE)],
  [t('editor.code_block'), 'pre', '```', block('```|\n\n```')],
  [t('editor.quote'), 'blockquote', '>', block('> |')],
  [t('editor.callout_note'), 'callout info', '', callout('NOTE')],
  [t('editor.callout_tip'), 'callout', '', callout('TIP')],
  [t('editor.callout_important'), 'callout', '', callout('IMPORTANT')],
  [t('editor.callout_warning'), 'callout', '', callout('WARNING')],
  [t('editor.callout_caution'), 'callout danger', '', callout('CAUTION')],
  [t('editor.divider'), 'rule line hr', '---', block('---\n')],
  [
    ...([t('editor.image_or_file'), 'upload attach picture', ''] as const),
    (view, from, to) => {
      view.dispatch({ changes: { from, to }, userEvent: 'input.complete' })
      attach()
    },
  ],
  [t('editor.link_to_task'), 'reference issue', '#', replaceWith(() => '#', true)],
  [t('editor.link_to_page'), 'reference wiki', '#', replaceWith(() => '#', true)],
  [t('editor.mention'), 'person agent', '@', replaceWith(() => '@', true)],
  [t('editor.date_today'), 'date now', dayIn(0), replaceWith(() => dayIn(0))],
  [t('editor.date_tomorrow'), 'date', dayIn(1), replaceWith(() => dayIn(1))],
  [t('editor.date_next_week'), 'date', dayIn(7), replaceWith(() => dayIn(7))],
  [t('editor.emoji'), 'smiley', ':', replaceWith(() => ':', true)],
]

/** Whether a position is in code, where nothing is completed. */
export const isInCode = (state: EditorState, position: number): boolean =>
  /Code|HTML|URL/.test(syntaxTree(state).resolveInner(position, -1).name)

const WORD_START = 1
const INSIDE = 0

/** How well an item matches. Words match from their beginning only. */
function rank([label, words]: Item, typed: string): number | undefined {
  const lower = label.toLowerCase()
  if (lower.startsWith(typed)) return WORD_START
  const all = `${lower} ${words}`
  return all.split(/\s+/).some((word) => word.startsWith(typed)) ? INSIDE : undefined
}

/** Completes `/` at the beginning of a word with the blocks and links that can be inserted. */
export const completeBlocks =
  (attach: () => void) =>
  (context: CompletionContext): CompletionResult | null => {
    const at = context.matchBefore(/\/[\p{L}\d ]{0,20}/u)
    if (!at || isInCode(context.state, at.from)) return null
    if (/\S/.test(context.state.sliceDoc(at.from - 1, at.from))) return null
    const typed = at.text.slice(1).toLowerCase()
    const options = itemsFor(attach).flatMap((item): Completion[] => {
      const boost = rank(item, typed)
      const [label, , detail, apply] = item
      if (boost === undefined) return []
      return [{ label, detail, boost, apply: (view, _, from, to) => apply(view, from, to) }]
    })
    const sorted = options.toSorted((a, b) => b.boost! - a.boost!)
    return sorted.length ? { from: at.from, options: sorted, filter: false } : null
  }
