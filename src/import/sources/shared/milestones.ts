import type { BoardDraft } from './board-draft.ts'
import { type Json, stringOf } from './json.ts'
import { joinTexts, section } from './task-limits.ts'
import { dayOf } from './times.ts'

/** The milestones of a board: tasks have them as a field, and the board says more about them. */
export class Milestones {
  private readonly texts = new Map<string, string>()

  /** Returns the title. */
  add({ title, description, ...dates }: Json): string {
    const name = stringOf(title)
    const due = dayOf(dates.due_on ?? dates.dueOn ?? dates.dueDate ?? dates.due_date)
    const about = stringOf(description)
    if (name && (due || about))
      this.texts.set(name, `${due ? ` (due ${due})` : ''}${about ? `: ${about}` : ''}`)
    return name
  }

  /** Adds the dates and descriptions to the description of the board. */
  describe(board: BoardDraft): void {
    const lines = [...this.texts].map(([title, text]) => `- ${title}${text}`)
    if (lines.length)
      board.about.description = joinTexts(
        board.about.description,
        section('markdown', 'Milestones', lines.join('\n')),
      )
  }
}
