import type { Extension } from '@codemirror/state'
import type { Member } from '../user/members.ts'

/** Options and callbacks of the editor. */
export interface EditorOptions {
  label: string
  hint: string
  people: readonly Pick<Member, 'name' | 'kind'>[]
  onChange(text: string): void
  onSend(): void
  /** Mod-S submits too, because the text is saved rather than posted. */
  hasSaveKey?: boolean
  onEscape(): void
  onFiles(files: readonly File[]): void
  /** Opens a dialog to choose files. */
  onAttach?: () => void
  /** The board whose members are suggested for mentions. */
  project_id?: number | undefined
  /** Further extensions. Only those of the first render are used. */
  extensions?: readonly Extension[] | undefined
}

/** Controls a mounted editor from outside. */
export interface EditorHandle {
  focus(): void
  destroy(): void
  set(text: string): void
  insert(text: string): void
  replace(search: string, replacement: string): void
  /** Shows the source instead of the rendered text. */
  showSource(isSource: boolean): void
}
