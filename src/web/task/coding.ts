import type { Member } from './data.ts'

/** What the editor asks and tells while it is there. */
export interface Wishes {
  label: string
  hint: string
  people: readonly Pick<Member, 'name' | 'kind'>[]
  onChange(text: string): void
  onSend(): void
  /** What is written is saved, not said: the key that saves does it too. */
  saves?: boolean
  onEscape(): void
  onFiles(files: readonly File[]): void
}

/** The editor itself, for whoever puts something into it. */
export interface Code {
  focus(): void
  destroy(): void
  set(text: string): void
  insert(words: string): void
  replace(words: string, by: string): void
}
