import {
  autocompletion,
  type Completion,
  type CompletionContext,
  type CompletionResult,
  insertCompletionText,
  pickedCompletion,
} from '@codemirror/autocomplete'
import type { Extension } from '@codemirror/state'
import type { EditorView } from '@codemirror/view'
import { callOperation } from '../../../data/client.ts'
import type { QuickMatch } from '../../quick-find/quick-find.ts'
import type { EditorOptions } from '../editor-types.ts'
import { noteCompletedMention } from '../mentions.ts'
import { completeEmoji } from './emoji.ts'
import { completeBlocks, isInCode } from './slash-menu.ts'

const LIMIT = 8

/** Matches of quick find; none if the server cannot be reached. */
const find = (query: string, kinds: string, project_id?: number): Promise<readonly QuickMatch[]> =>
  query
    ? callOperation('search.quick', {
        ...{ query, kinds, limit: LIMIT },
        ...(project_id && { project_id }),
      }).catch(() => [])
    : Promise.resolve([])

/** Completes `@` with the board's people and agents, then with others that quick find knows. */
const completeMentions =
  (getOptions: () => EditorOptions) =>
  async (context: CompletionContext): Promise<CompletionResult | null> => {
    const at = context.matchBefore(/@[\p{L}\p{N}._-]*/u)
    if (!at || /\S/.test(context.state.sliceDoc(at.from - 1, at.from))) return null
    const { people, project_id } = getOptions()
    const typed = at.text.slice(1).toLowerCase()
    const near = people.filter(({ name }) => name.toLowerCase().includes(typed))
    const isEnough = near.length >= LIMIT || !project_id
    const found = isEnough ? [] : await find(typed, 'person', project_id)
    const others = found.filter(({ title }) => !people.some(({ name }) => name === title))
    const options = [
      ...near.map(({ name, kind }) => mention(name, kind)),
      ...others.map(({ title, kind, id }) => ({
        ...mention(title, kind),
        apply: (view: EditorView, completion: Completion, from: number, to: number) => {
          noteCompletedMention(title, kind, id)
          view.dispatch({
            ...insertCompletionText(view.state, `@${title} `, from, to),
            annotations: pickedCompletion.of(completion),
          })
        },
      })),
    ]
    return options.length ? { from: at.from, options, filter: false } : null
  }

const mention = (name: string, kind: string) => ({
  ...{ label: `@${name}`, apply: `@${name} `, detail: kind === 'agent' ? 'agent' : '' },
})

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
