import { redo, undo } from '@codemirror/commands'
import { type EditorState, type Extension, type StateCommand, StateField } from '@codemirror/state'
import { type EditorView, type Panel, showPanel, showTooltip, type Tooltip } from '@codemirror/view'
import { hintOf, type Shortcut } from '../../../kit/shortcuts.ts'
import { t } from '../../../messages/t.ts'
import { insertLink, toggleMark } from '../codemirror-keys.ts'
import { moveBlock } from './blocks.ts'
import { button, element, icon } from './element.ts'
import {
  indentItems,
  toggleBullets,
  toggleChecklist,
  toggleHeading,
  toggleNumbers,
  toggleQuote,
} from './format-commands.ts'

interface Tool {
  label: string
  /** What the button shows. */
  sign: string | (() => Node)
  name?: string
  shortcut?: string
  run: StateCommand
}

const LINK =
  'M6.5 9.5l3-3M7.2 5l1.9-1.9a2.7 2.7 0 0 1 3.8 3.8L11 8.8M8.8 11l-1.9 1.9a2.7 2.7 0 0 1-3.8-3.8L5 7.2'

const BULLETS = 'M5.5 4h8M5.5 8h8M5.5 12h8M2.5 4h.01M2.5 8h.01M2.5 12h.01'
const NUMBERS = 'M6.5 4h7M6.5 12h7M2.5 3l1-.5V6M2.5 10h1.7L2.5 13h2'
const BOXES = 'M2.5 3h3.5v3.5H2.5zM2.5 9.5h3.5V13H2.5zM8.5 4.7h5M8.5 11.2h5'
const QUOTE = 'M3 3.5v9M6 5h7.5M6 8h7.5M6 11h5'

const TOOLS: readonly Tool[] = [
  { label: t('editor.bold'), sign: 'B', name: 'strong', shortcut: '$mod+b', run: toggleMark('**') },
  { label: t('editor.italic'), sign: 'I', name: 'em', shortcut: '$mod+i', run: toggleMark('_') },
  {
    ...{ label: t('editor.strikethrough'), sign: 'S', name: 's' },
    ...{ shortcut: '$mod+Shift+x', run: toggleMark('~~') },
  },
  { label: t('editor.code'), sign: '<>', name: 'code', shortcut: '$mod+e', run: toggleMark('`') },
  { label: t('editor.link'), sign: () => icon(LINK), shortcut: '$mod+k', run: insertLink },
  {
    ...{ label: t('editor.heading'), sign: 'H', name: 'strong' },
    ...{ shortcut: '$mod+Alt+2', run: toggleHeading(2) },
  },
  {
    ...{ label: t('editor.bulleted_list'), sign: () => icon(BULLETS) },
    ...{ shortcut: '$mod+Shift+8', run: toggleBullets },
  },
  {
    ...{ label: t('editor.numbered_list'), sign: () => icon(NUMBERS) },
    ...{ shortcut: '$mod+Shift+7', run: toggleNumbers },
  },
  {
    ...{ label: t('editor.checklist'), sign: () => icon(BOXES) },
    ...{ shortcut: '$mod+Shift+9', run: toggleChecklist },
  },
  {
    ...{
      label: t('editor.quote'),
      sign: () => icon(QUOTE),
      shortcut: '$mod+Shift+Period',
      run: toggleQuote,
    },
  },
]

const TOUCH_TOOLS: readonly Tool[] = [
  ...TOOLS,
  { label: t('editor.outdent'), sign: '⇤', run: indentItems(-1) },
  { label: t('editor.indent'), sign: '⇥', run: indentItems(1) },
  { label: t('editor.move_block_up'), sign: '↑', run: (view) => move(view, -1) },
  { label: t('editor.move_block_down'), sign: '↓', run: (view) => move(view, 1) },
  { label: t('editor.undo'), sign: '↶', run: undo },
  { label: t('editor.redo'), sign: '↷', run: redo },
]

const move = (view: Parameters<StateCommand>[0], by: -1 | 1) => moveBlock(by)(view as EditorView)

function createBar(view: EditorView, tools: readonly Tool[], name: string): HTMLElement {
  const buttons = tools.map(({ label, sign, name, shortcut, run }) => {
    const content = typeof sign === 'string' ? sign : sign()
    const hint = shortcut ? ` (${hintOf({ keys: [shortcut] } as unknown as Shortcut)})` : ''
    const node = button({ label, class: `cm-tool-${name ?? 'sign'}` }, content, () => run(view))
    node.title = label + hint
    return node
  })
  const bar = element('div', { class: name, role: 'toolbar', 'aria-label': t('editor.format') })
  bar.append(...buttons)
  bar.onkeydown = (event) => moveFocus(view, buttons, event)
  for (const [at, node] of buttons.entries()) node.tabIndex = at ? -1 : 0
  return bar
}

/** The arrow keys go through a toolbar, and Escape back to the text. */
function moveFocus(view: EditorView, buttons: readonly HTMLElement[], event: KeyboardEvent) {
  event.stopPropagation()
  if (event.key === 'Escape') view.focus()
  const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key]
  if (!by) return
  event.preventDefault()
  const at = buttons.indexOf(event.target as HTMLElement)
  buttons[(at + by + buttons.length) % buttons.length]?.focus()
}

/** Alt+F10 goes to the toolbar, as in other editors. */
export function focusToolbar(view: EditorView): boolean {
  const first = view.dom.querySelector<HTMLElement>('.cm-toolbar button, .cm-touch-bar button')
  first?.focus()
  return first !== null
}

function tooltipFor({ selection, readOnly }: EditorState): Tooltip | null {
  const { main } = selection
  if (main.empty || readOnly || isTouch()) return null
  return {
    ...{ pos: main.from, end: main.to, above: true, strictSide: false },
    create: (view) => ({ dom: createBar(view, TOOLS, 'cm-toolbar'), offset: { x: 0, y: 6 } }),
  }
}

const isTouch = () => matchMedia('(pointer: coarse)').matches

/** A toolbar at selected text. */
const selectionToolbar = StateField.define<Tooltip | null>({
  create: tooltipFor,
  update: (tooltip, tr) => (tr.selection || tr.docChanged ? tooltipFor(tr.state) : tooltip),
  provide: (field) => showTooltip.from(field),
})

/** On touch screens, a bar that stays above the keyboard. */
const touchBar = () => (isTouch() ? showPanel.of(createTouchBar) : [])

function createTouchBar(view: EditorView): Panel {
  const dom = createBar(view, TOUCH_TOOLS, 'cm-touch-bar')
  const screen = window.visualViewport
  // Some browsers lay the keyboard over the page instead of making the page smaller.
  const lift = () => {
    dom.style.transform = ''
    if (!screen || screen.height >= innerHeight) return
    const hidden = dom.getBoundingClientRect().bottom - screen.offsetTop - screen.height
    if (hidden > 0) dom.style.transform = `translateY(${-hidden}px)`
  }
  const events = ['resize', 'scroll']
  return {
    dom,
    mount() {
      for (const name of events) screen?.addEventListener(name, lift)
    },
    destroy() {
      for (const name of events) screen?.removeEventListener(name, lift)
    },
  }
}

export const toolbar = (): Extension => [selectionToolbar, touchBar()]
