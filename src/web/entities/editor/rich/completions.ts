import {
  autocompletion,
  type CompletionContext,
  type CompletionResult,
} from '@codemirror/autocomplete'
import type { Extension } from '@codemirror/state'
import { callOperation } from '../../../data/client.ts'
import type { QuickMatch } from '../../quick-find/quick-find.ts'
import type { EditorOptions } from '../editor-types.ts'
import { completeEmoji } from './emoji.ts'
import { completeBlocks, isInCode } from './slash-menu.ts'

const LIMIT = 8

/** Matches of quick find; none if the server cannot be reached. */
const find = (query: string, kinds: string): Promise<readonly QuickMatch[]> =>
  query
    ? callOperation('search.quick', { query, kinds, limit: LIMIT }).catch(() => [])
    : Promise.resolve([])

/** Completes `@` with the board's people and agents, then with others that quick find knows. */
const completeMentions =
  (getOptions: () => EditorOptions) =>
  async (context: CompletionContext): Promise<CompletionResult | null> => {
    const at = context.matchBefore(/@[\p{L}\p{N}._-]*/u)
    if (!at || /\S/.test(context.state.sliceDoc(at.from - 1, at.from))) return null
    const { people } = getOptions()
    const typed = at.text.slice(1).toLowerCase()
    const near = people.filter(({ name }) => name.toLowerCase().includes(typed))
    const found = near.length < LIMIT && people.length ? await find(typed, 'person') : []
    const others = found
      .filter(({ title }) => !people.some(({ name }) => name === title))
      .map(({ title, kind }) => ({ name: title, kind }))
    const options = [...near, ...others].map(({ name, kind }) => ({
      ...{ label: `@${name}`, apply: `@${name} `, detail: kind === 'agent' ? 'agent' : '' },
    }))
    return options.length ? { from: at.from, options, filter: false } : null
  }

const escapeLabel = (title: string) => title.replace(/[[\]\\]/g, '\\$&')

function referenceOption({ kind, id, key, title, board, done }: QuickMatch) {
  const isTask = kind === 'task'
  return {
    label: isTask ? (key ?? '') : title,
    detail: isTask ? title : (board ?? ''),
    apply: isTask ? `${key} ` : `[${escapeLabel(title)}](/p/${id}) `,
    type: done ? 'done' : kind,
  }
}

/** Completes a partial key, or words after `#`, with tasks and pages. */
async function completeReferences(context: CompletionContext): Promise<CompletionResult | null> {
  const at = context.matchBefore(/#[\p{L}\p{N}][\p{L}\p{N}-]*|\b[A-Z][A-Z0-9]{0,9}-\d+/u)
  if (!at || /[\w/]/.test(context.state.sliceDoc(at.from - 1, at.from))) return null
  if (isInCode(context.state, at.from)) return null
  const hasHash = at.text.startsWith('#')
  const matches = await find(at.text.replace(/^#/, ''), hasHash ? 'task,page' : 'task')
  const options = matches.map(referenceOption)
  return options.length ? { from: at.from, options, filter: false } : null
}

/** Completes mentions, tasks, pages, emoji and, after a slash, blocks. */
export const completions = (getOptions: () => EditorOptions): Extension =>
  autocompletion({
    override: [
      completeMentions(getOptions),
      completeReferences,
      completeEmoji,
      completeBlocks(() => getOptions().onAttach?.()),
    ],
    ...{ icons: false, defaultKeymap: false, maxRenderedOptions: 40 },
    optionClass: ({ type }) => (type === 'done' ? 'cm-done' : ''),
  })
