export interface ChecklistItem {
  text: string
  isChecked: boolean
  /** In words, such as "Ana" or "due 2026-03-01". */
  notes: readonly string[]
}

/** A checklist as a section of a description in Markdown. */
export function checklistText(name: string, items: readonly ChecklistItem[]): string {
  const lines = items.map(({ text, isChecked, notes }) => {
    const suffix = notes.length ? ` (${notes.join(', ')})` : ''
    return `- [${isChecked ? 'x' : ' '}] ${oneLine(text)}${suffix}`
  })
  return [`## ${oneLine(name) || 'Checklist'}`, '', ...lines].join('\n')
}

const oneLine = (text: string) => text.replace(/\s+/g, ' ').trim()

/** Joins the description and the sections below it. */
export const joinSections = (...sections: readonly string[]): string =>
  sections
    .map((section) => section.trim())
    .filter(Boolean)
    .join('\n\n')
